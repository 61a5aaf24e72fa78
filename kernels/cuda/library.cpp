#include "cuda/library.h"

#include "error.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cuda {

namespace {

namespace fs = std::filesystem;

// Returns the folders where toolkits install their libraries, for systems whose library path does not include them.
// CUPTI has its own folder.
std::vector<fs::path> toolkit_folders()
{
    std::vector<fs::path> folders;
    for (const fs::path& home : toolkit_homes()) {
        folders.push_back(home / "lib64");
        folders.push_back(home / "extras" / "CUPTI" / "lib64");
    }
    folders.emplace_back("/usr/local/cuda/targets/x86_64-linux/lib");
    std::error_code ignored;
    if (const fs::path executable = fs::read_symlink("/proc/self/exe", ignored); !executable.empty())
        folders.push_back(executable.parent_path());
    return folders;
}

} // namespace

Library::Library(std::initializer_list<const char*> names)
{
    const auto open = [this](const std::string& path) {
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_)
            name_ = path;
        return handle_ != nullptr;
    };
    for (const char* name : names)
        if (open(name))
            return;
    for (const fs::path& folder : toolkit_folders())
        for (const char* name : names)
            if (open((folder / name).string()))
                return;
}

// Unloading would remove the code of CUDA's threads and handlers, so the library stays loaded until the process ends.
Library::~Library() = default;

Library::Library(Library&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_))
{
}

Library& Library::operator=(Library&& other) noexcept
{
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    return *this;
}

void* Library::address_or_null(const char* name) const
{
    return handle_ ? dlsym(handle_, name) : nullptr;
}

void* Library::address(const char* name) const
{
    void* found = address_or_null(name);
    if (!found)
        throw kernels::Unavailable(fmt::format("{} has no function {}: it is too old for gemmscope; install a newer "
                                               "NVIDIA driver and CUDA 12 or later.",
                                               name_, name));
    return found;
}

std::vector<std::filesystem::path> toolkit_homes()
{
    namespace fs = std::filesystem;
    std::vector<fs::path> homes;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable); home && *home == '/')
            homes.emplace_back(home);
    homes.emplace_back("/usr/local/cuda");
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored))
        if (entry.path().filename().string().starts_with("cuda-"))
            homes.push_back(entry.path());
    homes.emplace_back("/opt/cuda");
    return homes;
}

std::filesystem::path find_program(const char* name)
{
    namespace fs = std::filesystem;
    std::vector<fs::path> folders;
    std::string_view rest = std::getenv("PATH") ? std::getenv("PATH") : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const fs::path& home : toolkit_homes())
        folders.push_back(home / "bin");
    for (const fs::path& folder : folders)
        if (fs::path program = folder / name; program.is_absolute() && access(program.c_str(), X_OK) == 0)
            return program;
    return {};
}

std::string bytes_in_words(uint64_t bytes)
{
    const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024)
        return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 3; ++unit)
        value /= 1024;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

} // namespace cuda
