// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl ledger verify: the chain, offline.
#include <fstream>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "alidade/guard/ledger.hpp"
#include "options.hpp"

namespace alidade::headless {

Exit ledger(const Options& options) {
    if (options.words.empty() || options.words.front() != "verify" || options.words.size() > 2) {
        std::cerr << "alidadectl: write it as: alidadectl ledger verify [FILE]\n";
        return Exit::Error;
    }
    std::string file = options.words.size() == 2 ? options.words[1] : options.ledger;
    if (file.empty())
        file = wiring::Paths::of(wiring::processEnvironment()).ledgerFile();
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        std::cerr << "alidadectl: " << file << ": cannot be read; is this the right file?\n";
        return Exit::Error;
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const guard::LedgerReport report = guard::verifyLedger(bytes);
    if (options.json) {
        std::cout << nlohmann::json{{"file", file},
                                    {"valid", report.valid},
                                    {"records", report.records},
                                    {"head", report.head},
                                    {"faults", report.faults},
                                    {"unknownIntents", report.unknownIntents},
                                    {"tornTail", report.tornTail}}
                         // The file may hold anything once somebody has been at it.
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                  << "\n";
    } else {
        std::cout << file << ": " << report.records << " records, " << (report.valid ? "chain is whole" : "NOT VALID")
                  << "\n";
        if (!report.head.empty())
            std::cout << "  head " << report.head << "\n";
        for (const std::string& fault : report.faults)
            std::cout << "  " << fault << "\n";
        for (const std::uint64_t sequence : report.unknownIntents)
            std::cout << "  record " << sequence << ": an intent without an outcome; what became of it is unknown\n";
        if (report.tornTail)
            std::cout << "  the last line is torn; the next writer repairs it\n";
    }
    return report.valid ? Exit::Ok : Exit::Error;
}

} // namespace alidade::headless
