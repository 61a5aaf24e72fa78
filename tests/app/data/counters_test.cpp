// Shipped counters of a GPU: read with their context, or missing with a sentence.
#include "app/data/counters.h"

#include "app/engine/count.h"

#include "tests/app/said.h"
#include "tests/app/session/session_support.h"
#include "tests/ladder.h"
#include "tests/paths.h"
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
    ShippedCounters counters() const { return app::read_counters(folder.path(), test::ladder()); }
    kernels::ParameterValues standard(std::string_view slug) const { return test::stage(slug).standard_parameters(); }

    test::ShippedFolder folder;
};

TEST_F(CountersFile, IsReadAscendingBySize)
{
    folder.put_file(test::data("counters.json"));
    const ShippedCounters read = counters();
    EXPECT_EQ(said(read.missing), "");
    EXPECT_EQ(read.rows.size(), 3u) << "rows of a newer ladder are skipped";
    const std::vector<viz::HardwareFigures> found = read.of(test::stage("vectorized"), standard("vectorized"));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].problem.M, 128u);
    EXPECT_EQ(found[1].problem.M, 1024u);
    EXPECT_EQ(found[0].l1_hits, 0.25);
    EXPECT_EQ(found[0].dram_read, 262144);
    EXPECT_EQ(found[0].least_read, 2 * 128 * 128 * 4);
    EXPECT_EQ(found[1].issued_per_cycle, 2.5);
    EXPECT_EQ(viz::plain(viz::how_had(found[0].from)), "counted on NVIDIA H200, 2026-11-21, shipped with gemmscope");
    EXPECT_FALSE(read.of(test::stage("naive"), standard("naive")).at(0).dram_written.has_value())
        << "a missing figure is not zero";

    kernels::ParameterValues others = standard("vectorized");
    others.front() = 64;
    EXPECT_TRUE(read.of(test::stage("vectorized"), others).empty()) << "counters of other parameters do not count";
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
    nlohmann::json file = nlohmann::json::parse(std::ifstream(test::data("counters.json")));
    file["rows"][0]["counters"]["dram__bytes_read.sum"] = 1e300;
    file["rows"].push_back("nonsense");
    std::ofstream(folder.path() / "counters.json") << file.dump();
    const ShippedCounters read = counters();
    EXPECT_EQ(read.rows.size(), 2u) << "one of the three rows of this ladder is damaged";
    EXPECT_TRUE(said(read.missing).starts_with("2 of 5 rows of ")) << said(read.missing);
}

TEST_F(CountersFile, IsAskedForOneLaunch)
{
    folder.put_file(test::data("counters.json"));
    const ShippedCounters read = counters();
    kernels::Job job{&test::stage("naive"), standard("naive"), {.M = 128, .N = 128, .K = 128}};
    const app::CountedRow* row = read.find(job);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->counters.sums.at("dram__bytes_read.sum"), 139264u);
    EXPECT_EQ(row->counters.passes, 9);
    EXPECT_TRUE(row->each.empty());
    EXPECT_EQ(viz::device_and_date(read.from_of(*row)), "NVIDIA H200, 2026-11-21");
    job.problem.beta = 1;
    EXPECT_EQ(read.find(job), nullptr) << "the job has other scales";
    EXPECT_EQ(read.why_none(), recording::Reasons{{recording::Missing::other_launch}});
    EXPECT_EQ(said(app::read_counters({}, test::ladder()).why_none()), "No counters.json is shipped.");
}

TEST_F(CountersFile, ReachesTheBoard)
{
    folder.put_file(test::data("counters.json"));
    app::SessionOptions with = options(false);
    with.shipped = folder.path();
    Session session(with);
    ASSERT_TRUE(
        eventually(session, [&] { return session.snapshot()->machine() != nullptr && session.snapshot()->loaded; }));
    const viz::LadderFacts ladder_facts = session.snapshot()->ladder_facts;
    EXPECT_EQ(ladder_facts.find("vectorized")->counted.size(), 2u);
    EXPECT_TRUE(ladder_facts.find("swizzled")->counted.empty());
    EXPECT_EQ(ladder_facts.find("swizzled")->not_counted.at(0).missing, recording::Missing::no_gpu);
}

TEST_F(CountersFile, GivesWayToWhatIsCountedHere)
{
    folder.put_file(test::data("counters.json"));
    app::SessionOptions with = options(true);
    with.shipped = folder.path();
    with.first = "vectorized";
    Session session(with);
    ASSERT_TRUE(eventually(session, [&] {
        return session.snapshot()->ready() && session.snapshot()->loaded &&
               session.snapshot()->columns.front().recording != nullptr;
    }));
    EXPECT_TRUE(session.snapshot()->ladder_facts.find("vectorized")->not_counted.empty())
        << "no counters were requested";
    session.count_shown();
    EXPECT_TRUE(session.snapshot()->ladder_facts.counting);
    ASSERT_TRUE(eventually(session, [&] { return !session.snapshot()->ladder_facts.counting; }));
    EXPECT_FALSE(session.snapshot()->ladder_facts.find("vectorized")->not_counted.empty())
        << "this GPU has no counters";
    EXPECT_EQ(session.snapshot()->ladder_facts.find("vectorized")->counted.size(), 2u) << "the shipped counters stay";
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
    figures.load_sectors = 0; // as with bulk copies
    figures.dram_written.reset();
    const viz::CountedIntensity less = viz::counted_intensity(figures, flops);
    EXPECT_FALSE(less.loads.has_value());
    EXPECT_FALSE(less.dram.has_value()) << "reads alone are not the whole DRAM traffic";
}

TEST_F(CountersFile, HasTheLevelsOfMemory)
{
    std::ofstream(folder.path() / "counters.json") << R"({"format": 1, "device": "X", "date": "2026-11-21", "rows": [
        {"stage": "naive", "size": "128", "parameters": {}, "device": "X", "toolkit": "T", "max_threads_per_sm": 2048,
         "registers_per_thread": 32, "launches": 1, "passes": 5, "counters": {"lts__t_sectors_lookup_hit.sum": 30, "lts__t_sectors_lookup_miss.sum": 12,
                      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum": 50,
                      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum": 6}}]})";
    const std::vector<viz::HardwareFigures> found = counters().of(test::stage("naive"), standard("naive"));
    ASSERT_EQ(found.size(), 1u) << said(counters().missing);
    EXPECT_EQ(found[0].l2_sectors, 42);
    EXPECT_EQ(found[0].load_sectors, 56);
    EXPECT_FALSE(found[0].shared_wavefronts.has_value()) << "a figure that was not counted is not zero";
}

recording::RunProfile a_run()
{
    return {.instructions = {{0, 0, "LDG.128", 7, 4},
                             {0, 0x10, "FFMA", 8, 512},
                             {0, 0x40, "FFMA", 8, 512},
                             {1, 0x10, "", 0, 2}},
            .samples = recording::WarpSamples{.states = {"wait", "selected"},
                                              .samples = {{0, 0x10, 0, 5}, {0, 0x10, 1, 9}, {1, 0x10, 0, 1}},
                                              .cycles = 1024,
                                              .launches = 3,
                                              .taken = 20,
                                              .dropped = 4,
                                              .elsewhere = 1},
            .source = 4000000000u};
}

TEST(RunProfile, ComesBackAsItWasWritten)
{
    const nlohmann::json written = app::to_json(a_run());
    const recording::RunProfile read = app::run_profile_from(nlohmann::json::parse(written.dump()));
    EXPECT_EQ(read.instructions, a_run().instructions);
    EXPECT_EQ(read.source, 4000000000u);
    ASSERT_TRUE(read.samples.has_value());
    EXPECT_EQ(app::to_json(read), written) << "the samples are written too";
    EXPECT_EQ(read.samples->kept(), 15u);
    EXPECT_EQ(read.samples->kept() + read.samples->dropped + read.samples->elsewhere, read.samples->taken);
    recording::RunProfile bare = a_run();
    bare.samples.reset();
    bare.instructions.pop_back();
    const nlohmann::json less = app::to_json(bare);
    EXPECT_FALSE(less.contains("kernel")) << "all instructions are of the first kernel";
    EXPECT_FALSE(app::run_profile_from(less).samples.has_value());
    EXPECT_EQ(app::run_profile_from(less).instructions, bare.instructions);
}

TEST(RunProfile, IsNotBelieved)
{
    const auto refused = [](const char* change) {
        nlohmann::json damaged = app::to_json(a_run());
        damaged.merge_patch(nlohmann::json::parse(change));
        EXPECT_THROW(app::run_profile_from(damaged), kernels::Error) << change;
    };
    refused(R"({"executed": [[1, 4], [2, 512]]})");
    refused(R"({"executed": [[1, 4], [2, 512], [2, 2]]})");
    refused(R"({"executed": [[4]]})");
    refused(R"({"name": [0, 1, 1, 3]})");
    refused(R"({"names": []})");
    refused(R"({"line": [7, 8, 8]})");
    refused(R"({"address": [0, 4, 1, 1]})");
    refused(R"({"kernel": [0, 0, 0, 2]})");
    refused(R"({"kernel": [1, 0, 0, 1]})");
    refused(R"({"source": -1})");
    refused(R"({"samples": {"at": [[4, 0, 1]]}})");
    refused(R"({"samples": {"at": [[1, 2, 1]]}})");
    refused(R"({"samples": {"at": [[1, 0, 0]]}})");
    refused(R"({"samples": {"at": [[1, 0]]}})");
    refused(R"({"samples": {"at": [[1, 1, 5, 0, 9]]}})");
    refused(R"({"samples": {"states": [1, 2]}})");
    refused(R"({"samples": {"cycles": 0}})");
}

TEST_F(CountersFile, HasTheRunOfTheLargestLaunch)
{
    nlohmann::json file = nlohmann::json::parse(std::ifstream(test::data("counters.json")));
    file["rows"][0]["run"] = app::to_json(a_run());
    recording::RunProfile large = a_run();
    large.instructions[1].executed = 4096;
    file["rows"][1]["run"] = app::to_json(large);
    std::ofstream(folder.path() / "counters.json") << file.dump();
    const ShippedCounters read = counters();
    EXPECT_EQ(said(read.missing), "");
    const std::optional<viz::CountedRun> run = read.run_of(test::stage("vectorized"), standard("vectorized"));
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->problem.M, 1024u);
    EXPECT_EQ(run->run->instructions, large.instructions);
    EXPECT_TRUE(run->from.shipped);
    EXPECT_FALSE(read.run_of(test::stage("naive"), standard("naive")).has_value()) << "an older row has no profile";
    const app::CountedRow& row = read.rows[0];
    const nlohmann::json again = app::to_json(row, test::stage("vectorized"));
    EXPECT_EQ(again.at("run"), app::to_json(a_run()));
    EXPECT_EQ(
        app::counted_elsewhere(read, kernels::Job{&test::stage("vectorized"), row.parameters, row.problem}).row->run,
        nullptr)
        << "a worker does not need the profile";
}

} // namespace
