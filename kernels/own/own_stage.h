// Loads a user's stage file as a Stage at run time. NVRTC compiles its kernel for the GPU or for the PTX machine, and
// its description for the PTX machine. None of it runs natively in this process.
#pragma once

#include "stage.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace own {

// Reads the description in a user's stage file without running it natively: NVRTC compiles the description as device
// code, and one thread of the PTX machine runs it. The machine checks every access and counts every step.

// Returns the stage that NAME.cu with this text describes. It has no kernel for the CPU. The stage's functions run the
// description again for values that have not been evaluated before. They throw kernels::Error if the description does
// something forbidden. Throws kernels::Unavailable, saying what to install, if there is no NVRTC. Throws kernels::Error
// with NVRTC's messages, which name lines of "NAME.cu".
kernels::Stage described_stage(const std::string& name, const std::string& text);

} // namespace own

namespace kernels {

// Returns whether the file describes itself with a StageInfo, like the ladder's files.
bool is_stage_file(std::string_view text);

// `name` is the file's name without its extension, and the name of its namespace and kernel. Throws Error with the
// compiler's messages, which name lines of "NAME.cu". Throws Unavailable, naming the package to install, if there is no
// NVRTC.
Stage load_own_stage(const std::string& name, const std::string& text);

// Returns the user's stage files in this folder: all files NAME.cu, sorted by name.
std::vector<std::filesystem::path> own_stage_files(const std::filesystem::path& folder);

// Returns the ladder followed by the folder's stages. Omits unusable files, with a sentence for each in `problems`.
std::vector<Stage> ladder_with_own(const std::filesystem::path& folder, std::vector<std::string>& problems);

} // namespace kernels
