#include "app/catalogue/allowed_host_code.h"

#include "app/catalogue/config_folder.h"
#include "app/catalogue/sha256.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace app {

namespace {

constexpr std::size_t digits = 64, line = digits + 1, most_kept = 4096;

// All lines; empty where there is no such file or it is not this user's alone. What is checked is the file that is read.
std::string kept(const std::filesystem::path& file)
{
    const recording::FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
    if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != ::geteuid() || (status.st_mode & writable_by_others) != 0)
        return {};
    std::string lines;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0;
         lines.size() <= most_kept * line && (got = ::read(opened.get(), buffer.data(), buffer.size())) > 0;)
        lines.append(buffer.data(), static_cast<std::size_t>(got));
    return lines.size() > most_kept * line ? std::string() : lines;
}

// A new file, which is this user's alone from its first byte on; one that kept() does not believe is replaced.
void begin(const std::filesystem::path& file)
{
    std::error_code ignored; // making the file says why
    std::filesystem::remove(file, ignored);
    std::filesystem::create_directories(file.parent_path(), ignored);
    const recording::FileDescriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (made.get() < 0)
        throw kernels::Error(fmt::format("What was allowed cannot be remembered: {} cannot be made. Check that its "
                                         "folder is yours and has room.",
                                         file.string()));
}

bool has(const std::string& lines, const std::string& hash)
{
    for (std::size_t at = 0; at + line <= lines.size(); at += line)
        if (lines.compare(at, digits, hash) == 0)
            return true;
    return false;
}

} // namespace

std::filesystem::path allowed_host_code_file()
{
    const std::filesystem::path folder = data_folder();
    return folder.empty() ? folder : folder / "allowed";
}

bool may_run_host_code(std::string_view text, const std::filesystem::path& file)
{
    const std::string lines = kept(file);
    return !lines.empty() && has(lines, sha256(text));
}

void allow_host_code(std::string_view text, const std::filesystem::path& file)
{
    if (file.empty())
        throw kernels::Error("What was allowed cannot be remembered: set HOME or XDG_DATA_HOME.");
    std::string lines = kept(file);
    const std::string hash = sha256(text);
    if (has(lines, hash))
        return;
    if (lines.size() >= most_kept * line) // the oldest goes
        lines.erase(0, line);
    if (lines.empty())
        begin(file);
    recording::write_atomically(file, lines + hash + "\n"); // which keeps the file's mode
}

} // namespace app
