// Where CUDA toolkits are installed.
#pragma once

#include <filesystem>
#include <vector>

namespace cuda {

// What CUDA_HOME and CUDA_PATH name, where that is an absolute path, then the usual places. Others are passed over: code
// would be loaded from wherever the program was started.
std::vector<std::filesystem::path> toolkit_homes();

// One of the toolkit's programs: in PATH, then in the toolkits; empty where there is none. Relative folders are passed over.
std::filesystem::path find_program(const char* name);

} // namespace cuda
