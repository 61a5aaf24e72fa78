// Accesses in plain words.
#include "app/words.h"

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
    Access access = stepping(Op::global_load, 0, 4, 4);
    access.mask = 0;
    EXPECT_NE(app::explain(recording, access).what.find("nothing moves"), std::string::npos);
}

} // namespace
