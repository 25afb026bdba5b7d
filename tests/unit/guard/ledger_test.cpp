// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alidade/guard/ledger.hpp"
#include "fakes.hpp"

using namespace alidade::guard;
using namespace alidade::guard::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {
struct LedgerTest : testing::Test {
    std::filesystem::path folder;
    std::string path;
    ManualClock clock;
    FakePorts ports;

    LedgerTest() {
        std::string name = (std::filesystem::temp_directory_path() / "alidade-ledger-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        path = (folder / "state" / "ledger.jsonl").string();
    }
    ~LedgerTest() override { std::filesystem::remove_all(folder); }
    std::unique_ptr<Ledger> open() {
        auto file = openDurableFile(path);
        EXPECT_TRUE(file) << (file ? "" : file.error().text());
        auto ledger = Ledger::open(std::move(*file), clock, "app");
        EXPECT_TRUE(ledger) << (ledger ? "" : ledger.error().text());
        return ledger ? std::move(*ledger) : nullptr;
    }
    std::string bytes() const {
        std::ifstream in(path, std::ios::binary);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    }
    void write(const std::string& text) const { std::ofstream(path, std::ios::binary | std::ios::trunc) << text; }
    Audited intent(Ledger& ledger) {
        auto audited = ledger.intent(*approved(clock, ports).next());
        EXPECT_TRUE(audited);
        return std::move(*audited);
    }
};

/// Memory in place of a disk that may fail.
class FragileFile final : public DurableFile {
public:
    std::shared_ptr<std::string> text = std::make_shared<std::string>();
    std::shared_ptr<bool> broken = std::make_shared<bool>(false);
    Result<void> lock() override { return {}; }
    void unlock() override {}
    Result<std::string> readFrom(std::uint64_t offset) override { return text->substr(offset); }
    Result<std::uint64_t> size() override { return text->size(); }
    Result<void> append(std::string_view bytes) override {
        if (*broken) {
            *text += bytes.substr(0, bytes.size() / 2);
            return fail(ErrorCode::Io, "disk", "no space left on device");
        }
        *text += bytes;
        return {};
    }
    Result<void> truncate(std::uint64_t size) override {
        text->resize(size);
        return {};
    }
    std::string name() const override { return "memory"; }
};
} // namespace

TEST_F(LedgerTest, intent_and_outcome_are_chained_and_verify) {
    auto ledger = open();
    Audited audited = intent(*ledger);
    EXPECT_EQ(audited.intentSequence(), 1U);
    WriteOutcome outcome;
    outcome.kind = WriteOutcome::Kind::Done;
    ASSERT_TRUE(ledger->outcome(audited, outcome));
    ASSERT_TRUE(ledger->note("run", {{"incident", "inc-1"}}));
    const LedgerReport report = verifyLedger(bytes());
    EXPECT_TRUE(report.valid);
    EXPECT_EQ(report.records, 3U);
    EXPECT_TRUE(report.unknownIntents.empty());
    EXPECT_EQ(report.head.size(), 64U);
    EXPECT_THAT(bytes(), HasSubstr("roll back deployment shop/checkout to revision 4"));
}

TEST_F(LedgerTest, an_intent_without_outcome_is_unknown_also_after_reopening) {
    {
        auto ledger = open();
        static_cast<void>(intent(*ledger));
        ASSERT_TRUE(ledger->note("run", {}));
    }
    auto again = open();
    ASSERT_TRUE(again->note("run", {}));
    const LedgerReport report = verifyLedger(bytes());
    EXPECT_TRUE(report.valid);
    EXPECT_THAT(report.unknownIntents, ElementsAre(1U));
}

TEST_F(LedgerTest, is_for_this_user_alone) {
    open();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
    ASSERT_EQ(::stat((folder / "state").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

TEST_F(LedgerTest, a_change_of_any_byte_shows) {
    auto ledger = open();
    Audited audited = intent(*ledger);
    ASSERT_TRUE(ledger->outcome(audited, {}));
    ASSERT_TRUE(ledger->note("run", {{"a", "b"}}));
    const std::string good = bytes();
    ASSERT_TRUE(verifyLedger(good).valid);
    for (std::size_t i = 0; i < good.size(); ++i)
        for (const char flip : {'\x01', '\x20'}) {
            std::string bad = good;
            bad[i] = static_cast<char>(bad[i] ^ flip);
            EXPECT_FALSE(verifyLedger(bad).valid) << "byte " << i;
        }
}

TEST_F(LedgerTest, cutting_inserting_swapping_and_removing_records_show) {
    auto ledger = open();
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(ledger->note("run", {{"i", std::to_string(i)}}));
    const std::string good = bytes();
    std::vector<std::string> lines;
    std::istringstream in(good);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line + "\n");
    EXPECT_FALSE(verifyLedger(lines[1] + lines[2] + lines[3]).valid);
    EXPECT_FALSE(verifyLedger(lines[0] + lines[2] + lines[3]).valid);
    EXPECT_FALSE(verifyLedger(lines[0] + lines[2] + lines[1] + lines[3]).valid);
    EXPECT_FALSE(verifyLedger(lines[0] + lines[0] + lines[1]).valid);
    EXPECT_FALSE(verifyLedger(good + "\n").valid);
    EXPECT_FALSE(verifyLedger(good + "{}\n").valid);
    for (std::size_t cut = 1; cut < good.size(); ++cut) {
        const LedgerReport report = verifyLedger(std::string_view(good).substr(0, cut));
        EXPECT_EQ(report.tornTail, good[cut - 1] != '\n') << cut;
        EXPECT_EQ(report.valid, good[cut - 1] == '\n') << cut;
    }
    EXPECT_TRUE(verifyLedger("").valid);
}

TEST_F(LedgerTest, a_torn_tail_is_repaired_and_the_chain_goes_on) {
    {
        auto ledger = open();
        static_cast<void>(intent(*ledger));
        ASSERT_TRUE(ledger->note("run", {{"what", "is cut"}}));
    }
    const std::string good = bytes();
    const std::size_t firstLine = good.find('\n') + 1;
    for (std::size_t cut = firstLine + 1; cut < good.size(); cut += 7) {
        write(good.substr(0, cut));
        auto ledger = open();
        ASSERT_TRUE(ledger);
        ASSERT_TRUE(ledger->note("run", {{"what", "goes on"}}));
        const LedgerReport report = verifyLedger(bytes());
        EXPECT_TRUE(report.valid) << cut;
        EXPECT_EQ(report.records, 3U) << "intent, repair, note";
        EXPECT_THAT(report.unknownIntents, ElementsAre(1U));
        EXPECT_THAT(bytes(), HasSubstr("\"kind\":\"repair\""));
    }
}

TEST_F(LedgerTest, nothing_is_written_after_a_tampered_record) {
    {
        auto ledger = open();
        ASSERT_TRUE(ledger->note("run", {{"what", "original"}}));
    }
    std::string bad = bytes();
    bad.replace(bad.find("original"), 8, "modified");
    write(bad);
    auto file = openDurableFile(path);
    ASSERT_TRUE(file);
    auto ledger = Ledger::open(std::move(*file), clock, "app");
    ASSERT_FALSE(ledger);
    EXPECT_EQ(ledger.error().code, ErrorCode::Config);
    EXPECT_EQ(bytes(), bad);
}

TEST_F(LedgerTest, a_record_that_cannot_be_written_yields_no_proof) {
    auto file = std::make_unique<FragileFile>();
    const auto broken = file->broken;
    const auto text = file->text;
    auto ledger = Ledger::open(std::move(file), clock, "app");
    ASSERT_TRUE(ledger);
    *broken = true;
    auto audited = (*ledger)->intent(*approved(clock, ports).next());
    ASSERT_FALSE(audited);
    EXPECT_EQ(audited.error().code, ErrorCode::Io);
    // What half a record left behind is repaired by the next one.
    *broken = false;
    ASSERT_TRUE((*ledger)->note("run", {}));
    EXPECT_TRUE(verifyLedger(*text).valid);
    EXPECT_THAT(*text, Not(HasSubstr("\"kind\":\"intent\"")));
}

TEST_F(LedgerTest, a_spent_approval_yields_no_proof) {
    auto ledger = open();
    auto item = approved(clock, ports).next();
    ApprovedItem moved = std::move(*item);
    EXPECT_FALSE(ledger->intent(std::move(*item))); // NOLINT(bugprone-use-after-move): the point of the test
    auto audited = ledger->intent(std::move(moved));
    ASSERT_TRUE(audited);
    Audited taken = std::move(*audited);
    EXPECT_TRUE(audited->spent());
    EXPECT_FALSE(ledger->outcome(*audited, {}));
    EXPECT_TRUE(ledger->outcome(taken, {}));
}

TEST_F(LedgerTest, several_processes_append_to_one_chain) {
    constexpr int processes = 4, each = 40;
    open();
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
        const pid_t child = ::fork();
        if (child == 0) {
            int failures = 0;
            {
                auto file = openDurableFile(path);
                auto ledger =
                    file ? Ledger::open(std::move(*file), clock, "p" + std::to_string(p)) : fail(ErrorCode::Io, "", "");
                for (int i = 0; i < each; ++i)
                    if (!ledger || !(*ledger)->note("run", {{"i", std::to_string(i)}}))
                        ++failures;
            }
            ::_exit(failures == 0 ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    const LedgerReport report = verifyLedger(bytes());
    EXPECT_TRUE(report.valid) << (report.faults.empty() ? "" : report.faults[0]);
    EXPECT_EQ(report.records, static_cast<std::uint64_t>(processes * each));
}

TEST_F(LedgerTest, keeps_no_secrets) {
    auto ledger = open();
    ports.rendered->request.body = R"([{"op":"add","path":"/env","value":"pw-Example-1"}])";
    Audited audited = intent(*ledger);
    WriteOutcome outcome;
    outcome.detail = "webhook says DB_PASSWORD=pw-Example-1 is weak";
    outcome.error = Error(ErrorCode::Denied, "PATCH", "postgres://u:pw-Example-1@db");
    ASSERT_TRUE(ledger->outcome(audited, outcome));
    ASSERT_TRUE(ledger->note("run", {{"log", "password: pw-Example-1"}}));
    EXPECT_THAT(bytes(), Not(HasSubstr("pw-Example-1")));
    EXPECT_TRUE(verifyLedger(bytes()).valid);
}

TEST_F(LedgerTest, notes_cannot_pose_as_writes) {
    auto ledger = open();
    for (const char* kind : {"intent", "outcome", "repair"})
        EXPECT_FALSE(ledger->note(kind, {}));
}
