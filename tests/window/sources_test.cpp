// The page of published claims: opened with a key and by a lesson, closed, and left for the compared stages.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

namespace {

using namespace test;

class Sources : public Views {
protected:
    void open_page(const std::string& stage)
    {
        open({"--show", "stage=" + stage + " page=sources"}, recordings_in(test::shipped()));
        program->wait_for("the claims", shown("claims:row:sgemm_cuda_6"));
        program->wait_settled();
    }
};

TEST_F(Sources, IsAPageOfItsOwnThatEscLeaves)
{
    open_page("vectorized");
    EXPECT_TRUE(shows("picture:claims"));
    expect_hint(program->middle("claims:row:sgemm_cuda_6"), "click for why");
    EXPECT_TRUE(says(program->state().at("command").get<std::string>(), "page=sources"));
    program->press("Escape");
    program->wait_for("the view again", gone("picture:claims"));
    program->press("A");
    program->wait_for("the page again", shown("picture:claims"));
}

// A claimed speed and the measured one are on one axis. The faster one is at the right.
TEST_F(Sources, LieAlongOneAxis)
{
    open_page("vectorized");
    const State drawn = program->state().at("drawn");
    const auto middle = [](const State& mark) { return mark.at("rect").get<Rect>().middle().x; };
    const std::string claimed = "claim:claimed:", ours = "claim:ours:";
    int both = 0;
    for (const auto& [name, mark] : drawn.items()) {
        if (!name.starts_with(claimed) || !drawn.contains(ours + name.substr(claimed.size())))
            continue;
        const State& here = drawn.at(ours + name.substr(claimed.size()));
        EXPECT_EQ(mark.at("value").get<double>() < here.at("value").get<double>(), middle(mark) < middle(here)) << name;
        ++both;
    }
    EXPECT_GE(both, 10);
}

// A click on a claim opens the two stages that it compares, in the view that explains their difference.
TEST_F(Sources, LeadsToTheStages)
{
    open_page("vectorized");
    program->click("claims:row:sgemm_cuda_8");
    program->wait_for("the claim to be chosen", shown("claims:chosen:sgemm_cuda_8"));
    program->click("claims:look");
    program->wait_for("both stages", is("stage", "padded_b"), is("compare", "vectorized"), is("view", "faster"),
                      gone("picture:claims"));
}

// The row of a stage shows its speed relative to naive. Both speeds are shipped.
TEST_F(Sources, TheLadderSaysHowManyTimesAsFastAsNaive)
{
    open({"--stage", "vectorized", "--view", "banks"}, shipped_without_gpu());
    expect_hint(program->middle("stage:vectorized"), "× as fast as naive");
    const State& drawn = program->state().at("drawn");
    EXPECT_GT(drawn.at("gflops:vectorized").at("value").get<double>(),
              drawn.at("gflops:naive").at("value").get<double>());
}

} // namespace
