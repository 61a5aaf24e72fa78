// Alternative mappings of a shared tile: formulas, refusals, and the costs of recorded accesses.
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/viz/analysis/recordings.h"

#include "backend.h"
#include "recording/file.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/tile_use.h"
#include "viz/text/templates.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using recording::Op;
using viz::Mapping;
using test::record;
using test::says;

// Returns why a mapping or its cost is refused.
std::string said(const auto& refused)
{
    return refused.refusal ? viz::plain(*refused.refusal) : "";
}

constexpr viz::NamedNumber names[] = {{"row", 5}, {"col", 9}, {"rows", 8}, {"cols", 32}};

int64_t value_of(std::string_view formula)
{
    const viz::FormulaValue value = viz::evaluate(formula, names);
    EXPECT_TRUE(value.value.has_value()) << formula;
    return value.value.value_or(-1);
}

TEST(Mapping, FormulasFollowC)
{
    EXPECT_EQ(value_of("row*cols + col"), 169);
    EXPECT_EQ(value_of("row * (cols+1)+col"), 174);
    EXPECT_EQ(value_of("col ^ (row & 4) << 2"), 9 ^ ((5 & 4) << 2));
    EXPECT_EQ(value_of("1 | 6 ^ 3 & 5"), 1 | (6 ^ (3 & 5)));
    EXPECT_EQ(value_of("20 - 6 - 4"), 10);
    EXPECT_EQ(value_of("col / 4 * 4 + col % 4"), 9);
    EXPECT_EQ(value_of("-(-3) + (~0 & 7)"), 10);
    EXPECT_EQ(value_of("rows << 2 >> 1"), 16);
}

TEST(Mapping, RefusesWhatItCannotRead)
{
    for (const auto& [formula, why] : {std::pair{"row +", "layout.unfinished"},
                                       {"(row", "layout.unclosed"},
                                       {"row col", "layout.not_expected"},
                                       {"x + 1", "layout.unknown_name"},
                                       {"row / (col - 9)", "layout.by_zero"},
                                       {"1 << 40", "layout.shift"},
                                       {"99999 * 99999", "layout.too_large"},
                                       {"", "layout.unfinished"},
                                       {"row $ 2", "layout.not_expected"}}) {
        const viz::FormulaValue value = viz::evaluate(formula, names);
        EXPECT_FALSE(value.value.has_value()) << formula;
        ASSERT_TRUE(value.refusal) << formula;
        EXPECT_EQ(value.refusal->id, why) << formula;
    }
    EXPECT_FALSE(viz::evaluate(std::string(5000, '('), {}).value.has_value());
    EXPECT_FALSE(viz::evaluate(std::string(5000, '-') + "1", {}).value.has_value());
}

TEST(Mapping, RefusesPlacesThatAreNotOneToOne)
{
    const recording::Array tile = array_of("As", recording::Space::shared, 8, 32);
    Mapping mapping{.kind = Mapping::Kind::typed, .formula = "row*16 + col"};
    EXPECT_TRUE(says(said(viz::places_of(tile, mapping)), "(0, 16) and (1, 0) would both lie at place 16"));
    mapping.formula = "row*cols + col - 1";
    EXPECT_TRUE(says(said(viz::places_of(tile, mapping)), "place -1"));
    mapping.formula = "(row*cols + col) * 1000";
    EXPECT_TRUE(says(said(viz::places_of(tile, mapping)), "232,448"));
    mapping = {.kind = Mapping::Kind::padded, .padding = 5};
    const viz::Places padded = viz::places_of(tile, mapping);
    EXPECT_TRUE(padded.valid());
    EXPECT_EQ(padded.place[33], 38u);
    EXPECT_EQ(padded.bytes, (7u * 37 + 32) * 4);
}

// A named mapping gives the same positions as its formula.
TEST(Mapping, FormulasOfTheOthersSayTheSame)
{
    const recording::Array tile = array_of("As", recording::Space::shared, 8, 64);
    for (Mapping mapping : {Mapping{.kind = Mapping::Kind::row_major}, Mapping{.kind = Mapping::Kind::padded},
                            Mapping{.kind = Mapping::Kind::xored, .from = 1, .count = 2, .to = 3},
                            Mapping{.kind = Mapping::Kind::xored, .from = 0, .count = 3, .to = 0},
                            Mapping{.kind = Mapping::Kind::xored, .bits = Mapping::Bits::of_col, .from = 5, .to = 2}}) {
        const viz::Places places = viz::places_of(tile, mapping);
        ASSERT_TRUE(places.valid()) << said(places);
        mapping.formula = viz::formula_of(mapping);
        mapping.kind = Mapping::Kind::typed;
        EXPECT_EQ(viz::places_of(tile, mapping).place, places.place) << mapping.formula;
    }
}

// With the mappings of `swizzled`, the accesses of `vectorized` cost what was recorded for `swizzled`.
TEST(Mapping, TriedOnARecordingItPredictsTheOtherStage)
{
    const recording::Recording before = record("vectorized", {.M = 128, .N = 128, .K = 16}),
                               after = record("swizzled", {.M = 128, .N = 128, .K = 16});
    const char* formulas[] = {"row*cols + (col ^ (row/4*16))", "row*cols + (col/4 ^ (col/4 >> 3 & 1))*4 + col%4"};
    uint64_t conflicts = 0;
    for (uint8_t array : {uint8_t{3}, uint8_t{4}}) {
        const recording::Array& tile = before.arrays[array];
        const viz::TileUse use = viz::tile_use(before, before.blocks[0], array);
        const viz::TileCost recorded = viz::cost_of(use, tile, viz::places_of(tile, {}));
        conflicts += recorded.totals.conflicts;
        const Mapping mapping{.kind = Mapping::Kind::typed, .formula = formulas[array - 3]};
        const viz::TileCost tried = viz::cost_of(use, tile, viz::places_of(tile, mapping));
        EXPECT_FALSE(tried.refusal);
        const viz::TileCost other = viz::cost_of(viz::tile_use(after, after.blocks[0], array), after.arrays[array],
                                                 viz::places_of(after.arrays[array], {}));
        EXPECT_EQ(tried.totals, other.totals);
        EXPECT_EQ(tried.totals.conflicts, 0u);
    }
    EXPECT_EQ(conflicts, viz::heatmap(before.blocks[0]).totals.conflicts);
    EXPECT_GT(conflicts, 0u);
}

// For the tiles of `vectorized`, the search finds the two XORs of `swizzled`.
TEST(Mapping, FindsTheXorThatCures)
{
    const recording::Recording conflicting = record("vectorized", {.M = 128, .N = 128, .K = 16}),
                               cured = record("swizzled", {.M = 128, .N = 128, .K = 16});
    for (const uint8_t array : {uint8_t{3}, uint8_t{4}}) {
        const recording::Array& tile = conflicting.arrays[array];
        const auto found = viz::curing_xor(viz::tile_use(conflicting, conflicting.blocks[0], array), tile);
        ASSERT_TRUE(found) << tile.name;
        EXPECT_EQ(viz::formula_of(*found), viz::formula_of(*viz::recorded_mapping(cured.arrays[array]))) << tile.name;
        EXPECT_FALSE(viz::curing_xor(viz::tile_use(cured, cured.blocks[0], array), cured.arrays[array])) << tile.name;
    }
}

TEST(Mapping, RefusesPlacesThatTearWideAccessesApart)
{
    const recording::Recording recording = record("vectorized", {.M = 128, .N = 128, .K = 16});
    const recording::Array& tile = recording.arrays[4];
    const viz::TileUse use = viz::tile_use(recording, recording.blocks[0], 4);
    const Mapping odd{.kind = Mapping::Kind::padded, .padding = 5}, even{.kind = Mapping::Kind::padded, .padding = 4};
    const Mapping low{.kind = Mapping::Kind::xored, .from = 0, .count = 1, .to = 0};
    EXPECT_TRUE(says(said(viz::cost_of(use, tile, viz::places_of(tile, odd))), "multiple of 4"));
    EXPECT_TRUE(says(said(viz::cost_of(use, tile, viz::places_of(tile, low))), "tears"));
    EXPECT_FALSE(viz::cost_of(use, tile, viz::places_of(tile, even)).refusal);
}

TEST(Mapping, TellsWhoTouchesAnElement)
{
    recording::Recording recording;
    recording.arrays = {array_of("A", recording::Space::global, 1, 1), array_of("As", recording::Space::shared, 4, 32)};
    recording.blocks.push_back({{0, 0, 0}, {{}, {}, {}}});
    for (uint32_t warp = 0; warp < 3; ++warp) {
        auto& accesses = recording.blocks[0].warps[warp].accesses;
        accesses.push_back(access_of(Op::shared_store, 1, 4, 5, [=](uint32_t lane) { return 128 * warp + 4 * lane; }));
        accesses.push_back(access_of(Op::shared_load, 1, 16, 9, [](uint32_t lane) { return lane / 8 * 16; }));
    }
    const auto uses = viz::uses_of_cell(recording, recording.blocks[0], 1, {0, 6});
    EXPECT_EQ(viz::uses_text(uses, true), "warp 0 lane 6 (line 5)");
    EXPECT_EQ(viz::uses_text(uses, false), "warps 0-2 lanes 8-15 (line 9)");
    EXPECT_EQ(viz::uses_text(viz::uses_of_cell(recording, recording.blocks[0], 1, {3, 0}), true), "nobody");
}

// Lanes fill a tile by asynchronous copies, and tensor cores read it.
TEST(Mapping, TellsWhoseCopiesWriteAnElement)
{
    const recording::Recording copied = record("async_copy", {.M = 128, .N = 128, .K = 16});
    const auto tile = std::ranges::find(copied.arrays, "As[0]", &recording::Array::name) - copied.arrays.begin();
    const auto by_lanes = viz::uses_of_cell(copied, copied.blocks[0], static_cast<uint8_t>(tile), {5, 7});
    EXPECT_NE(viz::uses_text(by_lanes, true), "nobody");
    EXPECT_NE(viz::uses_text(by_lanes, false), "nobody");
    // With the recorded mapping the copies' writes cost as much as in the heatmap.
    uint64_t conflicts = 0;
    for (std::size_t i = 0; i < copied.arrays.size(); ++i)
        if (copied.arrays[i].space == recording::Space::shared)
            conflicts += viz::cost_of(viz::tile_use(copied, copied.blocks[0], static_cast<uint8_t>(i)),
                                      copied.arrays[i], viz::places_of(copied.arrays[i], {}))
                             .totals.conflicts;
    const viz::Heatmap map = viz::heatmap(copied.blocks[0]);
    EXPECT_EQ(conflicts, map.totals.conflicts + map.copies.conflicts);
    EXPECT_GT(conflicts, 0u);

    const recording::Recording bulk = recording::read(test::shipped("wgmma_tma.gscope"));
    for (std::size_t i = 0; i < bulk.arrays.size(); ++i) {
        if (bulk.arrays[i].name != "As[0]" && bulk.arrays[i].name != "As[1]") // two k-tiles use only these
            continue;
        const auto uses = viz::uses_of_cell(bulk, bulk.blocks[0], static_cast<uint8_t>(i), {5, 7});
        EXPECT_TRUE(says(viz::uses_text(uses, true), "warp 0 lane 0")) << bulk.arrays[i].name << ": ";
        EXPECT_NE(viz::uses_text(uses, false), "nobody") << bulk.arrays[i].name;
    }
}

TEST(Mapping, KnowsHowRecordedPlacesCameAbout)
{
    const auto origin = [](const char* slug, std::size_t array) {
        const auto found = viz::recorded_mapping(record(slug, {.M = 128, .N = 128, .K = 16}).arrays[array]);
        return found ? viz::formula_of(*found) : std::string("none");
    };
    EXPECT_EQ(origin("vectorized", 3), "row*cols + col");
    EXPECT_EQ(origin("swizzled", 3), "row*cols + (col ^ ((row >> 2 & 1) << 4))");
    EXPECT_EQ(origin("swizzled", 4), "row*cols + (col ^ ((col >> 5 & 1) << 2))");
    EXPECT_EQ(origin("padded_a", 3), "row*(cols + 4) + col");
}

TEST(Mapping, WorksAnXorOutStepByStep)
{
    const Mapping of_row{.kind = Mapping::Kind::xored, .from = 2, .count = 1, .to = 4};
    EXPECT_EQ(viz::flip_steps(of_row, 5, 9), "5 >> 2 = 1, 1 & 1 = 1, 1 << 4 = 16");
    Mapping of_col = of_row;
    of_col.bits = Mapping::Bits::of_col, of_col.from = 5, of_col.to = 2;
    EXPECT_EQ(viz::flip_steps(of_col, 0, 96), "96 >> 5 = 3, 3 & 1 = 1, 1 << 2 = 4");
    EXPECT_EQ(viz::flip_steps({.kind = Mapping::Kind::padded}, 1, 1), "");
    const Mapping plain{.kind = Mapping::Kind::xored, .from = 0, .count = 3, .to = 0};
    EXPECT_EQ(viz::formula_of(plain), "row*cols + (col ^ (row & 7))");
    EXPECT_EQ(viz::flip_steps(plain, 13, 9), "13 & 7 = 5");
}

TEST(Mapping, ShowsTheBitsThatAnXorFlips)
{
    const Mapping of_row{.kind = Mapping::Kind::xored, .from = 2, .count = 2, .to = 3};
    const viz::FlippedBits bits = viz::flipped_bits(of_row, 0b01010, 0);
    EXPECT_EQ(bits.decide, 0b01100u);
    EXPECT_EQ(bits.flipped, 0b10000u);
    EXPECT_EQ(bits.up, 1);
    EXPECT_EQ(viz::flipped_bits({.kind = Mapping::Kind::padded}, 12, 0).decide, 0u);
}

} // namespace
