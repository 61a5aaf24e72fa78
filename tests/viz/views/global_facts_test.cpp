// The lengths of the bars in the view of global memory.
#include "viz/views/25_global/facts.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

viz::GlobalUse use_of(uint64_t requests, uint64_t sectors)
{
    viz::GlobalUse use;
    use.requests = requests;
    use.sectors = sectors;
    return use;
}

TEST(GlobalUse, ARowIsAsLongAsTheLargestRequestButNoShorterThanOneOfFourBytesForEachLane)
{
    EXPECT_EQ(viz::most_sectors({}), 32);
    EXPECT_EQ(viz::most_sectors({use_of(10, 40)}), 32);
    EXPECT_EQ(viz::most_sectors({use_of(10, 40), use_of(1, 64)}), 64);
    EXPECT_GT(viz::most_sectors({use_of(1, std::numeric_limits<uint64_t>::max())}), 1e19)
        << "a file may claim any number";
}

} // namespace
