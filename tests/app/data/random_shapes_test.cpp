// Shipped speeds at randomly drawn shapes: they are read back as they were written, without damaged rows.
#include "app/data/speeds.h"

#include "tests/app/said.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;
using test::said;
using test::says;

class ShippedRandomShapes : public testing::Test {
protected:
    app::TimedRow row(const char* slug, uint32_t K, double of_cublas) const
    {
        const kernels::Stage& stage = test::stage(slug);
        return {.slug = slug,
                .parameters = stage.standard_parameters(),
                .problem = {.M = 720, .N = 3057, .K = K},
                .type = slug == std::string("wgmma_tma") ? "bf16" : "fp32",
                .right = true,
                .timing = {.median_ms = 0.5, .low_ms = 0.4, .high_ms = 0.6, .samples = 20},
                .gflops = 1234,
                .of_cublas = of_cublas,
                .of_best = of_cublas / 2};
    }
    json file(const std::vector<app::TimedRow>& rows) const
    {
        json written = {{"format", 1},          {"device", "NVIDIA H200"}, {"toolkit", "NVRTC 13.0"},
                        {"date", "2026-11-23"}, {"seed", 20261123u},       {"rows", json::array()}};
        for (const app::TimedRow& one : rows)
            written["rows"].push_back(to_json(one, test::ladder()));
        return written;
    }
    viz::RandomShapes read(const std::string& text) const
    {
        std::ofstream(folder.path() / "random_shapes.json") << text;
        return app::read_random_shapes(folder.path(), test::ladder());
    }

    const test::ShippedFolder folder;
};

TEST_F(ShippedRandomShapes, ComeBackAsTheyWereWritten)
{
    app::TimedRow wrong = row("fastest", 67, 3), alone = row("fastest", 68, 3);
    wrong.right = false;
    alone.of_cublas.reset();
    alone.cublas_missing = "There is no cuBLAS.";
    const std::vector<app::TimedRow> rows{row("wgmma_tma", 64, 1.5), row("fastest", 65, 1.25), row("fastest", 66, 0.8),
                                          wrong, alone};
    const viz::RandomShapes shapes = read(file(rows).dump());
    ASSERT_EQ(said(shapes.missing), "");
    EXPECT_EQ(shapes.seed, 20261123u);
    EXPECT_EQ(shapes.from.device, "NVIDIA H200");
    EXPECT_EQ(shapes.from.date, "2026-11-23");
    EXPECT_TRUE(shapes.from.shipped);
    ASSERT_EQ(shapes.series.size(), 2u);
    EXPECT_EQ(shapes.series[0].slug, "fastest") << "in the ladder's order";
    EXPECT_EQ(shapes.series[0].type, "fp32");
    EXPECT_EQ(shapes.series[1].slug, "wgmma_tma");
    EXPECT_EQ(shapes.series[1].type, "bf16");
    ASSERT_EQ(shapes.series[0].shapes.size(), 2u) << "the right ones that have a share";
    const viz::RandomShape& least = shapes.series[0].shapes[0];
    EXPECT_EQ(least.of_cublas, 0.8) << "the lowest share comes first";
    EXPECT_EQ(least.of_best, 0.4);
    EXPECT_EQ(least.gflops, 1234);
    EXPECT_EQ(least.problem, rows[2].problem);
    EXPECT_EQ(least.parameters, kernels::named(test::stage("fastest"), rows[2].parameters));
}

TEST_F(ShippedRandomShapes, DamagedRowsAreLeftOutAndBrokenFilesAreNone)
{
    json damaged = file({row("fastest", 65, 1.25), row("fastest", 66, 0.8)});
    damaged["rows"][0]["of_cublas"] = -1;
    const viz::RandomShapes one = read(damaged.dump());
    ASSERT_EQ(one.series.size(), 1u);
    EXPECT_EQ(one.series[0].shapes.size(), 1u);
    EXPECT_TRUE(says(said(one.missing), "of_cublas is not a number of at least zero"));
    const auto why = [&](const std::string& text) {
        const viz::RandomShapes none = read(text);
        EXPECT_TRUE(none.series.empty()) << text;
        return said(none.missing);
    };
    for (const char* broken : {"{", "", "[]"})
        EXPECT_TRUE(says(why(broken), "it is damaged. scripts/make-assets")) << broken;
    json unseeded = file({row("fastest", 65, 1.25)});
    unseeded["seed"] = -4;
    EXPECT_TRUE(says(why(unseeded.dump()), "seed"));
    json unknown = file({row("fastest", 65, 1.25)});
    unknown["rows"][0]["stage"] = "fastest_of_tomorrow";
    EXPECT_NE(why(unknown.dump()), "");
    std::filesystem::remove(folder.path() / "random_shapes.json");
    EXPECT_TRUE(
        says(said(app::read_random_shapes(folder.path(), test::ladder()).missing), "random_shapes.json is not there"));
}

TEST_F(ShippedRandomShapes, AreSummedUpByStage)
{
    // K = 5 leaves rows of A at addresses that are no multiples of 16 bytes.
    std::vector<app::TimedRow> rows = {row("naive", 8, 2), row("naive", 5, 0.5), row("swizzled", 8, 0.25)};
    for (app::TimedRow& one : rows)
        one.problem.N = 3056;
    rows.push_back(row("naive", 8, 1));
    rows.back().right = false;
    const nlohmann::ordered_json summaries = app::shape_summaries(rows);
    ASSERT_EQ(summaries.size(), 2u);
    const nlohmann::ordered_json& naive = summaries[0];
    EXPECT_EQ(naive.at("stage"), "naive");
    EXPECT_EQ(naive.at("shapes"), 2);
    EXPECT_EQ(naive.at("wrong"), 1) << "a wrong result is in no mean";
    EXPECT_DOUBLE_EQ(naive.at("geometric_mean_of_cublas").get<double>(), 1);
    EXPECT_DOUBLE_EQ(naive.at("geometric_mean_of_best").get<double>(), 0.5);
    EXPECT_EQ(naive.at("aligned_shapes"), 1);
    EXPECT_DOUBLE_EQ(naive.at("aligned_geometric_mean_of_cublas").get<double>(), 2);
    ASSERT_EQ(naive.at("least").size(), 2u);
    EXPECT_EQ(naive.at("least")[0].at("size"), "720x3056x5");
    EXPECT_EQ(naive.at("least")[0].at("of_cublas"), 0.5) << "the lowest share comes first";
    EXPECT_EQ(summaries[1].at("aligned_shapes"), 1);
}

} // namespace
