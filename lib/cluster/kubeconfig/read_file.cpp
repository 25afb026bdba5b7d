// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig/read_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alidade::cluster {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

} // namespace

guard::Result<std::string> readFile(const std::string& path, std::size_t maxBytes) {
    using guard::ErrorCode;
    // Non-blocking, or opening a pipe would wait for its other end.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) {
        const int error = errno;
        const bool absent = error == ENOENT || error == ENOTDIR;
        return guard::fail(absent ? ErrorCode::NotFound : ErrorCode::Io, path,
                           absent            ? "no such file"
                           : error == EACCES ? "no permission to read it"
                                             : std::generic_category().message(error));
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return guard::fail(ErrorCode::Io, path, S_ISDIR(status.st_mode) ? "this is a folder" : "not a regular file");
    }
    std::string text;
    char buffer[16384];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return guard::fail(ErrorCode::Io, path, std::generic_category().message(errno));
        }
        if (got == 0) {
            return text;
        }
        if (text.size() + static_cast<std::size_t>(got) > maxBytes) {
            return guard::fail(ErrorCode::TooLarge, path, "over " + std::to_string(maxBytes / 1024) + " KiB");
        }
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

} // namespace alidade::cluster
