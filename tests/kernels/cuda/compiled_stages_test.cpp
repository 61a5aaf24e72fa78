// Tests the machine code of the stages, decoded without a disassembler, and its addresses, computed without a GPU.
#include "machine_code/executed_lines.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <map>

#include "backend.h"

namespace {

using recording::Op;
using test::says;

// The ladder's stages, compiled for Hopper.
class CompiledStage : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        SKIP_WHERE_UNAVAILABLE(code = kernels::machine_code(stage, stage.standard_parameters(), 90));
    }

    recording::Recording record(const recording::Problem& problem) const
    {
        const kernels::Job job{&stage, stage.standard_parameters(), kernels::used_part(stage.operation, problem)};
        return test::record(job);
    }

    kernels::Executed execute(const recording::Problem& problem) const
    {
        return kernels::executed(code, stage, stage.standard_parameters(), kernels::used_part(stage.operation, problem),
                                 {});
    }

    const kernels::Stage& stage = test::stage(GetParam());
    kernels::MachineCode code;
};

TEST_P(CompiledStage, HasNoInstructionOfAnUnknownKind)
{
    for (const kernels::KernelCode& kernel : code.kernels)
        for (const kernels::Instruction& one : kernel.instructions)
            EXPECT_FALSE(one.name.empty()) << kernel.kernel << " at " << one.address;
}

// Stages whose loads the compiler merges, compiled by NVRTC 13.0, and an H200's counts for them at 128^3 (shared loads:
// instructions, wavefronts, conflicts; docs/results).
struct Joined {
    const char* slug;
    recording::SharedTotals counted;
};
constexpr Joined joined[] = {{"shared_tile", {81920, 98304, 0}},
                             {"thread_tile_1d", {40960, 40960, 0}},
                             {"thread_tile_2d", {10240, 32768, 16384}},
                             {"thread_tile_2d_registers", {10240, 32768, 16384}},
                             {"padded_b", {4864, 24576, 11776}}};

const Joined* joined_loads(const std::string& slug)
{
    const auto* const found =
        std::find_if(std::begin(joined), std::end(joined), [&slug](const Joined& one) { return one.slug == slug; });
    return found == std::end(joined) ? nullptr : found;
}

// Excludes wgmma_tma, which waits for other warps and cannot be recorded on a CPU.
INSTANTIATE_TEST_SUITE_P(Ladder, CompiledStage, testing::ValuesIn(test::slugs([](const kernels::Stage& stage) {
                             return stage.slug != "wgmma_tma";
                         })),
                         [](const auto& stage) { return stage.param; });

TEST_P(CompiledStage, RunsWhatTheCpuRecorded)
{
    for (const recording::Problem& problem : {recording::Problem{.M = 100, .N = 33, .K = 57, .alpha = 1, .beta = 2},
                                              recording::Problem{.M = 1, .N = 70, .K = 3}}) {
        const recording::Recording recording = record(problem);
        const recording::Totals written = recording.totals(), executed = execute(problem).totals();
        EXPECT_EQ(executed.global_load, written.global_load);
        EXPECT_EQ(executed.global_store, written.global_store);
        EXPECT_EQ(executed.shared_store, written.shared_store);
        if (!joined_loads(GetParam())) {
            EXPECT_EQ(executed.shared_load, written.shared_load);
            for (const kernels::LineExecution& line : kernels::compare_lines(recording, execute(problem)))
                EXPECT_FALSE(line.differs()) << line.line << ": " << line.why;
        }
    }
}

class JoinedStage : public CompiledStage {};

INSTANTIATE_TEST_SUITE_P(Ladder, JoinedStage, testing::ValuesIn([] {
                             std::vector<std::string> slugs;
                             for (const Joined& one : joined)
                                 slugs.emplace_back(one.slug);
                             return slugs;
                         }()),
                         [](const auto& stage) { return stage.param; });

TEST_P(JoinedStage, RunsWhatAnH200Counted)
{
    const Joined* counted = joined_loads(GetParam());
    ASSERT_NE(counted, nullptr);
    if (code.compiler != "NVRTC 13.0")
        GTEST_SKIP() << code.compiler << " may join other loads than NVRTC 13.0";
    const recording::Problem problem{.M = 128, .N = 128, .K = 128, .alpha = 1, .beta = 0};
    const recording::Recording recording = record(problem);
    const kernels::Executed executed = execute(problem);
    EXPECT_EQ(executed.totals().shared_load, counted->counted);
    EXPECT_FALSE(recording.totals().shared_load == counted->counted);
    recording::Totals by_line;
    for (const kernels::LineExecution& line : kernels::compare_lines(recording, executed)) {
        by_line += line.executed;
        EXPECT_EQ(line.differs(), !line.why.empty());
        EXPECT_EQ(line.differs(), line.why.find(" as written became ") != std::string::npos) << line.why;
    }
    EXPECT_EQ(by_line, executed.totals());
}

TEST_P(CompiledStage, EachAccessComesFromOneInThePtx)
{
    for (const kernels::KernelCode& kernel : code.kernels)
        for (const kernels::Instruction& one : kernel.instructions)
            if (one.op) {
                ASSERT_GT(one.ptx_line, 0u) << one.name << " at " << one.address;
                const std::string& ptx = kernel.ptx.at(one.ptx_line - 1);
                const bool is_access = ptx.find("ld.") != std::string::npos || ptx.find("st.") != std::string::npos ||
                                       ptx.find("cp.async") != std::string::npos ||
                                       ptx.find("ldmatrix") != std::string::npos ||
                                       ptx.find("wmma.") != std::string::npos;
                EXPECT_TRUE(is_access) << one.name << " at " << one.address << ": " << ptx;
            }
}

// Compares with what an H200 counted per instruction at 128 x 128 x 128 (CUPTI's SASS metrics, 2026-11-21): wavefronts
// of the copies' writes, and sectors of their reads.
TEST(MachineCode, CopiesCostWhatTheH200Counted)
{
    using Costs = std::map<std::string, std::pair<uint64_t, uint64_t>>;
    const auto costs = [](std::string_view slug) {
        const kernels::Stage& stage = test::stage(slug);
        const recording::Problem problem{.M = 128, .N = 128, .K = 128};
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), 90);
        Costs result;
        for (const kernels::SassAccessCounts& one :
             kernels::executed(code, stage, stage.standard_parameters(), problem, {}).instructions)
            if (one.op == recording::Op::async_load) {
                result[one.name].first += one.copy_wavefronts;
                result[one.name].second += one.totals.global_load.sectors;
            }
        return result;
    };
    try {
        EXPECT_EQ(costs("async_copy"), (Costs{{"LDGSTS", {2048, 2048}}, {"LDGSTS.128", {512, 2048}}}));
        EXPECT_EQ(costs("mma_ldmatrix")["LDGSTS.128"].second, 896 + 1152u);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

// It is the fastest stage that has tensor cores but no WGMMA. A block has less shared memory on other GPUs than Hopper:
// 99 KiB with compute capability 8.6, 8.9 and 12.0 (CUDA C++ Programming Guide, technical specifications).
TEST(MachineCode, MmaLdmatrixIsForEveryGpuSinceAmpere)
{
    const kernels::Stage& stage = test::stage("mma_ldmatrix");
    const kernels::ParameterValues fp16 = stage.standard_parameters();
    EXPECT_LE(stage.dynamic_shared(fp16), 99u * 1024);
    for (const uint32_t capability : {80u, 89u, 120u})
        try {
            const kernels::MachineCode code = kernels::machine_code(stage, fp16, capability);
            const auto named = [&](std::string_view start) {
                return std::ranges::count_if(code.kernels.front().instructions,
                                             [start](const auto& one) { return one.name.starts_with(start); });
            };
            EXPECT_GT(named("HMMA"), 0) << capability;
            EXPECT_EQ(named("STL") + named("LDL"), 0) << "registers do not suffice on " << capability;
        } catch (const kernels::Unavailable& missing) {
            GTEST_SKIP() << missing.what();
        }
}

// Its PTX has two variables with two tiles each.
TEST(MachineCode, KnowsTheTilesOfOneVariableApart)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "prefetched");
    std::map<int, uint64_t> loads; // by array
    try {
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), 90);
        const recording::Problem problem{.M = 128, .N = 128, .K = 128};
        for (const kernels::SassAccessCounts& one :
             kernels::executed(code, stage, stage.standard_parameters(), problem, {}).instructions)
            if (one.op == recording::Op::shared_load)
                loads[one.array] += one.totals.shared_load.instructions;
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    EXPECT_EQ(loads, (std::map<int, uint64_t>{{3, 1024}, {4, 1024}, {5, 1024}, {6, 1024}}));
}

// A copy reads nothing where its tile extends beyond the matrix. It still belongs to that matrix.
TEST(MachineCode, IdleCopiesBelongToTheirArray)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "async_copy");
    try {
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), 90);
        for (const kernels::SassAccessCounts& one :
             kernels::executed(code, stage, stage.standard_parameters(), {.M = 100, .N = 60, .K = 72}, {}).instructions)
            EXPECT_GE(one.array, 0) << one.name << " of line " << one.line;
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

TEST(MachineCode, OpaqueAndUnknownPathsAreSaid)
{
    const auto execute = [](std::string_view slug) {
        const kernels::Stage& stage = test::stage(slug);
        const recording::Problem problem{.M = 64, .N = 64, .K = 64};
        return kernels::executed(kernels::machine_code(stage, stage.standard_parameters(), 90), stage,
                                 stage.standard_parameters(), problem, {});
    };
    try {
        EXPECT_EQ(execute("wmma").opaque, "LDSM.16.M88.4, LDSM.16.MT88.4, STS.64");
        EXPECT_EQ(execute("vectorized").opaque, "");
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    EXPECT_TRUE(
        says(test::refusal<kernels::Unavailable>([&] { execute("wgmma_tma"); }), "depends on what other warps do"));
}

} // namespace
