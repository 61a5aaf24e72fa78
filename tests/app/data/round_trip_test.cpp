// Codecs read back what they write, and reading and writing shipped files loses nothing.
#include "app/data/catalogue.h"
#include "app/data/searches.h"
#include "tests/app/said.h"
#include "tests/ladder.h"
#include "tests/paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace {

using nlohmann::json;

class RoundTrip : public testing::Test {
protected:
    const std::filesystem::path shipped = test::shipped();
    json rows(const char* name, const char* list = "rows") const { return app::read_json(shipped / name).at(list); }

    // Checks that each field of the file is the same after reading and writing.
    static void expect_kept(const json& row, const json& again)
    {
        for (const auto& [name, value] : row.items())
            if (value.is_object())
                expect_kept(value, again.at(name));
            else
                EXPECT_EQ(value, again.value(name, json())) << name << " of " << row.value("stage", "");
    }
};

TEST_F(RoundTrip, TheShippedFilesAreWhole)
{
    const app::CataloguePtr all = app::load_catalogue(shipped, test::ladder());
    for (const recording::Reasons& missing :
         {all->speeds.missing, all->counters.missing, all->searches.missing, all->shapes.missing,
          all->random_shapes.missing, all->warps.missing, all->library.missing, all->gpu.missing})
        EXPECT_EQ(test::said(missing), "");
    const json timed = rows("speeds.json");
    const auto of_cpu = std::ranges::count_if(
        timed, [](const json& row) { return row.at("stage").get_ref<const std::string&>().starts_with("cpu_"); });
    EXPECT_EQ(of_cpu, 3);
    EXPECT_EQ(all->speeds.rows.size(), timed.size() - 3) << "all rows except those of the CPU";
    EXPECT_EQ(all->speeds.by_size.size(), rows("speeds.json", "by_size").size());
    EXPECT_EQ(all->counters.rows.size() + all->counters.libraries.size(), rows("counters.json").size());
    EXPECT_EQ(all->library.rows.size(), rows("library.json").size());
    EXPECT_EQ(all->searches.searches.size(), 1u);
    EXPECT_TRUE(all->gpu.facts->measured);
}

TEST_F(RoundTrip, ShippedSpeedsAndShapes)
{
    for (const json& list :
         {rows("speeds.json"), rows("speeds.json", "by_size"), rows("shapes.json"), rows("random_shapes.json")})
        for (const json& row : list) {
            const auto read = app::timed_row_from(row, test::ladder());
            ASSERT_TRUE(read) << row;
            expect_kept(row, to_json(*read, test::ladder()));
        }
}

TEST_F(RoundTrip, ShippedKernelsOfCublas)
{
    for (const json& row : rows("library.json"))
        EXPECT_EQ(row.at("kernels"),
                  app::to_named_json(app::from_named_json<std::vector<recording::LaunchedKernel>>(row.at("kernels"))));
}

TEST_F(RoundTrip, ShippedCounters)
{
    for (const json& row : rows("counters.json")) {
        if (const auto library = app::counted_library_from(row)) {
            expect_kept(row, to_json(*library));
            continue;
        }
        const auto read = app::counted_row_from(row, test::ladder());
        ASSERT_TRUE(read) << row.at("stage");
        expect_kept(row, to_json(*read, test::stage(read->slug)));
    }
}

TEST_F(RoundTrip, ShippedSearches)
{
    for (const json& row : rows("candidates.json", "searches")) {
        const auto read = app::tried_parameters_from(row, test::ladder());
        ASSERT_TRUE(read);
        expect_kept(row, to_json(*read, test::stage(read->stage)));
    }
}

TEST_F(RoundTrip, TheShippedGpu)
{
    const json file = app::read_json(shipped / "gpu.json");
    EXPECT_EQ(app::to_json(app::gpu_from_json(file)), file);
}

TEST_F(RoundTrip, ASpeed)
{
    const app::TimedRow row{.slug = "mma_ldmatrix",
                            .parameters = test::stage("mma_ldmatrix").standard_parameters(),
                            .problem = {.M = 64, .N = 96, .K = 128},
                            .type = "bf16",
                            .right = true,
                            .error = 1e-7,
                            .total_error = 1e-3,
                            .timing = {.median_ms = 2, .low_ms = 1.5, .high_ms = 3, .samples = 77},
                            .gflops = 123.5,
                            .of_best = 0.4,
                            .of_peak = 0.25,
                            .cublas_missing = "There is none.",
                            .kernels = {{.name = "k", .launch = {{4, 2, 1}, {256, 1, 1}}, .cluster = {1, 2, 1}}},
                            .kernels_missing = "Or not."};
    const json written = to_json(row, test::ladder());
    const auto read = app::timed_row_from(written, test::ladder());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->parameters, row.parameters);
    EXPECT_EQ(read->problem, row.problem);
    EXPECT_EQ(read->timing.samples, 77);
    EXPECT_EQ(read->timing.high_ms, 3);
    EXPECT_EQ(read->of_cublas, std::nullopt);
    EXPECT_EQ(read->of_best, 0.4);
    EXPECT_EQ(read->kernels, row.kernels);
    EXPECT_EQ(to_json(*read, test::ladder()), written);
}

TEST_F(RoundTrip, ASpeedOfAWrongResultIsNone)
{
    app::TimedRow row{.slug = "naive",
                      .parameters = test::stage("naive").standard_parameters(),
                      .problem = {.M = 8, .N = 8, .K = 8},
                      .error = std::nan(""),
                      .timing = {.median_ms = 2, .low_ms = 2, .high_ms = 2, .samples = 5},
                      .gflops = 1000};
    json written = to_json(row, test::ladder());
    EXPECT_TRUE(written.at("gflops").is_null());
    EXPECT_TRUE(written.at("error").is_null()) << "JSON has no NaN";
    auto read = app::timed_row_from(written, test::ladder());
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->right);
    EXPECT_FALSE(read->gflops);
    EXPECT_TRUE(std::isnan(read->error));
    row.missing = "There is no GPU.";
    written = to_json(row, test::ladder());
    read = app::timed_row_from(written, test::ladder());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->missing, "There is no GPU.");
    EXPECT_EQ(to_json(*read, test::ladder()), written);
}

TEST_F(RoundTrip, Counters)
{
    const app::CountedRow row{.slug = "shared_tile",
                              .parameters = test::stage("shared_tile").standard_parameters(),
                              .problem = {.M = 32, .N = 64, .K = 32, .alpha = -0.5f, .beta = 2},
                              .counters = {.sums = {{"smsp__inst_issued.sum", 77}},
                                           .resources = {.registers_per_thread = 40},
                                           .device = {.name = "a GPU", .max_threads_per_sm = 2048, .toolkit = "t"},
                                           .launches = 1,
                                           .passes = 5},
                              .readings = 3,
                              .date = "2026-11-22",
                              .each = {{{0, 16, 1, 2, 3}, "LDG", 7}, {{0, 32, 4, 5, 6}, "LDS.128", 9}},
                              .instruction_readings = 2};
    const json written = to_json(row, test::stage("shared_tile"));
    const auto read = app::counted_row_from(written, test::ladder());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->problem, row.problem);
    EXPECT_EQ(read->counters.sums, row.counters.sums);
    EXPECT_EQ(read->each.size(), 2u);
    EXPECT_EQ(to_json(*read, test::stage("shared_tile")), written);
}

TEST_F(RoundTrip, ASearch)
{
    using State = kernels::Candidate::State;
    const kernels::Stage& own = test::stage("autotuned");
    const kernels::ParameterValues values = own.standard_parameters();
    const app::TriedParameters search{
        .stage = "autotuned",
        .problem = {.M = 4096, .N = 4096, .K = 4096},
        .gpu = "a GPU",
        .ranked =
            {{.parameters = values, .state = State::right, .timing = {.median_ms = 3}, .gflops = 40000, .error = 1e-6},
             {.parameters = values, .state = State::failed, .failure = "It needs too many registers."},
             {.parameters = values}},
        .whole = true};
    const json written = to_json(search, own);
    const auto read = app::tried_parameters_from(written, test::ladder());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->problem, search.problem);
    ASSERT_EQ(read->ranked.size(), 2u) << "one candidate was never timed";
    EXPECT_EQ(read->ranked[0].gflops, 40000);
    EXPECT_EQ(read->ranked[1].state, State::failed);
    EXPECT_EQ(read->ranked[1].failure, "It needs too many registers.");
}

} // namespace
