// Keys and the table of their commands.
#include "app/workspace/commands.h"

#include <gtest/gtest.h>

namespace {

using app::Command;
using app::Key;

TEST(KeyChords, NamedKeysCountShiftAndCharactersDoNot)
{
    EXPECT_TRUE(app::named(Key::left).matches({.key = Key::left}));
    EXPECT_FALSE(app::named(Key::left).matches({.key = Key::left, .shift = true}));
    EXPECT_TRUE(app::typed('?').matches({.character = '?', .shift = true})) << "the character '?' includes Shift";
    EXPECT_FALSE(app::typed('q').matches({.character = 'q', .control = true}));
    EXPECT_FALSE(app::typed('w').matches({.character = 'W'}));
}

TEST(KeyChords, AreWrittenAsPeopleNameThem)
{
    EXPECT_EQ(app::describe(app::control('q')), "Ctrl+Q");
    EXPECT_EQ(app::describe(app::control('+')), "Ctrl++");
    EXPECT_EQ(app::describe(app::named(Key::right, true)), "Shift+→");
    EXPECT_EQ(app::describe(app::typed('W')), "W");
    EXPECT_EQ(app::describe(app::typed(' ')), "Space");
    EXPECT_EQ(app::keys_text({"help", {app::typed('?'), app::named(Key::f1)}, "", "", [] {}}), "? or F1");
}

TEST(Commands, AreFoundByAnyOfTheirKeys)
{
    const app::Commands commands = {{"first", {app::typed('a')}, "", "first", [] {}},
                                    {"second", {app::typed('b'), app::named(Key::end)}, "", "second", [] {}, true}};
    ASSERT_NE(app::find(commands, app::named(Key::end)), nullptr);
    EXPECT_EQ(app::find(commands, app::named(Key::end))->words, "second");
    EXPECT_EQ(app::find(commands, app::typed('z')), nullptr);
}

TEST(Commands, RepeatOnlyWhereThatMakesSense)
{
    const app::Commands commands = {{"once", {app::typed('a')}, "", "once", [] {}},
                                    {"again", {app::typed('b')}, "", "again and again", [] {}, true}};
    EXPECT_EQ(app::find(commands, {.character = 'a', .repeated = true}), nullptr);
    EXPECT_NE(app::find(commands, {.character = 'b', .repeated = true}), nullptr);
}

TEST(KeyChords, AreReadAsTheyAreWritten)
{
    for (const app::KeyChord& chord :
         {app::typed('w'), app::typed('W'), app::typed(' '), app::typed('+'), app::control('s'), app::control('S'),
          app::control('+'), app::named(Key::left), app::named(Key::tab, true), app::with_alt(Key::right),
          app::named(Key::f1), app::named(Key::f12), app::named(Key::page_up), app::named(Key::remove)}) {
        const auto read = app::chord_named(app::describe(chord));
        ASSERT_TRUE(read) << app::describe(chord);
        EXPECT_TRUE(read->matches(chord)) << app::describe(chord);
    }
    for (const char* text : {"", "Ctrl+", "F13", "Home2", "ä"})
        EXPECT_FALSE(app::chord_named(text)) << text;
    EXPECT_FALSE(app::with_alt(Key::left).matches(app::named(Key::left)));
}

// A view's key takes precedence while the view is shown, and has no effect otherwise.
TEST(Commands, OfAViewAreHeardThere)
{
    const app::Commands usual = {
        {.id = "all", .chords = {app::typed('a')}, .group = "", .words = "all", .action = [] {}},
        {.id = "in-map-a", .chords = {app::typed('a')}, .group = "", .words = "map", .action = [] {}, .view = "map"},
        {.id = "in-map-b", .chords = {app::typed('b')}, .group = "", .words = "map", .action = [] {}, .view = "map"},
        {.id = "in-bars-b",
         .chords = {app::typed('b')},
         .group = "",
         .words = "bars",
         .action = [] {},
         .view = "bars"}};
    EXPECT_EQ(app::find(usual, app::typed('a'))->id, "all");
    EXPECT_EQ(app::find(usual, app::typed('a'), "map")->id, "in-map-a");
    EXPECT_EQ(app::find(usual, app::typed('a'), "bars")->id, "all");
    EXPECT_EQ(app::find(usual, app::typed('b')), nullptr);
}

} // namespace
