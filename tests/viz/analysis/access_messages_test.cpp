// Accesses in plain words.
#include "tests/says.h"
#include "viz/analysis/access_messages.h"

#include "viz/text/templates.h"

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

// Each lane reads `width` bytes, `step` bytes after the lane before.
Access stepping(Op op, uint8_t array, uint8_t width, uint32_t step)
{
    Access access{.op = op, .array = array, .width = width, .line = 61, .mask = ~0u};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        access.offset[lane] = lane * step;
    return access;
}

std::vector<viz::Argument> arguments_of(const std::vector<viz::Messages>& said, std::string_view id)
{
    for (const viz::Messages& paragraph : said)
        for (const viz::Message& message : paragraph)
            if (message.id == id)
                return message.arguments;
    ADD_FAILURE() << "nothing says " << id;
    return {};
}

bool says(const std::vector<viz::Messages>& said, std::string_view id)
{
    return std::ranges::any_of(said, [&](const viz::Messages& paragraph) {
        return std::ranges::find(paragraph, id, &viz::Message::id) != paragraph.end();
    });
}

using Arguments = std::vector<viz::Argument>;

TEST(Words, SayWhatALaneDoes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    const Access read = stepping(Op::shared_load, 1, 16, 32);
    EXPECT_EQ(viz::plain(viz::lane_message(recording, elements, read, 13)),
              "lane 13 reads Bs(0, 104..107) → words 104–107, banks 8–11");
    const Access write = stepping(Op::global_store, 0, 4, 256);
    EXPECT_EQ(viz::plain(viz::lane_message(recording, elements, write, 3)),
              "lane 3 writes A(3, 0) → byte 768 of A, sector 24");
    Access rows = stepping(Op::tile_load, 1, 64, 512);
    rows.mask = 0xff;
    EXPECT_EQ(viz::plain(viz::lane_message(recording, elements, rows, 2)),
              "lane 2 reads Bs(2, 0..15) → byte 1,024 of Bs");
    EXPECT_EQ(viz::lane_message(recording, elements, rows, 9),
              (viz::Message{"source.lane_idle", {{"lane", viz::index(9)}}}));
}

TEST(Words, ExplainConflictsWithTheirOwnFigures)
{
    const recording::Recording recording = one_tile();
    const auto said = viz::explain(recording, stepping(Op::shared_load, 1, 16, 32));
    EXPECT_EQ(arguments_of(said, "source.access"), (Arguments{{"line", viz::index(61)},
                                                              {"store", false},
                                                              {"array", "Bs"},
                                                              {"lanes", 32},
                                                              {"width", 16},
                                                              {"shared", true}}));
    EXPECT_EQ(arguments_of(said, "source.cost_shared"),
              (Arguments{{"wavefronts", 8}, {"conflicts", viz::Value(4).as(viz::Meaning::conflict)}}));
    EXPECT_EQ(arguments_of(said, "source.groups"), (Arguments{{"width", 16}, {"groups", 4}}));
    EXPECT_TRUE(says(said, "source.conflicts"));
    const auto free = viz::explain(recording, stepping(Op::shared_store, 1, 4, 4));
    EXPECT_EQ(arguments_of(free, "source.cost_shared"), (Arguments{{"wavefronts", 1}, {"conflicts", 0}}));
    EXPECT_TRUE(says(free, "source.no_conflict"));
    EXPECT_FALSE(says(free, "source.groups"));
    EXPECT_EQ(viz::plain(free[1]), "This access: 1 wavefront, no conflict. In one wavefront each of the 32 banks gives "
                                   "one 4-byte word. Lanes served together never ask for two different words of one "
                                   "bank.");
}

TEST(Words, ExplainSectorsWithWhatIsUsed)
{
    const recording::Recording recording = one_tile();
    const auto apart = viz::explain(recording, stepping(Op::global_load, 0, 4, 256));
    EXPECT_EQ(
        arguments_of(apart, "source.cost_global"),
        (Arguments{
            {"requests", 1}, {"sectors", viz::Value(32).as(viz::Meaning::conflict)}, {"moved", 1024}, {"used", 128}}));
    const auto same = viz::explain(recording, stepping(Op::global_load, 0, 4, 0));
    EXPECT_EQ(arguments_of(same, "source.same_addresses"), (Arguments{{"different", 1}}));
}

TEST(Words, ExplainBarriersAndEmptyMasks)
{
    const recording::Recording recording = one_tile();
    EXPECT_TRUE(says(viz::explain(recording, {.op = Op::barrier, .line = 9}), "source.barrier"));
    EXPECT_EQ(arguments_of(viz::explain(recording, {.op = Op::async_wait, .width = 2, .line = 9}), "source.wait_older"),
              (Arguments{{"line", viz::index(9)}, {"groups", 2}}));
    EXPECT_TRUE(says(viz::explain(recording, {.op = Op::async_wait, .line = 9}), "source.wait_all"));
    Access access = stepping(Op::global_load, 0, 4, 4);
    access.mask = 0;
    EXPECT_TRUE(says(viz::explain(recording, access), "source.nothing_moves"));
}

TEST(Words, ExplainWhatPassesBetweenLanes)
{
    const recording::Recording recording = one_tile();
    const auto elements = viz::elements_of(recording);
    Access shuffle{.op = Op::shuffle, .line = 9, .mask = ~0u};
    shuffle.offset[3] = 17;
    EXPECT_EQ(viz::lane_message(recording, elements, shuffle, 3),
              (viz::Message{"source.lane_shuffle", {{"lane", viz::index(3)}, {"from", viz::index(17)}}}));
    EXPECT_EQ(viz::explain(recording, shuffle).size(), 1u) << "it costs nothing that is known";
    Access arrive{.op = Op::arrive, .line = 9, .mask = 4};
    arrive.offset[2] = 6;
    EXPECT_EQ(arguments_of(viz::explain(recording, arrive), "source.arrive"),
              (Arguments{{"line", viz::index(9)}, {"barrier", viz::index(6)}}));
    EXPECT_EQ(viz::lane_message(recording, elements, arrive, 3).id, "source.lane_idle");
}

TEST(Words, ExplainWhatMovesWholeTiles)
{
    const recording::Recording recording = one_tile();
    // Rows 128 bytes apart: the eight of each phase fall in the same banks. A plain load of 16 bytes per lane, too.
    const auto matrices = viz::explain(recording, stepping(Op::matrix_load, 1, 16, 128));
    EXPECT_EQ(arguments_of(matrices, "source.cost_shared"),
              (Arguments{{"wavefronts", 32}, {"conflicts", viz::Value(28).as(viz::Meaning::conflict)}}));
    EXPECT_TRUE(says(matrices, "source.matrix_load"));
    EXPECT_FALSE(says(viz::explain(recording, stepping(Op::async_store, 1, 16, 16)), "source.cost_shared"));
    EXPECT_TRUE(says(viz::explain(recording, stepping(Op::async_load, 0, 16, 16)), "source.cost_global"));
    Access rows = stepping(Op::tile_load, 1, 64, 512);
    rows.mask = 0xff;
    const auto tile = viz::explain(recording, rows);
    EXPECT_EQ(tile.size(), 2u) << "its cost is not known";
    EXPECT_TRUE(says(tile, "source.tile"));
}

} // namespace
