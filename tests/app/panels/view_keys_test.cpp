// The commands of the views and their keys.
#include "app/panels/panels.h"
#include "app/platform/offscreen.h"

#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace {

class ViewKeys : public testing::Test {
protected:
    ViewKeys() { state.views = viz::make_views(); }
    // The actions get no columns, as before the first frame.
    app::Commands commands(const app::Commands& others = {})
    {
        return app::view_commands(state, others, [this](const app::ViewAction& action) {
            action({{}, state.at.selection, ladder_facts, requests});
        });
    }
    static const app::Command& find(const app::Commands& all, const std::string& id)
    {
        return *std::ranges::find(all, id, &app::Command::id);
    }
    const viz::View& view(std::string_view name) const
    {
        return **std::ranges::find_if(state.views, [&](const auto& one) { return one->name() == name; });
    }

    const app::Offscreen context; // views create OpenGL objects when they are constructed
    app::State state;
    viz::LadderFacts ladder_facts;
    viz::Requests requests;
};

// Each command has its own description. "The next or the previous block" for two keys would not say which is which.
TEST_F(ViewKeys, EachSaysWhatItDoes)
{
    std::map<std::string, std::set<std::string>> said;
    for (const app::Command& command : commands())
        EXPECT_TRUE(said[command.view].insert(command.words).second) << command.id << ": " << command.words;
    EXPECT_GT(said.size(), 5u);
}

TEST_F(ViewKeys, HaveIdsOfTheirOwn)
{
    std::set<std::string> ids;
    for (const app::Command& command : commands())
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
    for (const char* id :
         {"in-banks-a", "in-flow-Backspace", "in-global-p", "in-gpu-u", "in-hierarchy-Z", "in-hierarchy-+",
          "in-layout-E", "in-occupancy-v", "in-placement-;", "in-roofline-l", "in-threads-o", "in-faster-k"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

TEST_F(ViewKeys, DoWhatTheySayBeforeTheNextFrame)
{
    const app::Commands all = commands();
    find(all, "in-roofline-g").action();
    find(all, "in-roofline-l").action();
    EXPECT_EQ(view("roofline").options(), "chart=sizes list=yes");
    find(all, "in-roofline-l").action();
    EXPECT_EQ(view("roofline").options(), "chart=sizes");
    find(all, "in-global-p").action();
    EXPECT_TRUE(requests.count) << "the view's request to the window";
    // The camera has no picture to look at yet, so these keys must not move it.
    for (const char* key : {"+", "-", "0", "h", "Backspace"})
        find(all, std::string("in-flow-") + key).action();
    EXPECT_TRUE(view("flow").settled());
}

// Files and lessons of earlier versions contain these older forms of the options.
TEST_F(ViewKeys, SetOptionsThatEarlierWordsSet)
{
    for (const auto& [name, before, now] : {std::tuple{"roofline", "sizes list", "chart=sizes list=yes"},
                                            {"roofline", "list", "list=yes"},
                                            {"roofline", "random", "chart=random"},
                                            {"occupancy", "time", "time=yes"},
                                            {"faster", "library", "library=yes"},
                                            {"faster", "pipes", "pipes=yes"},
                                            {"placement", "work tall", "page=work launch=tall"},
                                            {"layout", "tile=As;element=0,0", "tile=As element=0,0"}}) {
        viz::View& view = *state.views[static_cast<std::size_t>(
            std::ranges::find(state.views, name, [](const auto& one) { return one->name(); }) - state.views.begin())];
        view.set_options(before);
        EXPECT_EQ(view.options(), now);
        view.set_options("");
        EXPECT_EQ(view.options(), "") << "the options are the defaults";
    }
}

TEST_F(ViewKeys, LeaveOutOptionsBeyondTheirLimits)
{
    for (const auto& [name, most, beyond] : {std::tuple{"roofline", "peak=10000000", "peak=10000001"},
                                             {"roofline", "peak=1", "peak=0"},
                                             {"roofline", "bandwidth=1000000", "bandwidth=1000001"},
                                             {"roofline", "bandwidth=1", "bandwidth=0"}}) {
        viz::View& view = *state.views[state.index_of_view(name)];
        view.set_options(most);
        EXPECT_EQ(view.options(), most);
        view.set_options(beyond);
        EXPECT_EQ(view.options(), "");
    }
}

TEST_F(ViewKeys, AreHadWithAltWhereLessonsHaveThem)
{
    const app::Commands lessons = {
        {.id = "learn-next", .chords = {app::typed('n')}, .group = "", .words = "next", .action = [] {}}};
    const app::Commands all = commands(lessons);
    EXPECT_TRUE(find(all, "in-global-n").chords.front().alt);
    EXPECT_FALSE(find(all, "in-global-N").chords.front().alt);
    EXPECT_EQ(find(all, "in-flow-+").chords.size(), 2u) << "= is + without Shift";
}

} // namespace
