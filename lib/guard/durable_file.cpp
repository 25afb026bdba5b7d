// SPDX-License-Identifier: GPL-3.0-or-later
// The only file of the guard that opens anything.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alidade/guard/ledger.hpp"

namespace alidade::guard {

namespace {
tl::unexpected<Error> failed(const std::string& path, const char* what, int error = errno) {
    return fail(ErrorCode::Io, path, std::string(what) + ": " + std::system_category().message(error));
}

class PosixFile final : public DurableFile {
public:
    PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
    PosixFile(const PosixFile&) = delete;
    PosixFile& operator=(const PosixFile&) = delete;
    ~PosixFile() override { ::close(fd_); }

    Result<void> lock() override {
        // Held by others for one append at a time; somebody who stopped while holding it must not hang us for ever.
        for (int attempt = 0; attempt < 1000; ++attempt) {
            if (::flock(fd_, LOCK_EX | LOCK_NB) == 0)
                return {};
            if (errno != EWOULDBLOCK && errno != EINTR)
                return failed(path_, "locking");
            const timespec pause{0, 5'000'000};
            ::nanosleep(&pause, nullptr);
        }
        return fail(ErrorCode::Timeout, path_, "another process holds the lock");
    }
    void unlock() override { ::flock(fd_, LOCK_UN); }

    Result<std::uint64_t> size() override {
        struct stat info {};
        if (::fstat(fd_, &info) != 0)
            return failed(path_, "reading its size");
        return static_cast<std::uint64_t>(info.st_size);
    }

    Result<std::string> readFrom(std::uint64_t offset) override {
        const Result<std::uint64_t> end = size();
        if (!end)
            return tl::unexpected(end.error());
        std::string bytes;
        if (*end <= offset)
            return bytes;
        bytes.resize(*end - offset);
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t n = ::pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return failed(path_, "reading");
            if (n == 0)
                break;
            done += static_cast<std::size_t>(n);
        }
        bytes.resize(done);
        return bytes;
    }

    Result<void> append(std::string_view bytes) override {
        const Result<std::uint64_t> before = size();
        if (!before)
            return tl::unexpected(before.error());
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t n =
                ::pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(*before + done));
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0) {
                const int error = errno;
                if (::ftruncate(fd_, static_cast<off_t>(*before)) != 0)
                    return failed(path_, "taking back a half-written record");
                return failed(path_, "writing", error);
            }
            done += static_cast<std::size_t>(n);
        }
        if (::fsync(fd_) != 0)
            return failed(path_, "making the record durable");
        return {};
    }

    Result<void> truncate(std::uint64_t size) override {
        if (::ftruncate(fd_, static_cast<off_t>(size)) != 0)
            return failed(path_, "cutting a torn line");
        if (::fsync(fd_) != 0)
            return failed(path_, "making the cut durable");
        return {};
    }

    std::string name() const override { return path_; }

private:
    int fd_;
    std::string path_;
};

/// Creates what is missing of the folder, for this user alone.
Result<void> makeFolder(const std::filesystem::path& folder) {
    std::filesystem::path so_far;
    for (const std::filesystem::path& part : folder) {
        so_far /= part;
        if (::mkdir(so_far.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS &&
            errno != EACCES)
            return failed(so_far.string(), "creating the folder");
    }
    return {};
}
} // namespace

Result<std::unique_ptr<DurableFile>> openDurableFile(const std::string& path) {
    const std::filesystem::path file(path);
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (Result<void> made = makeFolder(folder); !made)
        return tl::unexpected(made.error());
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return failed(path, "opening");
    auto opened = std::make_unique<PosixFile>(fd, path);
    struct stat info {};
    if (::fstat(fd, &info) != 0)
        return failed(path, "opening");
    if (!S_ISREG(info.st_mode))
        return fail(ErrorCode::Io, path, "is no regular file");
    if ((info.st_mode & 0077U) != 0 && ::fchmod(fd, 0600) != 0)
        return failed(path, "restricting its permissions");
    // The name has to survive a crash as well.
    const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return failed(folder.string(), "opening the folder");
    const int synced = ::fsync(directory);
    const int error = errno;
    ::close(directory);
    if (synced != 0)
        return failed(folder.string(), "making the folder durable", error);
    return opened;
}

} // namespace alidade::guard
