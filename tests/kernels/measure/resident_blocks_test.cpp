// An SM of an H200 has 228 KiB of shared memory. A block may have 227 KiB, and the system reserves 1 KiB per block.
#include "measure/resident_blocks.h"

#include <gtest/gtest.h>

namespace {

constexpr kernels::SharedOfSm h200{.bytes = 233472, .per_block = 232448};

// Returns how many blocks fit. As in CUDA, a block gets the requested and the reserved bytes, rounded up.
uint32_t blocks_with(uint32_t asked)
{
    return h200.bytes / ((asked + h200.reserved + h200.unit - 1) / h200.unit * h200.unit);
}

TEST(ResidentBlocks, AreSoManyAndOneByteLessLetsOneMoreIn)
{
    for (const uint32_t blocks : {1u, 2u, 3u, 4u, 7u, 16u, 31u}) {
        const auto asked = kernels::shared_for_blocks(h200, blocks);
        ASSERT_TRUE(asked) << blocks;
        EXPECT_EQ(blocks_with(*asked), blocks);
        EXPECT_EQ(blocks_with(*asked - 1), blocks + 1);
    }
    EXPECT_EQ(kernels::shared_for_blocks(h200, ~0u), 0u) << "no limit below the hardware's";
    EXPECT_EQ(kernels::shared_for_blocks(h200, 1), 115713u)
        << "half of it, less 1 KiB, and a byte: 116,736 - 1,024 + 1";
}

TEST(ResidentBlocks, CannotBeFewerThanABlockMayAskFor)
{
    EXPECT_EQ(kernels::shared_for_blocks({.bytes = 233472, .per_block = 49152}, 1), std::nullopt);
    EXPECT_EQ(kernels::shared_for_blocks({.bytes = 102400, .per_block = 101376}, 200), 0u)
        << "the bytes that the system reserves suffice";
}

} // namespace
