// Undo and redo of choices, and back and forward among the visited places.
#include "app/workspace/workspace.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

app::Workspace at(std::size_t stage, std::size_t view, std::size_t step)
{
    app::Workspace where;
    where.choice.show(stage);
    where.view = std::to_string(view);
    where.selection.step = step;
    return where;
}

TEST(Visits, SteppingForAWhileIsOnePlace)
{
    app::Visits visits;
    for (std::size_t step = 0; step < 50; ++step)
        visits.note(at(1, 0, step), 0.5 * static_cast<double>(step));
    EXPECT_EQ(visits.size(), 1u);
    visits.note(at(1, 0, 49), 100); // the same place again
    visits.note(at(1, 0, 7), 101);
    EXPECT_EQ(visits.size(), 2u) << "after a pause another step is another visit";
    EXPECT_EQ(visits.back(), at(1, 0, 49));
}

TEST(Visits, GoBackAndForwardAndOnFromThere)
{
    app::Visits visits;
    EXPECT_FALSE(visits.back());
    visits.note(at(1, 0, 0), 0);
    visits.note(at(2, 0, 0), 1);
    visits.note(at(2, 3, 0), 1.5);
    EXPECT_EQ(visits.back(), at(2, 0, 0));
    visits.note(at(2, 0, 0), 2); // the place that back() returned
    EXPECT_EQ(visits.back(), at(1, 0, 0));
    visits.note(at(1, 0, 2), 3); // another step, because the recording no longer has that one
    EXPECT_FALSE(visits.back());
    EXPECT_EQ(visits.forward(), at(2, 0, 0));
    visits.note(at(2, 0, 0), 4);
    visits.note(at(5, 0, 0), 5);
    EXPECT_FALSE(visits.forward()) << "a new visit discards the visits after it";
    EXPECT_EQ(visits.back(), at(2, 0, 0));
    visits.note(at(2, 0, 0), 6);
    EXPECT_EQ(visits.back(), at(1, 0, 2));
}

TEST(Visits, KeepTheLatest)
{
    app::Visits visits;
    for (std::size_t stage = 0; stage < 2 * app::Visits::most; ++stage)
        visits.note(at(stage, 0, 0), 0);
    EXPECT_EQ(visits.size(), app::Visits::most);
    EXPECT_EQ(visits.back(), at(2 * app::Visits::most - 2, 0, 0));
}

app::ChoiceEdit showing(std::size_t stage)
{
    return [stage](app::Choice& choice) { choice.show(stage); };
}

TEST(History, GoesBackAndForwardAmongChoices)
{
    app::History history;
    app::Choice now;
    const app::Choice first = now;
    history.change(now, showing(4));
    const app::Choice second = now;
    history.change(now, [](app::Choice& choice) { choice.sizes.recorded = {.K = 64}; });
    const app::Choice third = now;
    EXPECT_TRUE(history.undo(now));
    EXPECT_EQ(now, second);
    EXPECT_TRUE(history.undo(now));
    EXPECT_EQ(now, first);
    EXPECT_TRUE(history.redo(now));
    EXPECT_TRUE(history.redo(now));
    EXPECT_EQ(now, third);
    EXPECT_FALSE(history.redo(now));
}

// A part that the comparison of choices ignored could be changed without a step for undo.
TEST(History, EachPartOfAChoiceIsUndone)
{
    const app::ChoiceEdit edits[] = {
        [](app::Choice& choice) { choice.columns[0].rung = 1; },
        [](app::Choice& choice) { choice.columns[0].file = "a.cu"; },
        [](app::Choice& choice) {
            choice.columns[0].file_parameters = {{"BK", 8}};
        },
        [](app::Choice& choice) { choice.columns[1].version = 3; },
        [](app::Choice& choice) { choice.columns[1].parameters = kernels::ParameterValues{8}; },
        [](app::Choice& choice) { choice.columns[2].rung = 2; },
        [](app::Choice& choice) { choice.sizes.recorded = {.K = 64}; },
        [](app::Choice& choice) { choice.sizes.timed.K = 64; },
        [](app::Choice& choice) { choice.sizes.alpha = 2; },
        [](app::Choice& choice) { choice.sizes.beta = 2; },
        [](app::Choice& choice) { choice.sizes.recorded_threads.M = 2; },
        [](app::Choice& choice) { choice.sizes.tiny = {.K = 8}; },
        [](app::Choice& choice) { choice.sizes.recorded_elements = 2; },
        [](app::Choice& choice) { choice.sizes.timed_elements = 2; },
        [](app::Choice& choice) { choice.parameters[1] = {8}; },
        [](app::Choice& choice) { choice.tiny = true; },
        [](app::Choice& choice) { choice.tiny_parameters[1] = {8}; },
        [](app::Choice& choice) { choice.inputs = recording::Inputs::small; },
        [](app::Choice& choice) { choice.as_written = true; },
        [](app::Choice& choice) { choice.block.y = 1; },
        [](app::Choice& choice) { choice.recorded_here = {1}; }};
    app::History history;
    app::Choice now;
    std::vector<app::Choice> before;
    for (const app::ChoiceEdit& edit : edits) {
        before.push_back(now);
        history.change(now, edit);
        EXPECT_NE(now, before.back()) << "edit " << before.size();
    }
    for (; !before.empty(); before.pop_back()) {
        ASSERT_TRUE(history.undo(now)) << "edit " << before.size();
        EXPECT_EQ(now, before.back()) << "edit " << before.size();
    }
    EXPECT_FALSE(history.undo(now));
}

TEST(History, AChangeEndsWhatCouldBeDoneAgain)
{
    app::History history;
    app::Choice now;
    history.change(now, showing(1));
    history.undo(now);
    history.change(now, showing(2));
    EXPECT_FALSE(history.redo(now));
    EXPECT_EQ(now.columns[0].rung, 2u);
}

TEST(History, WhatChangesNothingAndWhatTheProgramDoesAreNotUndone)
{
    app::History history;
    app::Choice now;
    now.show(1);
    history.change(now, showing(1));
    EXPECT_FALSE(history.undo(now));
    now.show(2); // changed by the program, not by the user
    EXPECT_FALSE(history.undo(now));
    EXPECT_EQ(now.columns[0].rung, 2u);
    history.change(now, showing(3));
    ASSERT_TRUE(history.undo(now));
    history.change(now, showing(2));
    EXPECT_TRUE(history.redo(now)) << "the undone choice can still be redone";
}

TEST(History, UndoesAtOnceWhatAHeldKeyChanged)
{
    app::History history;
    app::Choice choice;
    for (std::size_t stage = 1; stage <= 4; ++stage) {
        history.join_changes(stage > 1);
        history.change(choice, showing(stage));
    }
    EXPECT_EQ(choice.columns[0].rung, 4u);
    EXPECT_TRUE(history.undo(choice));
    EXPECT_EQ(choice, app::Choice{});
    EXPECT_TRUE(history.redo(choice));
    EXPECT_EQ(choice.columns[0].rung, 4u);
}

} // namespace
