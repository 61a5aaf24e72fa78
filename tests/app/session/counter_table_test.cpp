// The table of what is counted of the whole ladder, from what is shipped.
#include "app/catalogue/recordings.h"
#include "app/session/counter_table.h"

#include "error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace {

using app::CounterTableRow;

const std::vector<kernels::Stage>& ladder()
{
    static const std::vector<kernels::Stage> all = kernels::make_ladder();
    return all;
}

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

// A counter as counters.json has it.
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
    EXPECT_EQ(app::counted_sides(catalogue(), ladder()), (std::vector<uint32_t>{128, 1024, 4096}));
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
    EXPECT_EQ(figure(row, "registers"), 117);
    EXPECT_EQ(row.figures[0].from().device, "NVIDIA H200");
    EXPECT_EQ(std::ranges::count(table.rows, true, &CounterTableRow::library), 5);
}

// A library has a speed; what nobody counted of it says so.
TEST(CounterTable, WhatWasNotCountedIsMissingWithItsReason)
{
    const app::CounterTable table = app::counter_table(catalogue(), ladder(), 4096);
    const CounterTableRow& library = row_of(table, "cublas_sgemm");
    EXPECT_GT(figure(library, "gflops"), 40000);
    EXPECT_EQ(library.figures[0].missing().missing, recording::Missing::not_shipped);
    EXPECT_FALSE(library.figures[app::counter_column("duration")]) << "it was traced, not counted";
    const app::CounterTable other = app::counter_table(catalogue(), ladder(), 2048);
    const CounterTableRow& rung = row_of(other, "wgmma_tma");
    EXPECT_EQ(rung.figures[0].missing().missing, recording::Missing::other_launch);
    EXPECT_EQ(app::figure_words(app::counter_columns()[0], rung.figures[0]), "-");
    const auto all = app::to_json(table, std::vector<std::size_t>{0});
    for (const auto& one : all)
        if (one.at("name") == "cublas_sgemm") {
            EXPECT_TRUE(one.at("dram_bytes").is_null());
            EXPECT_EQ(one.at("missing").at("dram_bytes"), "No counter of a library is shipped.");
        }
}

TEST(CounterTable, IsSortedWithTheMissingLastAndFiltered)
{
    app::CounterTable table = app::counter_table(catalogue(), ladder(), 4096);
    const std::size_t duration = app::counter_column("duration");
    for (const bool descending : {false, true}) {
        app::sort_rows(table.rows, duration, descending);
        EXPECT_EQ(table.rows.front().slug, descending ? "naive" : "wgmma_tma");
        EXPECT_FALSE(table.rows.back().figures[duration]);
    }
    const auto rows = app::filtered(table.rows, "PADDED");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(app::filtered(table.rows, "").size(), table.rows.size());
    EXPECT_THROW(app::counter_column("dram"), kernels::Error);
    const std::string csv = app::to_csv({.problem = table.problem, .rows = rows}, std::vector<std::size_t>{duration});
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "name,type,size,duration");
    EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
}

} // namespace
