// The candidates of a search on another GPU, and what they say about single parameters.
#include "app/data/searches.h"

#include "app/panels/candidate_values.h"

#include "tests/app/said.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include "viz/text/templates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using test::said;
using test::says;

class ShippedSearches : public testing::Test {
protected:
    void SetUp() override
    {
        folder.put_file(test::data("candidates.json"));
        const app::ShippedSearches read = app::read_searches(folder.path(), test::ladder());
        EXPECT_EQ(said(read.missing), "");
        searches = read.searches;
    }

    test::ShippedFolder folder;
    std::vector<app::TriedParameters> searches;
};

TEST_F(ShippedSearches, AreRankedAndLeaveOutWhatIsNotKnownHere)
{
    ASSERT_EQ(searches.size(), 1u);
    const app::TriedParameters& search = searches.front();
    EXPECT_EQ(search.stage, "autotuned");
    EXPECT_EQ(search.problem.K, 4096u);
    EXPECT_EQ(viz::device_and_date(search.from), "NVIDIA H200, 2026-11-21");
    ASSERT_EQ(search.ranked.size(), 6u);
    EXPECT_EQ(search.ranked.front().gflops, 45000);
    EXPECT_EQ(search.ranked[4].gflops, 30000);
    EXPECT_EQ(search.ranked.back().state, kernels::Candidate::State::failed);
    EXPECT_NE(search.ranked.back().failure, "");
}

TEST_F(ShippedSearches, ThatAreBrokenAreNone)
{
    const auto why = [&](const std::string& text) {
        std::ofstream(folder.path() / "candidates.json") << text;
        const app::ShippedSearches read = app::read_searches(folder.path(), test::ladder());
        EXPECT_TRUE(read.searches.empty()) << text;
        return said(read.missing);
    };
    for (const char* damaged : {"{", "", "[]"})
        EXPECT_TRUE(says(why(damaged), "it is damaged. scripts/make-assets")) << damaged;
    EXPECT_NE(why(R"({"format": 1, "device": "X", "date": "D", "searches": 7})").find("searches is not a list"),
              std::string::npos);
    EXPECT_NE(why(R"({"format": 2, "searches": []})").find("a format of another gemmscope"), std::string::npos);
    EXPECT_EQ(said(app::read_searches({}, test::ladder()).missing), "No candidates.json is shipped.");
    std::filesystem::remove(folder.path() / "candidates.json");
    EXPECT_TRUE(says(said(app::read_searches(folder.path(), test::ladder()).missing), "is not there"));
}

TEST_F(ShippedSearches, OneThatIsDamagedDoesNotHideTheOthers)
{
    nlohmann::json file = nlohmann::json::parse(std::ifstream(folder.path() / "candidates.json"));
    nlohmann::json& all = file["searches"];
    const std::size_t before = all.size();
    nlohmann::json damaged = all.back();
    damaged["candidates"][0].erase("state");
    all.insert(all.begin(), damaged);
    std::ofstream(folder.path() / "candidates.json") << file.dump();
    const app::ShippedSearches read = app::read_searches(folder.path(), test::ladder());
    EXPECT_EQ(read.searches.size(), searches.size());
    EXPECT_TRUE(said(read.missing).starts_with(fmt::format("1 of {} rows of ", before + 1))) << said(read.missing);
}

TEST_F(ShippedSearches, EachValueHasItsCandidates)
{
    ASSERT_EQ(searches.size(), 1u);
    const app::TriedParameters& search = searches.front();
    const kernels::Stage& stage = test::stage(search.stage);
    const std::vector<app::ValueSpeeds> rows = app::speeds_by_value(search.ranked, stage.parameters.size());
    ASSERT_EQ(rows.size(), 7u) << "BM and BN: 64 and 128, STAGES: 2, 3 and 4; the others do not differ";
    EXPECT_EQ(stage.parameters[rows[0].parameter].name, "BM");
    EXPECT_EQ(rows[0].value, 64);
    EXPECT_EQ(rows[0].candidates, (std::vector<std::size_t>{1, 2})) << "44,000 and 40,000";
    EXPECT_EQ(rows[1].candidates, (std::vector<std::size_t>{0, 3, 4}));
    EXPECT_EQ(app::right_ones(search.ranked), 5u);
}

TEST_F(ShippedSearches, TheLessonIsInTheirOwnNumbers)
{
    ASSERT_EQ(searches.size(), 1u);
    const kernels::Stage& stage = test::stage(searches[0].stage);
    const std::string lesson = viz::plain(app::lesson_of(stage, searches[0].ranked));
    for (const char* figure : {"The fastest of 5 makes 45,000 GFLOPS", "88.9%", "66.7%", "2 lie within 3%",
                               "differ in BM, BN and STAGES.", "4 of the 7 values"})
        EXPECT_TRUE(says(lesson, figure));
    EXPECT_TRUE(app::lesson_of(stage, {}).empty());
}

} // namespace
