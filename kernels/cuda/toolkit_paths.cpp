#include "cuda/toolkit_paths.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace cuda {

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

} // namespace cuda
