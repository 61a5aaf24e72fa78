// What a GPU counted, as it comes with gemmscope: read with what it belongs to, or said to be missing in a sentence.
#include "app/catalogue/counters.h"

#include "tests/app/said.h"
#include "tests/app/session/session_support.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using app::ShippedCounters;
using test::Session;
using test::said;

class CountersFile : public test::SessionTest {
protected:
    ShippedCounters counters() const { return app::read_counters(folder.path(), ladder); }
    const kernels::Stage& stage(std::string_view slug) const { return kernels::find_stage(ladder, slug); }
    kernels::ParameterValues standard(std::string_view slug) const { return stage(slug).standard_parameters(); }

    std::vector<kernels::Stage> ladder = kernels::make_ladder();
    test::ShippedFolder folder;
};

TEST_F(CountersFile, IsReadAscendingBySize)
{
    folder.put_file(std::filesystem::path(TEST_DATA) / "counters.json");
    const ShippedCounters read = counters();
    EXPECT_EQ(said(read.missing), "");
    EXPECT_EQ(read.rows.size(), 3u) << "what a newer ladder has is left out";
    const std::vector<viz::HardwareFigures> found = read.of(stage("vectorized"), standard("vectorized"));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].problem.M, 128u);
    EXPECT_EQ(found[1].problem.M, 1024u);
    EXPECT_EQ(found[0].l1_hits, 0.25);
    EXPECT_EQ(found[0].dram_read, 262144);
    EXPECT_EQ(found[0].least_read, 2 * 128 * 128 * 4);
    EXPECT_EQ(found[1].issued_per_cycle, 2.5);
    EXPECT_EQ(viz::plain(viz::how_had(found[0].from)), "counted on NVIDIA H200, 2026-11-21, shipped with gemmscope");
    EXPECT_FALSE(read.of(stage("naive"), standard("naive")).at(0).dram_written.has_value()) << "missing is not zero";

    kernels::ParameterValues others = standard("vectorized");
    others.front() = 64;
    EXPECT_TRUE(read.of(stage("vectorized"), others).empty()) << "counters belong to their parameters";
}

TEST_F(CountersFile, ThatIsMissingOrBrokenSaysSo)
{
    EXPECT_TRUE(said(counters().missing).starts_with("There is no shipped counters.json: "))
        << said(counters().missing);
    std::ofstream(folder.path() / "counters.json") << R"({"format": 1, "device": "X", "date": "2026-11-21", "rows": [
        {"stage": "naive", "size": "128", "parameters": {}, "counters": {"dram__bytes_read.sum": -7}}]})";
    const ShippedCounters broken = counters();
    EXPECT_TRUE(said(broken.missing).starts_with("1 of 1 rows of ")) << said(broken.missing);
    EXPECT_TRUE(broken.rows.empty());
}

TEST_F(CountersFile, OneDamagedRowDoesNotHideTheOthers)
{
    nlohmann::json file = nlohmann::json::parse(std::ifstream(TEST_DATA "/counters.json"));
    file["rows"][0]["counters"]["dram__bytes_read.sum"] = 1e300;
    file["rows"].push_back("nonsense");
    std::ofstream(folder.path() / "counters.json") << file.dump();
    const ShippedCounters read = counters();
    EXPECT_EQ(read.rows.size(), 2u) << "of three that are of this ladder";
    EXPECT_TRUE(said(read.missing).starts_with("2 of 5 rows of ")) << said(read.missing);
}

TEST_F(CountersFile, IsAskedForOneLaunch)
{
    folder.put_file(std::filesystem::path(TEST_DATA) / "counters.json");
    const ShippedCounters read = counters();
    kernels::Job job{&stage("naive"), standard("naive"), {.M = 128, .N = 128, .K = 128}};
    const app::CountedRow* row = read.find(job);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->counters.sums.at("dram__bytes_read.sum"), 139264u);
    EXPECT_EQ(row->counters.passes, 9);
    EXPECT_TRUE(row->each.empty());
    EXPECT_EQ(viz::device_and_date(read.from_of(*row)), "NVIDIA H200, 2026-11-21");
    job.problem.beta = 1;
    EXPECT_EQ(read.find(job), nullptr) << "with other scales";
    EXPECT_EQ(read.why_none(), recording::Reasons{{recording::Missing::other_launch}});
    EXPECT_EQ(said(app::read_counters({}, ladder).why_none()), "No counters.json is shipped.");
}

TEST_F(CountersFile, ReachesTheBoard)
{
    folder.put_file(std::filesystem::path(TEST_DATA) / "counters.json");
    app::SessionOptions with = options(false);
    with.shipped = folder.path();
    Session session(with);
    ASSERT_TRUE(
        eventually(session, [&] { return session.snapshot()->machine() != nullptr && session.snapshot()->loaded; }));
    const viz::Board board = session.snapshot()->board;
    EXPECT_EQ(board.find("vectorized")->counted.size(), 2u);
    EXPECT_TRUE(board.find("swizzled")->counted.empty());
    EXPECT_EQ(board.find("swizzled")->not_counted.at(0).missing, recording::Missing::no_gpu);
}

TEST_F(CountersFile, GivesWayToWhatIsCountedHere)
{
    folder.put_file(std::filesystem::path(TEST_DATA) / "counters.json");
    app::SessionOptions with = options(true);
    with.shipped = folder.path();
    with.first = "vectorized";
    Session session(with);
    ASSERT_TRUE(eventually(session, [&] {
        return session.snapshot()->settled() && session.snapshot()->loaded &&
               session.snapshot()->first().recording != nullptr;
    }));
    EXPECT_TRUE(session.snapshot()->board.find("vectorized")->not_counted.empty()) << "nobody has asked";
    session.count_shown();
    EXPECT_TRUE(session.snapshot()->board.counting);
    ASSERT_TRUE(eventually(session, [&] { return !session.snapshot()->board.counting; }));
    EXPECT_FALSE(session.snapshot()->board.find("vectorized")->not_counted.empty()) << "this GPU has no counters";
    EXPECT_EQ(session.snapshot()->board.find("vectorized")->counted.size(), 2u) << "what is shipped stays";
}

// 2 * 64^3 operations; 1,024 sectors that loads touch are 32,768 bytes, and so on.
TEST(CountedIntensity, IsOfEachLevelThatWasCounted)
{
    viz::HardwareFigures figures{.problem = {.M = 64, .N = 64, .K = 64}, .dram_read = 8192, .dram_written = 8192};
    figures.load_sectors = 1024;
    figures.l2_sectors = 2048;
    figures.shared_wavefronts = 512;
    const double flops = 2.0 * 64 * 64 * 64;
    const viz::CountedIntensity counted = viz::counted_intensity(figures, flops);
    EXPECT_EQ(counted.loads, flops / 32768);
    EXPECT_EQ(counted.l2, flops / 65536);
    EXPECT_EQ(counted.dram, flops / 16384);
    EXPECT_EQ(counted.shared, flops / 65536);
    figures.load_sectors = 0; // bulk copies load
    figures.dram_written.reset();
    const viz::CountedIntensity less = viz::counted_intensity(figures, flops);
    EXPECT_FALSE(less.loads.has_value());
    EXPECT_FALSE(less.dram.has_value()) << "half of it is not all";
}

TEST_F(CountersFile, HasTheLevelsOfMemory)
{
    std::ofstream(folder.path() / "counters.json") << R"({"format": 1, "device": "X", "date": "2026-11-21", "rows": [
        {"stage": "naive", "size": "128", "parameters": {}, "device": "X", "toolkit": "T", "max_threads_per_sm": 2048,
         "registers_per_thread": 32, "launches": 1, "passes": 5, "counters": {"lts__t_sectors_lookup_hit.sum": 30, "lts__t_sectors_lookup_miss.sum": 12,
                      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum": 50,
                      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum": 6}}]})";
    const std::vector<viz::HardwareFigures> found = counters().of(stage("naive"), standard("naive"));
    ASSERT_EQ(found.size(), 1u) << said(counters().missing);
    EXPECT_EQ(found[0].l2_sectors, 42);
    EXPECT_EQ(found[0].load_sectors, 56);
    EXPECT_FALSE(found[0].shared_wavefronts.has_value()) << "not counted is not zero";
}

} // namespace
