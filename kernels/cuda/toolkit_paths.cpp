#include "cuda/toolkit_paths.h"

#include <cstdlib>
#include <system_error>

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

} // namespace cuda
