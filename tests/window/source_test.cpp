// The heading of the source panel.
#include "views.h"

#include <gtest/gtest.h>

namespace {

using namespace test;

class SourcePanel : public Views {};

// If two names together are wider than the panel, each has a part of the width, and they do not overlap.
TEST_F(SourcePanel, TheHeadingsNamesShareItsWidth)
{
    open({"--stage", "thread_tile_2d", "--compare", "thread_tile_2d_registers", "--view", "flow"});
    program->resize({1280, 800});
    program->wait_settled("the narrow window", is("width", 1280), shown("other source"));
    const Rect own = widget("source's name"), other = widget("other source");
    const double whole = other.right() - own.left;
    EXPECT_LE(other.width, 0.75 * whole + 1);
    EXPECT_GT(own.width, 0.15 * whole);
    EXPECT_LT(own.right(), other.left);
    EXPECT_LE(other.right(), 1280);
    program->click("other source");
    program->wait_for("the other's, which is offered no more",
                      [&](const State& state) { return rect_of(state, "other source").width != other.width; });
}

} // namespace
