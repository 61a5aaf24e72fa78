// Tasks that the window and the command line share.
#include "app/engine/task.h"
#include "temporary_folder.h"
#include "tests/app/engine/machine_with.h"
#include "tests/app/session/fake_gpu.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace {

using test::ladder;

namespace fs = std::filesystem;

kernels::Job autotuned()
{
    const kernels::Stage& stage = test::stage("autotuned");
    return {&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 128}};
}

class Tasks : public testing::Test {
protected:
    Tasks() { gpu->answers = {{64, {.ms = 4}}, {128, {.ms = 2}}, {256, {.ms = 1}}}; }
    app::TaskContext context() { return {ladder(), machine, gpu->stop.get_token()}; }
    std::shared_ptr<test::FakeGpu> gpu = std::make_shared<test::FakeGpu>();
    app::Machine machine = test::machine_with(gpu);
};

TEST_F(Tasks, NothingOfAnInterruptedSearchIsRemembered)
{
    gpu->stop_after = 4;
    const app::TuneTask task{app::named(autotuned()), {}, {}};
    const app::TuneResult stopped = task.run(context());
    EXPECT_FALSE(stopped.whole);
    ASSERT_FALSE(stopped.ranked.empty());
    EXPECT_EQ(stopped.ranked.front().state, kernels::Candidate::State::right) << "candidates that were timed stay";
    EXPECT_FALSE(app::winner_of(task, stopped, *autotuned().stage, "a GPU"));

    gpu->stop = {};
    gpu->stop_after = -1;
    const app::TuneResult whole = task.run(context());
    EXPECT_TRUE(whole.whole) << whole.error;
    const auto winner = app::winner_of(task, whole, *autotuned().stage, "a GPU");
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->parameters.front().value, 256);
}

TEST_F(Tasks, AWinnerAmongSomeReplacesNoneThatIsFaster)
{
    const kernels::TemporaryFolder folder;
    const fs::path file = folder / "tuned.json";
    const app::Winner slow{.gpu = "g", .stage = "autotuned", .size = "1x1x1", .gflops = 1, .date = "2026-11-22"};
    app::Winner fast = slow;
    fast.gflops = 2;
    EXPECT_TRUE((app::SaveTask{file, app::FoundWinner{fast, true}}.write().written));
    EXPECT_FALSE((app::SaveTask{file, app::FoundWinner{slow, false}}.write().written));
    EXPECT_EQ(app::TunedFile(file).winners().front().gflops, 2);
    EXPECT_TRUE((app::SaveTask{file, app::FoundWinner{slow, true}}.write().written))
        << "all candidates competed, so it replaces a faster winner";
    EXPECT_EQ(app::TunedFile(file).winners().front().gflops, 1);
}

class ProbedGpu : public test::FakeGpu {
public:
    std::vector<std::string> gpu_steps() override { return {"latency", "bandwidth", "peaks"}; }
    void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token) override
    {
        result.peaks.push_back({"fma", "fp32", static_cast<double>(step)});
        if (step == 1)
            throw kernels::Error("It does not launch.");
    }
};

TEST_F(Tasks, AMicrobenchmarkThatFailsHoldsUpNoOther)
{
    machine = test::machine_with(std::make_shared<ProbedGpu>());
    const app::ProbeResult result = app::ProbeTask().run(context());
    EXPECT_FALSE(result.whole);
    ASSERT_EQ(result.failed.size(), 1u);
    EXPECT_EQ(result.failed[0].step, "bandwidth");
    EXPECT_EQ(result.failed[0].why, "It does not launch.");
    ASSERT_EQ(result.measured.peaks.size(), 2u) << "the failed step leaves no result";
    EXPECT_EQ(result.measured.peaks[1].gflops, 2);
}

TEST_F(Tasks, ARecordingThatDoesNotFitTogetherIsNoCrash)
{
    recording::Recording broken;
    broken.stage = "naive";
    broken.problem = {.M = 0xffffffff, .N = 0xffffffff, .K = 0xffffffff};
    const auto recording = std::make_shared<const recording::Recording>(broken);
    EXPECT_FALSE((app::ExamineTask{.recording = recording, .job = {}}.run(context()).missing.empty()));
    EXPECT_FALSE(
        (app::CountTask{.job = app::job_of(broken), .recording = recording}.run(context()).launch->missing.empty()));
}

} // namespace
