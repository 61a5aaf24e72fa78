// Runs every stage of the ladder on the PTX machine, compiled by NVRTC, and on the CPU backend. The two have neither
// compiler nor probes in common.
#include "backend.h"
#include "error.h"
#include "gemm/inputs.h"
#include "gemm/rounding.h"
#include "ptx/stage_run.h"
#include "recording/file.h"
#include "recording/inputs.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace {

using kernels::Job;

ptx::StageRun run_ptx(const Job& job, kernels::Operands& operands)
{
    const recording::Index3 first{0, 0, 0};
    return ptx::run_stage(job, operands, std::span(&first, 1), {.backend = "cpu"}, {});
}

class PtxLadder : public testing::TestWithParam<std::string> {};

// Returns a description of the first different step and its warp, or an empty text if all steps are the same.
std::string difference(const recording::Recording& one, const recording::Recording& other)
{
    for (std::size_t warp = 0; warp < one.blocks.at(0).warps.size(); ++warp) {
        const auto &steps = one.blocks[0].warps[warp].accesses, &others = other.blocks.at(0).warps.at(warp).accesses;
        const auto [at, there] = std::ranges::mismatch(steps, others);
        if (at != steps.end() || there != others.end())
            return fmt::format("warp {}, step {} of {} and {}", warp, at - steps.begin(), steps.size(), others.size());
    }
    return "";
}

TEST_P(PtxLadder, EqualsTheCpuBackend)
{
    const kernels::Stage& stage = test::stage(GetParam());
    Job job{&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 32, .alpha = 0.5f, .beta = 3.0f}};
    if (!kernels::facts(stage.operation).is_gemm)
        job.problem = stage.operation == kernels::Operation::vector_add ? recording::Problem{.M = 1, .N = 1000, .K = 1}
                                                                        : recording::Problem{.M = 6, .N = 4, .K = 1};
    const kernels::Operands inputs = kernels::input_operands(stage.operation, job.problem, recording::input_seed);
    kernels::Operands operands = inputs;
    if (stage.only_compute_capability != 0)
        GTEST_SKIP() << "it has no form for the CPU backend; see EqualsWhatAnH200Recorded";
    ptx::StageRun ran;
    SKIP_WHERE_UNAVAILABLE(ran = run_ptx(job, operands));
    EXPECT_EQ(ran.warnings, std::vector<std::string>{});
    const auto cpu = kernels::make_cpu_backend();
    const recording::Index3 block{0, 0, 0};
    const recording::Recording recorded = cpu->record(job, std::span(&block, 1), {});
    const std::vector<double> reference = kernels::cpu_reference(stage.operation, job.problem, inputs, {});
    const double error = kernels::relative_error(std::span<const float>(operands.C), reference);
    kernels::Operands of_cpu = inputs;
    cpu->run(job, kernels::ProbeKind::none, of_cpu, {});
    const double error_of_cpu = kernels::relative_error(std::span<const float>(of_cpu.C), reference);
    EXPECT_TRUE(error <= std::max(kernels::tolerance(job), 1.01 * error_of_cpu)) << error << ", CPU " << error_of_cpu;
    EXPECT_EQ(ran.recording.totals(), recorded.totals());
    EXPECT_TRUE(ran.recording.lines == recorded.lines);
    EXPECT_EQ(difference(ran.recording, recorded), "");
    EXPECT_EQ(ran.recording.owner, recorded.owner);
}

// Returns the result in float64 for A and B as the kernel receives them.
std::vector<double> reference_of(const Job& job, kernels::Operands operands)
{
    const bool half = kernels::type_of(job) == type_fp16;
    for (std::vector<float>* matrix : {&operands.A, &operands.B})
        for (float& value : *matrix)
            value = half ? kernels::to_float(kernels::to_half(value)) : kernels::to_float(kernels::to_bfloat16(value));
    kernels::round_all(operands.C, kernels::types_of(job).c);
    return kernels::cpu_reference(job.stage->operation, job.problem, operands, {});
}

TEST(PtxLadder, EqualsWhatAnH200Recorded)
{
    const kernels::Stage& stage = test::stage("wgmma_tma");
    const recording::Recording shipped = recording::read(test::shipped("wgmma_tma.gscope"));
    // Sets parameters by name, so that a parameter added later has its default. Skips TYPE parameters: they are written
    // as names, and the recordings have their defaults.
    std::vector<std::string> parameters;
    for (const recording::Parameter& parameter : shipped.parameters)
        if (!parameter.name.starts_with("TYPE"))
            parameters.push_back(fmt::format("{}={}", parameter.name, parameter.value));
    const Job job{&stage, kernels::parse_parameters(stage, parameters), shipped.problem};
    const kernels::Operands inputs = kernels::input_operands(stage.operation, job.problem, recording::input_seed);
    kernels::Operands operands = inputs;
    ptx::StageRun ran;
    SKIP_WHERE_UNAVAILABLE(ran = run_ptx(job, operands));
    const std::vector<double> reference = reference_of(job, inputs);
    EXPECT_LE(kernels::relative_error(std::span<const float>(operands.C), reference), kernels::tolerance(job));
    EXPECT_EQ(ran.recording.totals(), shipped.totals());
    EXPECT_TRUE(ran.recording.lines == shipped.lines);
    EXPECT_EQ(difference(ran.recording, shipped), "");
}

// Tests tiles of other sizes, several tiles per block, K with a remainder, and FP16. Compares with float64 only.
TEST(PtxLadder, OtherTilesByTensorMapsAreRight)
{
    const kernels::Stage& stage = test::stage("wgmma_tma");
    struct Case {
        std::vector<std::string> parameters;
        recording::Problem problem;
    };
    const Case cases[] = {
        {{"TYPE=fp16", "BM=64", "BN=64", "STAGES=2", "BLOCKS=1"}, {.M = 100, .N = 72, .K = 136}},
        {{"BM=48", "STAGES=3", "BLOCKS=2"}, {.M = 130, .N = 200, .K = 72, .beta = 2}},
        {{"BM=16", "BN=64", "STAGES=3"}, {.M = 20, .N = 66, .K = 72, .beta = 2}},
        {{"BM=128", "BN=192", "STAGES=2", "BLOCKS=2", "CUT=1"}, {.M = 384, .N = 192, .K = 256}},
        // There are more phases than stages, fewer phases than blocks, and squares that only some warps get.
        {{"BM=64", "BN=64", "STAGES=2", "DEPTH=4"}, {.M = 72, .N = 130, .K = 900, .beta = 2}},
        {{"BM=96", "BN=128", "STAGES=2", "DEPTH=8"}, {.M = 96, .N = 72, .K = 300}},
        {{"BM=64", "BN=64", "STAGES=2", "ABOVE=2", "BESIDE=2"}, {.M = 72, .N = 130, .K = 300}},
        // The tiles of clusters are split along K.
        {{"BM=64", "BN=64", "STAGES=2", "BLOCKS=4", "ABOVE=2", "CUT=1", "TYPE_C=bf16"},
         {.M = 384, .N = 64, .K = 512, .beta = 2}},
        {{"BM=64", "BN=64", "STAGES=2", "BLOCKS=4", "BESIDE=2", "CUT=1"}, {.M = 64, .N = 384, .K = 512, .beta = 2}},
        // C has 16 bits, also with rows that begin at any address.
        {{"BM=64", "BN=64", "STAGES=2", "TYPE_C=bf16"}, {.M = 72, .N = 72, .K = 130, .beta = 2}},
        {{"TYPE=fp16", "BM=64", "BN=64", "STAGES=2", "TYPE_C=fp16"}, {.M = 30, .N = 71, .K = 130, .beta = 2}}};
    for (const auto& [parameters, problem] : cases) {
        const Job job{&stage, kernels::parse_parameters(stage, parameters), problem};
        const kernels::Operands inputs = kernels::input_operands(stage.operation, problem, recording::input_seed);
        kernels::Operands operands = inputs;
        SKIP_WHERE_UNAVAILABLE(run_ptx(job, operands));
        const std::vector<double> reference = reference_of(job, inputs);
        EXPECT_LE(kernels::relative_error(std::span<const float>(operands.C), reference), kernels::tolerance(job))
            << fmt::format("{}", fmt::join(parameters, " "));
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, PtxLadder, testing::ValuesIn(test::slugs()),
                         [](const auto& rung) { return rung.param; });

} // namespace
