// A person's own stages on the command line.
#pragma once

#include "stage.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

// The ladder with the person's own stages behind it; what cannot be used is told on standard error.
std::vector<kernels::Stage> ladder_with_own();

bool is_own_stage(const std::string& name); // there is a file of that name in the folder of a person's own

// Where a stage of one's own is called so, its file is what is shown, beside the window's usual stage.
void take_own_stage(std::string& stage, std::filesystem::path& file);

} // namespace app
