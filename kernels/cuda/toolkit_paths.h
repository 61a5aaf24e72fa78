// Installed CUDA toolkits.
#pragma once

#include <filesystem>
#include <vector>

namespace cuda {

// Returns the folders in CUDA_HOME and CUDA_PATH if they are absolute, then the usual folders. Relative paths are
// ignored: they would load code from wherever the program was started.
std::vector<std::filesystem::path> toolkit_homes();

// Finds one of the toolkit's programs in PATH, then in the toolkits; empty if it is missing. Relative folders are
// ignored.
std::filesystem::path find_program(const char* name);

} // namespace cuda
