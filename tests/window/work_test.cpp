// The page of the placement view about parts of K: which part of a tile each block computes, and which blocks are idle
// at the end.
#include "views.h"

#include "recording/file.h"
#include "temporary_folder.h"
#include "tests/placed_launch.h"
#include "tests/says.h"
#include "viz/draw/draw.h"
#include "viz/views/08_placement/facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace test;

class PartsOfK : public Views {
protected:
    // 25 tiles of 16 k-tiles, for 12 blocks at once. 24 tiles are whole. Blocks 24 to 27 share the last one.
    void open_cut(const std::string& more = {})
    {
        open({"--show",
              "stage=fastest view=placement size=320x320x128 block=24,0,0 BM=64 BN=64 BK=8 TM=8 TN=8 STAGES=4 BLOCKS=4 "
              "GROUP=4 WAVE=12 " +
                  more});
        program->wait_for("the lanes", shown("lanes cut"));
        program->wait_settled();
    }
    // Returns the point at these fractions of the widget's width and height.
    Point at(const std::string& name, double right, double down) const { return widget(name).at(right, down); }
    Rgb colour(uint32_t block, bool whole) const
    {
        return rgb(viz::work_colour(theme, {.block = block, .tile = 0, .first = 0, .count = 1}, whole));
    }
};

TEST_F(PartsOfK, ACellHasTheColourOfItsBlock)
{
    open_cut();
    const std::string cut = "tile 4,4"; // the previous tile is the last whole one
    for (uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(program->pixel(at(cut, (i * 4 + 1) / 16.0, 0.5)), colour(24 + i, false)) << i;
    EXPECT_EQ(program->pixel(at("tile 4,3", 4.5 / 16, 0.5)), colour(23, true));
    EXPECT_EQ(program->pixel(at("work map", 0.03, 0.03)), colour(0, true));
    EXPECT_EQ(program->pixel(at("work map", 0.8 + 0.2 * 0.9, 0.98)), colour(27, false)) << "the last quarter of K";
    expect_hint(at(cut, 5.5 / 16, 0.5), "Block 25: k-tiles 4 to 7 of 16, which is k = 32 to 63, of tile (4, 4)");
    expect_hint(at(cut, 5.5 / 16, 0.5), "As the launch's parameters say");
    expect_hint(at(cut, 1.5 / 16, 0.5), "As recorded");
    expect_hint(at("work map", 0.8 + 0.2 * 0.9, 0.98), "Block 27: k-tiles 12 to 15 of 16");
    expect_hint(at("work map", 0.5, 0.1), "Block 8: k-tiles 0 to 15 of 16");
    expect_hint(at("lanes cut", 34.0 / 48, 3.5 / 12), "Block 27: k-tiles 12 to 15 of 16");
    expect_hint(at("lanes whole", 40.0 / 48, 0.5 / 12), "Block 24 would have: k-tiles 0 to 15 of 16");
    program->click(at(cut, 5.5 / 16, 0.5));
    program->wait_settled("that block, recorded in full", mentions("command", "block=25,0,0"));
    expect_hint(at(cut, 5.5 / 16, 0.5), "As recorded");
}

TEST_F(PartsOfK, LanesEndWhereTheirWorkDoes)
{
    open_cut();
    const auto says = [](const std::string& words) {
        return [words](const State& state) { return state.at("widgets").dump().find(words) != std::string::npos; };
    };
    expect_words_apart(program->state());
    EXPECT_TRUE(says("headline:36 k-tiles long, 7.4% idle")(program->state()));
    const auto idle = rgb(viz::idle_colour(theme));
    // The axis is 48 k-tiles long. Whole tiles take three waves of 16 k-tiles, the last wave for one tile. Split, that
    // tile takes four blocks 4 k-tiles each.
    EXPECT_EQ(program->pixel(at("lanes whole", 42.0 / 48, 0.5 / 12)), colour(24, true));
    EXPECT_EQ(program->pixel(at("lanes whole", 40.0 / 48, 1.5 / 12)), idle);
    EXPECT_EQ(program->pixel(at("lanes whole", 30.0 / 48, 1.5 / 12)), colour(13, true));
    EXPECT_EQ(program->pixel(at("lanes cut", 33.0 / 48, 3.5 / 12)), colour(27, false));
    EXPECT_EQ(program->pixel(at("lanes cut", 34.0 / 48, 4.5 / 12)), idle);
    EXPECT_EQ(program->pixel(at("lanes cut", 40.0 / 48, 3.5 / 12)), rgb(viz::draw::empty_colour(theme)))
        << "all have ended";
    expect_hint(at("lanes cut", 34.0 / 48, 4.5 / 12), "Place 4 has no work after 32 of 36 k-tiles");
    program->press("j"); // goes to the first block of the next lane
    program->wait_for("the first block of place 1", mentions("command", "block=1,0,0"));
    program->press("f");
    program->wait_for("the other page", gone("lanes cut"));
}

// Only the page over time has a clock, which stops when this page is opened.
TEST_F(PartsOfK, StopTheTimeOfTheOtherPage)
{
    const test::Scheduler scheduler{.sms = 4, .slots = 1, .duration = [](uint32_t) { return uint64_t{10000}; }};
    const kernels::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "launches");
    recording::write(test::placed_launch("vectorized", 640, scheduler),
                     folder.path() / "launches" / "vectorized.gscope");
    program.emplace(display,
                    std::vector<std::string>{"--stage", "vectorized", "--view", "placement", "--backend", "cpu"},
                    Program::Environment{{"GEMMSCOPE_RECORDINGS", folder.path()}});
    program->wait_for("the blocks", shown("sweep"));
    program->press("p");
    program->wait_for("the time going on", [](const State& state) { return !state.at("settled"); });
    program->press("f");
    program->wait_for("the other page", shown("lanes whole"));
    program->wait_settled();
    program->press("f");
    program->wait_settled("the blocks again", shown("sweep"));
}

// The palette finds the page by these names. It opens the page with a stage and parameters that split K.
TEST_F(PartsOfK, AreFoundByTheirName)
{
    open({"--stage", "naive", "--view", "flow"});
    for (const std::string words : {"split along k", "last wave", "stream"}) {
        program->press("p", true);
        program->wait_for("the field", is("palette", ""));
        for (const char letter : words)
            program->press(letter == ' ' ? "space" : std::string(1, letter));
        program->wait_for("its row, found by " + words, is("palette", words), shown("palette:view:about-last_wave"));
        if (words != "stream")
            program->press("Escape");
        program->wait_for("it closed",
                          [&](const State& state) { return words == "stream" || state.at("palette").is_null(); });
    }
    program->click("palette:view:about-last_wave");
    program->wait_for("the page", [](const State& state) {
        return state.at("stage") == "fastest" && state.at("parameters").at("WAVE") == 12 &&
               has_widget(state, "lanes cut");
    });
    EXPECT_EQ(program->state().at("arranged"), "page=work");
}

} // namespace
