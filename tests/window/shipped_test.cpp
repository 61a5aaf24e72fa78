// Shipped recordings and speeds on a machine without a GPU.
#include "program.h"
#include "tests/paths.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>

namespace {

using namespace test;

TEST(ShippedWindow, WithoutAGpuAShippedRecordingIsShownAsSuch)
{
    const Display display{{2200, 1500}};
    const test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_speeds(test::three_speeds);
    Program program(display, {"--stage", "vectorized", "--view", "banks"},
                    {{"GEMMSCOPE_RECORDINGS", folder.path()}, {"GEMMSCOPE_SIZE", ""}, {"CUDA_VISIBLE_DEVICES", "-1"}});
    const std::string words = "recorded on NVIDIA H200, 2026-11-20, shipped with gemmscope";
    EXPECT_TRUE(has(program.state(), "origin", words)) << program.state().at("origin");
    EXPECT_EQ(program.state().at("status"), "");
    EXPECT_GT(program.state().at("steps"), 0);

    display.move_pointer(program.window(), program.middle("stage:vectorized"));
    program.wait_for(
        "the shipped speed in the words about the stage",
        mentions("hint", "36,000 GFLOPS, measured on NVIDIA H200, 2026-11-20, shipped with gemmscope, at 4096³"));
    display.move_pointer(program.window(), program.middle("sizes"));
    program.wait_for("words that nothing is timed here", mentions("hint", "timed on NVIDIA H200, 2026-11-20"),
                     mentions("hint", "no GPU"));

    program.click("record here");
    program.wait_settled("a recording made here", mentions("origin", "recorded on the CPU"));
    program.click("show shipped");
    program.wait_for("the shipped one again", mentions("origin", words));

    program.click("stage:naive");
    program.wait_settled("a stage that is not shipped, recorded here", is("stage", "naive"),
                         mentions("origin", "recorded on the CPU"));
    EXPECT_FALSE(program.shows("record here"));
}

// Unless the user sets a size, a stage is recorded with two whole tiles along each side, a grid of four blocks.
TEST(ShippedWindow, AStageOpensWithWholeTiles)
{
    const Display display{{1600, 1000}};
    Program program(display, {"--stage", "vectorized", "--view", "tiling"}, shipped_without_gpu());
    EXPECT_TRUE(has(program.state(), "origin", "256 × 256 × 128")) << program.state().at("origin");
    EXPECT_TRUE(has(program.state(), "origin", "block (0,0) of 4")) << program.state().at("origin");
    EXPECT_TRUE(has(program.state(), "origin", "shipped with gemmscope")) << program.state().at("origin");
    program.press("Down");
    program.wait_settled("the next stage", is("stage", "vectorized_scalar_loads"));
    EXPECT_TRUE(has(program.state(), "origin", "of 4")) << program.state().at("origin");
}

TEST(ShippedWindow, ASearchThatIsShippedIsShown)
{
    const Display display{{1600, 1000}};
    const test::ShippedFolder folder;
    folder.put_recording("autotuned");
    folder.put_file(test::data("candidates.json"));
    Program program(display, {"--stage", "autotuned", "--backend", "cpu"}, {{"GEMMSCOPE_RECORDINGS", folder.path()}});
    program.press("S");
    program.wait_for("the page", shown("best:BM 128"));
    EXPECT_TRUE(program.shows("best:STAGES 3"));
    EXPECT_FALSE(program.shows("best:BM 64")) << "the fastest is not in that row";
    program.press("Escape");
    program.wait_for("its end", gone("search:leave"));
    program.click("parameters"); // in a small window it contains the button
    program.wait_for("the button", shown("search"));
    program.click("search");
    program.wait_for("the page again", shown("search:leave"));
    program.click("group:Memory");
    program.wait_for("the view", gone("search:leave"));
}

TEST(ShippedWindow, LessonsBringTheirPagesAndCloseOthers)
{
    const Display display{{1600, 1000}};
    Program program(display, {"--lesson", "autotuned"}, shipped_without_gpu());
    program.wait_settled();
    program.click("show list");
    program.wait_for("the list", is("arranged", "list=yes"));
    program.press("n");
    program.wait_for("candidates", shown("search:leave"));
    program.press("N");
    program.wait_for("the roofline without its list", gone("search:leave"), is("arranged", ""),
                     is("learning", "step", 0));
    program.press("h");
    program.wait_for("the courses", shown("library:conflicts:swizzled"));
    program.click("group:Memory");
    program.wait_for("the view", gone("library:conflicts:swizzled"));
}

TEST(ShippedWindow, SaysHowTheSpeedsWereMeasured)
{
    const Display display{{1600, 1000}};
    const test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_speeds(test::three_speeds);
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"}, {{"GEMMSCOPE_RECORDINGS", folder.path()}});
    EXPECT_FALSE(program.shows("questions end"));
    program.press("q");
    program.wait_for("the words, scrolled to", shown("questions end", "questions"));
    program.press("q");
    program.wait_for("their end", gone("questions end"));
}

// All views have the same selected block, even if the visible launch is larger than the recording.
TEST(ShippedWindow, APlacementShowsTheBlockOfTheOtherViews)
{
    const Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=warp_tile view=placement"}, shipped_without_gpu());
    program.wait_for("the launch", shown("blocks"));
    program.press("b");
    program.wait_for("the next block, there too", mentions("origin", "block (1,0)"), mentions("hint", "block (1,0)"));
}

TEST(ShippedWindow, APlaceNamesTheLaunchWhosePlacementIsShown)
{
    const Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=split_k compare=warp_tile view=placement arranged=tall"},
                    shipped_without_gpu());
    program.wait_for("few tiles and a long K", is("arranged", "launch=tall"));
    program.click("large launch");
    program.wait_for("many blocks", is("arranged", "launch=many"));
}

// A view of two stages compares with the stage below by default. A file beside a stage stays the second one.
TEST(ShippedWindow, AFileStaysBesideARungInAViewOfTwo)
{
    const Display display{{1600, 1000}};
    Program program(
        display,
        {"--show", "stage=vectorized view=faster second_file=" + test::shipped("programs/transpose.gscope").string()},
        shipped_without_gpu());
    program.wait_settled();
    EXPECT_TRUE(has(program.state(), "command", "transpose.gscope")) << program.state().at("command");
    EXPECT_EQ(program.state().at("compare"), "transpose");
}

// A stage beside a library's kernel, whose trace does not say what it computes. Only figures that both have are
// compared. Unknown ones are not drawn.
TEST(ShippedWindow, ATraceBesideARungShowsNothingThatIsNotKnown)
{
    const Display display{{1600, 1000}};
    Program program(display,
                    {"--show", "stage=fastest compare=vectorized view=faster file=" +
                                   test::shipped("programs/cublas_sgemm_512.gscope").string()},
                    shipped_without_gpu());
    program.wait_settled();
    const State state = program.state();
    const State& widgets = state.at("widgets");
    for (const char* ratio : {"wavefronts per shared access", "sectors per global request", "blocks per SM"})
        EXPECT_TRUE(widgets.contains(std::string("bar:") + ratio + " 0")) << ratio;
    for (const auto& [name, box] : widgets.items()) {
        EXPECT_FALSE(name.starts_with("work:")) << name << ": per how many multiplications?";
        EXPECT_FALSE(name.starts_with("bar:GFLOPS")) << "one speed has nothing to be compared with";
    }
    EXPECT_FALSE(widgets.contains("changes")) << "its machine code and a source have no lines in common";
}

// The error of each type is below the fragments of an mma, as bars that do not overlap the fragments.
TEST(ShippedWindow, ErrorsOfTypesStandBelowTheFragments)
{
    const Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=mma_ldmatrix view=registers op=\"matrix multiplication\""},
                    shipped_without_gpu());
    program.resize({1600, 900}); // so low that fragments are smaller
    program.wait_settled("the errors", is("height", 900), shown("error of bf16"));
    const State widgets = program.state().at("widgets");
    double fragments = 0, errors = 1e9;
    for (const auto& [name, place] : widgets.items()) {
        const Rect box = place;
        if (name.find(" of lane ") != std::string::npos)
            fragments = std::max(fragments, box.bottom());
        if (name.starts_with("error of ")) {
            errors = std::min(errors, box.top);
            EXPECT_LE(box.bottom(), program.widget("view").bottom()) << name;
        }
    }
    EXPECT_GT(fragments, 0);
    EXPECT_LT(fragments, errors);
    EXPECT_GT(program.widget("error of bf16").width, program.widget("error of fp16").width);
}

} // namespace
