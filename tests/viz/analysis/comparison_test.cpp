// Two rungs compared: figures per multiplication, computed by hand, and the sentence that they make.
#include "backend.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/comparison.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using recording::Op;
using recording::Recording;
using recording::Space;

// 4 x 8 results over K = 10: 320 multiplications by one block of 32 threads, thread i with result i.
Recording small()
{
    Recording r;
    r.problem = {4, 8, 10, 1, 0};
    r.launch = {{1, 1, 1}, {32, 1, 1}};
    r.arrays = {array_of("A", Space::global, 4, 10), array_of("B", Space::global, 10, 8),
                array_of("C", Space::global, 4, 8), array_of("As", Space::shared, 2, 8)};
    for (uint32_t i = 0; i < 32; ++i)
        r.owner.push_back(i);
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
    EXPECT_EQ(figures.why_missing, "not in this recording");
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
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "vectorized");
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

std::string text_of(const std::vector<Words>& words)
{
    std::string text;
    for (const Words& part : words)
        text += part.text;
    return text;
}

KernelFigures figures_with(const std::vector<std::pair<Measure, double>>& values)
{
    KernelFigures figures;
    for (const auto& [measure, value] : values)
        figures.values[static_cast<std::size_t>(measure)] = value;
    return figures;
}

class Sentence : public testing::Test {
protected:
    const Recording recording = small();
    std::string of(double now, double before, const KernelFigures& figures, const KernelFigures& figures_before) const
    {
        return text_of(what_it_bought({"now", recording, figures, {now, {}, "on a GPU", true}},
                                      {"then", recording, figures_before, {before, {}, "on a GPU", true}}));
    }
};

TEST_F(Sentence, SaysWhatFellWhereItIsFaster)
{
    EXPECT_EQ(of(1500, 1000, figures_with({{Measure::conflicts, 0}, {Measure::wavefronts, 6}, {Measure::sectors, 4}}),
                 figures_with({{Measure::conflicts, 4}, {Measure::wavefronts, 12}, {Measure::sectors, 4.1}})),
              "now reaches 1,500 GFLOPS, then 1,000: 1.50 times as fast (on a GPU). What fell, per 1,000 "
              "multiplications: bank conflicts from 4.00 to 0 and shared wavefronts from 12.0 to 6.00 (-50%). ");
}

TEST_F(Sentence, NamesWhatGrewWhereItIsSlowerWithFewerConflicts)
{
    EXPECT_EQ(of(800, 1000, figures_with({{Measure::conflicts, 1}, {Measure::shared_loads, 5}}),
                 figures_with({{Measure::conflicts, 4}, {Measure::shared_loads, 2}})),
              "now reaches 800 GFLOPS, then 1,000: 20 % slower (on a GPU). What fell, per 1,000 multiplications: bank "
              "conflicts from 4.00 to 1.00 (-75%). Yet it is slower. What grew instead: shared loads from 2.00 to 5.00 "
              "(+150%). ");
}

TEST_F(Sentence, SaysThatOccupancyIsNotSpeed)
{
    const std::string text =
        of(2000, 1000, figures_with({{Measure::occupancy, 0.25}, {Measure::results_per_thread, 64}}),
           figures_with({{Measure::occupancy, 1}, {Measure::results_per_thread, 1}}));
    EXPECT_NE(
        text.find("Occupancy fell from 100% to 25.0%, and it is faster all the same: occupancy is not speed; each "
                  "thread now keeps 64 results in registers instead of 1. "),
        std::string::npos)
        << text;
}

TEST_F(Sentence, AdmitsThatNoFigureExplainsIt)
{
    EXPECT_NE(
        of(2000, 1000, figures_with({{Measure::sectors, 4}}), figures_with({{Measure::sectors, 4}}))
            .find("none of the counted figures changed by more than 5 %: the reason lies in what they do not say"),
        std::string::npos);
    EXPECT_NE(of(1000, 2000, figures_with({{Measure::sectors, 3}}), figures_with({{Measure::sectors, 4}}))
                  .find("No counted figure grew: the reason lies"),
              std::string::npos);
    EXPECT_NE(of(1010, 1000, {}, {}).find(": as fast (on a GPU)"), std::string::npos);
}

TEST_F(Sentence, ComparesNoSpeedsFromDifferentPlaces)
{
    const ComparedRung here{"now", recording, {}, {1000, {}, "measured here", true}};
    const ComparedRung shipped{"then", recording, {}, {500, {}, "shipped", false}};
    const ComparedRung unknown{"then", recording, {}, {{}, {}, "no GPU here", true}};
    EXPECT_EQ(text_of(what_it_bought(here, shipped)).find("times as fast"), std::string::npos);
    EXPECT_EQ(text_of(what_it_bought(here, unknown)).find("How fast then is, is not known: no GPU here. "), 0u);
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
        "naive", product, figures_of(product, product.blocks[0]), {498, 0.01, "size 4096^3", false}};
    const ComparedRung add{"vector_add", sum, figures_of(sum, sum.blocks[0]), {208, {}, "size 67108864", false}};
    const ComparedRung coords{"thread_coords", neither, {}, {{}, {}, "no FLOP", false}};
    EXPECT_EQ(text_of(what_it_bought(naive, add)),
              "They compute different things: naive multiplies matrices, vector_add adds vectors. So neither their "
              "speeds nor what they do per multiplication is compared. naive reaches 498 GFLOPS (1 % of cuBLAS) (size "
              "4096^3). vector_add reaches 208 GFLOPS (size 67108864). ");
    EXPECT_EQ(text_of(what_it_bought(coords, add)),
              "They compute different things: thread_coords reads no A and B, vector_add adds vectors. So neither "
              "their speeds nor what they do per multiplication is compared. vector_add reaches 208 GFLOPS (size "
              "67108864). ");
    EXPECT_EQ(text_of(what_it_bought(add, add)), "vector_add reaches 208 GFLOPS, vector_add 208: as fast (size "
                                                 "67108864). ");
    Recording halves = small();
    halves.arrays[0].element_bytes = 2;
    for (const std::string& sentence : reservations({"wmma", halves, {}, {}}, add))
        EXPECT_EQ(sentence.find("They do not multiply the same numbers"), std::string::npos) << sentence;
}

TEST(Comparison, NamesWhatMakesTwoHardToCompare)
{
    Recording a = small(), b = small();
    a.parameters = {{"BM", 4}, {"BN", 16}};
    b.arrays[0].element_bytes = 2;
    a.launch.grid.z = b.launch.grid.z = 2; // of which one block is recorded in full
    const std::vector<std::string> sentences = reservations({"a", a, {}, {}}, {"b", b, {}, {}});
    ASSERT_EQ(sentences.size(), 4u);
    EXPECT_EQ(sentences[0], "They do not multiply the same numbers: elements of A and B have 4 bytes in a, 2 in b.");
    EXPECT_EQ(sentences[1],
              "At 4 x 8 x 10 the tiles of a, 16 columns wide, reach out of C: their work there is counted "
              "too, but is no multiplication.");
    EXPECT_EQ(sentences[2], "Not counted for a: what asynchronous copies write to shared memory.");
    Recording plain = small();
    plain.blocks[0].warps[0].accesses.erase(plain.blocks[0].warps[0].accesses.begin() + 1);
    EXPECT_TRUE(reservations({"a", plain, {}, {}}, {"b", plain, {}, {}}).empty());
}

TEST(Comparison, FindsChangedParametersAndLayouts)
{
    Recording before = small(), after = small();
    before.parameters = {{"BK", 8}, {"BM", 64}};
    after.parameters = {{"BK", 16}, {"BM", 64}, {"STAGES", 3}};
    EXPECT_EQ(setting_changes(before, after), (std::vector<std::string>{"BK 16 instead of 8"}));
    EXPECT_TRUE(layout_changes(before, after).empty());
    after.arrays[3].pitch = 36; // one element of padding: the second row of 8 moves
    after.arrays[3].bytes = 72;
    EXPECT_EQ(layout_changes(before, after),
              (std::vector<std::string>{"8 of the 16 elements of As lie in another place",
                                        "As takes 72 bytes instead of 64"}));
    before.arrays.push_back(array_of("Bs[0]", Space::shared, 2, 4));
    before.arrays.push_back(array_of("Bs[1]", Space::shared, 2, 4));
    after.arrays[3] = before.arrays[3];
    after.arrays.push_back(array_of("Bs[0]", Space::shared, 4, 4));
    after.arrays.push_back(array_of("Bs[1]", Space::shared, 4, 4));
    EXPECT_EQ(layout_changes(before, after), (std::vector<std::string>{"Bs has 4 x 4 elements, not 2 x 4"}))
        << "the stages of a ring are alike";
    after.arrays[4] = before.arrays[4];
    after.arrays[5] = before.arrays[5];
    after.arrays[3] = array_of("As", Space::shared, 4, 8);
    EXPECT_EQ(layout_changes(before, after), (std::vector<std::string>{"As has 4 x 8 elements, not 2 x 8"}));
}

} // namespace
