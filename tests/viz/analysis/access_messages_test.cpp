// Texts about accesses.
#include "tests/says.h"
#include "viz/analysis/access_messages.h"

#include "viz/text/rich.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using recording::Access;
using recording::Op;
using test::says;

recording::Recording one_tile()
{
    recording::Recording result;
    recording::Array global{.name = "A", .rows = 64, .cols = 64, .bytes = 64 * 64 * 4, .layout = {}};
    recording::Array tile{
        .name = "Bs", .space = recording::Space::shared, .rows = 8, .cols = 128, .bytes = 4096, .layout = {}};
    result.arrays = {global, tile};
    return result;
}

// Each lane reads `width` bytes, `step` bytes after those of the previous lane.
Access stepping(Op op, uint8_t array, uint8_t width, uint32_t step)
{
    Access access{.op = op, .array = array, .width = width, .line = 61, .mask = ~0u};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        access.offset[lane] = lane * step;
    return access;
}

std::string text_of(std::vector<viz::Rich> said)
{
    return viz::plain(viz::in_lines(std::move(said)));
}

bool marks(const std::vector<viz::Rich>& said, std::string_view words)
{
    return std::ranges::any_of(said, [&](const viz::Rich& paragraph) {
        return std::ranges::any_of(paragraph, [&](const viz::Run& run) {
            return run.words == words && run.meaning == viz::Meaning::conflict;
        });
    });
}

TEST(Words, SayWhatALaneDoes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    const Access read = stepping(Op::shared_load, 1, 16, 32);
    EXPECT_EQ(viz::lane_words(recording, elements, read, 13),
              "lane 13 reads Bs(0, 104..107) → words 104–107, banks 8–11");
    const Access write = stepping(Op::global_store, 0, 4, 256);
    EXPECT_EQ(viz::lane_words(recording, elements, write, 3), "lane 3 writes A(3, 0) → byte 768 of A, sector 24");
    Access rows = stepping(Op::tile_load, 1, 64, 512);
    rows.mask = 0xff;
    EXPECT_EQ(viz::lane_words(recording, elements, rows, 2), "lane 2 reads Bs(2, 0..15) → byte 1,024 of Bs");
    EXPECT_TRUE(says(viz::lane_words(recording, elements, rows, 9), "lane 9 takes no part"));
}

TEST(Words, ExplainConflictsWithTheirOwnFigures)
{
    const recording::Recording recording = one_tile();
    const auto said = viz::explain(recording, stepping(Op::shared_load, 1, 16, 32));
    ASSERT_EQ(said.size(), 2u);
    EXPECT_TRUE(says(viz::plain(said[0]), "Line 61 reads Bs\n32 of 32 lanes access 16 bytes each of Bs"));
    EXPECT_TRUE(says(viz::plain(said[0]), "shared memory"));
    EXPECT_TRUE(says(viz::plain(said[1]), "8 wavefronts, 4 conflicts"));
    EXPECT_TRUE(marks(said, "4 conflicts"));
    EXPECT_TRUE(says(viz::plain(said[1]), "16 bytes are served in 4 groups"));
    EXPECT_TRUE(says(viz::plain(said[1]), "wait in turn"));
    const auto free = viz::explain(recording, stepping(Op::shared_store, 1, 4, 4));
    EXPECT_TRUE(says(viz::plain(free[0]), "writes Bs"));
    EXPECT_TRUE(says(viz::plain(free[1]), "1 wavefront, no conflict"));
    EXPECT_FALSE(marks(free, "no conflict"));
    EXPECT_FALSE(says(viz::plain(free[1]), "groups"));
    EXPECT_FALSE(says(viz::plain(free[1]), "wait in turn"));
}

TEST(Words, ExplainSectorsWithWhatIsUsed)
{
    const recording::Recording recording = one_tile();
    const auto apart = viz::explain(recording, stepping(Op::global_load, 0, 4, 256));
    EXPECT_TRUE(says(text_of(apart), "1 request, 32 sectors"));
    EXPECT_TRUE(marks(apart, "32 sectors"));
    EXPECT_TRUE(says(text_of(apart), "1,024 bytes for the 128 that"));
    const auto same = viz::explain(recording, stepping(Op::global_load, 0, 4, 0));
    EXPECT_TRUE(says(text_of(same), "1 different address,"));
    EXPECT_FALSE(marks(same, "1 sector")) << "one sector is the minimum";
}

TEST(Words, ExplainBarriersAndEmptyMasks)
{
    const recording::Recording recording = one_tile();
    const std::string barrier = text_of(viz::explain(recording, {.op = Op::barrier, .line = 9}));
    EXPECT_TRUE(says(barrier, "Line 9 waits for the whole block"));
    EXPECT_TRUE(
        says(text_of(viz::explain(recording, {.op = Op::async_wait, .width = 2, .line = 9})), "the newest 2 groups"));
    EXPECT_TRUE(says(text_of(viz::explain(recording, {.op = Op::async_wait, .line = 9})), "all its groups"));
    Access access = stepping(Op::global_load, 0, 4, 4);
    access.mask = 0;
    EXPECT_TRUE(says(text_of(viz::explain(recording, access)), "Line 61 reads A\nNo lane"));
}

TEST(Words, ExplainWhatPassesBetweenLanes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    Access shuffle{.op = Op::shuffle, .line = 9, .mask = ~0u};
    shuffle.offset[3] = 17;
    EXPECT_EQ(viz::lane_words(recording, elements, shuffle, 3), "lane 3 gets the value of lane 17");
    EXPECT_EQ(viz::explain(recording, shuffle).size(), 1u) << "a shuffle has no known cost";
    Access arrive{.op = Op::arrive, .line = 9, .mask = 4};
    arrive.offset[2] = 6;
    EXPECT_TRUE(says(text_of(viz::explain(recording, arrive)), "Line 9 arrives at barrier 6"));
    EXPECT_TRUE(says(viz::lane_words(recording, elements, arrive, 3), "lane 3 takes no part"));
}

TEST(Words, ExplainWhatMovesWholeTiles)
{
    const recording::Recording recording = one_tile();
    // Rows are 128 bytes apart, so the eight rows of a phase are in the same banks. A plain load of 16 bytes per lane
    // has the same conflicts.
    const auto matrices = viz::explain(recording, stepping(Op::matrix_load, 1, 16, 128));
    EXPECT_TRUE(says(text_of(matrices), "32 wavefronts, 28 conflicts"));
    EXPECT_TRUE(marks(matrices, "28 conflicts"));
    EXPECT_TRUE(says(text_of(matrices), "ldmatrix"));
    EXPECT_FALSE(says(text_of(viz::explain(recording, stepping(Op::async_store, 1, 16, 16))), "1 wavefront"));
    EXPECT_TRUE(says(text_of(viz::explain(recording, stepping(Op::async_load, 0, 16, 16))), "16 sectors"));
    Access rows = stepping(Op::tile_load, 1, 64, 512);
    rows.mask = 0xff;
    const auto tile = viz::explain(recording, rows);
    EXPECT_EQ(tile.size(), 2u) << "the cost of a WMMA load is not known";
    EXPECT_TRUE(says(viz::plain(tile[1]), "WMMA"));
}

} // namespace
