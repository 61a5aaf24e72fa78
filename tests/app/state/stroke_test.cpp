// Keys and the table that gives them meaning.
#include "app/state/stroke.h"

#include <gtest/gtest.h>

namespace {

using app::Command;
using app::Key;

TEST(Strokes, NamedKeysCountShiftAndCharactersDoNot)
{
    EXPECT_TRUE(app::named(Key::left).matches({.key = Key::left}));
    EXPECT_FALSE(app::named(Key::left).matches({.key = Key::left, .shift = true}));
    EXPECT_TRUE(app::typed('?').matches({.character = '?', .shift = true})) << "shift is in the character";
    EXPECT_FALSE(app::typed('q').matches({.character = 'q', .control = true}));
    EXPECT_FALSE(app::typed('w').matches({.character = 'W'}));
}

TEST(Strokes, AreWrittenAsPeopleNameThem)
{
    EXPECT_EQ(app::describe(app::control('q')), "Ctrl+Q");
    EXPECT_EQ(app::describe(app::control('+')), "Ctrl++");
    EXPECT_EQ(app::describe(app::named(Key::right, true)), "Shift+→");
    EXPECT_EQ(app::describe(app::typed('W')), "W");
    EXPECT_EQ(app::describe(app::typed(' ')), "Space");
    EXPECT_EQ(app::keys_text({{app::typed('?'), app::named(Key::f1)}, "", "", [] {}}), "? or F1");
}

TEST(Commands, AreFoundByAnyOfTheirKeys)
{
    const app::Commands commands = {{{app::typed('a')}, "", "first", [] {}},
                                    {{app::typed('b'), app::named(Key::end)}, "", "second", [] {}, true}};
    ASSERT_NE(app::find(commands, app::named(Key::end)), nullptr);
    EXPECT_EQ(app::find(commands, app::named(Key::end))->words, "second");
    EXPECT_EQ(app::find(commands, app::typed('z')), nullptr);
}

TEST(Commands, RepeatOnlyWhereThatMakesSense)
{
    const app::Commands commands = {{{app::typed('a')}, "", "once", [] {}},
                                    {{app::typed('b')}, "", "again and again", [] {}, true}};
    EXPECT_EQ(app::find(commands, {.character = 'a', .repeated = true}), nullptr);
    EXPECT_NE(app::find(commands, {.character = 'b', .repeated = true}), nullptr);
}

} // namespace
