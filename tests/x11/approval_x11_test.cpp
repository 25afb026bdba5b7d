// SPDX-License-Identifier: GPL-3.0-or-later
// Real X server, real pointer and keyboard: what was queued before the dialog opened approves nothing.
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace {

using Clock = std::chrono::steady_clock;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

/// A child process with a pipe each way; ended with its object.
class Child {
public:
    Child(const std::vector<std::string>& words, const std::vector<std::string>& environment,
          bool displayPipe = false) {
        std::array<int, 2> in{};
        std::array<int, 2> out{};
        if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0)
            return;
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(in[0], STDIN_FILENO);
            ::dup2(out[1], displayPipe ? 3 : STDOUT_FILENO);
            for (int fd = 4; fd < 64; ++fd)
                ::close(fd);
            for (const std::string& entry : environment)
                ::putenv(const_cast<char*>(entry.c_str()));
            std::vector<char*> arguments;
            for (const std::string& word : words)
                arguments.push_back(const_cast<char*>(word.c_str()));
            arguments.push_back(nullptr);
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
        ::close(in[0]);
        ::close(out[1]);
        to_ = in[1];
        from_ = out[0];
    }
    ~Child() {
        ::close(to_);
        ::close(from_);
        if (pid_ > 0) {
            ::kill(pid_, SIGTERM);
            ::waitpid(pid_, nullptr, 0);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void tell(const std::string& line) const {
        const std::string text = line + "\n";
        EXPECT_EQ(::write(to_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    /// The next line that begins with `word`, within the limit; lines before it are kept in heard().
    std::optional<std::string> hear(const std::string& word, std::chrono::milliseconds limit) {
        const auto until = Clock::now() + limit;
        for (;;) {
            if (const auto end = buffer_.find('\n'); end != std::string::npos) {
                std::string line = buffer_.substr(0, end);
                buffer_.erase(0, end + 1);
                heard_.push_back(line);
                if (line.starts_with(word))
                    return line;
                continue;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
            pollfd fd{from_, POLLIN, 0};
            if (left <= 0 || ::poll(&fd, 1, static_cast<int>(left)) <= 0)
                return std::nullopt;
            std::array<char, 4096> chunk{};
            const ssize_t got = ::read(from_, chunk.data(), chunk.size());
            if (got <= 0)
                return std::nullopt;
            buffer_.append(chunk.data(), static_cast<std::size_t>(got));
        }
    }
    [[nodiscard]] const std::vector<std::string>& heard() const { return heard_; }

private:
    pid_t pid_ = -1;
    int to_ = -1;
    int from_ = -1;
    std::string buffer_;
    std::vector<std::string> heard_;
};

constexpr std::chrono::milliseconds patience{20'000};

class ApprovalUnderX11 : public testing::Test {
protected:
    void SetUp() override {
        server_ = std::make_unique<Child>(std::vector<std::string>{variable("ALIDADE_XVFB"), "-displayfd", "3",
                                                                   "-screen", "0", "1280x900x24", "-nolisten", "tcp"},
                                          std::vector<std::string>{}, true);
        const auto number = server_->hear("", patience);
        ASSERT_TRUE(number) << "Xvfb did not start";
        display_ = "DISPLAY=:" + *number;
    }

    void start(const std::string& typed = {}) {
        std::vector<std::string> words{variable("ALIDADE_APPROVAL_HOST")};
        if (!typed.empty())
            words.push_back(typed);
        host_ =
            std::make_unique<Child>(words, std::vector<std::string>{display_, "QT_QPA_PLATFORM=xcb", "LC_ALL=C.UTF-8"});
        ASSERT_TRUE(host_->hear("ready", patience));
    }

    void input(std::vector<std::string> words) const {
        words.insert(words.begin(), variable("ALIDADE_XDOTOOL"));
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::putenv(const_cast<char*>(display_.c_str()));
            std::vector<char*> arguments;
            for (std::string& word : words)
                arguments.push_back(word.data());
            arguments.push_back(nullptr);
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
        int status = 0;
        ::waitpid(pid, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << words[1];
    }

    /// Where the approve button is, once armed.
    std::array<std::string, 2> armed() {
        const auto line = host_->hear("armed", patience);
        EXPECT_TRUE(line) << "the dialog never armed";
        if (!line)
            return {"0", "0"};
        const auto blank = line->find(' ', 6);
        return {line->substr(6, blank - 6), line->substr(blank + 1)};
    }

    /// Where the field of the typed confirmation is; said after armed().
    std::array<std::string, 2> field() {
        const auto line = host_->hear("field", patience);
        EXPECT_TRUE(line);
        if (!line)
            return {"0", "0"};
        const auto blank = line->find(' ', 6);
        return {line->substr(6, blank - 6), line->substr(blank + 1)};
    }

    void click(const std::array<std::string, 2>& at) { input({"mousemove", at[0], at[1], "click", "1"}); }

    /// A person who means it: without calibration a first press only calibrates, so up to three clicks.
    std::optional<std::string> approveByHand(const std::array<std::string, 2>& at) {
        for (int i = 0; i < 3; ++i) {
            click(at);
            if (auto approved = host_->hear("approved", std::chrono::milliseconds{4'000}))
                return approved;
        }
        return std::nullopt;
    }

    /// Nothing was decided: asked for by a word that never comes within the time.
    void expectNoApproval() { EXPECT_FALSE(host_->hear("approved", std::chrono::milliseconds{800})); }

    std::unique_ptr<Child> server_;
    std::unique_ptr<Child> host_;
    std::string display_;
};

TEST_F(ApprovalUnderX11, ADeliberateClickAfterArmingApproves) {
    start();
    host_->tell("open");
    const auto approved = approveByHand(armed());
    ASSERT_TRUE(approved);
    EXPECT_EQ(*approved, "approved pointer");
}

TEST_F(ApprovalUnderX11, ClicksAndKeysQueuedWhileTheGuiWasBusyApproveNothing) {
    start();
    // Learn where the button will be, then look first: the same place next time.
    host_->tell("open");
    const auto place = armed();
    input({"key", "Escape"});
    ASSERT_TRUE(host_->hear("dismissed", patience));

    host_->tell("block 1500");
    ASSERT_TRUE(host_->hear("blocking", patience));
    for (int i = 0; i < 4; ++i) {
        click(place);
        input({"key", "space", "Return", "Tab", "space"});
    }
    ASSERT_TRUE(host_->hear("opened", patience));
    armed();
    expectNoApproval();
    EXPECT_TRUE(approveByHand(place)) << "a later deliberate click counts";
}

TEST_F(ApprovalUnderX11, AHeldEnterApprovesNothing) {
    start();
    input({"keydown", "Return"});
    host_->tell("open");
    const auto place = armed();
    expectNoApproval();
    // Even on the button itself a key that was held all along is no fresh act.
    input({"key", "Tab", "Tab", "Tab"});
    expectNoApproval();
    input({"keyup", "Return"});
    expectNoApproval();
    EXPECT_TRUE(approveByHand(place));
}

TEST_F(ApprovalUnderX11, AFreshKeyOnTheButtonApproves) {
    start();
    host_->tell("open");
    armed();
    bool approved = false;
    // Without an earlier key there is no calibration: the first press only calibrates.
    for (int i = 0; i < 8 && !approved; ++i) {
        input({"key", "Tab"});
        // Decline and "Look first" lie before the button in the tab order: Enter presses no button here.
        input({"key", "Return"});
        approved = host_->hear("approved", std::chrono::milliseconds{400}).has_value();
    }
    EXPECT_TRUE(approved);
    for (const std::string& line : host_->heard())
        EXPECT_NE(line, "declined");
}

TEST_F(ApprovalUnderX11, ATypedConfirmationIsTypedWhole) {
    start("checkout");
    host_->tell("open");
    const auto place = armed();
    const auto typed = field();
    click(place);
    expectNoApproval();
    click(typed);
    input({"type", "--delay", "30", "check"});
    click(place);
    expectNoApproval();
    click(typed);
    input({"key", "End"});
    input({"type", "--delay", "30", "out"});
    EXPECT_TRUE(approveByHand(place)) << "the whole name was typed";
}

TEST_F(ApprovalUnderX11, TypeAheadFillsNoConfirmation) {
    start("checkout");
    host_->tell("block 1500");
    ASSERT_TRUE(host_->hear("blocking", patience));
    input({"type", "--delay", "10", "checkout"});
    ASSERT_TRUE(host_->hear("opened", patience));
    const auto place = armed();
    const auto typed = field();
    click(place);
    click(place);
    expectNoApproval();
    click(typed);
    input({"type", "--delay", "30", "checkout"});
    EXPECT_TRUE(approveByHand(place)) << "what is typed after arming counts, and nothing was there before";
}

TEST_F(ApprovalUnderX11, AClickBeforeTheDwellIsOverApprovesNothing) {
    start();
    host_->tell("open");
    const auto place = armed();
    input({"key", "Escape"});
    ASSERT_TRUE(host_->hear("dismissed", patience));
    host_->tell("open");
    ASSERT_TRUE(host_->hear("opened", patience));
    click(place); // at once: the dwell is 700 ms
    expectNoApproval();
}

} // namespace
