// Accesses in plain words.
#include "app/panels/source/words.h"

#include <gtest/gtest.h>

namespace {

using recording::Access;
using recording::Op;

recording::Recording one_tile()
{
    recording::Recording result;
    recording::Array global{.name = "A", .rows = 64, .cols = 64, .bytes = 64 * 64 * 4, .layout = {}};
    recording::Array tile{
        .name = "Bs", .space = recording::Space::shared, .rows = 8, .cols = 128, .bytes = 4096, .layout = {}};
    result.arrays = {global, tile};
    return result;
}

// Each lane reads `width` bytes, `step` bytes after the lane before.
Access stepping(Op op, uint8_t array, uint8_t width, uint32_t step)
{
    Access access{.op = op, .array = array, .width = width, .line = 61, .mask = ~0u};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        access.offset[lane] = lane * step;
    return access;
}

TEST(Words, SayWhatALaneDoes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    const Access read = stepping(Op::shared_load, 1, 16, 32);
    EXPECT_EQ(app::lane_text(recording, elements, read, 13),
              "lane 13 reads Bs(0, 104..107) → words 104–107, banks 8–11");
    const Access write = stepping(Op::global_store, 0, 4, 256);
    EXPECT_EQ(app::lane_text(recording, elements, write, 3), "lane 3 writes A(3, 0) → byte 768 of A, sector 24");
}

TEST(Words, SayWhenALaneDoesNothing)
{
    const recording::Recording recording = one_tile();
    Access access = stepping(Op::shared_load, 1, 4, 4);
    access.mask = 1;
    EXPECT_EQ(app::lane_text(recording, viz::elements_of(recording), access, 2), "lane 2 takes no part in this access");
}

TEST(Words, ExplainConflictsWithTheirOwnFigures)
{
    const recording::Recording recording = one_tile();
    const app::Explanation text = app::explain(recording, stepping(Op::shared_load, 1, 16, 32));
    EXPECT_EQ(text.heading, "Line 61 reads Bs");
    EXPECT_EQ(text.cost, "8 wavefronts, 4 conflicts");
    EXPECT_TRUE(text.conflicts);
    EXPECT_NE(text.why.find("4 groups"), std::string::npos) << text.why;
    const app::Explanation free = app::explain(recording, stepping(Op::shared_store, 1, 4, 4));
    EXPECT_EQ(free.cost, "1 wavefront, no conflict");
    EXPECT_FALSE(free.conflicts);
}

TEST(Words, ExplainSectorsWithWhatIsUsed)
{
    const recording::Recording recording = one_tile();
    const app::Explanation apart = app::explain(recording, stepping(Op::global_load, 0, 4, 256));
    EXPECT_EQ(apart.cost, "1 request, 32 sectors");
    EXPECT_NE(apart.why.find("1,024 bytes for the 128"), std::string::npos) << apart.why;
    EXPECT_TRUE(apart.conflicts);
    const app::Explanation same = app::explain(recording, stepping(Op::global_load, 0, 4, 0));
    EXPECT_EQ(same.cost, "1 request, 1 sector");
}

TEST(Words, ExplainBarriersAndEmptyMasks)
{
    const recording::Recording recording = one_tile();
    EXPECT_NE(app::explain(recording, {.op = Op::barrier, .line = 9}).heading.find("Line 9 waits"), std::string::npos);
    EXPECT_EQ(app::explain(recording, {.op = Op::async_wait, .width = 2, .line = 9}).heading,
              "Line 9 waits for copies");
    EXPECT_NE(
        app::explain(recording, {.op = Op::async_wait, .width = 2, .line = 9}).what.find("at most 2 groups of its"),
        std::string::npos);
    Access access = stepping(Op::global_load, 0, 4, 4);
    access.mask = 0;
    EXPECT_NE(app::explain(recording, access).what.find("nothing moves"), std::string::npos);
}

TEST(Words, ExplainWhatPassesBetweenLanes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    Access shuffle{.op = Op::shuffle, .line = 9, .mask = ~0u};
    shuffle.offset[3] = 17;
    EXPECT_EQ(app::lane_text(recording, elements, shuffle, 3), "lane 3 gets the value of lane 17");
    EXPECT_EQ(app::explain(recording, shuffle).heading, "Line 9 passes values between lanes");
    EXPECT_EQ(app::explain(recording, shuffle).cost, "");
    Access arrive{.op = Op::arrive, .line = 9, .mask = 4};
    arrive.offset[2] = 6;
    EXPECT_EQ(app::explain(recording, arrive).heading, "Line 9 arrives at barrier 6");
    EXPECT_EQ(app::lane_text(recording, elements, arrive, 3), "lane 3 takes no part in this step");
}

TEST(Words, ExplainWhatMovesWholeTiles)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    // Rows 128 bytes apart: the eight of each phase fall in the same banks. A plain load of 16 bytes per lane, too.
    const app::Explanation matrices = app::explain(recording, stepping(Op::matrix_load, 1, 16, 128));
    EXPECT_EQ(matrices.cost, "32 wavefronts, 28 conflicts");
    EXPECT_NE(matrices.what.find("ldmatrix: each 8 lanes"), std::string::npos);
    EXPECT_EQ(app::explain(recording, stepping(Op::async_store, 1, 16, 16)).cost, ""); // not known
    EXPECT_EQ(app::explain(recording, stepping(Op::async_load, 0, 16, 16)).cost, "1 request, 16 sectors");
    Access rows = stepping(Op::tile_load, 1, 64, 512);
    rows.mask = 0xff;
    EXPECT_EQ(app::explain(recording, rows).cost, ""); // not known
    EXPECT_EQ(app::explain(recording, rows).what.rfind("8 of 32 lanes access 64 bytes each of Bs", 0), 0u);
    EXPECT_EQ(app::lane_text(recording, elements, rows, 2), "lane 2 reads Bs(2, 0..15) → byte 1,024 of Bs");
}

} // namespace
