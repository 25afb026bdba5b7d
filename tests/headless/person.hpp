// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a program run in a terminal, with somebody who reads the screen and types.
// What it must not know: which program.
// Thread: the test's.
#pragma once

#include <array>
#include <string>

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace alidade::test {

/// A person at a terminal: reads the screen, types lines.
class Person {
public:
    template<class Become>
    explicit Person(Become become) {
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        if (pid_ == 0)
            become();
    }
    ~Person() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        ::close(terminal_);
    }
    bool waitFor(const std::string& text, std::size_t from = 0) {
        while (screen.find(text, from) == std::string::npos)
            if (!readSome())
                return false;
        return true;
    }
    void type(const std::string& text) const {
        EXPECT_EQ(::write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    int end() {
        while (readSome()) {
        }
        int status = 0;
        ::waitpid(pid_, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    std::string digest() const {
        const auto at = screen.rfind("Digest: ");
        return at == std::string::npos ? std::string() : screen.substr(at + 8, 8);
    }
    std::string screen;

private:
    bool readSome() {
        pollfd fd{terminal_, POLLIN, 0};
        if (::poll(&fd, 1, 150'000) <= 0)
            return false;
        std::array<char, 4096> chunk{};
        const ssize_t got = ::read(terminal_, chunk.data(), chunk.size());
        if (got <= 0)
            return false;
        screen.append(chunk.data(), static_cast<std::size_t>(got));
        return true;
    }
    int terminal_ = -1;
    pid_t pid_ = -1;
};

} // namespace alidade::test
