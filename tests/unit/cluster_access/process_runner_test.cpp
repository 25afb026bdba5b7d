// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster/open.hpp"
#include "files.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::ProcessRequest;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

guard::Result<guard::ProcessResult> run(ProcessRequest request, std::stop_token stop = {}) {
    return makeProcessRunner()->run(request, std::move(stop));
}

ProcessRequest script(const std::string& text) {
    ProcessRequest request;
    request.program = "/bin/sh";
    request.arguments = {"-c", text};
    return request;
}

/// The number that a script wrote to a file, or writes to a named pipe (waits for it then).
pid_t writtenPid(const std::string& file) {
    std::ifstream in(file);
    pid_t pid = 0;
    in >> pid;
    EXPECT_GT(pid, 0) << file;
    return pid;
}

/// Returns when the process has ended.
void awaitEnd(pid_t pid) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (fd < 0) {
        EXPECT_EQ(errno, ESRCH);
        return;
    }
    pollfd wait{fd, POLLIN, 0};
    EXPECT_EQ(::poll(&wait, 1, 30'000), 1) << "process " << pid << " is still there";
    ::close(fd);
}

TEST(ProcessRunner, arguments_arrive_as_they_are_and_no_shell_reads_them) {
    ProcessRequest request;
    request.program = "printf";
    request.arguments = {"%s|%s|%s", "a b", "$HOME; rm -rf /", "`id`"};
    const auto result = run(request);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->output, "a b|$HOME; rm -rf /|`id`");
    EXPECT_EQ(result->exitCode, 0);
}

TEST(ProcessRunner, exit_code_streams_environment_and_folder) {
    const test::Folder folder;
    ProcessRequest request = script("echo out; echo err >&2; echo $WORD; pwd; exit 3");
    request.environment["WORD"] = "given";
    request.workingDirectory = folder.path();
    const auto result = run(request);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "out\ngiven\n" + folder.path() + "\n");
    EXPECT_EQ(result->errorOutput, "err\n");
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_FALSE(result->killedBySignal);
    const auto killed = run(script("kill -9 $$"));
    ASSERT_TRUE(killed);
    EXPECT_TRUE(killed->killedBySignal);
    EXPECT_EQ(killed->exitCode, 128 + SIGKILL);
}

TEST(ProcessRunner, standard_input_gets_the_input_and_then_its_end) {
    ProcessRequest request;
    request.program = "cat";
    request.input = std::string(300'000, 'x');
    const auto result = run(request);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output.size(), 300'000U);
    const auto nothing = run(script("read line || echo closed")); // no input: no hang
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->output, "closed\n");
    ProcessRequest deaf = script("exec <&-; exit 0");
    deaf.input = std::string(1'000'000, 'x');
    EXPECT_TRUE(run(deaf)); // a closed pipe is its own matter
}

TEST(ProcessRunner, a_time_limit_ends_the_whole_group) {
    const test::Folder folder;
    ProcessRequest request = script("sleep 600 & echo $! > child; wait");
    request.workingDirectory = folder.path();
    request.timeout = 3s;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = run(request);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
    awaitEnd(writtenPid(folder.path("child")));
}

TEST(ProcessRunner, a_stop_request_ends_it) {
    const test::Folder folder;
    ASSERT_EQ(::mkfifo(folder.path("self").c_str(), 0600), 0);
    ProcessRequest request = script("echo $$ > self; sleep 600");
    request.workingDirectory = folder.path();
    std::stop_source stop;
    std::jthread stopper([&] {
        static_cast<void>(writtenPid(folder.path("self")));
        stop.request_stop();
    });
    const auto result = run(request, stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(run(script("exit 0"), stop.get_token())); // stopped before it began
}

TEST(ProcessRunner, output_is_bounded) {
    ProcessRequest request = script("yes");
    request.maxOutputBytes = 1000;
    const auto result = run(request);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TooLarge);
    ProcessRequest chatty = script("yes | head -c 500000 >&2; echo fine");
    chatty.maxOutputBytes = 1000;
    const auto kept = run(chatty);
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ(kept->output, "fine\n");
    EXPECT_EQ(kept->errorOutput.size(), 1000U);
}

TEST(ProcessRunner, what_a_finished_program_left_running_does_not_hold_it_open) {
    const test::Folder folder;
    ProcessRequest request = script("sleep 600 & echo $! > child; echo done");
    request.workingDirectory = folder.path();
    const auto result = run(request);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->output, "done\n");
    awaitEnd(writtenPid(folder.path("child")));
}

TEST(ProcessRunner, nothing_of_ours_is_inherited) {
    const int leak = ::open("/dev/null", O_RDONLY); // without close-on-exec
    ASSERT_GE(leak, 0);
    const auto result = run(script("ls /proc/self/fd | wc -l; test -t 0 || echo no terminal"));
    ::close(leak);
    ASSERT_TRUE(result);
    EXPECT_THAT(result->output,
                ::testing::AnyOf(HasSubstr("3\nno terminal"), HasSubstr("4\nno terminal"))); // and ls's own
}

TEST(ProcessRunner, programs_are_found_in_the_given_path_only) {
    const test::Folder folder;
    folder.write("tool", "#!/bin/sh\necho mine\n", true);
    folder.write("data", "not a program");
    ProcessRequest request;
    request.program = "tool";
    EXPECT_EQ(run(request).error().code, ErrorCode::NotFound);
    request.environment["PATH"] = ":relative:" + folder.path();
    const auto result = run(request);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->output, "mine\n");
    request.program = "data";
    EXPECT_EQ(run(request).error().code, ErrorCode::NotFound);
    request.program = folder.path("nope");
    EXPECT_EQ(run(request).error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace alidade::cluster
