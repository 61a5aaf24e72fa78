// Two rungs compared: figures per multiplication, computed by hand, and what is said of them.
#include "backend.h"
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/comparison_messages.h"
#include "viz/text/known.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using recording::Op;
using recording::Recording;
using recording::Space;

// 4 x 8 results over K = 10: 320 multiplications by one block of 32 threads, thread i with result i.
Recording small()
{
    Recording r = product_of({4, 8, 10, 1, 0});
    r.arrays.push_back(array_of("As", Space::shared, 2, 8));
    recording::Totals totals;
    totals.shared_load = {64, 96, 32};
    totals.shared_store = {16, 16, 0};
    totals.global_load = {8, 24};
    totals.global_store = {1, 4};
    r.lines = {{1, totals}};
    const auto any = [](uint32_t) { return 0u; };
    r.blocks = {{{0, 0, 0},
                 {{{access_of(Op::async_load, 0, 16, 1, any), access_of(Op::async_store, 3, 16, 1, any), barrier_at(2),
                    barrier_at(3), access_of(Op::shuffle, 0, 0, 4, any)}}}}};
    return r;
}

TEST(Comparison, FiguresArePerThousandMultiplications)
{
    const Recording r = small();
    EXPECT_EQ(multiplications(r), 320);
    EXPECT_EQ(multiplications(r, r.blocks[0]), 320);
    const KernelFigures figures = figures_of(r, r.blocks[0]);
    EXPECT_DOUBLE_EQ(*figures[Measure::shared_loads], 64 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::shared_stores], 16 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::wavefronts], (112 + 32) / 0.32); // each lane of a copy waits for the others
    EXPECT_DOUBLE_EQ(*figures[Measure::conflicts], 32 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::requests], 9 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::sectors], 28 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::barriers], 2 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::copies], 1 / 0.32);
    EXPECT_DOUBLE_EQ(*figures[Measure::shuffles], 1 / 0.32);
    EXPECT_EQ(figures[Measure::products], 0);
    EXPECT_EQ(figures[Measure::results_per_thread], 1);
    EXPECT_EQ(figures[Measure::threads_per_block], 32);
    EXPECT_EQ(figures[Measure::shared_bytes], 64);
    EXPECT_FALSE(figures[Measure::registers]);
    EXPECT_FALSE(figures[Measure::local_bytes]);
    EXPECT_EQ(figures.why_missing, recording::Reason{recording::Missing::not_recorded});
}

TEST(Comparison, ABlockOfASliceDoesItsShareOfTheMultiplications)
{
    Recording r = small();
    r.launch.grid.z = 2;
    r.blocks[0].block = {0, 0, 1}; // C is the first slice's, and so is the count of results
    EXPECT_EQ(multiplications(r), 320);
    EXPECT_EQ(multiplications(r, r.blocks[0]), 160);
    EXPECT_DOUBLE_EQ(*figures_of(r, r.blocks[0])[Measure::barriers], 2 / 0.16);
}

TEST(Comparison, VectorizedAt128IsWhatTheHardwareCounted)
{
    const kernels::Stage& stage = test::stage("vectorized");
    const std::vector<recording::Index3> blocks{{0, 0, 0}};
    const Recording r = kernels::make_cpu_backend()->record(
        {&stage, stage.standard_parameters(), {128, 128, 128, 1.0f, 0.0f}}, blocks, {});
    const KernelFigures figures = figures_of(r, r.blocks[0]);
    const double thousands = 128.0 * 128 * 128 / 1000;
    EXPECT_DOUBLE_EQ(*figures[Measure::shared_loads], 4096 / thousands);
    EXPECT_DOUBLE_EQ(*figures[Measure::wavefronts], (20480 + 1536) / thousands);
    EXPECT_DOUBLE_EQ(*figures[Measure::conflicts], (8192 + 512) / thousands);
    EXPECT_DOUBLE_EQ(*figures[Measure::barriers], 8 * 32 / thousands); // 8 warps, two for each of 16 tiles
    EXPECT_EQ(figures[Measure::results_per_thread], 64);
}

const Provenance here{.device = "a GPU"}, shipped{.shipped = true, .device = "NVIDIA H200", .date = "2026-11-21"};

KernelFigures figures_with(const std::vector<std::pair<Measure, double>>& values)
{
    KernelFigures figures;
    for (const auto& [measure, value] : values)
        figures.values[static_cast<std::size_t>(measure)] = value;
    return figures;
}

Message speed(const char* slug, double gflops)
{
    return {"faster.speed", {{"stage", slug}, {"gflops", number(gflops)}, {"of_cublas", Messages{}}}};
}

Message speeds(double now, double before, const Message& verdict)
{
    return {"faster.speeds",
            {{"first", speed("now", now)},
             {"second", speed("then", before)},
             {"verdict", verdict},
             {"origin", how_had(here)}}};
}

Message figure(const char* what, const Value& from, const Value& to, const Messages& change)
{
    return {"faster.figure", {{"what", what}, {"from", from}, {"to", to}, {"change", change}}};
}

Messages changed(double share)
{
    return {{"faster.change", {{"change", Quantity{share, Unit::change}}}}};
}

class Bought : public testing::Test {
protected:
    const Recording recording = small();
    Messages of(double now, double before, const KernelFigures& figures, const KernelFigures& figures_before) const
    {
        return what_it_bought({"now", recording, figures, {{now, here}, {}}},
                              {"then", recording, figures_before, {{before, here}, {}}});
    }
};

TEST_F(Bought, WhatFellWhereItIsFaster)
{
    const Value::List fell{figure("bank conflicts", number(4), 0, {}),
                           figure("shared wavefronts", number(12), number(6), changed(-0.5))};
    EXPECT_EQ(of(1500, 1000, figures_with({{Measure::conflicts, 0}, {Measure::wavefronts, 6}, {Measure::sectors, 4}}),
                 figures_with({{Measure::conflicts, 4}, {Measure::wavefronts, 12}, {Measure::sectors, 4.1}})),
              (Messages{speeds(1500, 1000, {"faster.times_as_fast", {{"times", with_decimals(1.5, 2)}}}),
                        {"faster.fell", {{"figures", fell}}}}));
}

TEST_F(Bought, WhatGrewWhereItIsSlowerWithFewerConflicts)
{
    const Value::List fell{figure("bank conflicts", number(4), number(1), changed(-0.75))},
        grew{figure("shared loads", number(2), number(5), changed(1.5))};
    EXPECT_EQ(of(750, 1000, figures_with({{Measure::conflicts, 1}, {Measure::shared_loads, 5}}),
                 figures_with({{Measure::conflicts, 4}, {Measure::shared_loads, 2}})),
              (Messages{speeds(750, 1000, {"faster.slower", {{"share", share(0.25)}}}),
                        {"faster.fell", {{"figures", fell}}},
                        {"faster.yet_slower"},
                        {"faster.grew", {{"figures", grew}}}}));
}

TEST_F(Bought, OccupancyIsNotSpeed)
{
    const Messages all = of(2000, 1000, figures_with({{Measure::occupancy, 0.25}, {Measure::results_per_thread, 64}}),
                            figures_with({{Measure::occupancy, 1}, {Measure::results_per_thread, 1}}));
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(all[all.size() - 2],
              (Message{"faster.occupancy_is_not_speed",
                       {{"rose", false}, {"from", share(1)}, {"to", share(0.25)}, {"faster", true}}}));
    EXPECT_EQ(all.back(), (Message{"faster.results_in_registers", {{"now", number(64)}, {"before", number(1)}}}));
    EXPECT_EQ(
        of(2000, 1000, figures_with({{Measure::occupancy, 1}}), figures_with({{Measure::occupancy, 0.25}})).back(),
        (Message{"faster.occupancy", {{"rose", true}, {"from", share(0.25)}, {"to", share(1)}}}));
}

TEST_F(Bought, NoFigureMayExplainIt)
{
    EXPECT_EQ(of(2000, 1000, figures_with({{Measure::sectors, 4}}), figures_with({{Measure::sectors, 4}})),
              (Messages{speeds(2000, 1000, {"faster.times_as_fast", {{"times", with_decimals(2, 2)}}}),
                        {"faster.no_change"},
                        {"faster.reason_elsewhere"}}));
    const Messages slower =
        of(1000, 2000, figures_with({{Measure::sectors, 3}}), figures_with({{Measure::sectors, 4}}));
    ASSERT_EQ(slower.size(), 5u);
    EXPECT_EQ(slower[3], (Message{"faster.nothing_grew"}));
    EXPECT_EQ(slower[4], (Message{"faster.reason_elsewhere"}));
    EXPECT_EQ(of(1010, 1000, {}, {}), (Messages{speeds(1010, 1000, {"faster.as_fast"}), {"faster.no_change"}}));
}

TEST_F(Bought, SpeedsFromDifferentPlacesAreNotCompared)
{
    const ComparedRung own{"now", recording, {}, {{1000, here}, {}}};
    const ComparedRung elsewhere{"then", recording, {}, {{500, shipped}, {}}};
    const ComparedRung unknown{"then", recording, {}, {Missing::no_gpu, {}}};
    EXPECT_EQ(what_it_bought(own, elsewhere).front(), (Message{"faster.different_places",
                                                               {{"first", "now"},
                                                                {"first_origin", how_had(here)},
                                                                {"second", "then"},
                                                                {"second_origin", how_had(shipped)}}}));
    EXPECT_EQ(what_it_bought(own, unknown).front(),
              (Message{"faster.unknown_speed", {{"stage", "then"}, {"why", Message{"missing.no_gpu"}}}}));
}

// 32 sums of two vectors by one block, and as many pairs of coordinates without A and B.
Recording vectors()
{
    Recording r = small();
    r.problem = {1, 32, 1, 1, 0};
    r.arrays = {array_of("A", Space::global, 1, 32), array_of("B", Space::global, 1, 32),
                array_of("C", Space::global, 1, 32)};
    return r;
}
Recording coordinates()
{
    Recording r = small();
    r.problem.K = 1;
    r.arrays = {array_of("A", Space::global, 0, 0), array_of("B", Space::global, 0, 0),
                array_of("C", Space::global, 4, 8)};
    return r;
}

TEST(Comparison, WhatMultipliesNothingHasNoFiguresPerMultiplication)
{
    EXPECT_EQ(computes(small()), Computes::products);
    EXPECT_EQ(computes(vectors()), Computes::sums);
    EXPECT_EQ(computes(coordinates()), Computes::neither);
    for (const Recording& r : {vectors(), coordinates()}) {
        EXPECT_EQ(multiplications(r), 0);
        EXPECT_EQ(multiplications(r, r.blocks[0]), 0);
        const KernelFigures figures = figures_of(r, r.blocks[0]);
        for (std::size_t i = 0; i < measure_count; ++i)
            EXPECT_FALSE(figures.values[i] && per_multiplication(static_cast<Measure>(i))) << i;
        EXPECT_EQ(figures[Measure::results_per_thread], 1);
        EXPECT_EQ(figures[Measure::threads_per_block], 32);
    }
}

TEST(Comparison, SaysFirstThatTwoComputeDifferentThings)
{
    const Recording product = small(), sum = vectors(), neither = coordinates();
    const ComparedRung naive{
        "naive", product, figures_of(product, product.blocks[0]), {{498, shipped}, {0.01, shipped}}};
    const ComparedRung add{"vector_add", sum, figures_of(sum, sum.blocks[0]), {{208, shipped}, {}}};
    const ComparedRung coords{"thread_coords", neither, {}, {Missing::no_arithmetic, {}}};
    const Message alone{"faster.speed_alone", {{"speed", speed("vector_add", 208)}, {"origin", how_had(shipped)}}};
    const Messages of_naive = what_it_bought(naive, add);
    ASSERT_EQ(of_naive.size(), 3u);
    EXPECT_EQ(of_naive[0], (Message{"faster.different_work",
                                    {{"unknown", false},
                                     {"first", "naive"},
                                     {"first_work", Message{"faster.products"}},
                                     {"second", "vector_add"},
                                     {"second_work", Message{"faster.sums"}}}}));
    EXPECT_EQ(of_naive[1].id, "faster.speed_alone");
    EXPECT_EQ(of_naive[2], alone);
    EXPECT_EQ(what_it_bought(coords, add), (Messages{{"faster.different_work",
                                                      {{"unknown", false},
                                                       {"first", "thread_coords"},
                                                       {"first_work", Message{"faster.neither"}},
                                                       {"second", "vector_add"},
                                                       {"second_work", Message{"faster.sums"}}}},
                                                     alone}));
    const Messages same = what_it_bought(add, add);
    ASSERT_EQ(same.size(), 1u) << "nothing per multiplication";
    EXPECT_EQ(same[0].id, "faster.speeds");
    Recording halves = small();
    halves.arrays[0].element_bytes = 2;
    for (const Message& message : reservations({"wmma", halves, {}, {}}, add))
        EXPECT_NE(message.id, "faster.element_sizes");
}

// As a kernel of another program is traced: nobody named its arguments. 32 elements in two rows, written by one warp.
Recording traced(uint64_t wavefronts)
{
    Recording r = coordinates();
    r.executed = recording::AsExecuted{.kernel = "transpose", .language = "SASS"};
    r.lines[0].totals.shared_load = {64, wavefronts, wavefronts - 64};
    r.device.compute_capability = 90;
    r.resources = recording::Resources{.registers_per_thread = 121, .shared_bytes_per_block = 12672};
    return r;
}

TEST(Comparison, TracesOfOneOutputAreComparedByTheWholeLaunch)
{
    const Recording bad = traced(128), good = traced(64), product = small();
    EXPECT_EQ(computes(bad), Computes::unknown) << "not: nothing";
    EXPECT_EQ(compared_per(good, bad), Per::launch);
    EXPECT_EQ(compared_per(good, product), Per::multiplications);
    EXPECT_EQ(compared_per(product, product), Per::multiplications);
    Recording other = traced(64);
    other.problem.N = 16;
    other.owner.resize(64, 0);
    EXPECT_EQ(compared_per(other, bad), Per::multiplications) << "it writes another matrix";
    const KernelFigures figures = figures_of(good, good.blocks[0], Per::launch);
    EXPECT_EQ(figures[Measure::shared_loads], 64);
    EXPECT_EQ(figures[Measure::sectors], 28);
    EXPECT_FALSE(figures[Measure::barriers]) << "only of the block that is recorded in full";
    const ComparedRung first{"good", good, figures, {Missing::from_file, {}}};
    const ComparedRung second{"bad", bad, figures_of(bad, bad.blocks[0], Per::launch), {Missing::from_file, {}}};
    const Messages all = what_it_bought(first, second);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].id, "faster.unknown_speed");
    EXPECT_EQ(all[1].id, "faster.launch_fell");
}

TEST(Comparison, OfATraceWhatIsNotKnownIsMissingAndNeverZero)
{
    const Recording trace = traced(128), product = small();
    const KernelFigures figures = figures_of(trace, trace.blocks[0]);
    EXPECT_FALSE(figures[Measure::wavefronts]) << "per how many multiplications?";
    EXPECT_EQ(figures[Measure::blocks_per_sm], 16) << "what its registers leave room for: the driver was not asked";
    EXPECT_DOUBLE_EQ(figures[Measure::wavefronts_each].value_or(0), (128 + 16 + 32) / (64.0 + 16 + 1))
        << "a ratio needs nothing to be counted by";
    const ComparedRung of_trace{"cublas", trace, figures, {}}, rung{"naive", product, {}, {}};
    EXPECT_EQ(no_costs(of_trace, rung), (Message{"faster.work_not_said"}));
    EXPECT_EQ(no_costs(rung, of_trace), no_costs(of_trace, rung));
    EXPECT_FALSE(no_costs(rung, rung));
    EXPECT_EQ(what_it_bought(of_trace, rung).front().arguments.at(0), (Argument{"unknown", true}));
}

TEST(Comparison, NamesWhatMakesTwoHardToCompare)
{
    Recording a = small(), b = small();
    a.parameters = {{"BM", 4}, {"BN", 16}};
    b.arrays[0].element_bytes = 2;
    a.launch.grid.z = b.launch.grid.z = 2; // of which one block is recorded in full
    const Messages all = reservations({"a", a, {}, {}}, {"b", b, {}, {}});
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0],
              (Message{"faster.element_sizes", {{"bytes", 4}, {"first", "a"}, {"other_bytes", 2}, {"second", "b"}}}));
    EXPECT_EQ(all[1], (Message{"faster.tile_beyond_c",
                               {{"size", "4 × 8 × 10"}, {"stage", "a"}, {"extent", 16}, {"rows", false}}}));
    EXPECT_EQ(all[2],
              (Message{"faster.not_counted", {{"stage", "a"}, {"what", Value::List{Message{"faster.copies"}}}}}));
    Recording plain = small();
    plain.blocks[0].warps[0].accesses.erase(plain.blocks[0].warps[0].accesses.begin() + 1);
    EXPECT_TRUE(reservations({"a", plain, {}, {}}, {"b", plain, {}, {}}).empty());
}

TEST(Comparison, FindsChangedParametersAndLayouts)
{
    Recording before = small(), after = small();
    before.parameters = {{"BK", 8}, {"BM", 64}};
    after.parameters = {{"BK", 16}, {"BM", 64}, {"STAGES", 3}};
    EXPECT_EQ(setting_changes(before, after),
              (Messages{{"faster.setting", {{"name", "BK"}, {"now", index(16)}, {"before", index(8)}}}}));
    EXPECT_TRUE(layout_changes(before, after).empty());
    after.arrays[3].pitch = 36; // one element of padding: the second row of 8 moves
    after.arrays[3].bytes = 72;
    EXPECT_EQ(layout_changes(before, after),
              (Messages{{"faster.moved", {{"moved", 8}, {"elements", 16}, {"array", "As"}}},
                        {"faster.tile_bytes", {{"array", "As"}, {"bytes", 72}, {"before", 64}}}}));
    const auto extent = [](const char* array, int rows, int cols, int old_rows, int old_cols) {
        return Messages{
            {"faster.extent",
             {{"array", array}, {"rows", rows}, {"cols", cols}, {"old_rows", old_rows}, {"old_cols", old_cols}}}};
    };
    before.arrays.push_back(array_of("Bs[0]", Space::shared, 2, 4));
    before.arrays.push_back(array_of("Bs[1]", Space::shared, 2, 4));
    after.arrays[3] = before.arrays[3];
    after.arrays.push_back(array_of("Bs[0]", Space::shared, 4, 4));
    after.arrays.push_back(array_of("Bs[1]", Space::shared, 4, 4));
    EXPECT_EQ(layout_changes(before, after), extent("Bs", 4, 4, 2, 4)) << "the stages of a ring are alike";
    after.arrays[4] = before.arrays[4];
    after.arrays[5] = before.arrays[5];
    after.arrays[3] = array_of("As", Space::shared, 4, 8);
    EXPECT_EQ(layout_changes(before, after), extent("As", 4, 8, 2, 8));
}

} // namespace
