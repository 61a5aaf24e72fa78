// The views that show more than the compared stages: roofline, placement and GPU.
#include "tests/placed_launch.h"
#include "tests/says.h"
#include "views.h"

#include "recording/file.h"
#include "temporary_folder.h"
#include "viz/draw/draw.h"
#include "viz/theme.h"
#include "viz/views/08_placement/facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace {

using namespace test;

class LadderViews : public Views {
protected:
    void open(std::vector<std::string> arguments) { Views::open(std::move(arguments), recordings_in(folder)); }
    Point middle(const std::string& name) const { return program->middle(name); }

    const kernels::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary.path();
};

// Made-up speeds are powers of ten and of two, so that distances in the plot are known.
constexpr const char* speeds = R"({"format": 1, "device": "NVIDIA H200", "toolkit": "NVRTC 13.0", "date": "2026-11-20",
 "peak_gflops": 66000, "rows": [
 {"stage": "naive", "size": "4096", "ok": true, "parameters": {}, "median_ms": 1, "gflops": 1000, "of_cublas": 0.1},
 {"stage": "shared_tile", "size": "4096", "ok": true, "parameters": {}, "median_ms": 1, "gflops": 10000,
  "of_cublas": 0.2},
 {"stage": "cublas_sgemm", "size": "4096", "ok": true, "median_ms": 1, "gflops": 50000, "of_cublas": null}],
 "by_size": [
 {"stage": "naive", "size": "1024", "ok": true, "parameters": {}, "median_ms": 1, "gflops": 900, "of_cublas": 0.1},
 {"stage": "shared_tile", "size": "1024", "ok": true, "parameters": {}, "median_ms": 1, "gflops": 5000,
  "of_cublas": 0.2}]})";

TEST_F(LadderViews, RooflinePlacesStagesAndChoosesThem)
{
    std::ofstream(folder / "speeds.json") << speeds;
    open({"--stage", "naive", "--compare", "shared_tile", "--view", "roofline"});
    program->wait_for("both points", shown("point:naive", "point:shared_tile"));
    const Rect chart = widget("chart:roofline");
    EXPECT_EQ(program->pixel(middle("point:shared_tile")), rgb(theme.accent(1)));
    EXPECT_LT(middle("point:shared_tile").y, middle("point:naive").y);
    // By formula, naive has 0.25 FLOP per byte; as recorded, it has less than a quarter of that. A ring at the height
    // of its point is at the former.
    EXPECT_NEAR(middle("formula:naive").y, middle("point:naive").y, 2);
    EXPECT_GT(middle("formula:naive").x, middle("point:naive").x + 20);
    // A decade has the same height everywhere: from 1,000 to 10,000, and from there to the arrow. The recorded
    // intensities are 0.0606 (33 sectors per 64 operations) and 8 FLOP per byte, slightly less because of C.
    const double octaves = std::log2(2.0 * 128 / (8.0 * 128 / 32 + 4) / (2.0 * 128 / (33.0 * 128 + 32)));
    EXPECT_GT(octaves, 6);
    const double octave = (middle("once:naive").x - middle("point:naive").x) / std::log2(682.67 / (2.0 / 33));
    EXPECT_NEAR(middle("point:shared_tile").x - middle("point:naive").x, std::log2(8 / (2.0 / 33)) * octave, 12);
    expect_hint(middle("point:naive"), "naive: 0.06 FLOP per byte, 1,000 GFLOPS at 4096³");

    program->click("point:shared_tile");
    program->wait_for("the stage clicked in the plot", is("stage", "shared_tile"));
    program->wait_settled();
    program->click("show list");
    program->wait_for("the list", shown("row:coalesced"));
    program->click("row:coalesced");
    program->wait_for("the stage clicked in the list", is("stage", "coalesced"));
    EXPECT_GT(chart.width, 300);
}

TEST_F(LadderViews, RooflineShowsSpeedsOverSize)
{
    std::ofstream(folder / "speeds.json") << speeds;
    open({"--stage", "shared_tile", "--view", "roofline"});
    program->press("g");
    program->wait_for("the curves", shown("speed:shared_tile"));
    const Rect chart = widget("chart:speeds");
    const double bottom = chart.bottom();
    const double library = bottom - middle("speed:cublas_sgemm").y, own = bottom - middle("speed:shared_tile").y;
    EXPECT_NEAR(library / own, 5, 0.15) << "linear upwards";
    EXPECT_EQ(program->pixel(middle("speed:shared_tile")), rgb(theme.accent()));
    EXPECT_TRUE(figure_says("shared_tile")) << "the chosen curve";
    EXPECT_FALSE(figure_says("naive")) << "one among many";
    expect_words_apart(program->state());
    expect_hint(middle("speed:cublas_sgemm"), "cublas_sgemm");
    program->press("g");
    program->wait_for("the shapes, of which there are none", gone("chart:speeds"));
    program->press("g");
    program->wait_for("shapes at random, of which there are none", is("arranged", "chart=random"));
    program->press("g");
    program->wait_for("what memory moves, of which nothing was counted", is("arranged", "chart=traffic"));
    program->press("g");
    program->wait_for("the roofline", shown("chart:roofline"));
}

TEST_F(LadderViews, RooflineShowsWhenSplittingPays)
{
    const std::string tile = R"("BM": 128, "BN": 128, "BK": 16, "WM": 64, "WN": 64, "WNITER": 4, "TM": 8, "TN": 4)";
    const auto row = [&](const char* stage, const char* size, const std::string& more, int gflops) {
        return R"({"stage": ")" + std::string(stage) + R"(", "size": ")" + size + R"(", "ok": true, "parameters": {)" +
               tile + more + R"(}, "median_ms": 1, "of_cublas": null, "gflops": )" + std::to_string(gflops) + "}";
    };
    const std::string split = R"(, "SPLIT": 8)";
    std::ofstream(folder / "shapes.json")
        << R"({"format": 1, "device": "NVIDIA H200", "date": "2026-11-20", "rows": [)"
        << row("warp_tile", "256x256x4096", "", 100) + "," + row("warp_tile", "1024x1024x256", "", 10000) + ","
        << row("split_k", "256x256x4096", split, 1000) + "," + row("split_k", "1024x1024x256", split, 10000) << "]}";
    open({"--stage", "split_k", "--view", "roofline"});
    program->click("show shapes");
    program->wait_for("the shapes", shown("shape:warp_tile 0"));
    const Point whole = middle("shape:warp_tile 0"), split_up = middle("shape:split_k, 8 slices 0");
    const Point flat = middle("shape:warp_tile 1");
    EXPECT_EQ(whole.x, split_up.x);
    EXPECT_NEAR(flat.y - split_up.y, split_up.y - whole.y, 3) << "a decade each";
    EXPECT_EQ(middle("shape:split_k, 8 slices 1").y, flat.y);
    EXPECT_EQ(program->pixel(split_up), rgb(theme.accent()));
    expect_hint(whole, "warp_tile at 256 × 256 × 4096: 100 GFLOPS, 4 blocks");
    expect_hint(split_up, "split_k, 8 slices at 256 × 256 × 4096: 1,000 GFLOPS, 32 blocks");
}

TEST_F(LadderViews, FasterNamesWhatCublasLaunches)
{
    std::ofstream(folder / "library.json")
        << R"({"format": 1, "device": "NVIDIA H200", "date": "2026-11-20", "compute_capability": 90, "sm_count": 132,
        "rows": [{"stage": "cublas_sgemm", "size": "4096", "kernels": [{"name": "ampere_sgemm_128x64_nn",
        "grid": [32, 64, 1], "block": [256, 1, 1], "cluster": [1, 1, 1], "registers_per_thread": 122,
        "shared_bytes_per_block": 16384, "local_bytes_per_thread": 0, "time_ns": 1500.0}]}]})";
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    program->click("show library");
    program->wait_for("the bars", shown("library:waves"));
    expect_words_apart(program->state());
    EXPECT_FALSE(shows("library:blocks per cluster")) << "none asks for clusters";
    EXPECT_LT(middle("library:tile of C per block").y, middle("library:waves").y);

    std::filesystem::remove(folder / "library.json");
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    program->wait_for("the comparison", shown("bar:loads 0"));
    program->press("l");
    program->wait_for("nothing of cuBLAS", gone("bar:loads 0"), shown("show library"));
    EXPECT_FALSE(shows("library:blocks"));
}

TEST_F(LadderViews, PlacementSaysWhatTheCpuCannotKnow)
{
    open({"--stage", "naive", "--view", "placement"});
    EXPECT_FALSE(shows("SMs"));
}

// Four SMs with one slot each. A block takes 10 us, and block 5 takes 20 us, so its SM is busy longest.
TEST_F(LadderViews, PlacementDrawsBlocksAsLongAsTheyTook)
{
    const test::Scheduler scheduler{
        .sms = 4, .slots = 1, .duration = [](uint32_t block) { return uint64_t{block == 5 ? 20000u : 10000u}; }};
    recording::Recording launch = test::placed_launch("naive", 64 + 32, scheduler); // grid of 3 x 3 blocks
    std::filesystem::create_directories(folder / "launches");
    recording::write(launch, folder / "launches" / "naive.gscope");
    open({"--stage", "naive", "--view", "placement"});
    program->wait_for("the blocks", shown("block selected"));
    // Block 0 runs on SM 0 from 0 to 10 us of 30 us.
    const Rect all = widget("SMs"), first = widget("block selected");
    EXPECT_NEAR(first.width / all.width, 1 / 3.0, 0.02);
    const auto at = [&](double share, int row) { return all.at(share, (row + 0.25) / 4); };
    EXPECT_EQ(program->pixel(at(0.9, 0)), rgb(viz::category_colour(theme, 2))) << "block 8, the third on SM 0";
    EXPECT_EQ(program->pixel(at(0.45, 1)), rgb(viz::category_colour(theme, 1)));
    EXPECT_EQ(program->pixel(at(0.95, 1)), rgb(viz::category_colour(theme, 1))) << "block 5 is twice as long";
    EXPECT_EQ(program->pixel(at(0.9, 2)), rgb(viz::idle_colour(theme))) << "SM 2 is empty";
    expect_words_apart(program->state());
    expect_hint(at(0.95, 1), "number 5, on SM 1: wave 2, 10 µs to 30 µs, 20 µs long");
    program->click(at(0.95, 1));
    program->wait_for("the block that was clicked", shown("block selected"), [&](const State& state) {
        return std::abs(rect_of(state, "block selected").width / all.width - 2 / 3.0) < 0.02;
    });
    program->press("k"); // the SM above
    program->wait_for("SM 0 again",
                      [&](const State& state) { return rect_of(state, "block selected").top < first.top + 3; });
}

// A click sets the time at which C is shown. Each block is waiting, running or done. The tail is as long as its
// duration.
TEST_F(LadderViews, PlacementFillsCAsTimePasses)
{
    const test::Scheduler scheduler{
        .sms = 4, .slots = 1, .duration = [](uint32_t block) { return uint64_t{block == 5 ? 20000u : 10000u}; }};
    std::filesystem::create_directories(folder / "launches");
    recording::write(test::placed_launch("naive", 64 + 32, scheduler), folder / "launches" / "naive.gscope");
    open({"--stage", "naive", "--view", "placement"});
    program->wait_for("the blocks", shown("blocks"));
    const Rect all = widget("SMs"), blocks = widget("blocks");
    // SM 2 and SM 3 are idle from 20 to 30 us, when all blocks have started.
    EXPECT_NEAR(widget("tail").width / all.width, 1 / 3.0, 0.02);
    EXPECT_EQ(program->pixel(program->middle("tail")), rgb(theme.ink)) << "amber is time without a block";
    EXPECT_TRUE(says(program->state().at("words").dump(), "no block")) << "the legend explains amber";
    EXPECT_TRUE(shows("large launch")) << "a single launch has its name, too";
    const auto colour = [&](int cell) {
        const double place = (cell + 0.5) / 3;
        return program->pixel(blocks.at(place, place));
    };
    const auto point_at = [&](double share) {
        display.move_pointer(program->window(), {all.at(share, 0).x, all.inside().y});
    };
    const auto click_at = [&](double share) {
        point_at(share);
        display.button(true);
        display.button(false);
    };
    const Rect before = widget("sweep");
    point_at(0.1);
    program->wait_for("words about the block",
                      [](const State& state) { return !state.at("tip").get<std::string>().empty(); });
    EXPECT_EQ(widget("sweep"), before) << "pointing moves no time";
    click_at(0.1);
    program->wait_for("block 0 running", [&](const State&) { return colour(0) == rgb(theme.accent()); });
    EXPECT_EQ(colour(2), rgb(theme.panel)) << "block 8 waits";
    click_at(0.95);
    program->wait_for("block 8 running", [&](const State&) { return colour(2) == rgb(theme.accent()); });
    EXPECT_EQ(colour(0), rgb(viz::mix(theme.panel, theme.accent(), 0.4f))) << "block 0 is done";
    expect_hint(all.at(0.95, 0.625), "SM 2 has no block from 20 µs to 30 µs; it runs 2 blocks in all");
}

// Two launches of the same problem race on one clock. Each ends at its own time. The slower one shows how much slower
// it is.
TEST_F(LadderViews, PlacementRacesTwoLaunches)
{
    const auto launch = [](const char* slug, uint64_t (*duration)(uint32_t)) {
        return test::placed_launch(slug, 96, {.sms = 4, .slots = 1, .duration = duration});
    };
    const recording::Recording slow = launch("naive", [](uint32_t) { return uint64_t{25000}; });
    const recording::Recording quick = launch("coalesced", [](uint32_t) { return uint64_t{10000}; });
    std::filesystem::create_directories(folder / "launches");
    recording::write(slow, folder / "launches" / "naive.gscope");
    recording::write(quick, folder / "launches" / "coalesced.gscope");
    open({"--stage", "naive", "--compare", "coalesced", "--view", "placement"});
    program->wait_for("both", shown("finish 1"));
    const auto ends = [](const recording::Recording& one) {
        return std::ranges::max(one.placements, {}, &recording::Placement::end_ns).end_ns;
    };
    expect_words_apart(program->state());
    const Rect all = widget("SMs");
    const double first = widget("finish 0").left, second = widget("finish 1").left;
    EXPECT_NEAR((second - all.left) / (first - all.left), double(ends(quick)) / double(ends(slow)), 0.01);
    const auto at = [&](double share) { return Point{all.at(share, 0).x, all.inside().y}; };
    const auto says = [](const std::string& words) {
        return [words](const State& state) { return state.at("widgets").dump().find(words) != std::string::npos; };
    };
    display.move_pointer(program->window(), at(0.5)); // 37.5 of 75 us; the faster launch ended at 30 us
    display.button(true);
    display.button(false);
    program->wait_for("who has won", says("headline:done after 30 µs, 45 µs sooner"));
    program->wait_for("how far the other is", says("headline:44.4% done"));
    program->press("p"); // starts the clock
    display.move_pointer(program->window(), {5, 5});
    program->wait_for("the finish of the slow one", says("headline:done after 75 µs, 2.50 times as long"));

    recording::write(test::placed_launch("coalesced", 128), folder / "launches" / "coalesced.gscope");
    open({"--stage", "naive", "--compare", "coalesced", "--view", "placement"});
    program->wait_for("why they do not race", says("launches of other sizes do not race"));
    EXPECT_FALSE(shows("finish 0"));
}

// A launch that recorded accesses does not have the kernel's times. Only the map of the blocks is shown.
TEST_F(LadderViews, PlacementWithoutTimesShowsWhichSmHadWhichBlock)
{
    recording::Recording launch = test::placed_launch("naive", 256);
    launch.placed.reset();
    recording::write(launch, folder / "untimed.gscope");
    open({"--show", "file=" + (folder / "untimed.gscope").string() + " view=placement"});
    program->wait_for("the map", shown("blocks"));
    EXPECT_FALSE(shows("SMs")) << "rows over time";
    const Rect map = widget("blocks");
    const recording::Index3 grid = launch.launch.grid;
    const auto corner = [&](uint32_t block) { // beside the block's number
        return map.at((block % grid.x + 0.1) / grid.x, (block / grid.x + 0.1) / grid.y);
    };
    for (const uint32_t block : {1u, 2u, grid.x + 1})
        EXPECT_EQ(program->pixel(corner(block)), rgb(viz::category_colour(theme, launch.placements[block].sm)))
            << block;
    expect_hint(corner(2), "number 2, on SM " + std::to_string(launch.placements[2].sm));
}

// With 132 SMs of two slots each, rows are too thin for text. The wheel zooms the time axis.
TEST_F(LadderViews, PlacementOfThousandsOfBlocks)
{
    std::filesystem::create_directories(folder / "launches");
    recording::write(test::placed_launch("naive", 2048), folder / "launches" / "naive.gscope");
    open({"--stage", "naive", "--view", "placement"});
    program->wait_for("the blocks", shown("block selected"));
    const Rect all = widget("SMs");
    // A block takes 30 to 39 us of about 560 us. The first wave ends by 5 %, and the second one runs from 7 % to 10 %.
    const double slot = (66 + 0.25) / 132; // the upper slot of SM 66
    EXPECT_EQ(program->pixel(all.at(0.03, slot)), rgb(viz::category_colour(theme, 0)));
    EXPECT_EQ(program->pixel(all.at(0.085, slot)), rgb(viz::category_colour(theme, 1)));
    expect_hint(all.at(0.03, 0.999), "on SM 131: wave 1, 0 ns to");
    const double before = widget("block selected").width;
    program->press("plus");
    program->press("Home"); // any key that draws a frame
    program->wait_for("the middle of the time, without the first block", gone("block selected"));
    program->press("0");
    program->wait_for("all of the time", shown("block selected"), [&](const State& state) {
        return std::abs(rect_of(state, "block selected").width - before) < 1;
    });
}

// A click on a library's row opens the recording of its kernel, which was traced on another machine.
TEST_F(LadderViews, ALibrarysRowOpensTheKernelThatWasTraced)
{
    std::filesystem::create_directories(folder / "programs");
    recording::write(test::placed_launch("naive", 96), folder / "programs" / "cublas_sgemm_512.gscope");
    open({"--stage", "vectorized", "--view", "placement"});
    program->resize({1600, 1200}); // makes all rows visible
    program->wait_for("the libraries", shown("baseline:cublas_sgemm"));
    program->click("baseline:cublas_tf32"); // has no recording
    EXPECT_EQ(program->state().at("stage"), "vectorized");
    program->click("baseline:cublas_sgemm");
    program->wait_for("what is in the file", is("stage", "naive"));
}

TEST_F(LadderViews, AnotherProgramsKernelsHaveAPage)
{
    open({"--stage", "vectorized", "--view", "placement"});
    EXPECT_FALSE(shows("programs:command"));
    program->press("P");
    program->wait_for("the page", shown("programs:command"));
    program->press("Escape");
    program->wait_for("the view", gone("programs:command"));
}

// A launch of few blocks leaves most SMs idle. If such a launch is shipped, the view offers it beside the large one.
TEST_F(LadderViews, PlacementOffersTheTallLaunch)
{
    std::filesystem::create_directories(folder / "launches");
    recording::write(test::placed_launch("naive", 2048), folder / "launches" / "naive.gscope");
    recording::write(test::placed_launch("naive", 64), folder / "launches" / "naive-tall.gscope"); // 2 x 2 blocks
    open({"--stage", "naive", "--view", "placement"});
    program->wait_for("the launches", shown("tall launch"));
    const double many = widget("block selected").width;
    program->click("tall launch");
    program->wait_for("one wave, as long as its blocks", shown("block selected"),
                      [&](const State& state) { return rect_of(state, "block selected").width > 5 * many; });
    program->press("v");
    program->wait_for("the launch of many blocks again", shown("block selected"),
                      [&](const State& state) { return std::abs(rect_of(state, "block selected").width - many) < 1; });
}

// Six SMs in two groups. L2 is half as large as three matrices of 1024 x 1024.
constexpr const char* gpu = R"({"format": 1,
 "gpu": {"name": "NVIDIA H200", "toolkit": "NVRTC 13.0", "compute_capability": 90, "sm_count": 6, "clock_khz": 1000000,
  "memory_clock_khz": 3201000, "memory_bus_bits": 6016, "memory_bytes": 150000000000, "l2_bytes": 6291456,
  "registers_per_sm": 65536, "shared_bytes_per_sm": 233472, "shared_bytes_per_block": 232448, "threads_per_sm": 2048,
  "blocks_per_sm": 32, "fp32_gflops": 66908},
 "measured": {"name": "NVIDIA H200", "toolkit": "NVRTC 13.0", "measured_at": "2026-11-20T10:00:00Z",
  "latency": [{"bytes": 4096, "ns": 20, "cycles": 40}, {"bytes": 1048576, "ns": 100, "cycles": 200}],
  "shared_latency": {"bytes": 4096, "ns": 12, "cycles": 23}, "bandwidth": [], "l1_bandwidth": null,
  "shared_bandwidth": null, "peaks": [], "group_of_sm": [0, 0, 0, 1, 1, 1]}})";

// Bars on one time scale: each stage's time, and that of the arithmetic alone.
TEST_F(LadderViews, RooflineHasTheLeastTimeBesideTheTimeTaken)
{
    std::ofstream(folder / "gpu.json") << gpu;
    std::ofstream(folder / "speeds.json") << speeds;
    open({"--stage", "naive", "--compare", "shared_tile", "--view", "roofline"});
    program->wait_for("the bars", shown("takes:shared_tile"));
    const auto length = [&](const char* name) { return widget(name).width; };
    EXPECT_NEAR(length("takes:naive"), 10 * length("takes:shared_tile"), 5) << "1,000 and 10,000 GFLOPS";
    EXPECT_LT(length("least:arithmetic"), length("takes:shared_tile") / 2) << "of 66,908";
}

TEST_F(LadderViews, TheGpuShowsItsGroupsLevelsAndTheStagesData)
{
    std::ofstream(folder / "gpu.json") << gpu;
    std::ofstream(folder / "speeds.json") << R"({"format": 1, "device": "NVIDIA H200", "toolkit": "NVRTC 13.0",
 "date": "2026-11-20", "peak_gflops": 66000, "rows": [{"stage": "naive", "size": "1024", "ok": true, "parameters": {},
 "median_ms": 1, "gflops": 1000, "of_cublas": 0.1}]})";
    open({"--stage", "naive", "--view", "gpu"});
    program->wait_for("the levels", shown("level:L2"));
    const auto corner = [&](const char* name) { return widget(name).inside(2, 2); };
    EXPECT_EQ(program->pixel(corner("group:0")), rgb(viz::mix(theme.panel, theme.ink, 0.42f)));
    EXPECT_EQ(program->pixel(corner("group:1")), rgb(viz::mix(theme.panel, theme.ink, 0.3f)));
    EXPECT_EQ(program->pixel(middle("ridge")), rgb(theme.accent()));
    expect_words_apart(program->state());
    expect_hint(corner("group:1"), "SM 3 ran clusters together with 2 others");
    // A, B and C have 4 MiB each, so their bars have the same length.
    EXPECT_NEAR(widget("share:A").width, widget("share:C").width, 2);
    EXPECT_NEAR(widget("share:A").width * 3, widget("level:L2").width, 12);
    // 40 and 200 cycles on a linear axis. 0 is at the bottom of the plot.
    expect_hint(middle("latency:1048576"), "200 cycles, 100.0 ns a load");
    EXPECT_LT(middle("latency:1048576").y, middle("latency:4096").y);
    EXPECT_EQ(program->pixel(middle("latency:4096")), rgb(theme.accent()));
    EXPECT_FALSE(shows("measure")) << "there is no GPU to be measured";
    // The calculator first has this GPU's values (6 SMs x 128 x 2 x 1 GHz), and then another GPU's.
    const auto says = [](const std::string& headline) { return shown("headline:" + headline); };
    program->wait_for("this GPU's factors", says("peak 1.54 TFLOPS at 1,000 MHz, 4.81 TB/s: ridge 0.32 FLOP per byte"));
    // The capacity of L2 ends within B. If the calculator has another GPU, the levels name the GPU that they belong to.
    const Rect end = widget("room ends:L2"), b = widget("share:B");
    EXPECT_GT(end.left, b.left);
    EXPECT_LT(end.left, b.right());
    const std::string levels = ": size, latency, measured bandwidth";
    EXPECT_TRUE(figure_says("NVIDIA H200" + levels));
    program->press("g");
    program->wait_for("another GPU's", says("peak 66.9 TFLOPS at 1,980 MHz, 3.35 TB/s: ridge 20.0 FLOP per byte"));
    EXPECT_TRUE(figure_says("NVIDIA H200, not H100 SXM" + levels)) << "the GPU of the levels is named";
    expect_words_apart(program->state());
}

// The table has a row for each number of instructions and a column for each array size. A cell without a measurement is
// empty.
TEST_F(LadderViews, TheGpuShowsWhatInstructionsCostThatWaitForEachOther)
{
    std::string measured = gpu;
    measured.replace(measured.find("\"peaks\": []"), 11, R"("peaks": [], "chains": [
  {"bytes": 65536, "instructions": 1, "ns": 16, "cycles": 32}, {"bytes": 65536, "instructions": 2, "ns": 32, "cycles": 64},
  {"bytes": 65536, "instructions": 3, "ns": 36, "cycles": 72}, {"bytes": 65536, "instructions": 4, "ns": 37, "cycles": 74},
  {"bytes": 65536, "instructions": 3, "ns": 24, "cycles": 48, "at_once": true},
  {"bytes": 536870912, "instructions": 1, "ns": 340, "cycles": 670}])");
    std::ofstream(folder / "gpu.json") << measured;
    open({"--stage", "naive", "--view", "gpu"});
    program->wait_for("the table", shown("chain:65536:4"));
    EXPECT_EQ(middle("chain:65536:1").x, middle("chain:65536:4").x);
    EXPECT_EQ(middle("chain:65536:1").y, middle("chain:536870912:1").y);
    EXPECT_GT(middle("chain:536870912:1").x, middle("chain:65536:1").x);
    expect_words_apart(program->state());
    expect_hint(middle("chain:65536:4"), "load, load, add, store, walking over 64 KiB: 74 cycles, 37.0 ns");
    EXPECT_GT(middle("chain:65536:3:at_once").y, middle("chain:65536:4").y);
    expect_hint(middle("chain:65536:3:at_once"), "the add waiting for both loads");
}

} // namespace
