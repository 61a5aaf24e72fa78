// Consecutive steps of a kernel: values that lanes exchange, subtiles, sums of slices, both sides of a branch. Also
// rooflines of GPUs on which nothing was measured.
#include "views.h"

namespace {

using namespace test;

class Steps : public Views {
protected:
    void show(const std::string& what, std::vector<std::string> more = {})
    {
        more.insert(more.begin(), {"--show", what});
        open(std::move(more), shipped_without_gpu());
        program->wait_settled();
        expect_words_apart(program->state());
    }
    bool says_some(const std::string& beginning) const
    {
        return std::ranges::any_of(program->state().at("words"), [&](const State& one) {
            return one.at("words").get<std::string>().starts_with(beginning);
        });
    }
    bool draws(const std::string& name) const { return program->state().at("drawn").contains(name); }
};

// Lanes 0, 1, 8 and 9 compute C(0..1, 0..1). In step 20 they exchange the elements of A at k = 1: A(0,1) and A(1,1).
TEST_F(Steps, AShuffleOfFourLanesSaysWhoGivesWhatToWhom)
{
    show("stage=warp_shuffle view=registers step=20");
    EXPECT_TRUE(figure_says("lane 9 gets it for C(1,1)")) << program->state().at("words");
    EXPECT_TRUE(figure_says("mask 0xffffffff")) << program->state().at("words");
    EXPECT_TRUE(says_some("lane 1 gives A(0,1) = ")) << program->state().at("words");
}

TEST_F(Steps, SubtilesOfAWarpFillInTheirOrder)
{
    show("stage=warp_tile view=threads at=\"lane.read_b\"");
    std::vector<int> ready;
    for (int i = 0; i < 3; ++i) {
        ready.push_back(0);
        for (int subtile = 1; subtile <= 4; ++subtile)
            ready.back() += drawn("subtile " + std::to_string(subtile)).at("value").get<int>();
        EXPECT_EQ(drawn("subtile 4").at("value"), 0);
        go_to_next_step();
    }
    EXPECT_EQ(ready, (std::vector{1, 2, 3}));
}

TEST_F(Steps, SlicesAreAddedUpToC)
{
    show("stage=split_k view=placement arranged=work");
    double total = 0;
    for (int slice = 0; slice < 4; ++slice) {
        const std::string name = "slice " + std::to_string(slice);
        total += drawn(name + " sum").at("value").get<double>();
        EXPECT_NEAR(drawn(name + " total").at("value").get<double>(), total, 1e-6) << name;
    }
}

// 24 lanes execute one side, and then eight lanes the other. Before and after, all 32 are active.
TEST_F(Steps, BothSidesOfABranchHaveTheirLanes)
{
    show("stage=shared_tile file=programs/divergence.gscope view=hierarchy");
    std::vector<int> lanes;
    for (int step = 0; draws("step " + std::to_string(step) + " lanes"); ++step)
        lanes.push_back(drawn("step " + std::to_string(step) + " lanes").at("value").get<int>());
    EXPECT_EQ(lanes, (std::vector{32, 24, 8, 8, 32, 32}));
    EXPECT_TRUE(figure_says("24 of 32"));
}

TEST_F(Steps, WidthsAreBarsThatAreClicked)
{
    show("stage=vectorized view=patterns arranged=\"lanes=32 stride=1\"");
    EXPECT_EQ(drawn("width:width 4").at("value"), 1);
    EXPECT_EQ(drawn("width:width 16").at("value"), 4);
    program->click(drawn_in("width:width 16").middle());
    program->wait_for("that width", mentions("arranged", "width=16"));
}

// Speeds that were measured on an H200 are not shown under the roofs of another GPU.
TEST_F(Steps, RoofsOfAnotherGpuHaveNoSpeeds)
{
    show("stage=vectorized view=roofline");
    EXPECT_TRUE(draws("takes:vectorized"));
    while (!has(program->state(), "arranged", "RTX 3090")) {
        const std::string before = program->state().at("arranged");
        program->press("o");
        program->wait_for("the next GPU", is_not("arranged", before));
    }
    program->wait_settled();
    EXPECT_FALSE(draws("takes:vectorized"));
    EXPECT_FALSE(draws("shared:vectorized"));
    EXPECT_NEAR(drawn("roof:FP32").at("value").get<double>(), 35600, 50);
    EXPECT_NEAR(drawn("least:arithmetic").at("value").get<double>(), 2.0 * 4096 * 4096 * 4096 / 35.58e12 * 1e3, 0.01);
    EXPECT_NEAR(drawn("least:bytes").at("value").get<double>(), 3.0 * 4 * 4096 * 4096 / 936e9 * 1e3, 0.001);
    expect_words_apart(program->state());
}

} // namespace
