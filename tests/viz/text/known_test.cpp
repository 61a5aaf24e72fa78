// Texts about a figure's provenance, and about the reason why it is missing.
#include "tests/says.h"
#include "viz/text/known.h"

#include "viz/origin.h"
#include "viz/text/rich.h"

#include <gtest/gtest.h>

namespace {

using recording::How;
using recording::Missing;
using recording::Reason;
using test::says;

TEST(Known, AProvenanceIsSaidAsFarAsItIsKnown)
{
    recording::Provenance from;
    EXPECT_EQ(viz::plain(viz::how_had(from)), "measured here");
    from.device = "a GPU";
    EXPECT_EQ(viz::plain(viz::how_had(from)), "measured here on a GPU");
    from.problem = {{.M = 64, .N = 64, .K = 64}};
    EXPECT_EQ(viz::plain(viz::how_had(from)), "measured here on a GPU at 64³");
    from.samples = 12;
    EXPECT_EQ(viz::plain(viz::how_had(from)), "measured here on a GPU at 64³, median of 12");
    from = {.how = How::counted, .shipped = true, .device = "a GPU", .date = "2026-11-21"};
    EXPECT_EQ(viz::plain(viz::how_had(from)), "counted on a GPU, 2026-11-21, shipped with gemmscope");
}

TEST(Known, AShippedMeasurementHasItsOwnSign)
{
    EXPECT_EQ(viz::origin_of({}), viz::NumberOrigin::measured);
    EXPECT_EQ(viz::origin_of({.shipped = true}), viz::NumberOrigin::shipped);
    EXPECT_EQ(viz::origin_of({.how = How::counted, .shipped = true}), viz::NumberOrigin::counter);
}

TEST(Known, EveryReasonIsSaidInShortAndInASentence)
{
    for (int i = 0; i <= static_cast<int>(Missing::not_kept); ++i) {
        const Reason reason{static_cast<Missing>(i), {"one", "two", "three", "four"}};
        EXPECT_LT(viz::plain(viz::in_short(reason)).size(), 32u) << "it fits a row: " << i;
        EXPECT_FALSE(viz::plain(viz::in_a_sentence(reason)).empty()) << i;
    }
    EXPECT_EQ(viz::plain(viz::in_short({Missing::no_arithmetic, {"0.012"}})), "0.012 ms, no arithmetic");
    EXPECT_TRUE(viz::plain(viz::in_sentences({{Missing::no_gpu, {"There is no driver."}}, {Missing::other_launch}}))
                    .starts_with("There is no driver. What is shipped is of other stages"));
    const std::string damaged = viz::plain(viz::in_a_sentence({Missing::damaged, {"2", "9", "a.json", "no rows"}}));
    EXPECT_TRUE(says(damaged, "2 of 9 rows of a.json") && says(damaged, "no rows"));
}

} // namespace
