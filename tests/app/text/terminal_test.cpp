// Control sequences do not reach the terminal.
#include "app/text/tell.h"

#include <gtest/gtest.h>

namespace {

TEST(Harmless, LeavesWordsAndTakesOutCommands)
{
    EXPECT_EQ(app::harmless("α = 1 · 3×4\n\tend\r"), "α = 1 · 3×4\n\tend\r");
    EXPECT_EQ(app::harmless("a\x1b[31mb\x7f\b"), "a?[31mb??");
    EXPECT_EQ(app::harmless("a\xc2\x9b"
                            "31mb"),
              "a?31mb")
        << "CSI in two bytes";
    EXPECT_EQ(app::harmless("\xc2\xa0\xc2"), "\xc2\xa0?") << "a no-break space, and half a character";
    EXPECT_EQ(app::harmless(""), "");
}

TEST(Harmless, TakesOutBytesThatAreNoUtf8)
{
    EXPECT_EQ(app::harmless("a\x9b"
                            "31mb\xff"),
              "a?31mb?")
        << "CSI in one byte";
    EXPECT_EQ(app::harmless("\xe0\x80\x9b"), "???") << "an overlong encoding";
    EXPECT_EQ(app::harmless("\xed\xa0\x80"), "???") << "half of a surrogate pair";
    EXPECT_EQ(app::harmless("\xf0\x9f\x98\x80 \xe4\xb8\xad"), "\xf0\x9f\x98\x80 \xe4\xb8\xad");
}

TEST(Harmless, TakesOutWhatTurnsTheTextRound)
{
    EXPECT_EQ(app::harmless("a\u202eb\u2066c\u200fd\u2028e"), "a?b?c?d?e");
}

TEST(WholeCharacters, LeaveOutTheLastWhereItCameInPart)
{
    EXPECT_EQ(app::whole_characters(""), 0u);
    EXPECT_EQ(app::whole_characters("ab"), 2u);
    EXPECT_EQ(app::whole_characters("a\xce\xb1"), 3u);
    EXPECT_EQ(app::whole_characters("a\xce"), 1u);
    EXPECT_EQ(app::whole_characters("a\xe4\xb8"), 1u);
    EXPECT_EQ(app::whole_characters("\xf0\x9f\x98"), 0u);
    EXPECT_EQ(app::whole_characters("\xf0\x9f\x98\x80"), 4u);
    EXPECT_EQ(app::whole_characters("a\xff\x80\x80\x80\x80"), 6u) << "invalid bytes are not the start of a character";
}

} // namespace
