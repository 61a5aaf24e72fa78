#include "app/text/command_words.h"

#include "error.h"

#include <gtest/gtest.h>

namespace {

using Words = std::vector<std::string>;

TEST(CommandWords, AreSplitAsAShellDoes)
{
    EXPECT_EQ(app::command_words("python3  train.py\t--n 4"), (Words{"python3", "train.py", "--n", "4"}));
    EXPECT_EQ(app::command_words(R"(sh -c 'a "b" \c' "d \"e\" 'f'" g\ h "")"),
              (Words{"sh", "-c", R"(a "b" \c)", R"(d "e" 'f')", "g h", ""}));
    EXPECT_EQ(app::command_words("  "), Words{});
    EXPECT_EQ(app::command_words("$HOME *"), (Words{"$HOME", "*"})); // nothing is expanded
    EXPECT_THROW(app::command_words("a 'b"), kernels::Error);
}

} // namespace
