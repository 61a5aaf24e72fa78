// Messages of compilers and the lines that they refer to.
#include "app/panels/source/editor.h"

#include <gtest/gtest.h>

namespace {

TEST(Problems, AreFoundByTheirLines)
{
    const auto gcc = app::problems_in("It does not compile:\nIn file included from wrapper.cpp:4:\n"
                                      "mine.cu:12:5: error: 'nothing' was not declared in this scope\n   12 | x\n"
                                      "mine.cu:20:1: error: expected ';'\n",
                                      "mine.cu");
    ASSERT_EQ(gcc.size(), 2u);
    EXPECT_EQ(gcc[0].line, 12u);
    EXPECT_EQ(gcc[0].words, "'nothing' was not declared in this scope");
    EXPECT_EQ(gcc[1].line, 20u);
    const auto nvrtc = app::problems_in("t.cu(8): error: identifier \"__sync\" is undefined\n", "t.cu");
    ASSERT_EQ(nvrtc.size(), 1u);
    EXPECT_EQ(nvrtc[0].line, 8u);
    const auto ran = app::problems_in("The kernel reads outside of its buffers in line 7, thread (0,0).", "t.cu");
    ASSERT_EQ(ran.size(), 1u);
    EXPECT_EQ(ran[0].line, 7u);
    EXPECT_EQ(app::problems_in("There is no NVRTC.", "t.cu").at(0).line, 0u);
    EXPECT_TRUE(app::problems_in("", "t.cu").empty());
}

} // namespace
