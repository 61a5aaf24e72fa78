// The plot of random shapes in the roofline view.
#include "views.h"

#include "temporary_folder.h"
#include "viz/views/55_roofline/facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace test;

void put_random_shapes(const std::filesystem::path& folder)
{
    const auto row = [](const char* stage, const char* size, const char* share) {
        return R"({"stage": ")" + std::string(stage) + R"(", "size": ")" + size +
               R"(", "ok": true, "parameters": {}, "median_ms": 1, "gflops": 1234, "of_best": 0.7, "of_cublas": )" +
               share + "}";
    };
    std::ofstream(folder / "random_shapes.json")
        << R"({"format": 1, "device": "NVIDIA H200", "date": "2026-11-20", "seed": 20261120, "rows": [)"
        << row("fastest", "720x3057x65", "0.8") + "," + row("fastest", "1024x1024x4096", "1.25") + ","
        << row("fastest", "256x256x1024", "1.0") + "," + row("mma_ldmatrix", "256x256x1024", "2.0") << "]}";
}

class RandomShapesPlot : public Views {
protected:
    void open(std::vector<std::string> arguments)
    {
        put_random_shapes(temporary.path());
        Views::open(std::move(arguments), recordings_in(temporary.path()));
    }
    Point middle(const std::string& name) const { return program->middle(name); }

    const kernels::TemporaryFolder temporary;
};

// For two stages, and for one stage that has no such speeds.
TEST_F(RandomShapesPlot, ShowsSharesOfCublas)
{
    open({"--stage", "fastest", "--compare", "mma_ldmatrix", "--view", "roofline"});
    program->click("show random shapes");
    program->wait_for("both stages' marks", shown("random:mma_ldmatrix 256x256x1024"));
    EXPECT_NO_THROW(widget("headline:1.000 × cuBLAS over 3 shapes, least 0.80"));
    EXPECT_NO_THROW(widget("headline:2.000 × cuBLAS over 1 shape, least 2.00"));
    const Point slow = middle("random:fastest 720x3057x65"), fast = middle("random:fastest 1024x1024x4096"),
                even = middle("random:fastest 256x256x1024"), beside = middle("random:mma_ldmatrix 256x256x1024");
    EXPECT_EQ(program->pixel(slow), rgb(viz::share_colour(theme, 0.8)));
    EXPECT_EQ(program->pixel(fast), rgb(viz::share_colour(theme, 1.25)));
    EXPECT_EQ(program->pixel(even), rgb(viz::share_colour(theme, 1)));
    EXPECT_EQ(program->pixel(beside), rgb(theme.good));
    EXPECT_EQ(even.y, beside.y);
    EXPECT_GT(beside.x, even.x) << "side by side";
    EXPECT_NEAR(slow.y - even.y, (even.y - fast.y) * std::log2(1024.0 / 65) / 2, 6) << "K is logarithmic";
    expect_hint(slow, "fastest at 720 × 3057 × 65: 0.80 × cuBLAS, 0.70 × its fastest algorithm, 1,234 GFLOPS, tile ");
    EXPECT_EQ(program->state().at("drawn").at("random:fastest 720x3057x65").at("value"), 0.8);
    EXPECT_TRUE(figure_says("0.80")) << "the minimum has its number";
    expect_words_apart(program->state());

    program->click("stage:vectorized");
    program->wait_for("those of the top stage of its type",
                      shown("headline:Not timed at these shapes; fastest had 1.000 × cuBLAS"));
    EXPECT_NE(program->pixel(middle("random:fastest 720x3057x65")), rgb(viz::share_colour(theme, 0.8))) << "quiet";
}

// The legend explains the marks. It overlaps neither the axis nor the list.
TEST_F(RandomShapesPlot, LegendKeepsOffTheAxis)
{
    open({"--show", "stage=fastest view=roofline arranged=random"});
    expect_words_apart(program->state());
    program->resize({1280, 800});
    program->wait_settled("the small window", is("width", 1280));
    program->press("l");
    program->wait_for("the list", shown("row:fastest"));
    EXPECT_TRUE(std::ranges::any_of(program->state().at("words"), [](const auto& one) {
        return one.at("words").template get<std::string>().find("1.50 x cuBLAS") != std::string::npos;
    })) << "the scale of shares";
    expect_words_apart(program->state());
}

} // namespace
