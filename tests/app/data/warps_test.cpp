// warps.json is read back as written, and invalid parts are left out with a reason.
#include "app/data/gpu.h"

#include "tests/app/said.h"
#include "tests/ladder.h"
#include "tests/made_up_warps.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using nlohmann::json;
using test::says;

class WarpsFile : public testing::Test {
protected:
    json row(std::string_view slug, uint32_t resident_blocks) const
    {
        return app::to_json(test::made_up_warps(slug, 4, resident_blocks), test::stage(slug));
    }
    void write(const json& rows) const
    {
        std::ofstream(folder.path() / "warps.json")
            << json{{"format", 1}, {"device", "a GPU"}, {"toolkit", "t"}, {"date", "2026-11-23"}, {"rows", rows}};
    }
    viz::WatchedStages read() const { return app::read_warps(folder.path(), test::ladder()); }

    test::ShippedFolder folder;
};

TEST_F(WarpsFile, IsReadAsItWasWritten)
{
    write({row("vectorized", 1), row("vectorized", 2), row("naive", 2)});
    const viz::WatchedStages found = read();
    EXPECT_EQ(test::said(found.missing), "");
    ASSERT_EQ(found.rows.size(), 3u);
    EXPECT_EQ(found.rows[1], test::made_up_warps("vectorized", 4, 2));
    EXPECT_EQ(found.from,
              (recording::Provenance{
                  .how = recording::How::recorded, .shipped = true, .device = "a GPU", .date = "2026-11-23"}));
    const auto both = few_and_many(found, "vectorized");
    ASSERT_TRUE(both);
    EXPECT_EQ(both->few, &found.rows[0]);
    EXPECT_EQ(both->many, &found.rows[1]);
}

TEST_F(WarpsFile, ThatIsMissingSaysSo)
{
    EXPECT_TRUE(test::said(read().missing).starts_with("There is no shipped warps.json")) << test::said(read().missing);
    EXPECT_FALSE(few_and_many(read(), "vectorized"));
}

TEST_F(WarpsFile, WhatANewerLadderHasIsLeftOut)
{
    json unknown = row("naive", 1), other = row("naive", 1);
    unknown["stage"] = "not_yet";
    other["parameters"] = {{"block", 33}};
    write({unknown, other});
    EXPECT_TRUE(read().rows.empty());
    EXPECT_EQ(test::said(read().missing), "");
}

TEST_F(WarpsFile, DamagedRowsAreLeftOutWithTheReason)
{
    const json good = row("naive", 1);
    const std::vector<std::pair<std::string, std::string>> damages = {
        {R"([{"op": "replace", "path": "/plain_ms", "value": 0}])", "plain_ms is not above zero"},
        {R"([{"op": "replace", "path": "/kinds/0/0", "value": 21}])",
         "an operation is not a whole number from 0 to 20"},
        {R"([{"op": "replace", "path": "/kinds", "value": []}])", "kinds is empty"},
        {R"([{"op": "remove", "path": "/warps/0/steps/0"}])", "steps has not three numbers for each"},
        {R"([{"op": "replace", "path": "/warps/0/steps/0", "value": 4096}])", "a step is not a whole number"},
        {R"([{"op": "replace", "path": "/warps/0/steps/2", "value": 4294967295}])", "a step's own cycles"},
        {R"([{"op": "replace", "path": "/warps/0/end", "value": 3}])", "a warp ends before its last step"},
        {R"([{"op": "replace", "path": "/warps/0/slot", "value": 64}])", "slot is not a whole number from 0 to 63"},
        {R"([{"op": "replace", "path": "/warps", "value": []}])", "warps is empty"},
        {R"([{"op": "remove", "path": "/probed"}])", "probed is missing"}};
    for (const auto& [patch, why] : damages) {
        write({good, good.patch(json::parse(patch))});
        const viz::WatchedStages found = read();
        EXPECT_EQ(found.rows.size(), 1u) << patch;
        EXPECT_TRUE(says(test::said(found.missing), why));
    }
}

// The made-up machine behaves like a real one in one respect: with more warps a scheduler waits less.
TEST_F(WarpsFile, MoreWarpsHideMore)
{
    const recording::WarpTimes few = test::made_up_warps("vectorized", 4, 1),
                               many = test::made_up_warps("vectorized", 4, 4);
    const recording::WarpTimes* const both[] = {&few, &many};
    const viz::LeastOfOps least = viz::least_of_ops(both);
    const viz::SmOverTime of_few = viz::sm_over_time(few, least), of_many = viz::sm_over_time(many, least);
    EXPECT_LT(of_many.span, of_few.span);
    EXPECT_LT(of_few.running_share(), of_many.running_share());
    EXPECT_GT(of_few.stalled_share(), of_many.stalled_share());
    EXPECT_EQ(of_few.blocks, 4u);
    EXPECT_EQ(of_many.most_at_once, 32u);
}

} // namespace
