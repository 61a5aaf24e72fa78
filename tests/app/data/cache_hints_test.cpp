// cache_hints.json: what is written is read back, and what cannot be so is left out with a reason.
#include "app/data/fields_json.h"
#include "app/data/gpu.h"

#include "temporary_folder.h"
#include "tests/app/said.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

viz::CacheHints read_rows(const json& rows)
{
    const kernels::TemporaryFolder folder;
    std::ofstream(folder.path() / "cache_hints.json")
        << json{{"format", 1}, {"device", "a GPU"}, {"toolkit", "t"}, {"date", "2026-11-29"}, {"rows", rows}};
    return app::read_cache_hints(folder.path());
}

TEST(CacheHintsFile, IsReadAsItWasWritten)
{
    const viz::CacheHintRow row{
        .kib = 1024, .way = "plain", .us = 270.5, .l2_hits = 0.2, .l1_hits = 0, .dram_bytes = 7};
    const viz::CacheHints read = read_rows(json::array({app::to_named_json(row), app::to_named_json(row)}));
    EXPECT_EQ(test::said(read.missing), "");
    EXPECT_EQ(read.rows, (std::vector{row, row}));
    EXPECT_EQ(read.from.device, "a GPU");
}

TEST(CacheHintsFile, LeavesBrokenRowsOut)
{
    const json good = app::to_named_json(viz::CacheHintRow{.kib = 1, .way = "plain", .us = 1});
    json more_than_all = good, no_time = good;
    more_than_all["l2_hits"] = 1.5;
    no_time["us"] = 0;
    const viz::CacheHints read = read_rows(json::array({more_than_all, good, no_time, 3}));
    EXPECT_EQ(read.rows.size(), 1);
    EXPECT_NE(test::said(read.missing), "");
    EXPECT_TRUE(read_rows(json::array()).rows.empty());
}

// Each way was measured with each size of the table, and no launch read less from DRAM than nine tenths of the array.
TEST(CacheHintsFile, IsShippedWhole)
{
    const viz::CacheHints shipped = app::read_cache_hints(test::shipped());
    EXPECT_EQ(test::said(shipped.missing), "");
    std::map<std::string, std::set<uint32_t>> sizes;
    for (const viz::CacheHintRow& row : shipped.rows) {
        EXPECT_TRUE(sizes[row.way].insert(row.kib).second) << row.way << ' ' << row.kib;
        EXPECT_GT(row.dram_bytes, (uint64_t{1} << 30) / 10 * 9);
    }
    ASSERT_EQ(sizes.size(), 5);
    for (const auto& [way, of] : sizes)
        EXPECT_EQ(of, sizes["plain"]) << way;
}

} // namespace
