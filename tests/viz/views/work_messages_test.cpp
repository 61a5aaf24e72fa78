// Texts of the page about parts of K, which depend on the launch.
#include "tests/says.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace viz;
using test::says;

// 5 tiles of 64 x 64, one below another, with 8 k-tiles of 16.
WorkFacts facts_of(std::vector<recording::Parameter> more, recording::Index3 grid, uint32_t places)
{
    recording::Recording launch;
    launch.problem = {.M = 320, .N = 64, .K = 128};
    launch.parameters = {{"BM", 64}, {"BN", 64}, {"BK", 16}};
    launch.parameters.insert(launch.parameters.end(), more.begin(), more.end());
    launch.launch = {grid, {128, 1, 1}};
    return *work_facts(*tile_work(launch), nullptr, {places, true});
}

std::string all_of(const std::vector<Rich>& paragraphs)
{
    std::string words;
    for (const Rich& paragraph : paragraphs)
        words += plain(paragraph) + " ";
    return words;
}

TEST(WorkMessages, APartSaysHowItIsKnown)
{
    const WorkFacts facts = facts_of({}, {5, 1, 1}, 4);
    const std::string launched = plain(part_words(facts, facts.whole, 2, 128));
    EXPECT_TRUE(launched.starts_with("Block 2: k-tiles 0 to 7 of 8, which is k = 0 to 127, of tile (2, 0) of C."))
        << launched;
    EXPECT_TRUE(launched.ends_with("As the launch's parameters say")) << launched;
    const std::string otherwise = plain(part_words(facts, facts.cut, 5, 128)); // two blocks would share the fifth tile
    EXPECT_TRUE(otherwise.starts_with("Block 5 would have: k-tiles 4 to 7 of 8")) << otherwise;
    EXPECT_TRUE(otherwise.ends_with("Computed: nothing was launched so")) << otherwise;
    const WorkFacts sliced = facts_of({}, {1, 5, 8}, 4);
    EXPECT_TRUE(plain(part_words(sliced, sliced.cut, 39, 128)).starts_with("Block 39: k-tile 7 of 8"));
}

TEST(WorkMessages, WhoAddsUpThePartsIsSaid)
{
    const std::string others = "another kernel adds up the parts", themselves = "send each other their sums";
    const std::string sliced = all_of(work_words(facts_of({}, {1, 5, 2}, 4), true));
    EXPECT_TRUE(says(sliced, others));
    EXPECT_FALSE(says(sliced, themselves));
    const std::string deep =
        all_of(work_words(facts_of({{"ABOVE", 1}, {"BESIDE", 1}, {"DEPTH", 2}}, {10, 1, 1}, 4), true));
    EXPECT_FALSE(says(deep, others));
    EXPECT_TRUE(says(deep, themselves));
}

TEST(WorkMessages, LowerLanesAreSpokenOfWhereTheyAreDrawnAndOther)
{
    const std::string lower = "The lower lanes";
    EXPECT_TRUE(says(all_of(work_words(facts_of({}, {5, 1, 1}, 4), true)), lower));
    EXPECT_FALSE(says(all_of(work_words(facts_of({}, {5, 1, 1}, 4), false)), lower)) << "two stages are shown";
    EXPECT_FALSE(says(all_of(work_words(facts_of({}, {5, 1, 1}, 5), true)), lower))
        << "whole waves: nothing would be cut";
}

TEST(WorkMessages, WhatIsNotCutIsNotCalledCut)
{
    const WorkFacts even = facts_of({}, {5, 1, 1}, 5), odd = facts_of({}, {5, 1, 1}, 4),
                    waves = facts_of({{"WAVE", 5}}, {5, 1, 1}, 5);
    EXPECT_EQ(lanes_title(odd, odd.cut), "if the last were cut along K");
    EXPECT_EQ(lanes_title(even, even.cut), "whole waves, so no tile would be cut along K");
    EXPECT_EQ(lanes_title(waves, waves.cut), "whole waves, so no tile is cut along K");
}

// In the headline and in the title of the lanes, idle time has the same colour: amber or green.
TEST(WorkMessages, IdleTimeHasOneColour)
{
    for (const uint32_t places : {4u, 5u}) {
        const WorkFacts facts = facts_of({}, {5, 1, 1}, places);
        const Meaning meant = places == 4 ? Meaning::conflict : Meaning::good;
        const auto is_meant = [&](const viz::Run& run) { return run.meaning == meant; };
        EXPECT_EQ(std::ranges::count_if(work_headline(facts), is_meant), 1);
        EXPECT_EQ(std::ranges::count_if(lanes_length(facts.whole), is_meant), 1);
    }
}

TEST(WorkMessages, EachReasonHasASentence)
{
    for (const auto& [why, words] :
         {std::pair{NoWork::no_tile, "no tile of"}, std::pair{NoWork::too_large, "too many tiles"},
          std::pair{NoWork::other_blocks, "other blocks"}, std::pair{NoWork::contradicted, "something else"},
          std::pair{NoWork::no_places, "how many SMs"}})
        EXPECT_TRUE(says(plain(no_work(why)), words));
}

} // namespace
