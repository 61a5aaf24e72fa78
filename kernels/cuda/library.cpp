#include "cuda/library.h"

#include "cuda/toolkit_paths.h"
#include "error.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
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

// CUDA's libraries have threads and handlers whose code unloading would remove, so the library stays loaded until the
// process ends.
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

} // namespace cuda
