// What a GPU counted of stages, as JSON: `gemmscope counters --json` writes it, and counters.json of the shipped recordings is
// read for those who have no GPU.
#pragma once

#include "backend.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace app {

nlohmann::json to_json(const kernels::Counters& counters);

// Of the instructions that access memory; `code`: theirs.
nlohmann::json to_json(const kernels::InstructionCounters& counters, const kernels::MachineCode& code);

// The job's parameters by name, size and scales.
nlohmann::json to_json_of(const kernels::Job& job);

struct ShippedCounters {
    kernels::Counters counters;
    std::optional<kernels::InstructionCounters> instructions;
    std::map<std::pair<std::size_t, uint32_t>, std::string> names; // of the instructions, by kernel and address
    std::string words;                                             // "NVIDIA H200, 2026-11-21"
    int readings = 1, instruction_readings = 1;                    // see readings.h

    bool fits(const kernels::MachineCode& code) const; // every instruction is there with that name
};

struct ReadCounters {
    std::optional<ShippedCounters> counters;
    std::string missing; // a sentence: why there are none, or that rows are damaged; else empty
};

// The job's row of counters.json of the folder. Never throws.
ReadCounters read_shipped_counters(const std::filesystem::path& folder, const kernels::Job& job);

} // namespace app
