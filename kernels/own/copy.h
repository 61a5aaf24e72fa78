// The text of a new stage file: a copy of one of the ladder's, under another name, in one file.
#pragma once

#include "stage.h"

#include <optional>
#include <string>
#include <string_view>

namespace kernels {

// Why a stage cannot be called so, as a sentence; empty when it can: a name of C++ that no stage of the ladder has.
std::string why_no_name(const std::vector<Stage>& ladder, std::string_view name);

// With a comment about what can be changed and how it is run; the file whose lines are recorded stands inside it.
std::string copied_stage(const Stage& stage, const std::string& name);

} // namespace kernels

namespace own {

// The stage that a file describes whose host part, with its layouts and parameters, is that of one of the ladder's as
// copied_stage writes it: for machines without a C++ compiler. It has no kernel for the CPU. Nothing: it is no such copy.
std::optional<kernels::Stage> copy_of_rung(const std::string& name, const std::string& text);

} // namespace own
