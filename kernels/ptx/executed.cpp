// Follows the machine code of a launch. See machine_code/machine_code.h.
#include "error.h"
#include "machine_code/machine_code.h"
#include "ptx/executed_warps.h"
#include "ptx/stage_launch.h"

#include <algorithm>
#include <utility>

namespace kernels {

namespace {

constexpr uint64_t most_steps = 40'000'000; // instructions of warps: some seconds

} // namespace

Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop)
{
    const std::vector<recording::Array> all = arrays(stage, parameters, problem);
    const std::vector<std::byte> no_maps(2 * tensor_map_bytes);
    uint64_t steps = most_steps;
    Executed result;
    for (std::size_t i = 0; i < code.kernels.size(); ++i) {
        if (code.kernels[i].instructions.empty())
            throw Unavailable(
                "The driver compiles this kernel's PTX itself, and its machine code is not seen: the GPU is "
                "newer than the NVRTC that is installed.");
        const recording::Launch launch =
            i == 0 ? stage.launch(parameters, problem) : second_launch(stage, parameters, problem);
        const ptx::Program program = ptx::program_of(code.kernels[i]);
        std::vector<std::byte> arguments = stage.arguments(parameters, problem, ptx::stage_pointers(no_maps.data()));
        arguments.resize(std::max<std::size_t>(arguments.size(), program.parameter_bytes));
        const uint64_t dynamic = i == 0 ? stage.dynamic_shared(parameters) : 0;
        ptx::ExecutedWarps warps(code.kernels[i], program, all, ptx::places_of(all, program, dynamic));
        ptx::Follower follower(program, arguments, warps);
        for (uint64_t block = 0; block < launch.grid.volume(); ++block)
            for (uint32_t number = 0; number < launch.warps_per_block(); ++number) {
                if (stop.stop_requested())
                    throw Cancelled();
                follower.run({launch, launch.grid.place_of(block), number}, steps);
                warps.barrier();
            }
        for (ExecutedInstructions row : warps.result()) {
            row.kernel = i;
            result.instructions.push_back(std::move(row));
        }
        for (const std::string& name : warps.opaque())
            result.opaque += (result.opaque.empty() ? "" : ", ") + name;
    }
    return result;
}

} // namespace kernels
