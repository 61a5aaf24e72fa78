// Follows the machine code of a launch. See machine_code.h.
#include "error.h"
#include "machine_code/executed_warp.h"
#include "machine_code/machine_code.h"
#include "machine_code/ptx_warp.h"

#include <utility>

namespace kernels {

namespace {

constexpr uint64_t most_steps = 40'000'000; // instructions of warps: some seconds

// The arrays as the kernel is told where they are: far apart, so that an address says whose it is.
constexpr uint64_t distance = uint64_t{1} << 40;

std::vector<cuda::ArrayPlace> places_of(const Stage& stage, const ParameterValues& parameters,
                                        const recording::Problem& problem, const cuda::PtxProgram& program)
{
    std::vector<cuda::ArrayPlace> places;
    const std::vector<recording::Array> all = arrays(stage, parameters, problem);
    std::size_t tile = 0;
    uint64_t dynamic = program.dynamic_start; // tiles in it follow one another
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int number = static_cast<int>(i);
        if (all[i].space == recording::Space::global)
            places.push_back({cuda::PtxSpace::global, (i < 3 ? i + 1 : 4) * distance, distance, number});
        else if (tile < program.tiles.size())
            places.push_back({cuda::PtxSpace::shared, program.tiles[tile++], all[i].bytes, number});
        else {
            places.push_back({cuda::PtxSpace::shared, dynamic, all[i].bytes, number});
            dynamic += all[i].bytes;
        }
    }
    return places;
}

std::vector<std::vector<std::byte>> arguments_of(const Stage& stage, const ParameterValues& parameters,
                                                 const recording::Problem& problem)
{
    const auto at = [](uint64_t number) { return reinterpret_cast<void*>(number * distance); };
    static const std::vector<std::byte> no_maps(2 * tensor_map_bytes);
    const Pointers pointers{.A = at(1),
                            .B = at(2),
                            .C = static_cast<float*>(at(3)),
                            .tensor_maps = no_maps.data(),
                            .workspace = static_cast<float*>(at(4))};
    return {stage.arguments(parameters, problem, pointers), std::vector<std::byte>(1)}; // the probe that has no members
}

} // namespace

Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop)
{
    std::vector<recording::Launch> launches = {stage.launch(parameters, problem)};
    if (stage.second)
        launches.push_back(stage.second->launch(parameters, problem));
    const std::vector<std::vector<std::byte>> arguments = arguments_of(stage, parameters, problem);
    uint64_t steps = most_steps;
    Executed result;
    for (std::size_t i = 0; i < code.kernels.size() && i < launches.size(); ++i) {
        if (code.kernels[i].instructions.empty())
            throw Unavailable(
                "The driver compiles this kernel's PTX itself, and its machine code is not seen: the GPU is "
                "newer than the NVRTC that is installed.");
        const recording::Launch& launch = launches[i];
        const cuda::PtxProgram program = cuda::parse_ptx(code.kernels[i].ptx);
        cuda::ExecutedWarps warps(code.kernels[i], places_of(stage, parameters, problem, program));
        const cuda::PtxEvents events{
            [&](const auto& statement, uint32_t mask, const auto& addresses) {
                warps.access(statement, mask, addresses);
            },
            [&](const auto& statement, uint32_t mask, uint32_t idle, const auto& from, const auto& to) {
                warps.copy(statement, {.width = statement.width,
                                       .bypass = statement.name.starts_with("cp.async.cg"),
                                       .mask = mask,
                                       .idle = idle,
                                       .from = from,
                                       .to = to});
            },
            [&](const auto& statement) { warps.other(statement); }, [&] { warps.barrier(); }};
        cuda::PtxWarp warp(program, arguments, events);
        for (uint64_t block = 0; block < launch.grid.volume(); ++block)
            for (uint32_t number = 0; number < launch.warps_per_block(); ++number) {
                if (stop.stop_requested())
                    throw Cancelled();
                const auto& [x, y, z] = launch.grid;
                warp.run({launch,
                          {static_cast<uint32_t>(block % x), static_cast<uint32_t>(block / x % y),
                           static_cast<uint32_t>(block / x / y)},
                          number},
                         steps);
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
