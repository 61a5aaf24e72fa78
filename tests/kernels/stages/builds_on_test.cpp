// Which rung each rung is compared with.
#include "stage.h"

#include <gtest/gtest.h>

namespace {

std::string below(const std::string& slug)
{
    static const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const auto stage = static_cast<std::size_t>(&kernels::find_stage(ladder, slug) - ladder.data());
    const std::optional<std::size_t> found = kernels::built_on(ladder, stage);
    return found ? std::string(ladder[*found].slug) : "";
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
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    for (std::size_t i = 0; i < ladder.size(); ++i) {
        const std::optional<std::size_t> found = kernels::built_on(ladder, i);
        EXPECT_EQ(found.has_value(), !ladder[i].builds_on.empty()) << ladder[i].slug << ": no rung is called so";
        if (found) {
            EXPECT_LT(*found, i) << ladder[i].slug;
        }
    }
}

} // namespace
