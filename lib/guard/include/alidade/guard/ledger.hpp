// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The audit ledger: one JSON record a line, hash-chained (sequence, previous hash, SHA-256), append-only.
// {"seq":1,"prev":"<64 hex>","at":"<RFC 3339>","actor":"..","kind":"intent","data":{..},"hash":"<64 hex>"}
// The hash is over the bytes of the line up to ,"hash": so that any changed byte shows.
// Intent before a write, outcome after it. A torn tail is repaired without breaking the chain.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::guard {

/// A file that survives a crash. The POSIX form is the only file in the guard that opens anything.
class DurableFile {
public:
    virtual ~DurableFile() = default;
    /// Inter-process lock; held by the caller around read-append.
    [[nodiscard]] virtual Result<void> lock() = 0;
    virtual void unlock() = 0;
    [[nodiscard]] virtual Result<std::string> readFrom(std::uint64_t offset) = 0;
    [[nodiscard]] virtual Result<std::uint64_t> size() = 0;
    /// Appends and makes durable (fsync of file, and of the directory when the file is new).
    [[nodiscard]] virtual Result<void> append(std::string_view bytes) = 0;
    /// Only ever used to cut a torn last line.
    [[nodiscard]] virtual Result<void> truncate(std::uint64_t size) = 0;
    [[nodiscard]] virtual std::string name() const = 0;
};
/// Creates with mode 0600 in a directory of mode 0700.
[[nodiscard]] Result<std::unique_ptr<DurableFile>> openDurableFile(const std::string& path);

/// Thread-safe.
class Ledger {
public:
    /// Repairs a torn tail (recorded as a "repair" record) and continues the chain. Refuses (Config) a file whose
    /// chain does not hold: nothing is written after a tampered record.
    [[nodiscard]] static Result<std::unique_ptr<Ledger>> open(std::unique_ptr<DurableFile> file, const Clock& clock,
                                                              std::string actor);

    /// Durable when it returns; the only way to an Audited.
    [[nodiscard]] Result<Audited> intent(ApprovedItem item);
    [[nodiscard]] Result<void> outcome(const Audited& audited, const WriteOutcome& outcome);
    /// After execute() consumed the Audited.
    [[nodiscard]] Result<void> outcome(std::uint64_t intentSequence, const WriteOutcome& outcome);
    /// Anything else worth keeping: run started, gate verdicts, proposals, declines, heal verified. Texts are redacted
    /// once more and bounded. `kind` is a word of ours, not "intent", "outcome" or "repair".
    [[nodiscard]] Result<void> note(std::string_view kind,
                                    const std::vector<std::pair<std::string, std::string>>& fields);

private:
    Ledger(std::unique_ptr<DurableFile> file, const Clock& clock, std::string actor);
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

struct LedgerReport {
    bool valid = false; ///< no fault; an empty ledger is valid
    std::uint64_t records = 0;
    std::string head;                          ///< hash of the last record
    std::vector<std::string> faults;           ///< "line 7: hash does not match"
    std::vector<std::uint64_t> unknownIntents; ///< intents without an outcome
    bool tornTail = false; ///< also a fault: the last line has no end (a crash, or a cut); opening repairs it
};
/// Offline; reads only the bytes given.
[[nodiscard]] LedgerReport verifyLedger(std::string_view bytes);

} // namespace alidade::guard
