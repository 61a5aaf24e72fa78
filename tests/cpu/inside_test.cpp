// What is had beside a recording: machine code, counters, and the reasons why not.
#include "app/inside.h"
#include "fake_gpu.h"
#include "sample_recording.h"

#include "engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>

namespace {

const std::vector<kernels::Stage>& ladder()
{
    static const std::vector<kernels::Stage> stages = kernels::make_ladder();
    return stages;
}

app::RecordingPtr record(std::string_view slug)
{
    const kernels::Stage& stage = kernels::find_stage(ladder(), slug);
    const kernels::Job job{&stage, stage.standard_parameters(), {.M = 32, .N = 32, .K = 32, .alpha = 1, .beta = 0}};
    const recording::Index3 block{0, 0, 0};
    return std::make_shared<const recording::Recording>(
        kernels::make_cpu_backend()->record(job, std::span(&block, 1), {}));
}

app::RecordingPtr changed(const app::RecordingPtr& recording, const std::function<void(recording::Recording&)>& change)
{
    recording::Recording copy = *recording;
    change(copy);
    return std::make_shared<const recording::Recording>(std::move(copy));
}

TEST(Inside, JobIsThatOfTheRecording)
{
    const app::RecordingPtr recording = record("vectorized");
    const auto job = app::job_of(ladder(), *recording);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->stage->slug, "vectorized");
    EXPECT_EQ(job->parameters, job->stage->standard_parameters());
    EXPECT_EQ(job->problem, recording->problem);
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.stage = "another"; })));
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.parameters.pop_back(); })));
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.parameters[0].value = 0; })));
}

TEST(Inside, MachineCodeFitsTheRecordingsLines)
{
    const app::CodeOf code = app::examine(ladder(), record("shared_tile"), {});
    if (code.code.kernels.empty())
        GTEST_SKIP() << code.missing; // no NVRTC
    EXPECT_EQ(code.missing, "");
    ASSERT_TRUE(code.executed);
    EXPECT_GT(code.executed->shared_load.instructions, 0u);
    EXPECT_FALSE(code.lines.empty());
}

TEST(Inside, WhatDoesNotFitIsSaid)
{
    const app::RecordingPtr recording = record("shared_tile");
    const auto missing = [&](const std::function<void(recording::Recording&)>& change) {
        const app::CodeOf code = app::examine(ladder(), changed(recording, change), {});
        EXPECT_TRUE(code.lines.empty());
        return code.missing;
    };
    EXPECT_NE(missing([](auto& r) { r.source.text += "\n"; }).find("source has changed"), std::string::npos);
    EXPECT_NE(missing([](auto& r) { r.stage = "another"; }).find("does not have in that form"), std::string::npos);
}

app::Machine machine_of(const std::shared_ptr<cpu_tests::FakeGpu>& gpu)
{
    app::Machine machine;
    machine.backend = gpu;
    return machine;
}

TEST(Inside, CountersOrTheReasonWhyNot)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<cpu_tests::FakeGpu>();
    app::CountersOf counted = app::count(machine_of(gpu), ladder(), recording, {});
    EXPECT_FALSE(counted.counters);
    EXPECT_EQ(counted.missing, "Nobody may count here.");

    gpu->counted = kernels::Counters{};
    counted = app::count(machine_of(gpu), ladder(), recording, {});
    ASSERT_TRUE(counted.counters);
    EXPECT_EQ(counted.missing, "");
    EXPECT_EQ(counted.check.figures.size(), 10u);
    EXPECT_EQ(counted.least_dram_bytes, 2 * 32 * 32 * 4);

    app::Machine none;
    none.why_no_gpu = "There is no GPU.";
    EXPECT_EQ(app::count(none, ladder(), recording, {}).missing, "There is no GPU.");
}

struct Made {
    app::RecordingPtr recording;
    int number = 0;
};

// Work that waits until the test lets it go on.
class ByRecordingTest : public testing::Test {
protected:
    app::RecordingPtr first = std::make_shared<const recording::Recording>();
    app::RecordingPtr second = std::make_shared<const recording::Recording>();
    std::atomic<int> begun = 0, let = 0;
    app::ByRecording<Made> made{[this](const app::RecordingPtr& recording, const std::stop_token& stop) {
                                    const int number = ++begun;
                                    while (let < number && !stop.stop_requested())
                                        std::this_thread::yield();
                                    if (stop.stop_requested())
                                        throw kernels::Cancelled();
                                    return Made{recording, number};
                                },
                                [] {}};
    void wait()
    {
        while (!made.poll())
            std::this_thread::yield();
    }
};

TEST_F(ByRecordingTest, IsMadeOnceAndKept)
{
    made.want(first);
    EXPECT_TRUE(made.busy());
    EXPECT_EQ(made.of(first), nullptr);
    made.want(first);
    let = 1;
    wait();
    EXPECT_FALSE(made.busy());
    ASSERT_NE(made.of(first), nullptr);
    EXPECT_EQ(made.of(first)->number, 1);
    made.want(first);
    EXPECT_FALSE(made.busy());
    made.forget(first);
    EXPECT_EQ(made.of(first), nullptr);
}

TEST_F(ByRecordingTest, TheLastOneWantedReplacesWhatIsUnderWay)
{
    made.want(first);
    while (begun == 0)
        std::this_thread::yield();
    made.want(second); // does not wait
    let = 2;
    wait(); // the first one's end
    wait();
    EXPECT_EQ(made.of(first), nullptr);
    ASSERT_NE(made.of(second), nullptr);
}

TEST_F(ByRecordingTest, CanBeCancelled)
{
    made.want(first);
    made.cancel();
    wait();
    EXPECT_FALSE(made.busy());
    EXPECT_EQ(made.of(first), nullptr);
}

} // namespace
