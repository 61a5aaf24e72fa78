// Comparison of two rungs: values per multiplication, computed by hand, and texts.
#include "backend.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/comparison_messages.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using test::says;
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
    EXPECT_DOUBLE_EQ(*figures[Measure::wavefronts], (112 + 32) / 0.32); // the lanes of each copy wait for each other
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

TEST(Comparison, CostsAreMissingWhereDataIsInNoLanesAddresses)
{
    Recording r = small();
    r.blocks[0].warps[0].accesses.front().op = Op::bulk_load;
    const KernelFigures figures = figures_of(r, r.blocks[0]);
    EXPECT_TRUE(figures.unseen);
    for (const Measure measure : {Measure::shared_loads, Measure::wavefronts, Measure::sectors, Measure::sectors_each})
        EXPECT_FALSE(figures[measure]) << info(measure).name;
    EXPECT_DOUBLE_EQ(*figures[Measure::barriers], 2 / 0.32);
}

TEST(Comparison, ABlockOfASliceDoesItsShareOfTheMultiplications)
{
    Recording r = small();
    r.launch.grid.z = 2;
    r.blocks[0].block = {0, 0, 1}; // the first slice owns C and all results
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

class Bought : public testing::Test {
protected:
    const Recording recording = small();
    std::string of(double now, double before, const KernelFigures& figures, const KernelFigures& figures_before) const
    {
        return plain(what_it_bought({"now", recording, figures, {{now, here}, {}}},
                                    {"then", recording, figures_before, {{before, here}, {}}}));
    }
};

TEST_F(Bought, WhatFellWhereItIsFaster)
{
    const std::string said =
        of(1500, 1000, figures_with({{Measure::conflicts, 0}, {Measure::wavefronts, 6}, {Measure::sectors, 4}}),
           figures_with({{Measure::conflicts, 4}, {Measure::wavefronts, 12}, {Measure::sectors, 4.1}}));
    for (const char* figure : {"now 1,500 GFLOPS, then 1,000 GFLOPS: 1.50 times as fast (measured here on a GPU)",
                               "What fell, per 1,000 multiplications", "bank conflicts from 4.00 to 0 and",
                               "shared wavefronts from 12.0 to 6.00 (-50%)"})
        EXPECT_TRUE(says(said, figure));
    EXPECT_FALSE(says(said, "sectors")) << "2% less is not named";
    EXPECT_FALSE(says(said, "What grew"));
}

TEST_F(Bought, WhatGrewWhereItIsSlowerWithFewerConflicts)
{
    const std::string said = of(750, 1000, figures_with({{Measure::conflicts, 1}, {Measure::shared_loads, 5}}),
                                figures_with({{Measure::conflicts, 4}, {Measure::shared_loads, 2}}));
    for (const char* figure : {"takes 1.33 times as long", "bank conflicts from 4.00 to 1.00 (-75%). Yet it is slower.",
                               "What grew, per 1,000 multiplications: shared loads from 2.00 to 5.00 (+150%)"})
        EXPECT_TRUE(says(said, figure));
}

TEST_F(Bought, OccupancyIsNotSpeed)
{
    const std::string all =
        of(2000, 1000, figures_with({{Measure::occupancy, 0.25}, {Measure::results_per_thread, 64}}),
           figures_with({{Measure::occupancy, 1}, {Measure::results_per_thread, 1}}));
    EXPECT_TRUE(says(all, "fell from 100% to 25.0%, and it is faster all the same"));
    EXPECT_TRUE(says(all, "64.0 results in registers instead of 1.00"));
    const std::string both =
        of(2000, 1000, figures_with({{Measure::occupancy, 1}}), figures_with({{Measure::occupancy, 0.25}}));
    EXPECT_TRUE(says(both, "Occupancy rose from 25.0% to 100%."));
}

TEST_F(Bought, NoFigureMayExplainIt)
{
    const KernelFigures four = figures_with({{Measure::sectors, 4}}), three = figures_with({{Measure::sectors, 3}});
    const std::string alike = of(2000, 1000, four, four);
    EXPECT_TRUE(says(alike, "no counted figure changed by more than 5.0%"));
    EXPECT_TRUE(says(alike, "The reason lies elsewhere"));
    const std::string slower = of(1000, 2000, three, four);
    EXPECT_TRUE(says(slower, "Yet it is slower. No counted figure grew. The reason lies elsewhere"));
    const std::string as_fast = of(1010, 1000, {}, {});
    EXPECT_TRUE(says(as_fast, ": as fast (") && says(as_fast, "no counted figure changed"));
    EXPECT_FALSE(says(as_fast, "The reason"));
}

TEST_F(Bought, SpeedsFromDifferentPlacesAreNotCompared)
{
    const ComparedRung own{"now", recording, {}, {{1000, here}, {}}};
    const ComparedRung elsewhere{"then", recording, {}, {{500, shipped}, {}}};
    const ComparedRung unknown{"then", recording, {}, {Missing::no_gpu, {}}};
    const std::string apart = plain(what_it_bought(own, elsewhere));
    EXPECT_TRUE(says(apart, plain(how_had(here)) + " for now, " + plain(how_had(shipped)) + " for then"));
    EXPECT_FALSE(says(apart, "times as fast"));
    EXPECT_TRUE(says(plain(what_it_bought(own, unknown)), "How fast then is, is not known: no GPU here."));
}

// vectors() has 32 sums of two vectors by one block. coordinates() has 32 pairs of coordinates, without A and B.
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
    const std::string of_naive = plain(what_it_bought(naive, add)), of_coords = plain(what_it_bought(coords, add));
    const std::string alone = "vector_add 208 GFLOPS (" + plain(how_had(shipped)) + ").";
    EXPECT_TRUE(says(of_naive, "naive multiplies matrices, vector_add adds vectors"));
    EXPECT_TRUE(says(of_naive, "naive 498 GFLOPS (1.0% of cuBLAS in the same run)") && says(of_naive, alone));
    EXPECT_TRUE(says(of_coords, "thread_coords reads no A and B, vector_add adds vectors"));
    EXPECT_TRUE(says(of_coords, alone));
    EXPECT_FALSE(says(of_coords, "thread_coords 0"));
    const std::string same = plain(what_it_bought(add, add));
    EXPECT_TRUE(says(same, "as fast"));
    EXPECT_FALSE(says(same, "multiplication"));
    Recording halves = small();
    halves.arrays[0].element_bytes = 2;
    EXPECT_FALSE(says(plain(reservations({"wmma", halves, {}, {}}, add)), "same numbers"));
}

// A trace of another program's kernel, whose arguments have no names. One warp writes 32 elements in two rows.
Recording traced(uint64_t wavefronts)
{
    Recording r = coordinates();
    r.executed = recording::InstructionTrace{.kernel = "transpose", .language = "SASS"};
    r.lines[0].totals.shared_load = {64, wavefronts, wavefronts - 64};
    r.device.compute_capability = 90;
    r.resources = recording::Resources{.registers_per_thread = 121, .shared_bytes_per_block = 12672};
    return r;
}

TEST(Comparison, TracesOfOneOutputAreComparedByTheWholeLaunch)
{
    const Recording bad = traced(128), good = traced(64), product = small();
    EXPECT_EQ(computes(bad), Computes::unknown) << "the kernel computes something unknown, which is not nothing";
    EXPECT_EQ(compared_per(good, bad), Per::launch);
    EXPECT_EQ(compared_per(good, product), Per::multiplications);
    EXPECT_EQ(compared_per(product, product), Per::multiplications);
    Recording other = traced(64);
    other.problem.N = 16;
    other.owner.resize(64, 0);
    EXPECT_EQ(compared_per(other, bad), Per::multiplications) << "the C of the launches have different extents";
    const KernelFigures figures = figures_of(good, good.blocks[0], Per::launch);
    EXPECT_EQ(figures[Measure::shared_loads], 64);
    EXPECT_EQ(figures[Measure::sectors], 28);
    EXPECT_FALSE(figures[Measure::barriers]) << "barriers are known only for the recorded block";
    const ComparedRung first{"good", good, figures, {Missing::from_file, {}}};
    const ComparedRung second{"bad", bad, figures_of(bad, bad.blocks[0], Per::launch), {Missing::from_file, {}}};
    const std::string all = plain(what_it_bought(first, second));
    EXPECT_TRUE(says(all, "How fast good is, is not known: not timed: from a file."));
    EXPECT_TRUE(says(all, "What fell, in the whole launch: "));
    EXPECT_FALSE(says(all, "What grew"));
}

TEST(Comparison, OfATraceWhatIsNotKnownIsMissingAndNeverZero)
{
    const Recording trace = traced(128), product = small();
    const KernelFigures figures = figures_of(trace, trace.blocks[0]);
    EXPECT_FALSE(figures[Measure::wavefronts]) << "the number of multiplications is not known";
    EXPECT_EQ(figures[Measure::blocks_per_sm], 16) << "computed from registers, because no driver was queried";
    EXPECT_DOUBLE_EQ(figures[Measure::wavefronts_each].value_or(0), (128 + 16 + 32) / (64.0 + 16 + 1))
        << "a ratio needs no normalization";
    const ComparedRung of_trace{"cublas", trace, figures, {}}, rung{"naive", product, {}, {}};
    EXPECT_TRUE(no_costs(of_trace, rung));
    EXPECT_EQ(no_costs(rung, of_trace), no_costs(of_trace, rung));
    EXPECT_FALSE(no_costs(rung, rung));
    EXPECT_TRUE(says(plain(what_it_bought(of_trace, rung)), "Whether they compute the same is not known"));
}

TEST(Comparison, NamesWhatMakesTwoHardToCompare)
{
    Recording a = small(), b = small();
    a.parameters = {{"BM", 4}, {"BN", 16}};
    b.arrays[0].element_bytes = 2;
    a.launch.grid.z = b.launch.grid.z = 2; // one of two blocks along z is recorded in full
    const std::string all = viz::plain(reservations({"a", a, {}, {}}, {"b", b, {}, {}}));
    for (const char* fact : {"4 bytes in a, 2 in b", "At 4 × 8 × 10 the tiles of a, 16 columns wide, reach out of C",
                             "Not counted for a: what asynchronous copies write", "Not counted for b: "})
        EXPECT_TRUE(says(all, fact));
    EXPECT_FALSE(says(all, "rows high")) << "4 rows are one tile";
    Recording plain = small();
    plain.blocks[0].warps[0].accesses.erase(plain.blocks[0].warps[0].accesses.begin() + 1);
    EXPECT_TRUE(reservations({"a", plain, {}, {}}, {"b", plain, {}, {}}).empty());
}

using Texts = std::vector<std::string>;

Texts texts(const std::vector<Rich>& sentences)
{
    Texts all;
    for (const Rich& one : sentences)
        all.push_back(plain(one));
    return all;
}

TEST(Comparison, FindsChangedParametersAndLayouts)
{
    Recording before = small(), after = small();
    before.parameters = {{"BK", 8}, {"BM", 64}};
    after.parameters = {{"BK", 16}, {"BM", 64}, {"STAGES", 3}};
    EXPECT_EQ(texts(setting_changes(before, after)), Texts{"BK 16 instead of 8"});
    EXPECT_TRUE(layout_changes(before, after).empty());
    after.arrays[3].pitch = 36; // one element of padding moves the second row of 8
    after.arrays[3].bytes = 72;
    EXPECT_EQ(texts(layout_changes(before, after)),
              (Texts{"8 of the 16 elements of As lie in another place", "As takes 72 bytes instead of 64"}));
    before.arrays.push_back(array_of("Bs[0]", Space::shared, 2, 4));
    before.arrays.push_back(array_of("Bs[1]", Space::shared, 2, 4));
    after.arrays[3] = before.arrays[3];
    after.arrays.push_back(array_of("Bs[0]", Space::shared, 4, 4));
    after.arrays.push_back(array_of("Bs[1]", Space::shared, 4, 4));
    EXPECT_EQ(texts(layout_changes(before, after)), Texts{"Bs has 4 × 4 elements, not 2 × 4"})
        << "the stages of a ring are alike";
    after.arrays[4] = before.arrays[4];
    after.arrays[5] = before.arrays[5];
    after.arrays[3] = array_of("As", Space::shared, 4, 8);
    EXPECT_EQ(texts(layout_changes(before, after)), Texts{"As has 4 × 8 elements, not 2 × 8"});
}

} // namespace
