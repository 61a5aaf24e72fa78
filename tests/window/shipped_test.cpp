// What a person without a GPU sees of the recordings and speeds that gemmscope comes with.
#include "program.h"
#include "tests/paths.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>

namespace {

using test::Program;
using State = Program::State;

TEST(ShippedWindow, WithoutAGpuAShippedRecordingIsShownAsSuch)
{
    const test::Display display{{2200, 1500}};
    const test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_speeds(test::three_speeds);
    Program program(display, {"--stage", "vectorized", "--view", "banks"},
                    {{"GEMMSCOPE_RECORDINGS", folder.path()}, {"GEMMSCOPE_SIZE", ""}, {"CUDA_VISIBLE_DEVICES", "-1"}});
    const std::string words = "recorded on NVIDIA H200, 2026-11-20, shipped with gemmscope";
    EXPECT_TRUE(test::has(program.state(), "origin", words)) << program.state().at("origin");
    EXPECT_EQ(program.state().at("status"), "");
    EXPECT_GT(program.state().at("steps"), 0);

    display.move_pointer(program.window(), program.middle("stage:vectorized"));
    program.wait_for("the shipped speed in the words about the stage", [](const State& state) {
        return test::has(state, "hint",
                         "36,000 GFLOPS, measured on NVIDIA H200, 2026-11-20, shipped with gemmscope, at 4096³");
    });
    display.move_pointer(program.window(), program.middle("sizes"));
    program.wait_for("words that nothing is timed here", [](const State& state) {
        return test::has(state, "hint", "timed on NVIDIA H200, 2026-11-20") && test::has(state, "hint", "no GPU");
    });

    program.click("record here");
    program.wait_for("a recording made here", [](const State& state) {
        return state.at("settled").get<bool>() && test::has(state, "origin", "recorded on the CPU");
    });
    program.click("show shipped");
    program.wait_for("the shipped one again", [&](const State& state) { return test::has(state, "origin", words); });

    program.click("stage:naive");
    program.wait_for("a stage that is not shipped, recorded here", [](const State& state) {
        return state.at("settled").get<bool>() && state.at("stage") == "naive" &&
               test::has(state, "origin", "recorded on the CPU");
    });
    EXPECT_FALSE(program.state().at("widgets").contains("record here"));
}

// Where nobody chose a size, a stage is recorded with two whole tiles each way, which is a grid of four blocks.
TEST(ShippedWindow, AStageOpensWithWholeTiles)
{
    const test::Display display{{1600, 1000}};
    Program program(display, {"--stage", "vectorized", "--view", "tiling"}, test::shipped_without_gpu());
    EXPECT_TRUE(test::has(program.state(), "origin", "256 × 256 × 128")) << program.state().at("origin");
    EXPECT_TRUE(test::has(program.state(), "origin", "block (0,0) of 4")) << program.state().at("origin");
    EXPECT_TRUE(test::has(program.state(), "origin", "shipped with gemmscope")) << program.state().at("origin");
    program.press("Down");
    program.wait_for("the next stage", [](const State& state) {
        return state.at("settled").get<bool>() && state.at("stage") == "vectorized_scalar_loads";
    });
    EXPECT_TRUE(test::has(program.state(), "origin", "of 4")) << program.state().at("origin");
}

TEST(ShippedWindow, ASearchThatIsShippedIsShown)
{
    const test::Display display{{1600, 1000}};
    const test::ShippedFolder folder;
    folder.put_recording("autotuned");
    folder.put_file(test::data("candidates.json"));
    test::Program program(display, {"--stage", "autotuned", "--backend", "cpu"},
                          {{"GEMMSCOPE_RECORDINGS", folder.path()}});
    program.press("S");
    program.wait_for("the page", [](const State& state) { return state.at("widgets").contains("best:BM 128"); });
    EXPECT_TRUE(program.state().at("widgets").contains("best:STAGES 3"));
    EXPECT_FALSE(program.state().at("widgets").contains("best:BM 64")) << "the fastest is not in that row";
    program.press("Escape");
    program.wait_for("its end", [](const State& state) { return !state.at("widgets").contains("search:leave"); });
    program.click("parameters"); // where the button is, for want of room
    program.wait_for("the button", [](const State& state) { return state.at("widgets").contains("search"); });
    program.click("search");
    program.wait_for("the page again", [](const State& state) { return state.at("widgets").contains("search:leave"); });
    program.click("group:Memory");
    program.wait_for("the view", [](const State& state) { return !state.at("widgets").contains("search:leave"); });
}

TEST(ShippedWindow, LessonsBringTheirPagesAndCloseOthers)
{
    const test::Display display{{1600, 1000}};
    Program program(display, {"--lesson", "autotuned"}, test::shipped_without_gpu());
    program.wait_settled();
    program.click("show list");
    program.wait_for("the list", [](const State& state) { return state.at("arranged") == "list=yes"; });
    program.press("n");
    program.wait_for("candidates", [](const State& state) { return state.at("widgets").contains("search:leave"); });
    program.press("N");
    program.wait_for("the roofline without its list", [](const State& state) {
        return !state.at("widgets").contains("search:leave") && state.at("arranged") == "" &&
               state.at("learning").at("step") == 0;
    });
    program.press("h");
    program.wait_for("the courses",
                     [](const State& state) { return state.at("widgets").contains("library:conflicts:swizzled"); });
    program.click("group:Memory");
    program.wait_for("the view",
                     [](const State& state) { return !state.at("widgets").contains("library:conflicts:swizzled"); });
}

TEST(ShippedWindow, SaysHowTheSpeedsWereMeasured)
{
    const test::Display display{{1600, 1000}};
    const test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_speeds(test::three_speeds);
    test::Program program(display, {"--stage", "vectorized", "--backend", "cpu"},
                          {{"GEMMSCOPE_RECORDINGS", folder.path()}});
    EXPECT_FALSE(program.state().at("widgets").contains("questions end"));
    program.press("q");
    program.wait_for("the words, scrolled to", [](const State& state) {
        return state.at("widgets").contains("questions end") && state.at("widgets").contains("questions");
    });
    program.press("q");
    program.wait_for("their end", [](const State& state) { return !state.at("widgets").contains("questions end"); });
}

// One block is selected in all views, also where the launch that is shown is larger than the recording.
TEST(ShippedWindow, APlacementShowsTheBlockOfTheOtherViews)
{
    const test::Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=warp_tile view=placement"}, test::shipped_without_gpu());
    program.wait_for("the launch", [](const State& state) { return state.at("widgets").contains("blocks"); });
    program.press("b");
    program.wait_for("the next block", [](const State& state) { return test::has(state, "origin", "block (1,0)"); });
    program.wait_settled();
    EXPECT_TRUE(test::has(program.state(), "hint", "block (1,0)")) << program.state().at("hint");
}

TEST(ShippedWindow, APlaceNamesTheLaunchWhosePlacementIsShown)
{
    const test::Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=split_k compare=warp_tile view=placement arranged=tall"},
                    test::shipped_without_gpu());
    program.wait_for("few tiles and a long K",
                     [](const State& state) { return state.at("arranged") == "launch=tall"; });
    program.click("large launch");
    program.wait_for("many blocks", [](const State& state) { return state.at("arranged") == "launch=many"; });
}

// A view of two takes the rung below where nothing else is compared; a file beside a rung is something else.
TEST(ShippedWindow, AFileStaysBesideARungInAViewOfTwo)
{
    const test::Display display{{1600, 1000}};
    Program program(
        display,
        {"--show", "stage=vectorized view=faster second_file=" + test::shipped("programs/transpose.gscope").string()},
        test::shipped_without_gpu());
    program.wait_settled();
    EXPECT_TRUE(test::has(program.state(), "command", "transpose.gscope")) << program.state().at("command");
    EXPECT_EQ(program.state().at("compare"), "transpose");
}

// A library's kernel, traced without a word of what it computes, beside a rung: what both have is compared, what is not known
// is not drawn.
TEST(ShippedWindow, ATraceBesideARungShowsNothingThatIsNotKnown)
{
    const test::Display display{{1600, 1000}};
    Program program(display,
                    {"--show", "stage=fastest compare=vectorized view=faster file=" +
                                   test::shipped("programs/cublas_sgemm_512.gscope").string()},
                    test::shipped_without_gpu());
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

// What types cost in accuracy, below the fragments of an mma: a bar for each type, and none of them over the fragments.
TEST(ShippedWindow, ErrorsOfTypesStandBelowTheFragments)
{
    const test::Display display{{1600, 1000}};
    Program program(display, {"--show", "stage=mma_ldmatrix view=registers op=\"matrix multiplication\""},
                    test::shipped_without_gpu());
    program.resize({1600, 900}); // so low that the fragments give way
    program.wait_for("the errors", [](const State& state) {
        return state.at("height") == 900 && state.at("widgets").contains("error of bf16") && state.at("settled");
    });
    const State widgets = program.state().at("widgets");
    double fragments = 0, errors = 1e9;
    for (const auto& [name, box] : widgets.items()) {
        if (name.find(" of lane ") != std::string::npos)
            fragments = std::max(fragments, test::bottom_of(box));
        if (name.starts_with("error of ")) {
            errors = std::min(errors, box.at(1).get<double>());
            EXPECT_LE(test::bottom_of(box), test::bottom_of(widgets.at("view"))) << name;
        }
    }
    EXPECT_GT(fragments, 0);
    EXPECT_LT(fragments, errors);
    EXPECT_GT(widgets.at("error of bf16").at(2).get<double>(), widgets.at("error of fp16").at(2).get<double>());
}

} // namespace
