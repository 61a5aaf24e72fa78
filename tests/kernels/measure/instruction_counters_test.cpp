// Counters of single machine instructions, compared with the figures derived from the machine code for the same lines.
#include "measure/counters.h"
#include "measure/readings.h"
#include "tests/says.h"

#include <gtest/gtest.h>

namespace {

using kernels::CountedAccesses;
using recording::Op;
using test::says;

// Returns code in which the compiler turned a line with two loads into three instructions. It also has a store whose
// addresses do not follow from PTX, and arithmetic.
kernels::MachineCode code()
{
    const auto one = [](uint32_t address, const char* name, std::optional<Op> op, uint32_t line) {
        kernels::Instruction instruction;
        instruction.address = address;
        instruction.name = name;
        instruction.op = op;
        instruction.line = line;
        return instruction;
    };
    kernels::MachineCode result;
    result.kernels.resize(2);
    result.kernels[0].instructions = {one(0x10, "LDS.128", Op::shared_load, 7),
                                      one(0x20, "LDS.128", Op::shared_load, 7), one(0x30, "LDS", Op::shared_load, 7),
                                      one(0x40, "FFMA", std::nullopt, 8), one(0x50, "STS", Op::shared_store, 9)};
    result.kernels[1].instructions = {one(0x10, "LDG", Op::global_load, 7)};
    return result;
}

kernels::InstructionCounters counters()
{
    return {.instructions = {{0, 0x10, 4, 16, 0},
                             {0, 0x20, 4, 8, 0},
                             {0, 0x30, 2, 2, 0},
                             {0, 0x40, 512, 0, 0},
                             {0, 0x50, 3, 3, 0},
                             {1, 0x10, 6, 0, 24}},
            .device = {}};
}

kernels::Executed executed()
{
    kernels::Executed result;
    const auto shared = [](uint64_t instructions, uint64_t wavefronts) {
        recording::Totals totals;
        totals.shared_load = {instructions, wavefronts, 0};
        return totals;
    };
    recording::Totals global;
    global.global_load = {6, 24};
    // One line and name occurs twice, for two arrays.
    result.instructions = {{0, 7, Op::shared_load, 16, 0, "LDS.128", shared(4, 16)},
                           {0, 7, Op::shared_load, 16, 1, "LDS.128", shared(4, 8)},
                           {0, 7, Op::shared_load, 4, 1, "LDS", shared(2, 2)},
                           {1, 7, Op::global_load, 4, 2, "LDG", global}};
    result.opaque = "STS";
    return result;
}

const CountedAccesses& row(const std::vector<CountedAccesses>& rows, std::size_t kernel, const char* name)
{
    for (const CountedAccesses& one : rows)
        if (one.kernel == kernel && one.name == name)
            return one;
    throw std::out_of_range(name);
}

TEST(InstructionCounters, AreFoundByKernelAndAddress)
{
    const kernels::InstructionCounters all = counters();
    ASSERT_NE(all.at(0, 0x30), nullptr);
    EXPECT_EQ(all.at(0, 0x30)->executed, 2u);
    ASSERT_NE(all.at(1, 0x10), nullptr);
    EXPECT_EQ(all.at(1, 0x10)->global_sectors, 24u);
    EXPECT_EQ(all.at(1, 0x20), nullptr);
    EXPECT_EQ(all.at(0, 0x31), nullptr);
}

TEST(InstructionCounters, LinesAddTheirInstructions)
{
    const kernels::Executed derived = executed();
    const std::vector<CountedAccesses> rows = kernels::compare_instructions(code(), &derived, counters());
    EXPECT_EQ(rows.size(), 4u) << "arithmetic is no access";
    const CountedAccesses& wide = row(rows, 0, "LDS.128");
    EXPECT_EQ(wide.counted, (CountedAccesses::Figures{8, 24, 0}));
    EXPECT_EQ(wide.derived, (CountedAccesses::Figures{8, 24, 0}));
    EXPECT_TRUE(wide.agrees());
    EXPECT_TRUE(row(rows, 0, "LDS").agrees());
    EXPECT_TRUE(row(rows, 1, "LDG").agrees());
    EXPECT_FALSE(row(rows, 0, "STS").derived) << "its addresses are not told";
}

TEST(RunProfile, HasAllThatRanAndWhereWarpsStood)
{
    kernels::InstructionCounters counted = counters();
    counted.instructions[2].executed = 0;
    counted.instructions.erase(counted.instructions.begin() + 4); // 0x50, at which warps were still sampled
    const recording::RunProfile run = kernels::run_profile(
        code(), counted, recording::WarpSamples{.states = {"wait"}, .samples = {{0, 0x40, 0, 3}, {0, 0x50, 0, 1}}});
    const std::vector<recording::RunInstruction> expected = {{0, 0x10, "LDS.128", 7, 4},
                                                             {0, 0x20, "LDS.128", 7, 4},
                                                             {0, 0x40, "FFMA", 8, 512},
                                                             {0, 0x50, "STS", 9, 0},
                                                             {1, 0x10, "LDG", 7, 6}};
    EXPECT_EQ(run.instructions, expected);
    EXPECT_EQ(run.executed(), 526u);
    EXPECT_EQ(run.samples->kept(), 4u);
    ASSERT_NE(run.at(1, 0x10), nullptr);
    EXPECT_EQ(run.at(1, 0x10)->executed, 6u);
    EXPECT_EQ(run.at(0, 0x30), nullptr) << "it never ran";
    EXPECT_FALSE(kernels::run_profile(code(), counted, {}).samples.has_value());
}

TEST(InstructionCounters, OneMoreOfAnythingIsSeen)
{
    const kernels::Executed derived = executed();
    const auto agree = [&](const kernels::InstructionCounters& counted) {
        for (const CountedAccesses& one : kernels::compare_instructions(code(), &derived, counted))
            if (one.derived && !one.agrees())
                return false;
        return true;
    };
    ASSERT_TRUE(agree(counters()));
    for (const std::size_t i : {0, 1, 2, 5}) {
        for (uint64_t kernels::InstructionCount::*figure :
             {&kernels::InstructionCount::executed, &kernels::InstructionCount::shared_wavefronts,
              &kernels::InstructionCount::global_sectors}) {
            kernels::InstructionCounters more = counters();
            ++(more.instructions[i].*figure);
            EXPECT_FALSE(agree(more)) << i;
        }
    }
    kernels::InstructionCounters fewer = counters();
    fewer.instructions.pop_back();
    EXPECT_FALSE(agree(fewer)) << "what is not counted is zero, and was to be executed";
}

// The stores at the edge of mma_ldmatrix are such a case: an H200 counted 480, but only 256 had an active lane.
TEST(InstructionCounters, APredicateMayHoldInNoLane)
{
    kernels::MachineCode guarded = code();
    const kernels::Executed derived = executed();
    kernels::InstructionCounters more = counters();
    more.instructions[2].executed += 5; // LDS
    EXPECT_FALSE(row(kernels::compare_instructions(guarded, &derived, more), 0, "LDS").agrees());
    guarded.kernels[0].instructions[2].predicate = "@P0";
    const CountedAccesses off = row(kernels::compare_instructions(guarded, &derived, more), 0, "LDS");
    EXPECT_TRUE(off.agrees());
    EXPECT_TRUE(says(kernels::why_counted_otherwise(off), "predicate holds in no lane"));
    EXPECT_EQ(
        kernels::why_counted_otherwise(row(kernels::compare_instructions(code(), &derived, counters()), 0, "LDS")), "");
    more.instructions[2].executed -= 6;
    EXPECT_FALSE(row(kernels::compare_instructions(guarded, &derived, more), 0, "LDS").agrees()) << "fewer";
    more.instructions[2].executed += 6;
    ++more.instructions[2].shared_wavefronts;
    EXPECT_FALSE(row(kernels::compare_instructions(guarded, &derived, more), 0, "LDS").agrees());
}

TEST(InstructionCounters, WavefrontsOfCopiesPastL1AreNotCompared)
{
    CountedAccesses copies{
        .name = "LDGSTS.128", .op = Op::async_load, .derived = {{64, 256, 1024}}, .counted = {64, 448, 1024}};
    EXPECT_TRUE(copies.agrees());
    EXPECT_TRUE(kernels::why_counted_otherwise(copies).starts_with("the counter of what copies past L1 write"));
    copies.counted.sectors = 1025;
    EXPECT_FALSE(copies.agrees());
    copies.counted.sectors = 1024;
    copies.name = "LDGSTS"; // through L1
    EXPECT_FALSE(copies.agrees());
}

// Only counters of copies may vary between readings, so only they are read again.
TEST(InstructionCounters, AreReadAgainWhereCopiesDiffer)
{
    kernels::MachineCode copying = code();
    kernels::Executed derived = executed();
    const auto readings = [&] {
        kernels::InstructionCounters wrong = counters();
        ++wrong.instructions[5].global_sectors; // LDG
        return kernels::settle(wrong, copying, &derived, [] { return counters(); }).readings;
    };
    EXPECT_EQ(readings(), 1);
    for (kernels::Instruction& one : copying.kernels[1].instructions)
        if (one.name == "LDG")
            one.op = Op::async_load;
    for (kernels::SassAccessCounts& one : derived.instructions)
        if (one.name == "LDG")
            one.op = Op::async_load;
    EXPECT_EQ(readings(), 2);
}

TEST(InstructionCounters, PartsOfOpaqueNamesHaveNothingDerived)
{
    kernels::Executed derived = executed();
    derived.opaque = "LDS.128";
    EXPECT_FALSE(row(kernels::compare_instructions(code(), &derived, counters()), 0, "LDS.128").derived);
}

TEST(InstructionCounters, AnAccessThatWasNotDerivedMustNotBeCounted)
{
    kernels::Executed less = executed();
    less.instructions.pop_back();
    EXPECT_FALSE(row(kernels::compare_instructions(code(), &less, counters()), 1, "LDG").agrees());
    const std::vector<CountedAccesses> alone = kernels::compare_instructions(code(), nullptr, counters());
    EXPECT_EQ(alone.size(), 4u);
    EXPECT_FALSE(row(alone, 1, "LDG").derived);
    EXPECT_EQ(row(alone, 1, "LDG").counted.sectors, 24u);
}

} // namespace

#ifdef GEMMSCOPE_CUPTI

#include "cuda/cupti.h"
#include "cuda/sass_metrics.h"
#include "error.h"

namespace {

TEST(SassMetrics, EachExistsOnHopper)
{
    std::optional<cuda::Cupti> cupti;
    SKIP_WHERE_UNAVAILABLE(cupti.emplace());
    const cuda::Metrics knows_chips(*cupti, "GH100", {}); // on a GPU, SassMetrics initializes CUPTI itself
    const auto ids = cuda::sass_metric_ids(*cupti, "GH100");
    EXPECT_NE(ids[0], ids[1]);
    EXPECT_NE(ids[1], ids[2]);
    EXPECT_NE(ids[0], ids[2]);
    EXPECT_TRUE(says(test::refusal<kernels::Unavailable>([&] { cuda::sass_metric_ids(*cupti, "NO100"); }),
                     "cuptiSassMetricsGetProperties"));
}

TEST(SassMetrics, InstancesAreAddedByMetric)
{
    const std::vector<CUpti_SassMetrics_InstanceValue> instances = {
        {11, 5}, {22, 7}, {11, 1}, {~uint64_t{0}, 99}, {33, 2}};
    const std::vector<uint64_t> ids = {11, 33, 22};
    EXPECT_EQ(cuda::sum_by_metric(instances, ids), (std::array<uint64_t, 3>{6, 2, 7}));
}

TEST(SassMetrics, RowsOfOtherKernelsAreLeftOut)
{
    const std::vector<cuda::SassMetrics::Row> rows = {{"second", 0x20, {1, 2, 3}},
                                                      {"first", 0x10, {4, 0, 0}},
                                                      {"another", 0x10, {9, 9, 9}},
                                                      {"second", 0x20, {1, 0, 1}}};
    const std::vector<std::string> names = {"first", "second"};
    const kernels::InstructionCounters counted = cuda::counted_by_address(rows, names, {});
    ASSERT_EQ(counted.instructions.size(), 2u);
    EXPECT_EQ(counted.at(0, 0x10)->executed, 4u);
    EXPECT_EQ(counted.at(1, 0x20)->executed, 2u);
    EXPECT_EQ(counted.at(1, 0x20)->shared_wavefronts, 2u);
    EXPECT_EQ(counted.at(1, 0x20)->global_sectors, 4u);
    const std::vector<std::string> none = {"third"};
    EXPECT_TRUE(says(test::refusal<kernels::Unavailable>([&] { cuda::counted_by_address(rows, none, {}); }), "second"));
}

} // namespace

#endif
