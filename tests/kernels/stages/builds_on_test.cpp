// Tests which stage each stage is compared with.
#include "stage.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

std::string below(const std::string& slug)
{
    const auto stage = static_cast<std::size_t>(&test::stage(slug) - test::ladder().data());
    const std::optional<std::size_t> found = kernels::built_on(test::ladder(), stage);
    return found ? std::string(test::ladder()[*found].slug) : "";
}

TEST(BuildsOn, IsTheRungWhoseIdeaItChangesAndNotTheOneBeforeInTheList)
{
    EXPECT_EQ(below("swizzled"), "vectorized") << "not swizzled_reads";
    EXPECT_EQ(below("padded_a"), "vectorized") << "not padded_b";
    EXPECT_EQ(below("coalesced"), "naive") << "not strided_b";
    EXPECT_EQ(below("shared_tile"), "coalesced") << "not warp_shuffle";
    EXPECT_EQ(below("warp_tile"), "vectorized");
    EXPECT_EQ(below("prefetched"), "swizzled");
    EXPECT_EQ(below("async_copy"), "warp_tile");
    EXPECT_EQ(below("fastest"), "autotuned");
    EXPECT_EQ(below("wgmma_tma"), "mma_ldmatrix");
    for (const char* first : {"vector_add", "thread_coords", "naive", "wmma"})
        EXPECT_EQ(below(first), "") << first;
}

TEST(BuildsOn, NamesARungThatComesBefore)
{
    for (std::size_t i = 0; i < test::ladder().size(); ++i) {
        const std::optional<std::size_t> found = kernels::built_on(test::ladder(), i);
        EXPECT_EQ(found.has_value(), !test::ladder()[i].builds_on.empty())
            << test::ladder()[i].slug << ": builds_on names no stage";
        if (found) {
            EXPECT_LT(*found, i) << test::ladder()[i].slug;
        }
    }
}

} // namespace
