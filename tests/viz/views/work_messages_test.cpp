// What the page about parts of K says, and what of it would be false elsewhere.
#include "tests/says.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/work_messages.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace viz;
using test::says;

// 5 tiles of 64 x 64 with 8 k-tiles of 16, one below another.
WorkFacts facts_of(std::vector<recording::Parameter> more, recording::Index3 grid, uint32_t places)
{
    recording::Recording launch;
    launch.problem = {.M = 320, .N = 64, .K = 128};
    launch.parameters = {{"BM", 64}, {"BN", 64}, {"BK", 16}};
    launch.parameters.insert(launch.parameters.end(), more.begin(), more.end());
    launch.launch = {grid, {128, 1, 1}};
    return *work_facts(*tile_work(launch), nullptr, {places, true});
}

std::string all_of(const std::vector<Messages>& paragraphs)
{
    std::string words;
    for (const Messages& paragraph : paragraphs)
        for (const Message& message : paragraph)
            words += plain(message) + " ";
    return words;
}

std::string all_of(const Messages& messages)
{
    return all_of(std::vector<Messages>{messages});
}

TEST(WorkMessages, APartSaysHowItIsKnown)
{
    const WorkFacts facts = facts_of({}, {5, 1, 1}, 4);
    const std::string launched = plain(part_message(facts, facts.whole, 2, 128));
    EXPECT_TRUE(launched.starts_with("Block 2: k-tiles 0 to 7 of 8, which is k = 0 to 127, of tile (2, 0) of C."))
        << launched;
    EXPECT_TRUE(launched.ends_with("As the launch's parameters say")) << launched;
    const std::string otherwise = plain(part_message(facts, facts.cut, 5, 128)); // the fifth tile for two blocks
    EXPECT_TRUE(otherwise.starts_with("Block 5 would have: k-tiles 4 to 7 of 8")) << otherwise;
    EXPECT_TRUE(otherwise.ends_with("Computed: nothing was launched so")) << otherwise;
    const WorkFacts sliced = facts_of({}, {1, 5, 8}, 4);
    EXPECT_TRUE(plain(part_message(sliced, sliced.cut, 39, 128)).starts_with("Block 39: k-tile 7 of 8"));
}

TEST(WorkMessages, WhoAddsUpThePartsIsSaid)
{
    const std::string others = "another kernel adds up the parts", themselves = "send each other their sums";
    const std::string sliced = all_of(work_messages(facts_of({}, {1, 5, 2}, 4), true));
    EXPECT_TRUE(says(sliced, others));
    EXPECT_FALSE(says(sliced, themselves));
    const std::string deep =
        all_of(work_messages(facts_of({{"ABOVE", 1}, {"BESIDE", 1}, {"DEPTH", 2}}, {10, 1, 1}, 4), true));
    EXPECT_FALSE(says(deep, others));
    EXPECT_TRUE(says(deep, themselves));
}

TEST(WorkMessages, LowerLanesAreSpokenOfWhereTheyAreDrawnAndOther)
{
    const std::string lower = "The lower lanes";
    EXPECT_TRUE(says(all_of(work_messages(facts_of({}, {5, 1, 1}, 4), true)), lower));
    EXPECT_FALSE(says(all_of(work_messages(facts_of({}, {5, 1, 1}, 4), false)), lower)) << "two stages are shown";
    EXPECT_FALSE(says(all_of(work_messages(facts_of({}, {5, 1, 1}, 5), true)), lower))
        << "whole waves: nothing would be cut";
}

TEST(WorkMessages, WhatIsNotCutIsNotCalledCut)
{
    const WorkFacts even = facts_of({}, {5, 1, 1}, 5), odd = facts_of({}, {5, 1, 1}, 4),
                    waves = facts_of({{"WAVE", 5}}, {5, 1, 1}, 5);
    EXPECT_TRUE(all_of(lanes_title(odd, odd.cut)).starts_with("if the last were cut along K: "));
    EXPECT_TRUE(all_of(lanes_title(even, even.cut)).starts_with("whole waves, so no tile would be cut along K: "));
    EXPECT_TRUE(all_of(lanes_title(waves, waves.cut)).starts_with("whole waves, so no tile is cut along K: "));
}

// The same time is amber above the picture and above the lanes, or green in both.
TEST(WorkMessages, IdleTimeHasOneColour)
{
    for (const uint32_t places : {4u, 5u}) {
        const WorkFacts facts = facts_of({}, {5, 1, 1}, places);
        const auto idle_of = [](const Message& message) {
            for (const auto& [name, value] : message.arguments)
                if (name == "idle")
                    return value.meaning;
            return Meaning::none;
        };
        const Meaning meant = places == 4 ? Meaning::conflict : Meaning::good;
        EXPECT_EQ(idle_of(work_headline(facts)), meant);
        EXPECT_EQ(idle_of(lanes_title(facts, facts.whole).back()), meant);
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
