// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to another program (promise 20): posix_spawn of an argument list in a session of its own, with no
// terminal, no inherited descriptor, bounded output and a time limit that ends the whole process group.
#include "alidade/cluster/open.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::ProcessRequest;
using guard::ProcessResult;
using Steady = std::chrono::steady_clock;

std::string errnoText(int error) { return std::generic_category().message(error); }

class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) {
            close();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~Fd() { close(); }
    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] bool open() const noexcept { return fd_ >= 0; }
    void close() noexcept {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        fd_ = -1;
    }

private:
    int fd_ = -1;
};

struct Pipe {
    Fd read;
    Fd write;
};

/// Our end does not block; the child's does.
std::optional<Pipe> makePipe(bool weRead) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return std::nullopt;
    }
    Pipe pipe{Fd(ends[0]), Fd(ends[1])};
    const int ours = weRead ? ends[0] : ends[1];
    if (::fcntl(ours, F_SETFL, O_NONBLOCK) != 0) {
        return std::nullopt;
    }
    return pipe;
}

/// Writing to a program that no longer reads must not end us.
class SigpipeBlock {
public:
    SigpipeBlock() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        waiting_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~SigpipeBlock() {
        if (!waiting_) {
            const timespec now{};
            while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    SigpipeBlock(const SigpipeBlock&) = delete;
    SigpipeBlock& operator=(const SigpipeBlock&) = delete;

private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool waiting_ = false;
};

std::map<std::string, std::string> mergedEnvironment(const std::map<std::string, std::string>& extra) {
    std::map<std::string, std::string> all;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (const std::size_t equals = text.find('='); equals != std::string_view::npos && equals > 0) {
            all.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    for (const auto& [name, value] : extra) {
        all[name] = value;
    }
    return all;
}

bool isExecutable(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// A program by path as it is; by bare name through PATH. Empty parts of PATH (the current folder) do not count.
guard::Result<std::string> findProgram(const std::string& program, const std::string& path) {
    if (program.find('/') != std::string::npos) {
        if (!isExecutable(program)) {
            return guard::fail(ErrorCode::NotFound, program, "no such program, or it may not be run");
        }
        return program;
    }
    std::size_t from = 0;
    while (from <= path.size()) {
        const std::size_t to = std::min(path.find(':', from), path.size());
        const std::string folder = path.substr(from, to - from);
        if (folder.starts_with('/') && isExecutable(folder + "/" + program)) {
            return folder + "/" + program;
        }
        from = to + 1;
    }
    return guard::fail(ErrorCode::NotFound, program, "not found in PATH");
}

struct SpawnSettings {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    SpawnSettings() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
};

guard::Result<pid_t> spawn(const ProcessRequest& request, const std::string& program,
                           const std::map<std::string, std::string>& environment, int in, int out, int err) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : environment) {
        texts.push_back(name + "=" + value);
    }
    std::vector<char*> env;
    for (std::string& text : texts) {
        env.push_back(text.data());
    }
    env.push_back(nullptr);
    std::vector<std::string> words{request.program};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);

    SpawnSettings settings;
    posix_spawn_file_actions_adddup2(&settings.actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&settings.actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&settings.actions, err, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&settings.actions, STDERR_FILENO + 1);
    if (!request.workingDirectory.empty()) {
        posix_spawn_file_actions_addchdir_np(&settings.actions, request.workingDirectory.c_str());
    }
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD}) {
        sigaddset(&defaults, signal);
    }
    posix_spawnattr_setsigmask(&settings.attributes, &none);
    posix_spawnattr_setsigdefault(&settings.attributes, &defaults);
    posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid = 0;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &settings.actions, &settings.attributes, argv.data(), env.data());
    if (error != 0) {
        return guard::fail(error == ENOENT ? ErrorCode::NotFound : ErrorCode::Io, request.program,
                           "cannot be started: " + errnoText(error));
    }
    return pid;
}

/// A running child. Its group is ended while the leader is not reaped yet: the number cannot be another's.
class Child {
public:
    explicit Child(pid_t pid) : pid_(pid), exit_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
    ~Child() { reap(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    [[nodiscard]] int exitFd() const noexcept { return exit_.get(); }
    [[nodiscard]] bool exited() const noexcept {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
    }
    int reap() noexcept {
        if (pid_ > 0) {
            ::kill(-pid_, SIGKILL);
            while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
            }
            pid_ = 0;
        }
        return status_;
    }

private:
    pid_t pid_;
    Fd exit_;
    int status_ = 0;
};

/// Reads what is there. False when the limit is passed.
bool drain(Fd& fd, std::string& into, std::size_t limit) {
    std::array<char, 65536> buffer{};
    while (fd.open()) {
        const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
        if (got > 0) {
            const std::size_t room = limit - into.size();
            into.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
            if (static_cast<std::size_t>(got) > room) {
                return false;
            }
        } else if (got == 0) {
            fd.close();
        } else if (errno != EINTR) {
            if (errno != EAGAIN) {
                fd.close();
            }
            return true;
        }
    }
    return true;
}

void feed(Fd& fd, std::string_view& input) {
    while (fd.open() && !input.empty()) {
        const ssize_t put = ::write(fd.get(), input.data(), input.size());
        if (put >= 0) {
            input.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR) {
            if (errno != EAGAIN) {
                fd.close(); // it does not read: its own matter
            }
            return;
        }
    }
    if (input.empty()) {
        fd.close();
    }
}

class PosixProcessRunner final : public guard::ProcessRunner {
public:
    guard::Result<ProcessResult> run(const ProcessRequest& request, std::stop_token stop) override {
        if (stop.stop_requested()) {
            return guard::fail(ErrorCode::Cancelled, request.program, "cancelled");
        }
        for (const std::string& argument : request.arguments) {
            if (argument.find('\0') != std::string::npos) {
                return guard::fail(ErrorCode::BadRequest, request.program, "an argument holds a NUL byte");
            }
        }
        const auto environment = mergedEnvironment(request.environment);
        const auto path = environment.find("PATH");
        const auto program = findProgram(request.program, path == environment.end() ? "/usr/bin:/bin" : path->second);
        if (!program) {
            return tl::unexpected(program.error());
        }
        auto in = makePipe(false);
        auto out = makePipe(true);
        auto err = makePipe(true);
        const Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        if (!in || !out || !err || !wake.open()) {
            return guard::fail(ErrorCode::Io, request.program, "cannot be started: " + errnoText(errno));
        }
        const SigpipeBlock sigpipe;
        const auto pid = spawn(request, *program, environment, in->read.get(), out->write.get(), err->write.get());
        if (!pid) {
            return tl::unexpected(pid.error());
        }
        Child child(*pid);
        in->read.close();
        out->write.close();
        err->write.close();
        const std::stop_callback onStop(stop, [&wake] {
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t put = ::write(wake.get(), &one, sizeof one);
        });
        return converse(request, child, in->write, out->read, err->read, wake, stop);
    }

private:
    static guard::Result<ProcessResult> converse(const ProcessRequest& request, Child& child, Fd& in, Fd& out, Fd& err,
                                                 const Fd& wake, const std::stop_token& stop) {
        ProcessResult result;
        std::string_view input = request.input;
        const auto end = Steady::now() + request.timeout;
        for (;;) {
            feed(in, input);
            if (!drain(out, result.output, request.maxOutputBytes)) {
                return guard::fail(ErrorCode::TooLarge, request.program,
                                   "it wrote more than " + std::to_string(request.maxOutputBytes) + " bytes");
            }
            static_cast<void>(drain(err, result.errorOutput, request.maxOutputBytes)); // what is over it is dropped
            if (child.exited()) {
                break;
            }
            if (stop.stop_requested()) {
                return guard::fail(ErrorCode::Cancelled, request.program, "cancelled");
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Steady::now()).count();
            if (left <= 0) {
                return guard::fail(ErrorCode::Timeout, request.program,
                                   "it did not finish within " + std::to_string(request.timeout.count() / 1000) + " s");
            }
            std::array<pollfd, 5> waits{{{in.get(), POLLOUT, 0},
                                         {out.get(), POLLIN, 0},
                                         {err.get(), POLLIN, 0},
                                         {wake.get(), POLLIN, 0},
                                         {child.exitFd(), POLLIN, 0}}};
            const int limit = child.exitFd() >= 0 ? 60'000 : 20; // an old kernel tells no exit: look now and then
            ::poll(waits.data(), waits.size(), static_cast<int>(std::min<long long>(left + 1, limit)));
        }
        // What it had written before its end is still in the pipes.
        if (!drain(out, result.output, request.maxOutputBytes)) {
            return guard::fail(ErrorCode::TooLarge, request.program,
                               "it wrote more than " + std::to_string(request.maxOutputBytes) + " bytes");
        }
        static_cast<void>(drain(err, result.errorOutput, request.maxOutputBytes));
        const int status = child.reap();
        result.killedBySignal = WIFSIGNALED(status);
        result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return result;
    }
};

} // namespace

std::shared_ptr<guard::ProcessRunner> makeProcessRunner() { return std::make_shared<PosixProcessRunner>(); }

} // namespace alidade::cluster
