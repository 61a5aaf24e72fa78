#include "recording/disk.h"

#include "error.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace recording {

namespace {

namespace fs = std::filesystem;

std::string message(int error)
{
    return std::generic_category().message(error);
}

std::string hint_for_reading(int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return "Check its name.";
    return error == EACCES || error == EPERM ? "Ask its owner for permission to read it." : "Try again.";
}

std::string hint_for_writing(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR: return "Create the folder first or choose another.";
    case EACCES:
    case EPERM:
    case EROFS: return "Choose a folder in which you may write.";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "Free some space or choose another disk.";
    default: return "Choose another folder.";
    }
}

[[noreturn]] void fail_writing(const fs::path& path, int error)
{
    throw kernels::Error(
        fmt::format("Cannot write {}: {}. {}", path.string(), message(error), hint_for_writing(error)));
}

// Resolves symbolic links, whether or not the target exists. Otherwise renaming would replace the link itself.
fs::path behind_links(fs::path path)
{
    std::error_code none;
    for (int link = 0; link < 40 && fs::is_symlink(path, none); ++link)
        path = path.parent_path() / fs::read_symlink(path, none); // an absolute target replaces the folder
    return path;
}

// A new file beside the target; the destructor removes it unless it has replaced the target.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& final_path) : target(final_path)
    {
        // The name is short, because the target's own name may already have the maximal length.
        for (int attempt = 0;; ++attempt) {
            path = target.parent_path() / fmt::format(".gemmscope-{}-{}.part", ::getpid(), attempt);
            file = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (file.get() >= 0)
                return;
            if (errno != EEXIST || attempt == 1000)
                fail_writing(target, errno);
        }
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    ~TemporaryFile()
    {
        if (!moved)
            ::unlink(path.c_str());
    }

    void write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                fail_writing(target, errno);
            bytes = bytes.subspan(static_cast<size_t>(written));
        }
    }

    // Flushes the bytes to the disk before renaming. After a power cut either the old or the new file exists.
    void replace_target(mode_t mode)
    {
        if ((mode != 0 && ::fchmod(file.get(), mode) != 0) || ::fsync(file.get()) != 0 || !file.close() ||
            ::rename(path.c_str(), target.c_str()) != 0)
            fail_writing(target, errno);
        moved = true;
        const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
        const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (directory.get() >= 0)
            ::fsync(directory.get()); // some file systems cannot do this; the file is complete anyway
    }

private:
    fs::path target, path;
    FileDescriptor file;
    bool moved = false;
};

} // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
{
    std::swap(number, other.number);
    return *this;
}

FileDescriptor::~FileDescriptor()
{
    close();
}

bool FileDescriptor::close()
{
    const int open = std::exchange(number, -1);
    return open < 0 || ::close(open) == 0;
}

InputFile::InputFile(const fs::path& name)
    : path(name), file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) // opening a pipe must not block
{
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
        throw kernels::Error(
            fmt::format("Cannot open {}: {}. {}", path.string(), message(errno), hint_for_reading(errno)));
    if (!S_ISREG(status.st_mode))
        throw kernels::Error(fmt::format("Cannot open {}: it is not a regular file. Choose another.", path.string()));
    bytes = static_cast<uint64_t>(status.st_size);
}

size_t InputFile::read(std::span<std::byte> buffer)
{
    size_t filled = 0;
    while (filled < buffer.size()) {
        const ssize_t got = ::read(file.get(), buffer.data() + filled, buffer.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw kernels::Error(fmt::format("Cannot read {}: {}. Try again, or copy it to another disk.",
                                             path.string(), message(errno)));
        if (got == 0)
            break;
        filled += static_cast<size_t>(got);
    }
    return filled;
}

std::string read_whole(const fs::path& path, uint64_t limit)
{
    InputFile file(path);
    const auto refuse_above_limit = [&](uint64_t size) {
        if (size > limit)
            throw kernels::Error(fmt::format("Cannot read {}: it is larger than {} bytes. Check that it is the file "
                                             "that you meant.",
                                             path.string(), limit));
    };
    refuse_above_limit(file.size());
    // Does not trust the reported size: some files grow, and those in /proc report 0.
    std::string text(static_cast<size_t>(std::min(std::max<uint64_t>(file.size(), 4095), limit) + 1), '\0');
    size_t filled = 0;
    while (const size_t got = file.read(std::as_writable_bytes(std::span(text).subspan(filled)))) {
        filled += got;
        refuse_above_limit(filled);
        if (filled == text.size())
            text.resize(static_cast<size_t>(std::min<uint64_t>(2 * text.size(), limit + 1)));
    }
    text.resize(filled);
    return text;
}

std::string content_of(const fs::path& path, uint64_t limit)
try {
    return read_whole(path, limit);
} catch (const kernels::Error&) {
    return {};
}

void write_atomically(const fs::path& path, std::span<const std::byte> bytes)
{
    const fs::path target = behind_links(path);
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode))
        throw kernels::Error(
            fmt::format("Cannot write {}: it is there and is not a regular file. Choose another name.", path.string()));
    if (target.empty() || !target.has_filename())
        throw kernels::Error(
            fmt::format("Cannot write '{}': this names no file. Choose a name such as naive.gscope.", path.string()));
    TemporaryFile file(target);
    file.write(bytes);
    file.replace_target(exists ? status.st_mode & 0777 : 0);
}

std::string utc_now()
{
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    // The standard variable for reproducible output, in seconds since 1970.
    if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view text = fixed;
        constexpr std::time_t end_of_9999 = 253402300799;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > end_of_9999)
            throw kernels::Error("SOURCE_DATE_EPOCH is not a number of seconds since 1970 up to the year 9999: correct "
                                 "or unset it.");
    }
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

} // namespace recording
