// Shipped files for machines without a GPU: read, or reported as missing or damaged in a sentence.
#include "app/data/recordings.h"
#include "app/data/speeds.h"

#include "recording/file.h"
#include "tests/app/said.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace {

using app::ShippedSpeeds;
using test::said;
using test::says;

class Shipped : public testing::Test {
protected:
    ShippedSpeeds speeds() const { return app::read_speeds(folder.path(), test::ladder()); }
    std::string why_no_recording(std::string_view slug) const
    {
        return test::refusal([&] { app::read_shipped_recording(folder.path(), test::stage(slug)); });
    }

    test::ShippedFolder folder;
};

TEST_F(Shipped, SpeedsAreReadWithWhatTheyBelongTo)
{
    folder.put_speeds(test::three_speeds);
    const ShippedSpeeds read = speeds();
    EXPECT_EQ(said(read.missing), "");
    EXPECT_EQ(read.from.device, "NVIDIA H200");
    EXPECT_EQ(read.from.date, "2026-11-20");
    EXPECT_EQ(read.peak_gflops, 66000);
    ASSERT_EQ(read.rows.size(), 3u);
    const kernels::ParameterValues standard = test::stage("vectorized").standard_parameters();
    const app::TimedRow* vectorized = read.find("vectorized", standard);
    ASSERT_NE(vectorized, nullptr);
    EXPECT_EQ(vectorized->gflops, 36000);
    EXPECT_EQ(vectorized->of_cublas, 0.75);
    EXPECT_EQ(vectorized->problem, (recording::Problem{.M = 4096, .N = 4096, .K = 4096}));
    EXPECT_EQ(read.cublas_gflops, 48000);
    EXPECT_EQ(viz::plain(viz::how_had(app::provenance_of(read, *vectorized))),
              "measured on NVIDIA H200, 2026-11-20, shipped with gemmscope, at 4096³");

    kernels::ParameterValues others = standard;
    others.front() = 64;
    EXPECT_EQ(read.find("vectorized", others), nullptr) << "a speed counts only for its parameters";
    EXPECT_EQ(read.find("naive", standard), nullptr);
    const app::TimedRow* vectors = read.find("vector_add", test::stage("vector_add").standard_parameters());
    ASSERT_NE(vectors, nullptr);
    EXPECT_EQ(vectors->problem, (recording::Problem{.N = 1048576}));
    EXPECT_FALSE(vectors->of_cublas.has_value());
}

TEST_F(Shipped, SpeedsThatAreOfNoUseHereAreLeftOut)
{
    folder.put_speeds(R"({"format": 1, "device": "X", "date": "2026-11-20", "peak_gflops": null, "rows": [
        {"stage": "of_a_newer_ladder", "size": "4096", "ok": true},
        {"stage": "cpu_blas", "size": "4096", "ok": true, "median_ms": 1, "gflops": 1, "of_cublas": null},
        {"stage": "cublas_tf32", "size": "4096", "missing": "There is none."},
        {"stage": "naive", "size": "4096", "ok": false, "parameters": {}},
        {"stage": "shared_tile", "size": "4096", "ok": true, "parameters": {"GONE": 7}, "median_ms": 1, "gflops": 1,
         "of_cublas": null},
        {"stage": "vectorized", "size": "4096", "ok": true, "parameters": {"BM": 128}, "median_ms": 4, "gflops": 36000,
         "of_cublas": null}]})");
    const ShippedSpeeds read = speeds();
    ASSERT_EQ(read.rows.size(), 1u) << said(read.missing);
    EXPECT_EQ(read.rows.front().slug, "vectorized");
    EXPECT_FALSE(read.peak_gflops.has_value());
    EXPECT_FALSE(read.cublas_gflops.has_value());
}

TEST_F(Shipped, MissingSpeedsAreSaid)
{
    EXPECT_TRUE(says(said(speeds().missing), "speeds.json is not there"));
    EXPECT_EQ(said(app::read_speeds({}, test::ladder()).missing), "No speeds.json is shipped.");
    EXPECT_NE(said(app::read_speeds("/nowhere/at/all", test::ladder()).missing), "");
}

std::string with(std::string_view before, std::string_view after)
{
    std::string text = test::three_speeds;
    text.replace(text.find(before), before.size(), after);
    return text;
}

TEST_F(Shipped, BrokenSpeedsAreSaidAndLeaveNone)
{
    const std::string good = test::three_speeds;
    for (const std::string& broken :
         {std::string(), std::string("{"), good.substr(0, good.size() / 2), std::string("[1, 2]"), std::string("null"),
          with("\"format\": 1", "\"format\": 2"), with("\"format\": 1", "\"format\": 4294967297"),
          with("\"rows\"", "\"lines\""), with("66000", "-1"),
          std::string(R"({"format": 1, "device": "X", "date": "D", "peak_gflops": 1, "rows": []})")}) {
        folder.put_speeds(broken);
        const ShippedSpeeds read = speeds();
        EXPECT_TRUE(says(said(read.missing), "speeds.json")) << broken;
        EXPECT_TRUE(read.rows.empty()) << broken;
    }
}

TEST_F(Shipped, ABrokenSpeedDoesNotHideTheOthers)
{
    for (const std::string& broken :
         {with("36000", "\"fast\""), with("36000", "-36000"), with("36000", "0"), with("36000", "1e999"),
          with("\"4096\"", "\"wide\""), with("\"4096\"", "4096"), with("\"median_ms\": 3.8", "\"median_ms\": null"),
          with("0.75", "-0.75"), with("{\"BM\": 128}", "7"), with("\"ok\": true", "\"ok\": 1"),
          with("\"median_ms\": 3.8", "\"median_ms\": 3.8, \"samples\": 4294967301")}) {
        folder.put_speeds(broken);
        const ShippedSpeeds read = speeds();
        if (broken.find("1e999") != std::string::npos) { // not JSON
            EXPECT_TRUE(says(said(read.missing), "it is damaged"));
            continue;
        }
        EXPECT_TRUE(said(read.missing).starts_with("1 of 3 rows of ")) << said(read.missing);
        EXPECT_TRUE(says(said(read.missing), "speeds.json are damaged and left out: rows 1: "));
        ASSERT_EQ(read.rows.size(), 2u) << broken;
        EXPECT_EQ(read.cublas_gflops, 48000);
    }
}

TEST_F(Shipped, ARecordingIsReadAndSaysWhereItWasMade)
{
    folder.put_recording("naive");
    const recording::Recording read = app::read_shipped_recording(folder.path(), test::stage("naive"));
    EXPECT_FALSE(app::changed_since(read, test::stage("naive")));
    const recording::Provenance from = recording::provenance_of(read, true);
    EXPECT_EQ(from.device, "NVIDIA H200");
    EXPECT_EQ(from.date, "2026-11-20");
    const kernels::Job job{
        &test::stage("naive"), test::stage("naive").standard_parameters(), {.M = 128, .N = 128, .K = 128}};
    EXPECT_TRUE(app::answers(read, job));
    kernels::Job other = job;
    other.problem.K = 129;
    EXPECT_FALSE(app::answers(read, other));
    other = job;
    other.parameters.front() /= 2;
    EXPECT_FALSE(app::answers(read, other));
    EXPECT_FALSE(app::answers(read, {&test::stage("coalesced"), job.parameters, job.problem}));
    EXPECT_FALSE(app::answers(read, {&test::stage("naive"), job.parameters, job.problem, recording::Inputs::small}));
}

TEST_F(Shipped, ARecordingOfAnOlderSourceSaysSo)
{
    recording::Recording old = test::shipped_recording("naive");
    old.sources[0].text += "// once more\n";
    EXPECT_FALSE(app::changed_since(old, test::stage("naive"))) << "code for the host is not part of the kernel";
    old.sources[0].text.replace(0, old.sources[0].text.find('\n'), "// other words");
    EXPECT_FALSE(app::changed_since(old, test::stage("naive"))) << "comments are not part of the kernel";
    old.sources[0].text.insert(0, "// once more\n");
    EXPECT_TRUE(app::changed_since(old, test::stage("naive")));
}

TEST_F(Shipped, ARecordingThatIsMissingBrokenOrOfAnotherStageIsSaid)
{
    EXPECT_TRUE(says(why_no_recording("naive"), "No recording of naive is shipped"));
    EXPECT_THROW(app::read_shipped_recording(folder.path(), test::stage("naive")), kernels::Unavailable);
    std::ofstream(folder.path() / "naive.gscope") << "not a recording";
    EXPECT_TRUE(says(why_no_recording("naive"), "naive.gscope is not a gemmscope recording"));
    folder.put_recording("coalesced");
    std::filesystem::rename(folder.path() / "coalesced.gscope", folder.path() / "naive.gscope");
    EXPECT_TRUE(says(why_no_recording("naive"), "a recording of coalesced instead of naive"));
}

TEST_F(Shipped, TheEnvironmentNamesTheFolder)
{
    ASSERT_EQ(setenv("GEMMSCOPE_RECORDINGS", folder.path().c_str(), 1), 0);
    EXPECT_EQ(app::shipped_folder(), folder.path());
    unsetenv("GEMMSCOPE_RECORDINGS");
    EXPECT_EQ(app::shipped_folder(), test::shipped()) << "a program that is not installed uses the source tree";
}

} // namespace
