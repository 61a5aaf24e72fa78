// What the table of global accesses has room for.
#include "viz/views/25_global/use_table.h"

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

TEST(UseTable, HasAPlaceForEachSectorOfARequestButNoMoreThanCanBeSeen)
{
    EXPECT_EQ(viz::squares_of({}), 32);
    EXPECT_EQ(viz::squares_of({use_of(10, 40)}), 32);
    EXPECT_EQ(viz::squares_of({use_of(10, 40), use_of(1, 64)}), 64);
    // A file may claim any number, and each would be drawn: it took minutes.
    EXPECT_LE(viz::squares_of({use_of(1, 1u << 20)}), 1000);
    EXPECT_LE(viz::squares_of({use_of(1, std::numeric_limits<uint64_t>::max())}), 1000);
}

} // namespace
