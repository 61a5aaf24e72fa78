// A stage file of a person's own, made a Stage while the program runs. NVRTC compiles it, as it does the ladder's: its kernel for
// the GPU or for the PTX machine, its description for the PTX machine. Nothing of it runs as a part of this process.
#pragma once

#include "stage.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// It describes itself as the ladder's files do, with a StageInfo.
bool is_stage_file(std::string_view text);

// `name`: of the file, without its ending; its namespace and its kernel are called so. Throws Error with the compiler's words,
// which name lines of "NAME.cu", and Unavailable where there is no NVRTC, saying which package has it.
Stage load_own_stage(const std::string& name, const std::string& text);

// Where people's stages are kept, and those that are there: files NAME.cu, in the order of their names.
std::vector<std::filesystem::path> own_stage_files(const std::filesystem::path& folder);

// The ladder with the stages in the folder behind it. What cannot be used is left out; `problems` gets a
// sentence for each.
std::vector<Stage> ladder_with_own(const std::filesystem::path& folder, std::vector<std::string>& problems);

} // namespace kernels
