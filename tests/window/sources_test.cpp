// The page with what published ladders claim: opened by key and by a lesson's place, read, left, and followed to both stages.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

namespace {

using test::State;
using test::says;

bool shows(const State& state, const std::string& name)
{
    return state.at("widgets").contains(name);
}

class Sources : public test::Views {
protected:
    void open_page(const std::string& stage)
    {
        open({"--show", "stage=" + stage + " page=sources"}, test::recordings_in(test::shipped()));
        program->wait_for("the claims", [](const State& state) { return shows(state, "claims:row:sgemm_cuda_6"); });
        program->wait_settled();
    }
};

TEST_F(Sources, IsAPageOfItsOwnThatEscLeaves)
{
    open_page("vectorized");
    EXPECT_TRUE(shows(program->state(), "picture:claims"));
    expect_hint(program->middle("claims:row:sgemm_cuda_6"), "click for why");
    EXPECT_TRUE(says(program->state().at("command").get<std::string>(), "page=sources"));
    program->press("Escape");
    program->wait_for("the view again", [](const State& state) { return !shows(state, "picture:claims"); });
    program->press("A");
    program->wait_for("the page again", [](const State& state) { return shows(state, "picture:claims"); });
}

// Of a claim and of what became of it the faster one lies to the right.
TEST_F(Sources, LieAlongOneAxis)
{
    open_page("vectorized");
    const State drawn = program->state().at("drawn");
    const auto middle_of = [](const State& mark) {
        return mark.at("rect").at(0).get<double>() + mark.at("rect").at(2).get<double>() / 2;
    };
    const std::string claimed = "claim:claimed:", ours = "claim:ours:";
    int both = 0;
    for (const auto& [name, mark] : drawn.items()) {
        if (!name.starts_with(claimed) || !drawn.contains(ours + name.substr(claimed.size())))
            continue;
        const State& here = drawn.at(ours + name.substr(claimed.size()));
        EXPECT_EQ(mark.at("value").get<double>() < here.at("value").get<double>(), middle_of(mark) < middle_of(here))
            << name;
        ++both;
    }
    EXPECT_GE(both, 10);
}

// A claim that was clicked leads to the two stages that it compares, in the view that says why.
TEST_F(Sources, LeadsToTheStages)
{
    open_page("vectorized");
    program->click("claims:row:sgemm_cuda_8");
    program->wait_for("the claim to be chosen",
                      [](const State& state) { return shows(state, "claims:chosen:sgemm_cuda_8"); });
    program->click("claims:look");
    program->wait_for("both stages", [](const State& state) {
        return state.at("stage") == "padded_b" && state.at("compare") == "vectorized" && state.at("view") == "faster" &&
               !shows(state, "picture:claims");
    });
}

// The row of a stage says how many times as fast as naive it is, by the shipped speeds of both.
TEST_F(Sources, TheLadderSaysHowManyTimesAsFastAsNaive)
{
    open({"--stage", "vectorized", "--view", "banks"}, test::shipped_without_gpu());
    expect_hint(program->middle("stage:vectorized"), "× as fast as naive");
    const State& drawn = program->state().at("drawn");
    EXPECT_GT(drawn.at("gflops:vectorized").at("value").get<double>(),
              drawn.at("gflops:naive").at("value").get<double>());
}

} // namespace
