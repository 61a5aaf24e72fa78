// The views that show more than the two stages chosen: roofline, placement, the GPU.
#include "program.h"

#include "viz/theme.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace {

using test::Program;
using State = Program::State;

class LadderViews : public testing::Test {
protected:
    LadderViews()
    {
        std::string name = (std::filesystem::temp_directory_path() / "gemmscope-ladder-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no folder " + name);
        folder = name;
    }
    ~LadderViews() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }

    void open(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--backend", "cpu"});
        program.emplace(display, arguments, Program::Environment{{"GEMMSCOPE_RECORDINGS", folder.string()}});
    }
    const State& widget(const std::string& name) const { return program->state().at("widgets").at(name); }
    test::Point middle(const std::string& name) const { return test::middle_of(widget(name)); }
    void expect_hint(test::Point point, const std::string& words)
    {
        display.move_pointer(program->window(), point);
        program->wait_for("a hint with \"" + words + "\"", [&](const State& state) {
            return state.at("hint").get<std::string>().find(words) != std::string::npos;
        });
    }

    test::Display display{test::Size{2200, 1500}};
    std::filesystem::path folder;
    std::optional<Program> program;
    const viz::Theme theme = viz::make_theme(true, 1);
};

test::Rgb rgb(viz::Colour colour)
{
    return {static_cast<int>(colour & 255), static_cast<int>(colour >> 8 & 255), static_cast<int>(colour >> 16 & 255)};
}

// Made up: speeds that are powers of ten and of two, so that distances in the plot are known.
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
    program->wait_for("both points", [](const State& state) {
        return state.at("widgets").contains("point:naive") && state.at("widgets").contains("point:shared_tile");
    });
    const State chart = widget("chart:roofline");
    EXPECT_EQ(program->pixel(middle("point:shared_tile")), rgb(theme.second));
    EXPECT_LT(middle("point:shared_tile").y, middle("point:naive").y);
    // A decade upwards is as long everywhere: 1,000 to 10,000 as from there to the arrow of neither. Rightwards the
    // recorded intensities are 0.0606 (33 sectors per 64 operations) and 8 FLOP per byte, less a little for C.
    const double octaves = std::log2(2.0 * 128 / (8.0 * 128 / 32 + 4) / (2.0 * 128 / (33.0 * 128 + 32)));
    EXPECT_GT(octaves, 6);
    const double octave = (middle("once:naive").x - middle("point:naive").x) / std::log2(682.67 / (2.0 / 33));
    EXPECT_NEAR(middle("point:shared_tile").x - middle("point:naive").x, std::log2(8 / (2.0 / 33)) * octave, 12);
    expect_hint(middle("point:naive"), "naive: 0.06 FLOP per byte, 1,000 GFLOPS at 4096³");

    program->click("row:coalesced");
    program->wait_for("the stage clicked in the list", [](const State& state) {
        return state.at("stage") == "coalesced" && state.at("widgets").contains("point:shared_tile");
    });
    program->click("point:shared_tile");
    program->wait_for("the stage clicked in the plot",
                      [](const State& state) { return state.at("stage") == "shared_tile"; });
    EXPECT_GT(chart.at(2).get<double>(), 300);
}

TEST_F(LadderViews, RooflineShowsSpeedsOverSize)
{
    std::ofstream(folder / "speeds.json") << speeds;
    open({"--stage", "shared_tile", "--view", "roofline"});
    program->press("g");
    program->wait_for("the curves",
                      [](const State& state) { return state.at("widgets").contains("speed:shared_tile"); });
    const State chart = widget("chart:speeds");
    const double bottom = chart.at(1).get<double>() + chart.at(3).get<double>();
    const double library = bottom - middle("speed:cublas_sgemm").y, own = bottom - middle("speed:shared_tile").y;
    EXPECT_NEAR(library / own, 5, 0.15) << "linear upwards";
    EXPECT_EQ(program->pixel(middle("speed:shared_tile")), rgb(theme.first));
    expect_hint(middle("speed:cublas_sgemm"), "cublas_sgemm");
    program->press("g");
    program->wait_for("the roofline",
                      [](const State& state) { return state.at("widgets").contains("chart:roofline"); });
}

} // namespace
