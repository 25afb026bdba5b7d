// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab.hpp"

#include <algorithm>
#include <fstream>

namespace alidade::test {
namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    EXPECT_NE(value, nullptr) << name;
    return value == nullptr ? std::string() : value;
}

Outcome runProgram(const std::vector<std::string>& words) {
    return runWithoutTerminal([&] {
        std::vector<char*> arguments;
        for (const std::string& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    });
}

} // namespace

RealCluster::RealCluster() {
    ns_ = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::transform(ns_.begin(), ns_.end(), ns_.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    ns_ = ns_.substr(0, 40) + "-" + std::to_string(::getpid());
    const Outcome made = kubectl({"create", "namespace", ns_});
    EXPECT_EQ(made.exitCode, 0) << made.err;
}

RealCluster::~RealCluster() { kubectl({"delete", "namespace", ns_, "--wait=false"}); }

std::string RealCluster::kubeconfig(const std::string& user) {
    return variable("LAB_RUN") + "/" + user + ".kubeconfig";
}

Outcome RealCluster::kubectl(std::vector<std::string> words) const {
    std::vector<std::string> all{variable("LAB_KUBECTL"), "--kubeconfig", kubeconfig()};
    if (std::none_of(words.begin(), words.end(), [](const std::string& w) { return w == "-n" || w == "-A"; })) {
        all.insert(all.end(), {"-n", ns_});
    }
    all.insert(all.end(), words.begin(), words.end());
    return runProgram(all);
}

void RealCluster::apply(const std::string& yaml) const {
    const std::string file = (home_ / "manifest.yaml").string();
    std::ofstream(file) << yaml;
    const Outcome applied = kubectl({"apply", "-f", file});
    EXPECT_EQ(applied.exitCode, 0) << applied.err;
}

Outcome RealCluster::lab(const std::vector<std::string>& words) {
    std::vector<std::string> all{variable("LAB_SCRIPT")};
    all.insert(all.end(), words.begin(), words.end());
    return runProgram(all);
}

bool RealCluster::eventually(const std::function<bool()>& holds, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        ::poll(nullptr, 0, 200); // the next look
    }
    return true;
}

std::vector<nlohmann::json> RealCluster::writesOfOurs() const {
    std::vector<nlohmann::json> writes;
    std::ifstream log(variable("LAB_RUN") + "/log/audit.jsonl");
    EXPECT_TRUE(log.is_open());
    for (std::string line; std::getline(log, line);) {
        const auto entry = nlohmann::json::parse(line, nullptr, false);
        if (!entry.is_object() || entry.value("stage", "") != "ResponseComplete" ||
            !entry.value("userAgent", "").starts_with("alidade")) {
            continue;
        }
        const std::string verb = entry.value("verb", "");
        const auto object = entry.value("objectRef", nlohmann::json::object());
        if ((verb != "create" && verb != "update" && verb != "patch" && verb != "delete") ||
            entry.value("requestURI", "").find("dryRun=All") != std::string::npos ||
            object.value("resource", "").ends_with("accessreviews") || object.value("namespace", "") != ns_) {
            continue;
        }
        writes.push_back(entry);
    }
    return writes;
}

} // namespace alidade::test
