// A stage file of a person's own, made a Stage while the program runs: by the system's C++ compiler, which makes a library
// of its description at once and one of the kernel for each set of parameters that is run on the CPU. On a GPU, NVRTC
// compiles the same file, as it does the ladder's.
#pragma once

#include "stage.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// It describes itself as the ladder's files do, with a StageInfo.
bool is_stage_file(std::string_view text);

// Whether a file's own host code may be compiled and run in this process. Its description and the CPU form of its kernel
// become a library, whose static constructors run when it is loaded: native code with all rights of the user.
enum class HostCode : bool { refused, allowed };

// `name`: of the file, without its ending; its namespace and its kernel are called so. The library stays loaded until the
// process ends. Throws Error with the compiler's words, which name lines of "NAME.cu", and Unavailable where there is no
// compiler, saying which package has one. Where host code is refused, nothing of the file is compiled for the CPU: a copy of a
// rung in which only bodies of kernels were changed is described as the rung is and has no CPU kernel; else throws Error.
Stage load_own_stage(const std::string& name, const std::string& text, HostCode host_code);

// Makes the kernel for these parameters ready for the CPU, which Stage::cpu_kernel does otherwise. Throws likewise.
void compile_for_cpu(const Stage& stage, const ParameterValues& values);

// "c++ (Debian 12.2.0-14) 12.2.0"; empty where there is none.
std::string system_compiler();

// Where people's stages are kept, and those that are there: files NAME.cu, in the order of their names.
std::vector<std::filesystem::path> own_stage_files(const std::filesystem::path& folder);

// The ladder with the stages in the folder behind it, whose host code runs. What cannot be used is left out; `problems` gets a
// sentence for each.
std::vector<Stage> ladder_with_own(const std::filesystem::path& folder, std::vector<std::string>& problems);

} // namespace kernels
