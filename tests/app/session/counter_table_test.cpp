// The table of shipped counters of the whole ladder.
#include "app/data/recordings.h"
#include "app/session/counter_table.h"

#include "tests/ladder.h"
#include "tests/shipped_folder.h"

#include "error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace {

using app::CounterTableRow;
using test::ladder;

const app::Catalogue& catalogue()
{
    static const app::CataloguePtr shipped = app::load_catalogue(app::shipped_folder(), ladder());
    return *shipped;
}

const CounterTableRow& row_of(const app::CounterTable& table, const std::string& slug)
{
    return *std::ranges::find(table.rows, slug, &CounterTableRow::slug);
}

double figure(const CounterTableRow& row, const char* column)
{
    return *row.figures[app::counter_column(column)];
}

// Returns a counter from counters.json.
double counted(std::string_view stage, std::string_view size, const char* counter)
{
    std::ifstream stream(app::shipped_folder() / "counters.json");
    const nlohmann::json all = nlohmann::json::parse(stream);
    for (const nlohmann::json& row : all.at("rows"))
        if (row.at("stage") == stage && row.at("size") == size)
            return row.at("counters").at(counter);
    throw std::out_of_range(counter);
}

TEST(CounterTable, HasWhatWasCounted)
{
    const auto raw = [](const char* counter) { return counted("vectorized", "4096", counter); };
    EXPECT_EQ(app::counted_sides(catalogue(), ladder()), (std::vector<uint32_t>{1024, 4096}));
    const app::CounterTable table = app::counter_table(catalogue(), ladder(), 4096);
    const CounterTableRow& row = row_of(table, "vectorized");
    EXPECT_EQ(figure(row, "duration"), raw("gpu__time_duration.sum"));
    EXPECT_EQ(figure(row, "active_cycles"), raw("sm__cycles_active.sum"));
    EXPECT_EQ(figure(row, "shared_wavefronts"), 671088640.0 + 50331648);
    EXPECT_EQ(figure(row, "dram_bytes"), raw("dram__bytes_read.sum") + raw("dram__bytes_write.sum"));
    EXPECT_DOUBLE_EQ(figure(row, "dram_gbps"), figure(row, "dram_bytes") / raw("gpu__time_duration.sum"));
    EXPECT_NEAR(figure(row, "dram_share"), figure(row, "dram_gbps") / 4814.3, 1e-4); // 2 x 3.201 GHz x 752 bytes
    const double hits = raw("lts__t_sectors_lookup_hit.sum"), misses = raw("lts__t_sectors_lookup_miss.sum");
    EXPECT_NEAR(figure(row, "l2_hit_rate"), hits / (hits + misses), 1e-9);
    EXPECT_EQ(figure(row, "registers"), 120);
    EXPECT_EQ(row.figures[0].from().device, "NVIDIA H200");
    // The table has the errors of narrow types beside their speeds.
    const double exact = figure(row_of(table, "cublas_sgemm"), "error"),
                 rounded = figure(row_of(table, "cublas_tf32"), "error"),
                 coarse = figure(row_of(table, "cublas_bf16"), "error");
    EXPECT_LT(100 * exact, rounded);
    EXPECT_LT(rounded, coarse);
    EXPECT_NEAR(figure(row_of(table, "cublas_fp16"), "error") / figure(row_of(table, "mma_ldmatrix"), "error"), 1,
                0.01);
    EXPECT_EQ(std::ranges::count(table.rows, true, &CounterTableRow::library), 5);
}

// Counters of a launch from a version that did not count throughputs and pipes.
constexpr const char* counted_before = R"({"format": 1, "device": "X", "date": "2026-11-21", "rows": [
    {"stage": "naive", "parameters": {"block": 32}, "size": "1024", "device": "X", "toolkit": "T", "max_threads_per_sm": 2048,
     "launches": 1, "passes": 5, "registers_per_thread": 40, "counters": {"dram__bytes_read.sum": 7}}]})";

// The same launch and a library call, with the counters of the current version.
constexpr const char* counted_now = R"({"format": 1, "device": "X", "date": "2026-11-23", "rows": [
    {"stage": "naive", "parameters": {"block": 32}, "size": "1024", "device": "X", "toolkit": "T", "max_threads_per_sm": 2048,
     "launches": 1, "passes": 12, "registers_per_thread": 40,
     "counters": {"smsp__inst_executed.sum": 200, "sm__inst_executed_pipe_lsu.sum": 50, "sm__inst_executed_pipe_tma.sum": 0},
     "percents": {"sm__throughput.avg.pct_of_peak_sustained_elapsed": 12.5}},
    {"stage": "cublas_tf32", "size": "1024", "device": "X", "toolkit": "T", "max_threads_per_sm": 2048, "launches": 2,
     "passes": 12, "registers_per_thread": 168, "counters": {"dram__bytes_read.sum": 8388608, "dram__bytes_write.sum": 4194304,
     "gpu__time_duration.sum": 30000}, "percents": {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 40}}]})";

constexpr const char* timed_now =
    R"({"format": 1, "device": "X", "date": "2026-11-23", "toolkit": "T", "peak_gflops": 1e5, "rows": [
    {"stage": "naive", "parameters": {"block": 32}, "size": "1024", "type": "fp32", "ok": true, "error": 0, "total_error": 0,
     "gflops": 400, "median_ms": 5, "joules": 0.5, "energy_ms": 5.2}], "by_size": [
    {"stage": "cublas_tf32", "size": "1024", "type": "tf32", "ok": true, "error": 0, "total_error": 0, "gflops": 100000,
     "median_ms": 0.02, "energy_missing": "Nobody counts it."}]})";

app::CounterTable table_of(const char* counters, const char* speeds)
{
    const test::ShippedFolder folder;
    std::ofstream(folder.path() / "counters.json") << counters;
    std::ofstream(folder.path() / "speeds.json") << speeds;
    return app::counter_table(*app::load_catalogue(folder.path(), ladder()), ladder(), 1024);
}

std::string why_none(const app::CounterTable& table, const char* slug, const char* column)
{
    const std::vector<std::size_t> columns = {app::counter_column(column)};
    for (const auto& one : app::table_of(table, columns).rows)
        if (one.at("name") == slug)
            return one.at("missing").value(column, "");
    return "no such row";
}

TEST(CounterTable, WhatWasNotCountedIsMissingWithItsReason)
{
    const app::CounterTable table = table_of(counted_before, "{}");
    EXPECT_EQ(row_of(table, "naive").figures[app::counter_column("memory_throughput")].missing().missing,
              recording::Missing::not_shipped);
    EXPECT_EQ(why_none(table, "naive", "memory_throughput"), "No counter of throughput of this launch is shipped.");
    EXPECT_EQ(why_none(table, "naive", "pipe_lsu"), "No counter of pipes of this launch is shipped.");
    EXPECT_EQ(why_none(table, "cublas_sgemm", "dram_bytes"), "No counter of this library at this size is shipped.");
    EXPECT_EQ(app::figure_words(app::counter_columns()[0], row_of(table, "cublas_sgemm").figures[0]), "-");
    const app::CounterTable other = app::counter_table(catalogue(), ladder(), 2048);
    const CounterTableRow& rung = row_of(other, "wgmma_tma");
    EXPECT_EQ(rung.figures[0].missing().missing, recording::Missing::other_launch);
    EXPECT_EQ(app::figure_words(app::counter_columns()[0], rung.figures[0]), "-");
}

TEST(CounterTable, HasThroughputsPipesAndEnergyWhereTheyWereHad)
{
    const app::CounterTable table = table_of(counted_now, timed_now);
    const CounterTableRow& naive = row_of(table, "naive");
    EXPECT_EQ(figure(naive, "compute_throughput"), 0.125);
    EXPECT_FALSE(naive.figures[app::counter_column("dram_throughput")]);
    EXPECT_EQ(figure(naive, "pipe_lsu"), 0.25);
    EXPECT_EQ(figure(naive, "pipe_tma"), 0) << "the GPU has this pipe, and no instruction used it";
    EXPECT_FALSE(naive.figures[app::counter_column("pipe_alu")]) << "a missing figure is not zero";
    EXPECT_EQ(figure(naive, "joules"), 0.5);
    EXPECT_DOUBLE_EQ(figure(naive, "gflop_per_joule"), 4);
    EXPECT_EQ(app::figure_words(app::counter_columns()[app::counter_column("joules")],
                                naive.figures[app::counter_column("joules")]),
              "500 mJ");
}

// A library has the same columns.
TEST(CounterTable, HasLibrariesBesideTheLadder)
{
    const app::CounterTable table = table_of(counted_now, timed_now);
    const CounterTableRow& library = row_of(table, "cublas_tf32");
    EXPECT_EQ(figure(library, "dram_bytes"), 12.0 * 1024 * 1024);
    EXPECT_EQ(figure(library, "duration"), 30000);
    EXPECT_EQ(figure(library, "dram_throughput"), 0.4);
    EXPECT_EQ(figure(library, "registers"), 168);
    EXPECT_EQ(figure(library, "gflops"), 100000);
    EXPECT_EQ(figure(library, "over_naive"), 250);
    EXPECT_EQ(why_none(table, "cublas_tf32", "joules"), "Nobody counts it.");
    EXPECT_EQ(library.figures[app::counter_column("dram_bytes")].from().date, "2026-11-23");
    EXPECT_EQ(why_none(table, "cublas_dgemm", "dram_bytes"), "No counter of this library at this size is shipped.");
}

TEST(CounterTable, IsSortedWithTheMissingLastAndFiltered)
{
    app::CounterTable table = app::counter_table(catalogue(), ladder(), 4096);
    const std::size_t duration = app::counter_column("duration"), joules = app::counter_column("joules");
    table.rows.at(3).figures[joules] = {}; // all shipped rows have an energy
    for (const bool descending : {false, true}) {
        app::sort_rows(table.rows, duration, descending);
        EXPECT_EQ(table.rows.front().slug, descending ? "naive" : "cublas_bf16");
        app::sort_rows(table.rows, joules, descending);
        EXPECT_EQ(table.rows.front().slug, descending ? "naive" : "cublas_bf16");
        EXPECT_FALSE(table.rows.back().figures[joules]);
    }
    const auto rows = app::filtered(table.rows, "PADDED");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(app::filtered(table.rows, "").size(), table.rows.size());
    EXPECT_THROW(app::counter_column("dram"), kernels::Error);
    const std::string csv =
        app::csv_of(app::table_of({.problem = table.problem, .rows = rows}, std::vector<std::size_t>{duration}));
    EXPECT_EQ(csv.substr(0, csv.find('\r')), "name,type,size,duration");
    EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
}

} // namespace
