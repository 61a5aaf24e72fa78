// Tests problem sizes that suit a recording, for every stage with every parameter set compiled for the CPU.
#include "recording/tiles.h"
#include "stage.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

uint32_t tiles_of(uint32_t extent, uint32_t tile)
{
    return (extent + tile - 1) / tile;
}

TEST(RecordedSizes, HaveTwoTilesEachWayAndEightAlongK)
{
    for (const kernels::Stage& stage : test::ladder()) {
        if (!kernels::facts(stage.operation).is_gemm)
            continue;
        std::vector<kernels::ParameterValues> sets = stage.cpu_variants;
        sets.push_back(stage.standard_parameters());
        for (const kernels::ParameterValues& set : sets) {
            const recording::Tiles tiles = recording::tiles_named(kernels::named(stage, set));
            const recording::Problem whole = recording::whole_problem(tiles), ragged = recording::ragged_problem(tiles);
            for (const auto& [extent, odd, tile, least] :
                 {std::tuple{whole.M, ragged.M, tiles.rows, 2u}, std::tuple{whole.N, ragged.N, tiles.cols, 2u},
                  std::tuple{whole.K, ragged.K, tiles.depth, 8u}}) {
                EXPECT_EQ(extent % tile, 0u) << stage.slug;
                EXPECT_GE(extent / tile, least) << stage.slug;
                EXPECT_GE(extent, 128u) << stage.slug;
                EXPECT_EQ(odd % 2, 1u) << stage.slug;
                EXPECT_TRUE(tile == 1 || odd % tile != 0) << stage.slug;
                EXPECT_TRUE(tile == 1 || tiles_of(odd, tile) == extent / tile) << stage.slug;
                EXPECT_GE(2 * (odd - (tiles_of(odd, tile) - 1) * tile), tile)
                    << stage.slug << ": less than half of the last tile";
            }
        }
    }
}

// Derived by hand: the tiles are 128 x 256 x 16, and the ring of four slots of 64 wraps around twice.
TEST(RecordedSizes, OfTheWideTiles)
{
    const auto whole = [&](std::string_view slug) {
        const kernels::Stage& stage = test::stage(slug);
        return recording::whole_problem(recording::tiles_named(kernels::named(stage, stage.standard_parameters())));
    };
    EXPECT_EQ(whole("double_buffered_halves"), (recording::Problem{.M = 256, .N = 512, .K = 128}));
    EXPECT_EQ(whole("wgmma_tma"), (recording::Problem{.M = 512, .N = 256, .K = 512}));
    EXPECT_EQ(whole("shared_tile"), (recording::Problem{.M = 128, .N = 128, .K = 256}));
}

} // namespace
