// The panel with the source: what stands in its heading.
#include "views.h"

#include <gtest/gtest.h>

namespace {

using test::State;

class SourcePanel : public test::Views {};

// Both names keep room where together they are wider than the panel, and neither is drawn over the other.
TEST_F(SourcePanel, TheHeadingsNamesShareItsWidth)
{
    open({"--stage", "thread_tile_2d", "--compare", "thread_tile_2d_registers", "--view", "flow"});
    program->resize({1280, 800});
    program->wait_for("the narrow window", [](const State& state) {
        return state.at("width") == 1280 && state.at("widgets").contains("other source") && state.at("settled");
    });
    const State own = widget("source's name"), other = widget("other source");
    const double whole = test::right_of(other) - own.at(0).get<double>();
    EXPECT_LE(other.at(2).get<double>(), 0.75 * whole + 1);
    EXPECT_GT(own.at(2).get<double>(), 0.15 * whole);
    EXPECT_LT(test::right_of(own), other.at(0).get<double>());
    EXPECT_LE(test::right_of(other), 1280);
    program->click("other source");
    program->wait_for("the other's, which is offered no more", [&](const State& state) {
        return state.at("widgets").at("other source").at(2).get<double>() != other.at(2).get<double>();
    });
}

} // namespace
