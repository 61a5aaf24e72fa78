// Every rung of the ladder, compiled by NVRTC for a GPU, run by the PTX machine and by the CPU backend: two ways that share
// neither compiler nor probes.
#include "backend.h"
#include "error.h"
#include "gemm/reference.h"
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
using recording::Totals;

ptx::StageRun run_ptx(const Job& job, kernels::Operands& operands)
{
    const recording::Index3 first{0, 0, 0};
    return ptx::run_stage(job, operands, std::span(&first, 1), {.backend = "cpu"}, {});
}

class PtxLadder : public testing::TestWithParam<std::string> {};

// Rungs of which NVRTC's front end makes wider loads than the source has.
const std::set<std::string_view> merged = {"shared_tile", "thread_tile_1d", "thread_tile_2d",
                                           "thread_tile_2d_registers", "padded_b"};

// What the first block's warps access of which array: the compiler may take them in another order.
std::vector<std::map<std::string, int>> accesses_of(const recording::Recording& recording)
{
    std::vector<std::map<std::string, int>> result;
    for (const recording::WarpTrace& warp : recording.blocks.at(0).warps) {
        auto& counts = result.emplace_back();
        for (const recording::Access& access : warp.accesses)
            if (recording::counted_as(access.op) && access.mask != 0)
                ++counts[fmt::format("{} {} line {} {:x} {}", recording::name(access.op),
                                     recording.arrays[access.array].name, access.line, access.mask,
                                     fmt::join(access.offset, " "))];
    }
    return result;
}

// Rungs of which it gives some accesses the line of another.
const std::set<std::string_view> moved = {"warp_tile", "mma_ldmatrix"};

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
    const Totals whole = recorded.totals(), totals = ran.recording.totals();
    EXPECT_EQ(totals.shared_store, whole.shared_store);
    EXPECT_EQ(totals.global_load, whole.global_load);
    EXPECT_EQ(totals.global_store, whole.global_store);
    if (merged.contains(stage.slug)) { // neighbouring loads of shared memory, by the compiler
        EXPECT_LT(totals.shared_load.instructions, whole.shared_load.instructions);
        return;
    }
    EXPECT_EQ(totals.shared_load, whole.shared_load);
    if (moved.contains(stage.slug))
        return;
    EXPECT_TRUE(ran.recording.lines == recorded.lines);
    if (stage.slug != "wmma") { // whose tiles lie in one another's place: an address does not say which is meant
        EXPECT_EQ(accesses_of(ran.recording), accesses_of(recorded));
    }
    EXPECT_EQ(ran.recording.owner, recorded.owner);
}

// Of a warp of wgmma_tma, steps that touch memory or an mbarrier. NVRTC gives the copies of A, but for the first ones, the
// line of those of B; A's descriptors start at the k that they read, in the shipped recording at their row.
std::vector<recording::Access> steps_to_compare(const recording::WarpTrace& warp)
{
    std::vector<recording::Access> result;
    for (recording::Access access : warp.accesses) {
        if (access.mask == 0 || access.op == recording::Op::barrier || access.op == recording::Op::shuffle)
            continue;
        access.instruction = 0;
        if (access.op == recording::Op::bulk_load || access.op == recording::Op::bulk_store)
            access.line = 0;
        if (access.op == recording::Op::matrix_multiply)
            for (uint32_t& offset : access.offset)
                offset = offset / 128 * 128;
        result.push_back(access);
    }
    return result;
}

// The result in float64 of A and B as the kernel gets them.
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
    // By name, so that a parameter added later has its default; types are written as names, and the defaults were recorded.
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
    const std::vector<recording::WarpTrace>& warps = ran.recording.blocks.at(0).warps;
    ASSERT_EQ(warps.size(), shipped.blocks.at(0).warps.size());
    for (std::size_t warp = 0; warp < warps.size(); ++warp)
        EXPECT_TRUE(steps_to_compare(warps[warp]) == steps_to_compare(shipped.blocks[0].warps[warp])) << warp;
}

// The stage's text, compiled as for a probe that watches, though it sees nothing: loops that are else unrolled are none then.
std::string as_if_watched(const kernels::Stage& stage)
{
    return fmt::format("#define NoProbe Blind\n#include \"device/probe.h\"\n#undef NoProbe\n"
                       "struct NoProbe : Blind {{ static constexpr bool traced = true; }};\n{}",
                       kernels::source_text(stage, stage.file));
}

// Tiles of other sizes, several of C one after another, K with a rest, FP16: against float64 alone, also as they are recorded.
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
        // More phases than stages, fewer than blocks, and squares for which not each warp has one.
        {{"BM=64", "BN=64", "STAGES=2", "DEPTH=4"}, {.M = 72, .N = 130, .K = 900, .beta = 2}},
        {{"BM=96", "BN=128", "STAGES=2", "DEPTH=8"}, {.M = 96, .N = 72, .K = 300}},
        {{"BM=64", "BN=64", "STAGES=2", "ABOVE=2", "BESIDE=2"}, {.M = 72, .N = 130, .K = 300}},
        // Clusters whose tiles are cut along K.
        {{"BM=64", "BN=64", "STAGES=2", "BLOCKS=4", "ABOVE=2", "CUT=1", "TYPE_C=bf16"},
         {.M = 384, .N = 64, .K = 512, .beta = 2}},
        {{"BM=64", "BN=64", "STAGES=2", "BLOCKS=4", "BESIDE=2", "CUT=1"}, {.M = 64, .N = 384, .K = 512, .beta = 2}},
        // C in 16 bits, also where its rows begin anywhere.
        {{"BM=64", "BN=64", "STAGES=2", "TYPE_C=bf16"}, {.M = 72, .N = 72, .K = 130, .beta = 2}},
        {{"TYPE=fp16", "BM=64", "BN=64", "STAGES=2", "TYPE_C=fp16"}, {.M = 30, .N = 71, .K = 130, .beta = 2}}};
    kernels::Stage watched = stage;
    watched.text = std::make_shared<const std::string>(as_if_watched(stage));
    for (const auto& [parameters, problem] : cases)
        for (const kernels::Stage& form : {stage, watched}) {
            const Job job{&form, kernels::parse_parameters(stage, parameters), problem};
            const kernels::Operands inputs = kernels::input_operands(stage.operation, problem, recording::input_seed);
            try {
                kernels::Operands operands = inputs;
                run_ptx(job, operands);
                const std::vector<double> reference = reference_of(job, inputs);
                EXPECT_LE(kernels::relative_error(std::span<const float>(operands.C), reference),
                          kernels::tolerance(job))
                    << fmt::format("{}{}", fmt::join(parameters, " "), form.text != nullptr ? ", watched" : "");
            } catch (const kernels::Unavailable& missing) {
                GTEST_SKIP() << missing.what();
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Rungs, PtxLadder, testing::ValuesIn(test::slugs()),
                         [](const auto& rung) { return rung.param; });

} // namespace
