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

// The file of a stage of one's own that is called so; none where there is none.
std::optional<std::filesystem::path> own_stage_file(const std::string& name);

// Makes a stage file, a copy of a stage of the ladder, and says what to do with it.
int make_new_stage(const std::string& name, const std::string& from);

} // namespace app
