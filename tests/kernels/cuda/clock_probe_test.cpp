// Tests ClockProbe, which NVRTC compiles as for a GPU and the PTX machine runs. The machine's clock counts
// instructions. The probe must record the same steps as a recording, and the host must convert its output to increasing
// times.
#include "stage.h"

#include <gtest/gtest.h>

#include "backend.h"
#include "cuda/nvrtc.h"
#include "cuda/program.h"
#include "cuda/slots.h"
#include "error.h"
#include "gemm/inputs.h"
#include "ptx/machine.h"
#include "recording/inputs.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace {

using kernels::Job;
using recording::Op;

enum : std::size_t {
    region_a,
    region_b,
    region_c,
    region_workspace,
    region_warps,
    region_steps,
    region_begun,
    region_count
};

template <class T>
T* place(std::size_t region)
{
    return reinterpret_cast<T*>(ptx::global_address(region));
}

std::vector<std::byte> filled(std::size_t bytes, unsigned char with)
{
    return std::vector<std::byte>(bytes, std::byte{with});
}

template <class T>
std::vector<T> read(const ptx::Region& region)
{
    std::vector<T> result(region.bytes.size() / sizeof(T));
    if (!result.empty())
        std::memcpy(result.data(), region.bytes.data(), result.size() * sizeof(T));
    return result;
}

struct Noted {
    uint32_t begun = 0;
    std::vector<ClockWarp> warps;
    std::vector<ClockStep> steps;
};

class ClockedStage : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override { SKIP_WHERE_UNAVAILABLE(nvrtc.emplace()); }

    cuda::Compiled compile(const kernels::Stage& stage) const
    {
        return nvrtc->compile(cuda::program_with(stage, cuda::clock_probe_file),
                              cuda::clock_expression(stage, stage.standard_parameters()), nvrtc->options_for(90));
    }

    ptx::Program program_of(const kernels::Stage& stage) const
    {
        const cuda::Compiled compiled = compile(stage);
        const auto lines = static_cast<std::size_t>(std::ranges::count(compiled.ptx, '\n')) + 1;
        return ptx::make_program(ptx::parse(compiled.ptx, std::vector<uint32_t>(lines)), compiled.lowered_name,
                                 region_count);
    }

    // Launches the kernel like CudaBackend::warp_times does. The PTX machine runs everything on SM 0.
    static Noted run(const ptx::Program& program, const Job& job, const cuda::ClockRoom& room, uint32_t sm = 0)
    {
        const kernels::Stage& stage = *job.stage;
        const kernels::Operands operands = kernels::input_operands(stage.operation, job.problem, recording::input_seed);
        const kernels::DeviceForm form(stage.operation, kernels::type_of(job), job.problem, operands);
        const auto C = std::as_bytes(std::span(operands.C));
        std::vector<ptx::Region> regions(region_count);
        regions[region_a].bytes = {form.A().begin(), form.A().end()};
        regions[region_b].bytes = {form.B().begin(), form.B().end()};
        regions[region_c].bytes = {C.begin(), C.end()};
        regions[region_workspace].bytes = filled(kernels::workspace_bytes(stage, job.parameters, job.problem), 0xff);
        regions[region_warps].bytes = filled(room.warps * sizeof(ClockWarp), 0);
        regions[region_steps].bytes = filled(std::size_t{room.warps} * room.steps * sizeof(ClockStep), 0xff);
        regions[region_begun].bytes = filled(sizeof(uint32_t), 0);
        for (ptx::Region& region : ptx::variable_regions(program))
            regions.push_back(std::move(region));
        const std::vector<std::byte> own = stage.arguments(job.parameters, job.problem,
                                                           {.A = place<void>(region_a),
                                                            .B = place<void>(region_b),
                                                            .C = place<float>(region_c),
                                                            .tensor_maps = nullptr,
                                                            .workspace = place<float>(region_workspace)});
        const ClockState state{.warps = place<ClockWarp>(region_warps),
                               .steps = place<ClockStep>(region_steps),
                               .begun = place<unsigned int>(region_begun),
                               .sm = sm,
                               .most_warps = room.warps,
                               .capacity = room.steps};
        std::vector<std::byte> arguments(program.parameter_bytes);
        EXPECT_EQ(program.parameters.at(1).bytes, sizeof(state));
        std::memcpy(arguments.data() + program.parameters.at(0).first, own.data(), own.size());
        std::memcpy(arguments.data() + program.parameters.at(1).first, &state, sizeof(state));
        ptx::run(program,
                 {.extent = stage.launch(job.parameters, job.problem),
                  .dynamic_shared_bytes = static_cast<uint64_t>(stage.dynamic_shared(job.parameters)),
                  .arguments = std::move(arguments)},
                 regions, [](uint64_t, uint32_t, const auto&) {});
        Noted noted{read<uint32_t>(regions[region_begun]).at(0), read<ClockWarp>(regions[region_warps]),
                    read<ClockStep>(regions[region_steps])};
        noted.warps.resize(std::min(noted.begun, room.warps));
        return noted;
    }

    std::optional<cuda::Nvrtc> nvrtc;
};

INSTANTIATE_TEST_SUITE_P(Ladder, ClockedStage, testing::ValuesIn(test::slugs()),
                         [](const auto& stage) { return stage.param; });

Job small_job(const kernels::Stage& stage)
{
    Job job{&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 32}};
    if (!kernels::facts(stage.operation).is_gemm)
        job.problem = stage.operation == kernels::Operation::vector_add ? recording::Problem{.M = 1, .N = 1000, .K = 1}
                                                                        : recording::Problem{.M = 6, .N = 4, .K = 1};
    return job;
}

TEST_P(ClockedStage, CompilesAndNotesTheStepsOfARecording)
{
    const kernels::Stage& stage = test::stage(GetParam());
    // Such a stage has no form for the CPU, and the PTX machine would need its tensor maps.
    if (stage.only_compute_capability != 0) {
        EXPECT_NO_THROW(compile(stage));
        return;
    }
    const Job job = small_job(stage);
    const recording::Launch extent = stage.launch(job.parameters, job.problem);
    const auto all = static_cast<uint32_t>(extent.grid.volume()) * extent.warps_per_block();
    const recording::Recording recorded = test::record(job);

    const ptx::Program program = program_of(stage);
    const Noted dry = run(program, job, {all, 0}); // room for no step, like the first run on a GPU
    ASSERT_EQ(dry.begun, all);
    const cuda::ClockRoom room = cuda::room_needed(dry.begun, dry.warps, 0);
    const Noted noted = run(program, job, room);
    const std::vector<recording::TimedWarp> warps = cuda::timed_warps(noted.warps, noted.steps, room);
    ASSERT_EQ(warps.size(), all);
    std::size_t compared = 0;
    for (const recording::TimedWarp& warp : warps) {
        uint64_t before = warp.begin;
        for (const recording::TimedStep& step : warp.steps) {
            ASSERT_GE(step.at, before + step.since) << "times of the probe never decrease";
            before = step.at;
        }
        ASSERT_GE(warp.end, before + warp.after);
        if (warp.block != 0)
            continue;
        const std::vector<recording::Access>& accesses = recorded.blocks.at(0).warps.at(warp.warp).accesses;
        ASSERT_EQ(warp.steps.size(), accesses.size()) << "warp " << warp.warp;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            ASSERT_EQ(warp.steps[i].op, accesses[i].op) << i;
            ASSERT_EQ(warp.steps[i].line, accesses[i].line) << i;
            ASSERT_EQ(warp.steps[i].array, accesses[i].array) << i;
        }
        ++compared;
    }
    EXPECT_EQ(compared, extent.warps_per_block());
}

class OneClockedStage : public ClockedStage {};
INSTANTIATE_TEST_SUITE_P(Some, OneClockedStage, testing::Values("shared_tile"));

TEST_P(OneClockedStage, WatchesOneSmAndNeverWritesBeyondItsRoom)
{
    const Job job = small_job(test::stage(GetParam()));
    const ptx::Program program = program_of(*job.stage);
    EXPECT_EQ(run(program, job, {4, 8}, 1).begun, 0u) << "nothing runs on SM 1";
    const Noted noted = run(program, job, {3, 2}); // the machine faults if a store is out of bounds
    EXPECT_EQ(noted.begun, 16u * 32) << "warps without room are counted, too";
    for (const ClockWarp& warp : noted.warps)
        EXPECT_GT(warp.steps, 2u) << "steps too";
}

} // namespace
