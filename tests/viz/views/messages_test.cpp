// Texts of views about a stage: their templates and numbers.
#include "tests/says.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/facts.h"
#include "viz/views/30_banks/facts.h"
#include "viz/views/40_registers/facts.h"
#include "viz/views/50_occupancy/facts.h"
#include "viz/views/55_roofline/facts.h"
#include "viz/views/70_faster/facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

using namespace viz;
using test::says;

OccupancyCase typed_case(const SmLimits& limits, const KernelNeeds& needs)
{
    OccupancyCase one;
    one.needs = needs;
    one.typed = true;
    one.now = residency(limits, needs);
    return one;
}

// Returns whether these words are in the colour of waste.
bool warns(const Rich& said, std::string_view words)
{
    return std::ranges::any_of(said,
                               [&](const Run& run) { return run.words == words && run.meaning == Meaning::conflict; });
}

TEST(OccupancyMessages, NameTheLimitAndWhatRegistersWouldChange)
{
    const SmLimits limits = limits_of(90).value();
    const Rich said = residency_words(limits, typed_case(limits, {256, 123, 8192}));
    EXPECT_TRUE(says(plain(said), "2 blocks at once: 16 warps of 64, 25.0%"));
    EXPECT_TRUE(warns(said, "registers"));
    EXPECT_TRUE(says(plain(said), "units of 8 a thread: 123 take as many as 128"));
    EXPECT_TRUE(says(plain(said), "6 registers more"));
    EXPECT_TRUE(says(plain(said), "43 registers fewer"));
    EXPECT_TRUE(says(plain(said), "typed"));
}

TEST(OccupancyMessages, SayWhatLetsTheNextBlockIn)
{
    const SmLimits limits = limits_of(90).value();
    const auto next = [&](const KernelNeeds& needs) {
        return plain(next_block_words(limits, typed_case(limits, needs)));
    };
    EXPECT_TRUE(says(next({256, 123, 8192}), "43 registers fewer per thread, one more block fits"));
    EXPECT_TRUE(says(next({256, 32, 100 * 1024}), "less shared memory, one more block fits"));
    EXPECT_TRUE(says(next({256, 123, 100 * 1024}), "Neither"));
    const auto in_short = [&](const KernelNeeds& needs) { return plain(headline(limits, typed_case(limits, needs))); };
    EXPECT_TRUE(says(in_short({256, 32, 0}), "64 of 64 warps"));
    EXPECT_TRUE(says(in_short({2048, 32, 0}), "cannot be launched"));
}

TEST(OccupancyMessages, SayWhyNothingCanBeLaunched)
{
    const SmLimits limits = limits_of(90).value();
    const OccupancyCase one = typed_case(limits, {2048, 32, 0});
    EXPECT_TRUE(says(plain(residency_words(limits, one)), plain(*one.now.refusal)));
    EXPECT_TRUE(says(plain(*one.now.refusal), "1024") || says(plain(*one.now.refusal), "1,024"));
}

// A CPU recording gets its registers only from a GPU that ran the same kernel with the same parameters.
TEST(OccupancyMessages, RegistersAreThoseOfTheSameKernelOrNone)
{
    auto recording = std::make_shared<recording::Recording>();
    recording->stage = "vectorized";
    recording->parameters = {{"BM", 128}};
    recording->launch.block = {256, 1, 1};
    StageColumn stage{
        .slug = "vectorized", .idea = {}, .recording = recording, .status = {}, .speed = {}, .shipped = {}};
    LadderFacts ladder_facts;
    ladder_facts.rungs.push_back({.slug = "vectorized", .idea = {}});
    ladder_facts.rungs[0].parameters = recording->parameters;
    ladder_facts.rungs[0].launched = recording::LaunchedKernel{};
    ladder_facts.rungs[0].launched->resources.registers_per_thread = 117;
    const SmLimits limits = limits_of(90).value();
    OccupancyCase known = case_of_stage(stage, ladder_facts);
    EXPECT_EQ(known.needs.registers, 117u);
    EXPECT_TRUE(known.registers_of_gpu);
    fill_sm(limits, known);
    EXPECT_EQ(known.now.warps, 16u);
    EXPECT_TRUE(says(plain(residency_words(limits, known)), "The 117 registers are those of the same kernel"));
    ladder_facts.rungs[0].parameters = {{"BM", 64}};
    OccupancyCase unknown = case_of_stage(stage, ladder_facts);
    EXPECT_TRUE(unknown.unknown());
    fill_sm(limits, unknown);
    EXPECT_TRUE(says(plain(headline(limits, unknown)), "at most 64 of 64 warps"));
    EXPECT_EQ(next_block_words(limits, unknown), registers_unknown_words());
    EXPECT_FALSE(says(plain(residency_words(limits, unknown)), "Limit:")) << "what limits it is not known";
    EXPECT_TRUE(case_of_stage(stage, LadderFacts()).unknown());
}

// A thread has at most 255 registers. The view computes with 255, and says that the others are in local memory.
TEST(OccupancyMessages, BeyondTheMostRegistersTheRestSpills)
{
    const SmLimits limits = limits_of(90).value();
    OccupancyCase one;
    one.needs = {256, 300, 0};
    one.typed = true;
    fill_sm(limits, one);
    EXPECT_FALSE(one.now.refusal);
    EXPECT_EQ(one.now.blocks, residency(limits, {256, 255, 0}).blocks);
    EXPECT_TRUE(warns(headline(limits, one), "255"));
    EXPECT_TRUE(says(plain(residency_words(limits, one)), "of 300 registers at least 45 would lie in local memory"));
    EXPECT_TRUE(warns(residency_words(limits, one), "45"));
}

// Values in local memory are called spills only if all registers are used.
TEST(RegisterMessages, SpillsAreForWantOfRegistersAlone)
{
    RegisterUse use;
    use.registers = {193u, {}};
    use.local = 64;
    use.registers_left = true;
    use.results = 64;
    use.fragments = 16;
    EXPECT_TRUE(use.elsewhere());
    const auto said = [&] { return plain(use_words(use)); };
    EXPECT_TRUE(says(said(), "193 of 255"));
    EXPECT_TRUE(says(said(), "64 hold its results of C.")) << "the operands are in local memory";
    EXPECT_TRUE(says(said(), "The other 129:"));
    EXPECT_TRUE(says(said(), "64 bytes per thread lie in local memory, as many as 16 values"));
    EXPECT_TRUE(says(said(), "62 are free"));
    EXPECT_TRUE(warns(use_words(use), "64 bytes"));
    use.registers_left = false;
    EXPECT_TRUE(says(said(), "64 bytes per thread did not fit"));
    EXPECT_FALSE(use.elsewhere());
    EXPECT_TRUE(says(said(), "16 what it multiplies for one k"));
    use.local = 0;
    EXPECT_FALSE(warns(use_words(use), "64 bytes"));
}

// The headline counts what the lane holds at this step and not later, and says where it is.
TEST(RegisterMessages, AHeadlineCountsWhatIsThere)
{
    recording::Recording r;
    recording::WarpTrace warp;
    warp.accesses.resize(2);
    warp.accesses[0].op = recording::Op::global_load;
    const std::vector<Phase> phases;
    std::optional<Fragments> fragments(std::in_place);
    fragments->lanes[0] = {{{0, 0}}, {{0, 0}}};
    fragments->loaded[0][0] = 1;
    ShownStep shown{r, warp, 0, 0, 0, phases, fragments};
    EXPECT_EQ(plain(headline(shown)), "Lane 0: 1 of 2 values loaded for 1 product");
    fragments->loaded[1][0] = 1;
    EXPECT_EQ(plain(headline(shown)), "Lane 0: 2 values make 1 product");
    shown.elsewhere = true;
    EXPECT_EQ(plain(headline(shown)), "Lane 0: 2 values in local memory make 1 product");
}

// These launches have probes, so the text also gives the ladder's speeds.
TEST(PlacementMessages, ARaceSaysWithProbesAndWhatWasTimedWithout)
{
    PlacementPicture slow, quick;
    slow.blocks = {{.end_ns = 75000}};
    quick.blocks = {{.end_ns = 30000}};
    const LaunchRunner own(slow), other(quick);
    const auto timed = [](double gflops) {
        recording::Provenance from;
        from.problem = recording::Problem{.M = 4096, .N = 4096, .K = 4096};
        return recording::Measured<double>(gflops, from);
    };
    EXPECT_EQ(plain(race_headline(other, own, 40000, timed(6186))),
              "done after 30 µs, 45 µs sooner, ladder 6,186 GFLOPS at 4096³");
    EXPECT_EQ(plain(race_headline(own, other, 80000, {})), "done after 75 µs, 2.50 times as long");
    EXPECT_EQ(plain(race_headline(own, other, 0, timed(498))), "0% done, ends at 75 µs, ladder 498 GFLOPS at 4096³");
}

StageFacts rung_at(double gflops)
{
    StageFacts rung;
    rung.slug = "swizzled";
    rung.tile = ReuseTile{ReuseTile::Holder::block, 128, 128, 4}; // 32 FLOP per byte
    rung.speed = {SpeedAt{{.M = 4096, .N = 4096, .K = 4096}, gflops}, {}};
    return rung;
}

Ceilings ceilings()
{
    Ceilings all;
    all.l1 = Ceiling{32000, true};
    all.dram = Ceiling{1000, true};
    all.arithmetic.push_back({"fp32", {60000, true}});
    return all;
}

TEST(RooflineMessages, NameTheNearestRoof)
{
    const std::string said = plain(place_words(rung_at(48000), ceilings()));
    for (const char* figure : {"48,000 GFLOPS at 4096³", "1.50 TB/s", "4.7% of L1", "80.0% of the measured FP32 peak",
                               "DRAM has 1.00 TB/s", "33.3%", "The nearer limit is the measured FP32 peak."})
        EXPECT_TRUE(says(said, figure));
    EXPECT_TRUE(says(plain(place_words(rung_at(6400), ceilings())), "Far from both"));
}

// The source has 12 shared loads of 3 wavefronts each. The GPU counted half of them, because the compiler made wider
// loads.
TEST(BankMessages, SayWhereTheCompilerMergedWhatIsShown)
{
    recording::Recording recording;
    recording.lines = {{.line = 7, .totals = {.shared_load = {12, 36, 24}}}};
    recording::WarpTrace warp;
    warp.accesses.push_back({.op = recording::Op::shared_load, .array = 3, .width = 4, .line = 7, .mask = 1});
    ShownAccess shown;
    shown.focus.recording = &recording;
    shown.focus.warp = &warp;
    shown.step = 0;
    shown.picture.cost = {3, 2};
    HardwareFigures counted;
    counted.shared_wavefronts = 36;
    shown.counted = &counted;
    EXPECT_FALSE(shown.merged_loads());
    EXPECT_FALSE(says(plain(headline(shown)), "%"));
    counted.shared_wavefronts = 18;
    EXPECT_DOUBLE_EQ(shown.merged_loads().value(), 0.5);
    EXPECT_TRUE(says(plain(headline(shown)), "50.0%"));
    shown.picture.l1_waits = 2; // waits of a copy
    const Rich waiting = headline(shown);
    const auto amber = std::ranges::find(waiting, Meaning::conflict, &Run::meaning);
    ASSERT_NE(amber, waiting.end()) << plain(waiting);
    EXPECT_EQ(amber->words, "2") << "no bank conflict, but two that wait";
    EXPECT_FALSE(says(plain(waiting), "%"));
}

// 256 threads with 117 registers: two blocks, 16 warps. Stages without a speed or without known registers have no
// point.
TEST(OccupancyMessages, SpeedStandsOverTheWarpsThatFit)
{
    LadderFacts ladder_facts;
    ladder_facts.gpu.properties = {recording::GpuProperties{}, {}};
    EXPECT_TRUE(warps_and_speeds(ladder_facts).empty());
    recording::GpuProperties h200;
    h200.compute_capability = 90;
    ladder_facts.gpu.properties = {h200, {}};
    StageFacts rung = rung_at(36000);
    rung.launched = recording::LaunchedKernel{};
    rung.launched->launch.block = {256, 1, 1};
    ladder_facts.rungs = {rung};
    EXPECT_TRUE(warps_and_speeds(ladder_facts).empty());
    ladder_facts.rungs[0].launched->resources.registers_per_thread = 117;
    const std::vector<WarpsAndSpeed> points = warps_and_speeds(ladder_facts);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].warps, 16u);
    EXPECT_DOUBLE_EQ(points[0].gflops, 36000);
    ladder_facts.rungs[0].speed = recording::Missing::not_asked;
    EXPECT_TRUE(warps_and_speeds(ladder_facts).empty());
}

// The errors of types are compared at one size of a library's results. Unverified results are omitted.
TEST(TypeErrors, AreThoseOfTheLibraryFromTheMostExactOn)
{
    const auto rung = [](const char* type, bool library, std::optional<double> error) {
        StageFacts one{.slug = type, .idea = {}};
        one.type = type;
        one.library = library;
        one.speed = {SpeedAt{{.M = 4096, .N = 4096, .K = 4096}, 1000, error}, {}};
        return one;
    };
    LadderFacts ladder_facts;
    ladder_facts.rungs = {rung("fp16", false, 9e-4), rung("bf16", true, 2.1e-3), rung("fp32", true, 1.1e-6),
                          rung("tf32", true, {}), rung("fp16", true, 2.6e-4)};
    const std::vector<TypeError> errors = type_errors(ladder_facts);
    ASSERT_EQ(errors.size(), 3u);
    EXPECT_EQ(errors[0].type, "fp32");
    EXPECT_EQ(errors[1].type, "fp16");
    EXPECT_DOUBLE_EQ(errors[1].error, 2.6e-4);
    EXPECT_EQ(errors[2].type, "bf16");
}

// All bars have the same unit. If several units of an SM work in parallel, their number is beside the bar.
TEST(CostMessages, AreInCycles)
{
    EXPECT_EQ(cycle_words({.work = Work::instructions}, 34.6), "8.65 cycles (34.6 ÷ 4)");
    EXPECT_EQ(cycle_words({.work = Work::wavefronts}, 10.5), "10.5 cycles");
    EXPECT_EQ(cycle_words({.work = Work::wavefronts}, 0), "0 cycles");
}

// For each stage, the text says whether the bar of a unit is nearly as long as that of the time.
TEST(CostMessages, SayWhichUnitIsFull)
{
    const std::vector<WorkPair> work{{.work = Work::time, .first = 20, .second = 10},
                                     {.work = Work::instructions, .first = 32, .second = 32}, // 8 cycles each
                                     {.work = Work::wavefronts, .first = 18, .second = 4}};
    const std::string said = plain(limit_words(work, "naive", "padded"));
    EXPECT_TRUE(says(said, "In naive the shared-memory wavefronts take 90.0% of the time"));
    EXPECT_TRUE(says(said, "In padded the instructions issued take 80.0% of the time"));
    const std::vector<WorkPair> waits{{.work = Work::time, .first = 20, .second = {}},
                                      {.work = Work::wavefronts, .first = 5, .second = 5}};
    EXPECT_TRUE(says(plain(limit_words(waits, "naive", "padded")), "In naive no unit is full"));
    EXPECT_FALSE(says(plain(limit_words(waits, "naive", "padded")), "padded")) << "its time is not known";
}

// The gap above a point ends at the roof that the headline names.
TEST(RooflineMessages, TheGapIsToTheRoofThatIsNamed)
{
    const auto near = near_roof(rung_at(48000), ceilings(), {});
    ASSERT_TRUE(near);
    EXPECT_EQ(near->name, "the measured FP32 peak");
    EXPECT_DOUBLE_EQ(48000 / near->share, 60000);
    EXPECT_FALSE(near->memory);
    // At 0.25 FLOP per byte, 498 GFLOPS are below what DRAM would allow, but the requests go through L1.
    StageFacts naive = rung_at(498);
    naive.tile = ReuseTile{ReuseTile::Holder::thread, 1, 1, 4};
    const auto l1 = near_roof(naive, ceilings(), {});
    ASSERT_TRUE(l1);
    EXPECT_EQ(l1->name, "L1");
    EXPECT_TRUE(l1->memory) << "its bytes take so much of the time";
    EXPECT_DOUBLE_EQ(498 / l1->share, 0.25 * 32000);
    EXPECT_FALSE(near_roof({}, ceilings(), {}));
}

// A counter shows that the memory path of a stage is saturated. Although the stage is far from every roof, the text
// does not say that it waits.
TEST(RooflineMessages, ACounterTellsWhatBytesDoNot)
{
    StageFacts naive = rung_at(498);
    naive.tile = ReuseTile{ReuseTile::Holder::thread, 1, 1, 4};
    EXPECT_TRUE(says(plain(place_words(naive, ceilings())), "waiting"));
    HardwareFigures counted;
    counted.problem = {.M = 4096, .N = 4096, .K = 4096};
    counted.memory_throughput = 0.983;
    counted.dram_read = 8e9;
    naive.counted.push_back(counted);
    const std::string said = plain(place_words(naive, ceilings()));
    EXPECT_TRUE(says(said, "98.3%"));
    EXPECT_FALSE(says(said, "waiting"));
    EXPECT_TRUE(says(said, "DRAM sent"));
    EXPECT_TRUE(says(plain(nearest_roof(naive, ceilings(), {})), "memory-bound: memory 98.3% busy, 16.1 × below L1"));
    naive.counted.front().memory_throughput = 0.5;
    EXPECT_TRUE(says(plain(nearest_roof(naive, ceilings(), {})), "below: L1"));
}

// 8,000 GFLOPS at 0.32 FLOP per byte of shared memory: 25 of its 31 TB/s, while L1 and the peak are far away.
TEST(RooflineMessages, SharedMemoryIsARoof)
{
    Ceilings all = ceilings();
    all.shared = Ceiling{31250, true};
    const Rich said = nearest_roof(rung_at(8000), all, 0.32);
    EXPECT_TRUE(says(plain(said), "memory-bound: 80.0% of shared memory"));
    EXPECT_TRUE(says(plain(place_words(rung_at(8000), all, 0.32)), "The nearest limit is shared memory."));
    EXPECT_TRUE(says(plain(nearest_roof(rung_at(48000), all, {})), "compute-bound: "));
    EXPECT_FALSE(says(plain(nearest_roof({}, all, {})), "%")) << "it has no place";
}

TEST(RooflineMessages, SayHowFarTheFloorIs)
{
    const double least = 2.0 * 4096 * 4096 * 4096 / 60000 * 1e-6; // milliseconds of arithmetic
    const recording::Problem problem{.M = 4096, .N = 4096, .K = 4096};
    const std::string said = plain(floor_words(rung_at(30000), problem, ceilings()));
    EXPECT_TRUE(says(said, "at least " + time_words(least * 1e6) + ": the arithmetic"));
    EXPECT_TRUE(says(said, "2.00 × the floor"));
    EXPECT_FALSE(says(plain(floor_words(rung_at(30000), problem, {})), "So at least")) << "without a roof: no floor";
}

// The text contains the computed mean. If it belongs to another stage, the text names that stage.
TEST(RandomShapesMessages, SayTheMeanAndTheLeast)
{
    const auto shape = [](uint32_t K, double of_cublas) {
        return RandomShape{.problem = {.M = 720, .N = 3057, .K = K}, .of_cublas = of_cublas, .parameters = {}};
    };
    const RandomSeries series{.slug = "fastest", .shapes = {shape(65, 0.8), shape(64, 1.1), shape(4096, 1.3)}};
    LadderFacts ladder_facts;
    ladder_facts.rungs = {{.slug = "fastest"}, {.slug = "vectorized"}};
    EXPECT_FALSE(says(plain(random_headline(ladder_facts, "fastest", false)), "least")) << "there is none";
    EXPECT_TRUE(says(plain(random_missing(ladder_facts)), "--only random"));
    ladder_facts.random_shapes =
        std::make_shared<const RandomShapes>(RandomShapes{.series = {series}, .seed = 7, .from = {}, .missing = {}});
    EXPECT_EQ(fmt::format("{:.3f}", std::cbrt(0.8 * 1.1 * 1.3)), "1.046") << "the geometric mean";
    EXPECT_EQ(plain(random_headline(ladder_facts, "fastest", false)),
              "1.046 × cuBLAS over 3 shapes, least 0.80 at 720 × 3057 × 65");
    EXPECT_EQ(plain(random_headline(ladder_facts, "fastest", true)), "1.046 × cuBLAS over 3 shapes, least 0.80");
    EXPECT_EQ(plain(random_headline(ladder_facts, "vectorized", true)),
              "Not timed at these shapes; fastest had 1.046 × cuBLAS");
    const std::string said = plain(random_words(ladder_facts, series));
    EXPECT_TRUE(says(said, "At the other 3 shapes 1.046."));
    EXPECT_TRUE(says(said, "1 shape is below 0.90; the least: 0.80 at 720 × 3057 × 65, 1.10 at"));
    EXPECT_FALSE(says(said, "fastest of all")) << "those speeds were not measured";
    EXPECT_TRUE(says(plain(random_words(ladder_facts, series)), "(seed 7)")) << said;
}

} // namespace
