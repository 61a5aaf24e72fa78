// Tests stages that compute one tile while another is in flight. The order of their accesses is derived by hand, and no
// tile may be written while a warp reads it.
#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace {

// Returns the operations of one warp, divided at its barriers.
std::vector<std::vector<recording::Op>> beats(const recording::WarpTrace& warp)
{
    std::vector<std::vector<recording::Op>> result(1);
    for (const recording::Access& access : warp.accesses)
        if (access.op == recording::Op::barrier)
            result.emplace_back();
        else
            result.back().push_back(access.op);
    return result;
}

std::size_t count(const std::vector<recording::Op>& beat, recording::Op op)
{
    return static_cast<std::size_t>(std::count(beat.begin(), beat.end(), op));
}

TEST(Pipelined, PrefetchedAsksForTheNextTileBeforeItComputes)
{
    using recording::Op;
    const recording::Recording r = test::record("prefetched", {128, 128, 24});
    const std::vector<std::vector<Op>> all = beats(r.blocks.at(0).warps.at(3));
    // There is one barrier per slice. The first slice is only loaded, and the last is computed after the last barrier.
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0], (std::vector<Op>{Op::global_load, Op::global_load, Op::shared_store, Op::shared_store,
                                       Op::shared_store, Op::shared_store, Op::shared_store}));
    for (const std::size_t beat : {1u, 2u}) {
        ASSERT_EQ(all[beat].size(), 2u + 8 * 4 + 5);
        EXPECT_EQ(all[beat][0], Op::global_load);
        EXPECT_EQ(all[beat][1], Op::global_load);
        EXPECT_EQ(all[beat][2], Op::shared_load);
        EXPECT_EQ(all[beat].back(), Op::shared_store);
    }
    EXPECT_EQ(all[3].size(), 8u * 4 + 16);
    // The tile that is written is never the one that is read, and there are no conflicts.
    std::set<int> read, written;
    for (const recording::Access& access : r.blocks[0].warps[3].accesses) {
        if (access.op == Op::shared_load)
            read.insert(access.array);
        if (access.op == Op::shared_store)
            written.insert(access.array);
        if (access.op == Op::barrier) {
            for (const int array : read)
                EXPECT_FALSE(written.contains(array));
            read.clear();
            written.clear();
        }
    }
    EXPECT_EQ(r.totals().shared_load.conflicts + r.totals().shared_store.conflicts, 0u);
}

TEST(Pipelined, HalvesTakeTurnsAndNeverShareATileThatIsWritten)
{
    using recording::Op;
    const recording::Recording r = test::record("double_buffered_halves", {128, 256, 64});
    const std::vector<recording::WarpTrace>& warps = r.blocks.at(0).warps;
    ASSERT_EQ(warps.size(), 8u);
    // 4 slices: the first one is only loaded, then come two rounds of three parts, then C.
    const std::vector<std::vector<Op>> first = beats(warps[0]), second = beats(warps[4]);
    ASSERT_EQ(first.size(), 8u);
    ASSERT_EQ(second.size(), 8u);
    const std::size_t compute = 16 * (4 + 2), load = 12;
    const std::array<std::size_t, 8> first_reads = {0, compute, compute, 0, compute, compute, 0, 0};
    const std::array<std::size_t, 8> first_loads = {load, 0, 0, load, 0, 0, 0, 0};
    const std::array<std::size_t, 8> second_reads = {0, 0, compute, compute, 0, compute, compute, 0};
    const std::array<std::size_t, 8> second_loads = {0, load, 0, 0, load, 0, 0, 0};
    for (std::size_t beat = 0; beat < 8; ++beat) {
        EXPECT_EQ(count(first[beat], Op::shared_load), first_reads[beat]) << beat;
        EXPECT_EQ(count(first[beat], Op::global_load), first_loads[beat]) << beat;
        EXPECT_EQ(count(second[beat], Op::shared_load), second_reads[beat]) << beat;
        EXPECT_EQ(count(second[beat], Op::global_load), second_loads[beat]) << beat;
    }
    // Between two barriers, no warp writes a tile that another reads or writes.
    std::vector<std::map<int, std::set<std::size_t>>> readers(8), writers(8); // [beat][array]: halves
    for (std::size_t warp = 0; warp < warps.size(); ++warp) {
        std::size_t beat = 0;
        for (const recording::Access& access : warps[warp].accesses) {
            if (access.op == Op::barrier)
                ++beat;
            else if (access.op == Op::shared_load)
                readers[beat][access.array].insert(warp / 4);
            else if (access.op == Op::shared_store)
                writers[beat][access.array].insert(warp / 4);
        }
    }
    for (std::size_t beat = 0; beat < 8; ++beat)
        for (const auto& [array, halves] : writers[beat]) {
            EXPECT_EQ(halves.size(), 1u);
            EXPECT_FALSE(readers[beat].contains(array)) << "beat " << beat;
        }
}

} // namespace
