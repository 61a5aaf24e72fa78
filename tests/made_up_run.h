// Test data: a made-up profile of executed instructions and warp states, at the real addresses of a stage's machine
// code. The numbers are chosen so that their sums are known.
#pragma once

#include "app/data/counters.h"

#include "machine_code/machine_code.h"
#include "stage.h"
#include "tests/ladder.h"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

struct MadeUpAs { // assigned to each instruction whose name begins with this
    std::string_view name;
    uint64_t executed;
    uint32_t state;
    uint64_t warps;
};
inline constexpr std::array<const char*, 4> made_up_states = {"selected", "long_scoreboard", "mio_throttle", "barrier"};
inline constexpr auto made_up = std::to_array<MadeUpAs>({{"FFMA", 400, 0, 3},
                                                         {"LDG", 20, 1, 60},
                                                         {"LDS", 100, 2, 30},
                                                         {"STS", 20, 2, 5},
                                                         {"BAR", 10, 3, 10},
                                                         {"IMAD", 50, 0, 1}});

// Returns a profile with the first instruction of each of these kinds that has a source line, and an instruction at
// which warps wait.
inline recording::RunProfile made_up_run(const kernels::Job& job)
{
    const kernels::MachineCode code = kernels::machine_code(*job.stage, job.parameters, 90);
    kernels::InstructionCounters counters;
    recording::WarpSamples samples{
        .states = {made_up_states.begin(), made_up_states.end()}, .cycles = 1024, .launches = 1};
    std::set<std::string_view> seen;
    for (const kernels::Instruction& one : code.kernels.front().instructions)
        for (const MadeUpAs& kind : made_up)
            if (one.line != 0 && one.name.starts_with(kind.name) && !one.name.starts_with("LDGSTS") &&
                seen.insert(kind.name).second) {
                counters.instructions.push_back({0, one.address, kind.executed, 0, 0});
                samples.samples.push_back({0, one.address, kind.state, kind.warps});
            }
    samples.taken = samples.kept();
    recording::RunProfile run = kernels::run_profile(code, counters, std::move(samples));
    run.source = app::source_checksum(kernels::describe_launch(job, {}));
    return run;
}

// Writes counters.json with such a profile for each stage at 1024³. Throws kernels::Unavailable if there is no NVRTC.
inline void put_made_up_runs(const std::filesystem::path& folder, std::span<const char* const> slugs)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const char* slug : slugs) {
        const kernels::Stage& stage = test::stage(slug);
        const kernels::Job job{&stage, stage.standard_parameters(), {.M = 1024, .N = 1024, .K = 1024}};
        rows.push_back(app::to_json({.slug = slug,
                                     .parameters = job.parameters,
                                     .problem = job.problem,
                                     .counters = {.sums = {{"smsp__inst_executed.sum", 1}},
                                                  .device = {.name = "made-up GPU"},
                                                  .launches = 1,
                                                  .passes = 1},
                                     .run = std::make_shared<const recording::RunProfile>(made_up_run(job))},
                                    stage));
    }
    std::ofstream(folder / "counters.json") << nlohmann::json{
        {"format", 1}, {"device", "made-up GPU"}, {"toolkit", "none"}, {"date", "2026-11-23"}, {"rows", rows}};
}

} // namespace test
