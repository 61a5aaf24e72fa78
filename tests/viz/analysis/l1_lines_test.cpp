// The model of L1's lines: by hand, and on shipped recordings.
#include "recording/file.h"
#include "tests/paths.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/l1_lines.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using recording::Op;

// Returns what one warp reads whose lanes take the 32 words of these lines, line by line.
recording::BlockTrace reads_of_lines(std::initializer_list<uint32_t> lines)
{
    recording::BlockTrace block;
    block.warps.resize(1);
    for (const uint32_t line : lines)
        block.warps[0].accesses.push_back(
            access_of(Op::global_load, 0, 4, 1, [line](uint32_t lane) { return 128 * line + 4 * lane; }));
    return block;
}

recording::Recording with_one_array()
{
    recording::Recording made;
    made.arrays = {array_of("A", recording::Space::global, 1, 1024)};
    return made;
}

TEST(L1Lines, EvictTheLineWhoseLastUseIsTheLongestAgo)
{
    const auto block = reads_of_lines({0, 1, 0, 2, 1, 0});
    const L1Lines two = l1_lines(with_one_array(), block, 256);
    ASSERT_EQ(two.lines.size(), 3);
    EXPECT_EQ(two.lines[0].at(0), LineState::fetched);
    EXPECT_EQ(two.lines[0].at(1), LineState::present);
    EXPECT_EQ(two.lines[0].at(2), LineState::found);
    EXPECT_TRUE(two.lines[1].evicted_at(3)); // line 2 comes, and line 0 was used after line 1
    EXPECT_EQ(two.lines[0].at(3), LineState::present);
    EXPECT_EQ(two.lines[1].at(4), LineState::fetched_again);
    EXPECT_TRUE(two.lines[0].evicted_at(4));
    EXPECT_EQ(two.lines[0].at(5), LineState::fetched_again);
    EXPECT_EQ(two.lines[2].at(5), LineState::absent);
    EXPECT_EQ(two.evictions, 3);
    EXPECT_EQ(two.asked, 24);
    EXPECT_EQ(two.found, 4);

    const L1Lines three = l1_lines(with_one_array(), block, 384);
    EXPECT_EQ(three.evictions, 0);
    EXPECT_EQ(three.found, 12);
}

// A line that is there brings the sectors that it lacks.
TEST(L1Lines, LookUpSectors)
{
    recording::BlockTrace block;
    block.warps.resize(1);
    for (const uint32_t sector : {0u, 1u, 0u})
        block.warps[0].accesses.push_back(
            access_of(Op::global_load, 0, 4, 1, [sector](uint32_t lane) { return 32 * sector + lane % 8 * 4; }));
    const L1Lines lines = l1_lines(with_one_array(), block, 4096);
    ASSERT_EQ(lines.lines.size(), 1);
    EXPECT_EQ(lines.lines[0].at(1), LineState::fetched);
    EXPECT_EQ(lines.lines[0].at(2), LineState::found);
    EXPECT_EQ(lines.asked, 3);
    EXPECT_EQ(lines.found, 1);
}

// For each k the 32 warps of a block read one sector of each of 32 rows of A, and each one of the four sectors of a row
// of B. In a large L1 a sector of A serves eight values of k. In one of 16 lines no row of A stays.
TEST(L1Lines, OfNaive)
{
    const recording::Recording naive = recording::read(test::shipped("naive.gscope"));
    const L1Lines large = l1_lines(naive, naive.blocks[0], 256 * 1024), small = l1_lines(naive, naive.blocks[0], 2048);
    const uint64_t asked = uint64_t{naive.problem.K} * 32 * (32 + 1);
    EXPECT_EQ(large.asked, asked);
    EXPECT_EQ(large.asked - large.found, naive.problem.K * (32 / 8 + 4));
    EXPECT_EQ(large.evictions, 0);
    EXPECT_EQ(small.asked, asked);
    EXPECT_EQ(small.found, naive.problem.K * (32 - 4));
}

} // namespace
