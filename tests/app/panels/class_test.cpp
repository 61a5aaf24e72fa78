// The windows of a leader and a follower of one class, drawn in turn: what each shows and may do.
#include "app/panels/classroom.h"
#include "app/panels/learning.h"
#include "app/panels/navigation.h"
#include "app/panels/shell.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"

#include "error.h"
#include "temporary_folder.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace app {

namespace {

class Class : public testing::Test {
protected:
    struct Window {
        std::unique_ptr<Shell> shell;
        viz::Marks marks; // of the last frame
        ImVec2 size{1280, 800};
        State& state() const { return shell->state(); }
    };

    Class()
    {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            setenv(variable, folder_.path().c_str(), 1);
        setenv("GEMMSCOPE_NO_MEASURING", "1", 1);
        leader = open(Role::leader, "stage=naive view=flow step=2");
        follower = open(Role::follower, "stage=vectorized view=banks");
        follower.size = {500, 1110}; // a phone's
        draw();
    }
    Window open(Role role, const std::string& place)
    {
        WindowOptions options;
        options.show = parse_patch(place);
        options.source = WindowOptions::Source::words;
        options.backend = "cpu";
        options.worker.in_process = true;
        options.seat = std::make_shared<Seat>(lecture, role, [] {});
        Window window{std::make_unique<Shell>(options, Settings(), [] {}), {}};
        window.shell->theme() = viz::make_theme(true, 1);
        gui_.use(window.shell->theme());
        settle(*window.shell);
        return window;
    }
    void draw(Window& window)
    {
        window.marks = {};
        window.shell->poll();
        gui_.use(window.shell->theme());
        gui_.begin_frame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = window.size;
        io.DeltaTime = 1.0f / 30;
        io.MousePos = {-FLT_MAX, -FLT_MAX};
        window.state().marks = &window.marks;
        ImGui::NewFrame();
        window.shell->draw(window.size.x, window.size.y, 1.0 / 30);
        ImGui::Render();
        window.state().marks = nullptr;
    }
    // Draws all windows until each has reached its place.
    void draw()
    {
        ASSERT_TRUE(test::happens(
            [&] {
                for (int i = 0; i < 4; ++i)
                    draw(leader), draw(follower);
                return leader.shell->ready() && follower.shell->ready();
            },
            std::chrono::milliseconds(1)));
    }
    void press(Window& window, const KeyChord& chord)
    {
        window.shell->press(chord);
        draw();
    }
    static std::string place(const Window& window)
    {
        Patch patch = patch_of(*window.shell->snapshot(), window.state());
        patch.panels = {};
        return text_of(patch);
    }
    static bool has(const Window& window, const std::string& mark)
    {
        return std::ranges::any_of(window.marks.widgets, [&](const auto& one) { return one.name.starts_with(mark); });
    }
    void open_quiz(const std::string& kind)
    {
        start_quiz(leader.state(), "quiz", {.concepts = {}, .stage = {}, .kinds = {kind}, .count = 2, .seed = 3});
        draw();
        ASSERT_NE(leader.state().learning.open_question(), nullptr);
    }

    kernels::TemporaryFolder folder_;
    Offscreen offscreen_;
    Gui gui_{nullptr};
    Lecture lecture;
    Window leader, follower;
};

TEST_F(Class, AFollowerSeesTheLeadersPlaceWithPanelsOfItsOwn)
{
    EXPECT_EQ(place(follower), place(leader));
    follower.state().at.panels.ladder = false;
    press(leader, named(Key::right));
    EXPECT_EQ(place(follower), place(leader));
    EXPECT_EQ(follower.state().at.selection.step, 3u);
    leader.shell->choose_view(leader.state().index_of_view("heatmap") % leader.state().views.size());
    press(leader, named(Key::down));
    EXPECT_EQ(place(follower), place(leader));
    EXPECT_FALSE(follower.state().at.panels.ladder);
    EXPECT_FALSE(has(follower, "class:bar")) << "the bar has no text";
    EXPECT_TRUE(has(leader, "class:people"));
}

TEST_F(Class, AFollowerWandersOffAndComesBack)
{
    const std::string there = place(leader);
    press(follower, named(Key::right));
    EXPECT_NE(place(follower), there);
    EXPECT_EQ(place(leader), there) << "no follower can change the leader's place";
    EXPECT_FALSE(follower.state().learning.classroom.follows);
    EXPECT_TRUE(has(follower, "class:continue")) << "the button that returns to the leader's place";
    press(leader, named(Key::down));
    EXPECT_NE(place(follower), place(leader));
    press(follower, named(Key::enter));
    EXPECT_EQ(place(follower), place(leader));
    EXPECT_FALSE(has(follower, "class:bar"));
    press(follower, typed('t'));
    EXPECT_TRUE(follower.state().learning.classroom.follows) << "the theme is not part of a place";
}

TEST_F(Class, AFollowerPlaysWhatTheLeaderPlays)
{
    leader.shell->press(typed(' '));
    for (int i = 0; i < 6; ++i)
        draw(leader), draw(follower);
    EXPECT_TRUE(leader.state().playback.playing());
    EXPECT_TRUE(follower.state().playback.playing());
    EXPECT_EQ(follower.state().playback.speed(), leader.state().playback.speed());
    EXPECT_TRUE(follower.state().learning.classroom.follows);
    leader.shell->press(typed(' '));
    draw();
    EXPECT_FALSE(follower.state().playback.playing());
    EXPECT_EQ(place(follower), place(leader));
    follower.shell->press(typed(' ')); // by hand
    for (int i = 0; i < 3; ++i)
        draw(follower);
    EXPECT_FALSE(follower.state().learning.classroom.follows);
}

TEST_F(Class, WhatTheLeadersQuizHidesIsShownToNobody)
{
    open_quiz("wavefronts");
    const std::string before = place(follower);
    EXPECT_NE(place(leader), before) << "the leader's question is at another place";
    EXPECT_EQ(lecture.question(), nullptr);
    EXPECT_TRUE(has(leader, "class:ask"));
    press(leader, named(Key::enter));
    ASSERT_NE(lecture.question(), nullptr);
    EXPECT_EQ(place(follower), place(leader));
    const bool covered = lecture.question()->question.covers_picture();
    for (const Window* window : {&leader, &follower}) {
        EXPECT_EQ(has(*window, "quiz:cover"), covered);
        EXPECT_EQ(has(*window, "picture:"), !covered);
        for (const auto& one : window->marks.widgets)
            EXPECT_TRUE(!one.name.starts_with("headline:") || one.name == "headline:?") << one.name;
    }
    EXPECT_TRUE(follower.state().inspector.empty());
    EXPECT_EQ(follower.state().hint, hidden_until_answered);
}

TEST_F(Class, AFollowerFindsTheAnswerNowhereElse)
{
    open_quiz("wavefronts");
    press(leader, named(Key::enter));
    const auto sees_nothing = [&](const char* what) {
        EXPECT_TRUE(has(follower, "quiz:cover")) << what;
        EXPECT_FALSE(has(follower, "picture:")) << what;
        const auto view = std::ranges::find(follower.marks.widgets, "view", &viz::Marks::Widget::name);
        for (const auto& one : follower.marks.drawn)
            EXPECT_TRUE(one.max.y <= view->min.y || one.min.y >= view->max.y || one.max.x <= view->min.x ||
                        one.min.x >= view->max.x)
                << what << ": " << one.panel << ", " << one.name;
    };
    press(follower, named(Key::tab));
    sees_nothing("another view");
    press(follower, typed('C'));
    sees_nothing("a page of figures");
    press(follower, named(Key::escape));
    press(follower, named(Key::escape));
    sees_nothing("the question is not closed");
    start_quiz(follower.state(), "own", {.concepts = {}, .stage = {}, .kinds = {}, .count = 2, .seed = 5});
    draw();
    sees_nothing("a quiz of its own");
    follower.shell->save_table({"view", false});
    draw(follower);
    EXPECT_EQ(follower.state().notice, hidden_until_answered);
    press(follower, control('S'));
    EXPECT_EQ(follower.state().notice, hidden_until_answered) << "saving the recording is refused";
    press(follower, control('e'));
    EXPECT_EQ(follower.state().notice, hidden_until_answered) << "an export is refused";
    EXPECT_FALSE(has(follower, "export:"));
    EXPECT_THROW(follower.shell->draw_alone(follower.state().theme, {400, 300}, 0, {}), kernels::Error);
    press(follower, named(Key::enter));
    EXPECT_EQ(place(follower), place(leader));
}

TEST_F(Class, AnswersComeInAsBarsAndThenThePicturePlays)
{
    open_quiz("wavefronts");
    press(leader, named(Key::enter));
    press(leader, typed('1'));
    EXPECT_EQ(lecture.answered(), 0u) << "the leader cannot answer";
    press(follower, typed('2'));
    EXPECT_EQ(lecture.answers()[1], 1u);
    EXPECT_TRUE(has(leader, "bar:1:1"));
    EXPECT_TRUE(has(leader, "bar:0:0"));
    EXPECT_FALSE(has(follower, "bar:")) << "bars would be a hint";
    EXPECT_TRUE(follower.state().learning.classroom.follows);
    EXPECT_TRUE(has(follower, "quiz:cover") || has(follower, "picture:"));
    leader.shell->press(named(Key::enter));
    bool played = false;
    ASSERT_TRUE(test::happens(
        [&] {
            draw(leader), draw(follower);
            played |= follower.state().playback.playing();
            return played;
        },
        std::chrono::milliseconds(1)));
    EXPECT_FALSE(has(follower, "quiz:cover"));
    EXPECT_TRUE(has(follower, "bar:1:1"));
    EXPECT_EQ(follower.state().learning.progress.all().size(), 0u);
    EXPECT_EQ(leader.state().learning.progress.all().size(), 0u)
        << "answers of the class are not the leader's progress";
    leader.shell->press(typed('n'));
    draw(leader), draw(follower);
    EXPECT_EQ(lecture.question(), nullptr);
    EXPECT_EQ(leader.state().learning.quiz->at, 1u);
    EXPECT_FALSE(has(follower, "choice:"));
}

TEST_F(Class, ALeaderWhoIsLostIsMissedAndLeadsAgain)
{
    const std::string there = place(follower);
    leader.shell.reset();
    draw(follower);
    EXPECT_FALSE(lecture.led());
    EXPECT_TRUE(has(follower, "class:bar"));
    EXPECT_EQ(place(follower), there);
    leader = open(Role::leader, "stage=coalesced view=flow step=1");
    draw();
    EXPECT_EQ(place(follower), place(leader));
    EXPECT_FALSE(has(follower, "class:bar"));
}

} // namespace

} // namespace app
