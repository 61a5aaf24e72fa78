// The text of a new stage file: a copy of one of the ladder's, under another name, in one file.
#pragma once

#include "stage.h"

#include <string>
#include <string_view>

namespace kernels {

// Why a stage cannot be called so, as a sentence; empty when it can: a name of C++ that no stage of the ladder has.
std::string why_no_name(const std::vector<Stage>& ladder, std::string_view name);

// With a comment about what can be changed and how it is run; the file whose lines are recorded stands inside it.
std::string copied_stage(const Stage& stage, const std::string& name);

} // namespace kernels
