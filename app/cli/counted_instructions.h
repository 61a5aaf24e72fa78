// What the GPU counted of each machine instruction, for `gemmscope counters --per-instruction`.
#pragma once

#include "app/tasks/count.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace app {

nlohmann::json to_json(const CountedInstructions& counted, const kernels::MachineCode& code);
void print(const CountedInstructions& counted, const kernels::MachineCode& code);
std::string in_one_line(const CountedInstructions& counted);

} // namespace app
