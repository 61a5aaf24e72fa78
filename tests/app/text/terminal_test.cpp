// What a terminal would obey does not reach it.
#include "app/text/terminal.h"

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
    EXPECT_EQ(app::harmless("\xc2\xa0\xc2"), "\xc2\xa0\xc2") << "a blank that does not break, and half a character";
    EXPECT_EQ(app::harmless(""), "");
}

} // namespace
