// A patch sets what it names, resets what it omits to defaults, and leaves other parts of the workspace unchanged.
#include "app/workspace/workspace.h"
#include "tests/says.h"

#include "error.h"

#include <gtest/gtest.h>

namespace {

using app::Workspace;

class WorkspaceTest : public testing::Test {
protected:
    std::size_t rung(std::string_view slug) const
    {
        return static_cast<std::size_t>(&kernels::find_stage(ladder_, slug) - ladder_.data());
    }
    int parameter(const Workspace& workspace, std::string_view slug, std::string_view name) const
    {
        const kernels::Stage& stage = ladder_[rung(slug)];
        const auto spec = std::ranges::find(stage.parameters, name, &kernels::ParameterSpec::name);
        return workspace.choice.parameters.at(rung(slug))[static_cast<std::size_t>(spec - stage.parameters.begin())];
    }
    Workspace with(const Workspace& before, std::string_view patch) const
    {
        return app::with(before, app::parse_patch(patch), ladder_);
    }

    const std::vector<kernels::Stage> ladder_ = kernels::make_ladder();
};

// Two tiles each way and eight along K, but at least 128: 2 x 128, 2 x 128 and 8 x 16 for vectorized; 128, 128 and 8 x
// 32 for shared_tile, whose tiles are 32 x 32.
TEST_F(WorkspaceTest, RecordsWholeTilesWhereNoSizeIsChosen)
{
    const auto size = [&](const std::string& text) {
        const Workspace now = with({}, text);
        return app::recorded_problem(now.choice, ladder_, now.choice.columns[0].rung.value());
    };
    using recording::Problem;
    EXPECT_EQ(size("stage=vectorized"), (Problem{.M = 256, .N = 256, .K = 128}));
    EXPECT_EQ(size("stage=vectorized BK=32"), (Problem{.M = 256, .N = 256, .K = 256}));
    EXPECT_EQ(size("stage=shared_tile"), (Problem{.M = 128, .N = 128, .K = 256}));
    EXPECT_EQ(size("stage=vectorized compare=swizzled"), (Problem{.M = 256, .N = 256, .K = 128}));
    EXPECT_EQ(size("stage=shared_tile compare=vectorized beta=2"), (Problem{.M = 256, .N = 512, .K = 256, .beta = 2}))
        << "both stages multiply the same matrices, at the size that is shipped";
    EXPECT_EQ(size("stage=wmma compare=vectorized"), (Problem{.M = 256, .N = 512, .K = 512}));
    EXPECT_EQ(size("stage=vectorized size=64x32x16"), (Problem{.M = 64, .N = 32, .K = 16}));
    EXPECT_EQ(size("stage=vector_add"), (Problem{.N = 1000}));
}

// Only a GPU can run wgmma_tma. Without one its shipped recording is shown, which determines the size.
TEST_F(WorkspaceTest, AStageThatOnlyAGpuRunsDecidesTheSize)
{
    const Workspace alone = with({}, "stage=wgmma_tma"), beside = with({}, "stage=wmma compare=wgmma_tma");
    const auto size = [&](const Workspace& of, std::size_t column) {
        return app::recorded_problem(of.choice, ladder_, of.choice.columns[column].rung.value());
    };
    EXPECT_EQ(size(beside, 0), size(alone, 0));
    EXPECT_EQ(size(beside, 1), size(alone, 0));
}

TEST_F(WorkspaceTest, ShowsWhatAPatchNames)
{
    const Workspace now = with(
        {},
        "stage=vectorized compare=swizzled third=padded_b view=banks size=64x64x32 BK=16 second=BK:16 "
        "lane=5 line=70 c=3,4 block=1,0,0 inputs=small as_written here clock=sectors code=ptx arranged=words alpha=2");
    const app::Choice& choice = now.choice;
    EXPECT_EQ(choice.columns[0].rung, rung("vectorized"));
    EXPECT_EQ(choice.columns[1].rung, rung("swizzled"));
    EXPECT_EQ(choice.columns[2].rung, rung("padded_b"));
    EXPECT_EQ(parameter(now, "vectorized", "BK"), 16);
    EXPECT_EQ(parameter(now, "swizzled", "BK"), 16);
    EXPECT_FALSE(choice.parameters.contains(rung("padded_b")));
    ASSERT_TRUE(choice.sizes.recorded);
    EXPECT_EQ(choice.sizes.recorded->K, 32u);
    EXPECT_EQ(choice.sizes.alpha, 2);
    EXPECT_EQ(choice.inputs, recording::Inputs::small);
    EXPECT_TRUE(choice.as_written);
    EXPECT_TRUE(choice.recorded_here.contains(rung("vectorized")));
    EXPECT_EQ(choice.block, (recording::Index3{1, 0, 0}));
    EXPECT_EQ(now.view, "banks");
    EXPECT_EQ(now.arranged, "words");
    EXPECT_EQ(now.selection.lane, 5u);
    EXPECT_EQ(now.selection.line, 70u);
    EXPECT_EQ(now.selection.c, (std::pair{3u, 4u}));
    EXPECT_EQ(now.clock, viz::ClockUnit::sectors);
    EXPECT_EQ(now.code, app::CodeView::ptx);
}

TEST_F(WorkspaceTest, PutsWhatAPatchLeavesOutAtItsDefault)
{
    Workspace before =
        with({}, "stage=vectorized compare=swizzled third=padded_b tiny lane=5 line=70 c=3,4 page=counters");
    before.selection.other_steps = {3, 4};
    const Workspace now = with(before, "stage=naive view=global");
    EXPECT_EQ(now.choice.columns[0].rung, rung("naive"));
    EXPECT_FALSE(now.choice.comparing());
    EXPECT_FALSE(now.choice.tiny);
    EXPECT_EQ(now.page, app::Page::none);
    EXPECT_EQ(now.selection, viz::Selection{});
    EXPECT_TRUE(now.arranged.empty());
}

TEST_F(WorkspaceTest, KeepsWhatIsNotOfTheStep)
{
    Workspace before = with({}, "stage=vectorized timed=2048 code=ptx clock=steps");
    before.panels.ladder = false;
    const Workspace now = with(before, "stage=naive");
    EXPECT_EQ(now.choice.sizes.timed.M, 2048u);
    EXPECT_EQ(now.code, app::CodeView::ptx);
    EXPECT_EQ(now.clock, viz::ClockUnit::steps);
    EXPECT_FALSE(now.panels.ladder);
}

// The initial state, which is also the state for everything that a patch omits.
TEST_F(WorkspaceTest, BeginsWithTheseDefaults)
{
    kernels::WordWriter all;
    const app::Patch standard;
    fields(all, standard);
    std::string words;
    for (const kernels::WordWriter::Field& field : all.all)
        if (!field.words.empty())
            words += (words.empty() ? "" : " ") + kernels::text_of(field.words);
    EXPECT_EQ(words, "stage=vectorized compare third view=flow page=none arranged file second_file tiny=no size timed "
                     "alpha=1 beta=0 as_written=no here=no warp=0 at op skip=0 lane=0 line=0 block=0,0,0 lesson quiz "
                     "ladder source card ladder_width=0 source_width=0 source_column=0 speeds=no hides_times=no "
                     "space=no");
    Workspace first;
    EXPECT_EQ(first.choice.sizes.timed, (recording::Problem{.M = 4096, .N = 4096, .K = 4096}));
    EXPECT_EQ(first.choice.sizes.recorded_threads, (recording::Problem{.M = 6, .N = 4}));
    EXPECT_EQ(first.choice.sizes.recorded_elements, 1000u);
    EXPECT_EQ(first.choice.sizes.timed_elements, 16'777'216u);
    EXPECT_EQ(first.code, app::CodeView::words);
    EXPECT_FALSE(first.clock);
    EXPECT_FALSE(first.choice.comparing());
    first.choice.show(rung("vectorized"));
    EXPECT_EQ(with({}, ""), first);
    EXPECT_EQ(first.selection.step + first.selection.block + first.selection.warp + first.selection.lane, 0u);
}

// If both columns have the same stage, the second shows it as it was before its parameters were changed.
TEST_F(WorkspaceTest, ComparesAStageWithItselfAsItWas)
{
    const Workspace now = with({}, "stage=vectorized compare=vectorized BK=16 second=BK:8");
    EXPECT_EQ(parameter(now, "vectorized", "BK"), 16);
    ASSERT_TRUE(now.choice.columns[1].parameters);
    EXPECT_NE(*now.choice.columns[1].parameters, now.choice.parameters.at(rung("vectorized")));
}

TEST_F(WorkspaceTest, RefusesWhatCannotBeChosen)
{
    for (const char* patch : {"stage=none", "compare=none", "third=naive", "stage=vectorized BK=3", "size=0", "timed=x",
                              "file=/no/such.gscope threads=x"})
        EXPECT_THROW(with({}, patch), kernels::Error) << patch;
    EXPECT_TRUE(test::says(test::refusal([&] { with({}, "third=naive"); }), "compare="));
}

// A place does not include the open panels.
TEST_F(WorkspaceTest, IsTheSamePlaceWithOtherPanels)
{
    const Workspace one = with({}, "stage=vectorized view=banks lane=3");
    Workspace other = one;
    other.panels.source = false, other.page = app::Page::learn, other.code = app::CodeView::ptx;
    EXPECT_TRUE(other.is_where(one));
    other.selection.lane = 4;
    EXPECT_FALSE(other.is_where(one));
    EXPECT_FALSE(with(one, "stage=vectorized view=global lane=3").is_where(one));
    EXPECT_FALSE(with(one, "stage=vectorized view=banks lane=3 arranged=x").is_where(one));
}

} // namespace
