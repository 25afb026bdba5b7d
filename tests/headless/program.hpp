// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: alidadectl run as a program of its own, with an empty home.
// What it must not know: how it is built.
// Thread: the test's.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace alidade::test {

namespace fs = std::filesystem;

struct Outcome {
    int exitCode = -1;
    std::string out;
    std::string err;
};

/// A program without a terminal, to its end. `become` turns the child process into it.
inline Outcome runWithoutTerminal(const std::function<void()>& become) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    EXPECT_EQ(::pipe(out.data()), 0);
    EXPECT_EQ(::pipe(err.data()), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(err[1], STDERR_FILENO);
        for (int fd = 3; fd < 64; ++fd)
            ::close(fd);
        become();
    }
    ::close(out[1]);
    ::close(err[1]);
    Outcome outcome;
    std::array<pollfd, 2> fds{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (::poll(fds.data(), 2, 120'000) <= 0) {
            ::kill(pid, SIGKILL);
            ADD_FAILURE() << "no end within two minutes; so far: " << outcome.out << outcome.err;
            break;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            if (fds[i].revents == 0)
                continue;
            std::array<char, 4096> chunk{};
            const ssize_t got = ::read(fds[i].fd, chunk.data(), chunk.size());
            if (got <= 0)
                fds[i].fd = -1;
            else
                (i == 0 ? outcome.out : outcome.err).append(chunk.data(), static_cast<std::size_t>(got));
        }
    }
    ::close(out[0]);
    ::close(err[0]);
    int status = 0;
    ::waitpid(pid, &status, 0);
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return outcome;
}

class Alidadectl : public testing::Test {
protected:
    Alidadectl() {
        std::string pattern = (fs::temp_directory_path() / "alidadectl-XXXXXX").string();
        home_ = ::mkdtemp(pattern.data());
    }
    ~Alidadectl() override { fs::remove_all(home_); }

    [[noreturn]] void become(const std::vector<std::string>& words) const {
        ::setenv("HOME", home_.c_str(), 1);
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "KUBECONFIG"})
            ::unsetenv(name);
        if (!kubeconfigVariable_.empty())
            ::setenv("KUBECONFIG", kubeconfigVariable_.c_str(), 1);
        std::vector<std::string> all{std::getenv("ALIDADECTL")};
        all.insert(all.end(), words.begin(), words.end());
        std::vector<char*> arguments;
        for (std::string& word : all)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }

    /// Without a terminal.
    Outcome run(const std::vector<std::string>& words) const {
        return runWithoutTerminal([&] { become(words); });
    }

    std::string ledgerFile() const { return home_ / ".local/state/alidade/ledger.jsonl"; }

    fs::path home_;
    std::string kubeconfigVariable_; ///< KUBECONFIG of the program, when not empty
};

} // namespace alidade::test
