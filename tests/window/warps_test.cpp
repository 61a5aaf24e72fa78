// Warps over time in the occupancy view, from a made-up file.
#include "tests/ladder.h"
#include "tests/made_up_warps.h"
#include "tests/shipped_folder.h"
#include "views.h"

#include "app/data/gpu.h"

#include "viz/draw/draw.h"
#include "viz/views/50_occupancy/facts.h"

#include <algorithm>
#include <fstream>

namespace {

using namespace test;

class WarpsOverTime : public Views {
protected:
    void SetUp() override
    {
        folder.put_recording("vectorized");
        const kernels::Stage& stage = test::stage("vectorized");
        nlohmann::json rows = nlohmann::json::array();
        for (const recording::WarpTimes* one : {&few, &many})
            rows.push_back(app::to_json(*one, stage));
        std::ofstream(folder.path() / "warps.json")
            << nlohmann::json{{"format", 1}, {"device", "NVIDIA H200"}, {"date", "2026-11-23"}, {"rows", rows}};
    }
    void open_shipped(std::vector<std::string> arguments)
    {
        open(std::move(arguments), recordings_in(folder.path()));
        resize({1600, 1000});
    }
    // Returns the position of this cycle in a row, if all of the time is visible.
    Point at(const Rect& row, uint64_t cycle) const
    {
        const double part = static_cast<double>(cycle) / static_cast<double>(std::max(few.span(), many.span()));
        return row.at(part, 0.5);
    }

    const recording::WarpTimes few = made_up_warps("vectorized", 4, 1), many = made_up_warps("vectorized", 4, 4);
    ShippedFolder folder;
};

TEST_F(WarpsOverTime, AreShownFewAboveManyOnOneClock)
{
    open_shipped({"--stage", "vectorized", "--view", "occupancy"});
    wait_shown("over time");
    program->press("v");
    wait_shown("picture:warps:vectorized");
    EXPECT_EQ(program->state().at("arranged"), "time=yes");
    const State& widgets = program->state().at("widgets");
    EXPECT_TRUE(std::ranges::any_of(
        widgets.items(), [](const auto& one) { return one.key().starts_with("headline:8 warps: all wait in "); }));
    for (const char* name : {"few", "many"})
        for (int i = 0; i < 4; ++i)
            EXPECT_TRUE(widgets.contains("scheduler:" + std::string(name) + ":" + std::to_string(i)));
    EXPECT_TRUE(widgets.contains("warp:few:7"));
    EXPECT_FALSE(widgets.contains("warp:few:8")) << "one block at a time";
    EXPECT_TRUE(widgets.contains("warp:many:31"));
    EXPECT_EQ(widget("warp:few:0").left, widget("warp:many:0").left);
    EXPECT_EQ(widget("warp:few:0").width, widget("warp:many:0").width);

    const recording::WarpTimes* const launches[] = {&few, &many};
    const viz::SmOverTime picture = viz::sm_over_time(few, viz::least_of_ops(launches));
    const std::vector<viz::WarpInterval>& first = picture.lanes.at(picture.rows[0].at(0).lanes.at(0)).intervals;
    const auto longest = [&](viz::WarpDoing doing) {
        return *std::ranges::max_element(
            first, {}, [&](const viz::WarpInterval& one) { return one.doing == doing ? one.until - one.from : 0; });
    };
    const viz::WarpInterval wait = longest(viz::WarpDoing::memory);
    const Point place = at(widget("warp:few:0"), (wait.from + wait.until) / 2);
    EXPECT_EQ(program->pixel(place), rgb(viz::doing_colour(theme, viz::WarpDoing::memory)));
    const std::size_t line = picture.times->warps.at(0).steps.at(wait.step).line;
    expect_hint(place, "Warp 0 of block 0 waits for memory, " + std::to_string(wait.until - wait.from) + " cycles");
    expect_hint(place, "in line " + std::to_string(line));

    // Zooming in moves the cycle. Zooming out completely moves it back.
    program->press("plus");
    program->wait_settled();
    program->press("0");
    program->wait_settled();
    expect_hint(place, "waits for memory");
    program->press("v");
    wait_shown("chart:registers per thread");
    EXPECT_EQ(program->state().at("arranged"), "");
}

TEST_F(WarpsOverTime, AreAbsentWithTheReasonWhereNoneWereWatched)
{
    open_shipped({"--stage", "naive", "--view", "occupancy"});
    wait_shown("no over time");
    program->press("v");
    expect_hint(program->middle("no over time"), "The warps of naive were not watched");
    EXPECT_FALSE(shows("picture:warps:naive"));
    std::filesystem::remove(folder.path() / "warps.json");
    open_shipped({"--stage", "vectorized", "--view", "occupancy"});
    wait_shown("no over time");
    expect_hint(program->middle("no over time"), "The warps of vectorized were not watched");
}

} // namespace
