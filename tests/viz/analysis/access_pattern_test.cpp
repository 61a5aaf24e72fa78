// Costs of made-up access patterns, computed by hand.
#include "viz/analysis/access_pattern.h"

#include "viz/text/templates.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

namespace {

using viz::AccessPattern;
using Machine = AccessPattern::Machine;
using Memory = AccessPattern::Memory;
using Width = AccessPattern::Width;

int wavefronts(const AccessPattern& pattern)
{
    const viz::PatternCost cost = viz::cost_of(pattern);
    EXPECT_TRUE(cost.valid()) << viz::formula_of(pattern);
    return cost.figure;
}

AccessPattern whole()
{
    return {.machine = Machine::whole};
}

// The lanes' banks repeat after banks / gcd(stride, banks) lanes, so each used bank serves gcd(stride, banks) lanes.
TEST(AccessPattern, AStrideTakesAsManyWavefrontsAsItsCommonDivisorWithTheBanks)
{
    for (int stride = 1; stride <= 64; ++stride) {
        AccessPattern pattern = whole();
        pattern.stride = stride;
        EXPECT_EQ(wavefronts(pattern), std::gcd(stride, 32)) << stride;
        pattern.machine = Machine::eight;
        EXPECT_EQ(wavefronts(pattern), std::gcd(stride, 8)) << stride;
    }
}

TEST(AccessPattern, OneWordForAllLanesIsOneWavefront)
{
    AccessPattern pattern = whole();
    pattern.stride = 0;
    const viz::PatternCost cost = viz::cost_of(pattern);
    EXPECT_EQ(cost.figure, 1);
    ASSERT_EQ(cost.words.size(), 1u);
    EXPECT_EQ(cost.words[0].lanes, ~0u);
    EXPECT_FALSE(cost.words[0].waits);
}

// With one word of padding each row begins one bank after the row above.
TEST(AccessPattern, PaddingByOneAndAnXorFreeAColumnOfATile)
{
    for (const Machine machine : {Machine::eight, Machine::whole}) {
        AccessPattern column{.machine = machine};
        column.stride = column.lanes();
        EXPECT_EQ(wavefronts(column), column.lanes());
        AccessPattern padded = column;
        padded.padding = 1;
        EXPECT_EQ(wavefronts(padded), 1);
        padded.padding = 2;
        EXPECT_EQ(wavefronts(padded), 2);
        AccessPattern swizzled = column;
        swizzled.xor_bits = column.lanes() - 1;
        EXPECT_EQ(wavefronts(swizzled), 1);
        swizzled.xor_bits = 1; // each of two banks serves half of the lanes
        EXPECT_EQ(wavefronts(swizzled), column.lanes() / 2);
    }
}

// Accesses of 8 and 16 bytes are served in two and four groups of lanes. Each group fills all banks.
TEST(AccessPattern, WideAccessesGoInGroupsWithoutWaiting)
{
    for (const auto& [width, groups] : {std::pair{Width::four, 1}, {Width::eight, 2}, {Width::sixteen, 4}})
        for (const Machine machine : {Machine::eight, Machine::whole}) {
            AccessPattern pattern{.machine = machine, .width = width, .stride = 1};
            const viz::PatternCost cost = viz::cost_of(pattern);
            EXPECT_EQ(cost.figure, groups);
            EXPECT_EQ(cost.least, groups);
            for (const viz::PatternWord& word : cost.words) {
                EXPECT_FALSE(word.waits);
                EXPECT_EQ(word.columns, pattern.bytes() / 4);
                EXPECT_EQ(word.row, word.group);
            }
            pattern.stride = 2; // uses half of the banks, so a group needs two wavefronts
            EXPECT_EQ(viz::cost_of(pattern).figure, 2 * groups);
            EXPECT_EQ(viz::cost_of(pattern).least, groups);
        }
}

TEST(AccessPattern, NarrowElementsShareAWord)
{
    AccessPattern pattern = whole();
    pattern.width = Width::one;
    pattern.stride = 1;
    const viz::PatternCost cost = viz::cost_of(pattern);
    EXPECT_EQ(cost.figure, 1);
    EXPECT_EQ(cost.words.size(), 8u) << "four lanes in each word";
    EXPECT_EQ(cost.words[1].lanes, 0xf0u);
}

// Lanes 0 and 4 need different words of bank 0, and lane 4 waits.
TEST(AccessPattern, SaysWhichLanesWait)
{
    const viz::PatternCost cost = viz::cost_of({.stride = 2});
    ASSERT_EQ(cost.words.size(), 8u);
    EXPECT_EQ(cost.rows, 2);
    for (const viz::PatternWord& word : cost.words) {
        const int lane = std::countr_zero(word.lanes);
        EXPECT_EQ(word.column, 2 * lane % 8);
        EXPECT_EQ(word.row, lane / 4);
        EXPECT_EQ(word.waits, lane >= 4);
    }
}

TEST(AccessPattern, GlobalMemoryMovesWholeSectors)
{
    AccessPattern pattern = whole();
    pattern.memory = Memory::global;
    pattern.stride = 1;
    viz::PatternCost cost = viz::cost_of(pattern);
    EXPECT_EQ(cost.figure, 4);
    EXPECT_EQ(cost.rows, 1);
    EXPECT_EQ(cost.used_bytes, 128);
    pattern.offset = 1;
    cost = viz::cost_of(pattern);
    EXPECT_EQ(cost.figure, 5) << "the last lane's word lies in the next line";
    EXPECT_EQ(cost.lines, (std::vector<uint64_t>{0, 1}));
    EXPECT_EQ(cost.rows, 2);
    EXPECT_EQ(cost.least, 4);
    pattern.offset = 0;
    pattern.stride = 8;
    EXPECT_EQ(viz::cost_of(pattern).figure, 32) << "a sector for each lane";
    pattern.stride = 0;
    EXPECT_EQ(viz::cost_of(pattern).figure, 1);
}

TEST(AccessPattern, NumbersAndTheirFormulaAreTheSame)
{
    for (const Machine machine : {Machine::eight, Machine::whole})
        for (const viz::PatternPreset& preset : viz::presets_of({.machine = machine})) {
            AccessPattern typed = preset.pattern;
            typed.formula = viz::formula_of(preset.pattern);
            const viz::PatternCost cost = viz::cost_of(preset.pattern);
            EXPECT_EQ(viz::cost_of(typed).pattern, cost.pattern) << preset.name;
            for (int lane = 0; lane < typed.lanes(); ++lane) { // by the formula in access_pattern.h
                const AccessPattern& p = preset.pattern;
                const int row = lane / p.lanes_in_row, col = lane % p.lanes_in_row;
                EXPECT_EQ(cost.pattern.offset[static_cast<std::size_t>(lane)],
                          static_cast<uint64_t>(p.offset + row * (p.stride + p.padding) + (col ^ (row & p.xor_bits))) *
                              static_cast<uint64_t>(p.bytes()))
                    << preset.name << " " << lane;
            }
        }
}

TEST(AccessPattern, RefusesWhatIsNoPattern)
{
    for (const char* formula : {"lane +", "lane - 1", "lane*1000000", "tid"}) {
        AccessPattern pattern;
        pattern.formula = formula;
        EXPECT_FALSE(viz::cost_of(pattern).valid()) << formula;
        EXPECT_TRUE(viz::cost_of(pattern).words.empty());
        EXPECT_FALSE(viz::row_to_measure(pattern));
    }
}

TEST(AccessPattern, TheCurveIsOfTheFormulaWithOtherStrides)
{
    AccessPattern pattern = whole();
    const std::vector<std::optional<int>> costs = viz::costs_over_stride(pattern, 32);
    ASSERT_EQ(costs.size(), 32u);
    EXPECT_EQ(costs[0], 1);
    EXPECT_EQ(costs[11], 4);
    EXPECT_EQ(costs[31], 32);
    pattern.formula = "lane*stride + lane";
    EXPECT_EQ(viz::costs_over_stride(pattern, 32)[31], 1);
    pattern.formula = "lane*3";
    EXPECT_TRUE(viz::costs_over_stride(pattern, 32).empty());
}

TEST(AccessPattern, ALaneThatIsDraggedChangesTheStrideAndLaneZeroTheOffset)
{
    const AccessPattern pattern{.stride = 2};
    EXPECT_EQ(viz::led_to(pattern, 1, 5).stride, 5);
    EXPECT_EQ(viz::led_to(pattern, 4, 4).stride, 1) << "1 and 3 lead there, and 1 is as near and smaller";
    EXPECT_EQ(viz::led_to(pattern, 0, 3).offset, 3);
    EXPECT_EQ(viz::led_to(pattern, 0, 3).stride, 2);
    AccessPattern global{.memory = Memory::global, .stride = 1};
    EXPECT_EQ(viz::led_to(global, 2, 4, 1).stride, 18) << "word 36 of lane 2";
}

TEST(AccessPattern, OnlyAWholeWarpCanBeMeasured)
{
    EXPECT_FALSE(viz::row_to_measure({}));
    AccessPattern pattern = whole();
    pattern.access = AccessPattern::Access::store;
    const auto row = viz::row_to_measure(pattern);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->op, "st.shared");
    EXPECT_EQ(model::evaluate(*row).a, viz::cost_of(pattern).figure);
}

TEST(AccessPattern, ItsTextIsReadBack)
{
    for (const viz::PatternPreset& preset : viz::presets_of({.machine = Machine::whole, .memory = Memory::global}))
        EXPECT_EQ(viz::options_of<AccessPattern>(viz::text_of_options(preset.pattern)), preset.pattern) << preset.name;
    AccessPattern typed{.wavefront = 2};
    typed.formula = "row*8 + (col ^ row)";
    EXPECT_EQ(viz::text_of_options(typed), "wavefront=2 formula=row*8 + (col ^ row)");
    EXPECT_EQ(viz::options_of<AccessPattern>(viz::text_of_options(typed)), typed);
}

// 1 to 4 bytes of neighbouring lanes are served at once. 8 and 16 bytes take two and four wavefronts, which is the
// minimum.
TEST(AccessPattern, CostsOfEachWidth)
{
    AccessPattern pattern = whole();
    pattern.stride = 1;
    const auto figures = [&] {
        std::vector<int> found;
        for (const auto& cost : viz::costs_over_width(pattern))
            found.push_back(cost ? cost->figure : -1);
        return found;
    };
    EXPECT_EQ(figures(), (std::vector{1, 1, 1, 2, 4}));
    pattern.memory = AccessPattern::Memory::global;
    EXPECT_EQ(figures(), (std::vector{1, 2, 4, 8, 16})) << "sectors of 32 bytes";
}

} // namespace
