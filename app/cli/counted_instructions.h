// What the GPU counted of each machine instruction, for `gemmscope counters --per-instruction`.
#pragma once

#include "backend.h"
#include "measure/instruction_counters.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace app {

struct CountedInstructions {
    kernels::InstructionCounters counters;
    std::vector<kernels::CountedAccesses> lines; // derived beside counted
    std::string missing;                         // why there are none, in a sentence; else empty
    int readings = 1;                            // of which the last one is here
    bool ok() const;                             // what could be derived is what was counted
};

// `executed`: where it could be followed.
CountedInstructions count_instructions(kernels::Backend& backend, const kernels::Job& job,
                                       const kernels::MachineCode& code,
                                       const std::optional<kernels::Executed>& executed);

nlohmann::json to_json(const CountedInstructions& counted, const kernels::MachineCode& code);
void print(const CountedInstructions& counted, const kernels::MachineCode& code);
std::string in_one_line(const CountedInstructions& counted);

} // namespace app
