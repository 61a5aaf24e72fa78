// Machines beside the one that shows: each with its own speeds in the ladder, and GPUs that are chosen.
#include "app/worker/expected.h"
#include "app/worker/message.h"
#include "tests/app/session/session_support.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "error.h"
#include "temporary_folder.h"

namespace {

using test::Session;
using app::WorkerAt;
using test::SessionTest;
using test::says;

const std::string other_gpu = test::scripted_worker() + " gpu Other 4";

class BesideTest : public SessionTest {
protected:
    static bool all_timed(const std::vector<app::StageStatus>& status)
    {
        return std::ranges::all_of(status, &app::StageStatus::timed);
    }
    static double milliseconds(const app::StageStatus& status) { return status.timing ? status.timing->median_ms : 0; }
};

TEST_F(BesideTest, ASecondMachineHasItsOwnSpeedsPeakAndCublas)
{
    Session session(measuring(true)); // 2 ms, cuBLAS 1 ms
    session.put_beside({other_gpu, {}});
    ASSERT_TRUE(eventually(session, [&] {
        const app::SnapshotPtr now = session.snapshot();
        return now->beside.size() == 1 && all_timed(now->beside[0].status) && all_timed(now->status);
    }));
    const app::SnapshotPtr now = session.snapshot();
    EXPECT_EQ(now->machine()->device->name, "fake GPU");
    EXPECT_EQ(now->beside[0].name(), "Other");
    EXPECT_NE(now->beside[0].found->device->peak_gflops, now->machine()->device->peak_gflops);
    const std::size_t naive = test::stage_named(session, "naive");
    EXPECT_DOUBLE_EQ(milliseconds(now->status[naive]), 2);
    EXPECT_DOUBLE_EQ(milliseconds(now->beside[0].status[naive]), 4);
    ASSERT_TRUE(now->beside[0].cublas_gflops && now->cublas_gflops());
    EXPECT_DOUBLE_EQ(*now->beside[0].cublas_gflops, *now->cublas_gflops() / 2);
    EXPECT_EQ(now->beside[0].status[naive].speed.gflops.from().device, "Other");
}

TEST_F(BesideTest, SpeedsAreKeptByDeviceAndTheSecondGpuIsAnotherOne)
{
    Session session(measuring(true));
    const WorkerAt second{other_gpu, "GPU-b"};
    session.put_beside(second);
    const auto timed = [&] {
        const app::SnapshotPtr now = session.snapshot();
        return !now->beside.empty() && all_timed(now->beside[0].status);
    };
    ASSERT_TRUE(eventually(session, timed));
    EXPECT_EQ(session.snapshot()->beside[0].name(), "Other b");
    EXPECT_DOUBLE_EQ(milliseconds(session.snapshot()->beside[0].status[0]), 8);
    EXPECT_EQ(session.snapshot()->beside[0].found->gpus.size(), 2u) << "all are listed, to choose from";
    session.leave_out(second);
    EXPECT_TRUE(session.snapshot()->beside.empty());
    session.put_beside(second);
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->beside[0].found.has_value(); }));
    EXPECT_TRUE(timed()) << "known before anything was measured again";
}

TEST_F(BesideTest, OneSearchesWhileTheOtherShows)
{
    app::SessionOptions with = options(true);
    const kernels::TemporaryFolder folder;
    with.tuned = folder / "tuned.json";
    Session session(with);
    session.put_beside({other_gpu, {}});
    ASSERT_TRUE(
        eventually(session, [&] { return session.snapshot()->settled() && session.snapshot()->beside[0].gpu(); }));
    session.search_at(WorkerAt{other_gpu, {}});
    EXPECT_TRUE(session.snapshot()->beside[0].searches);
    const std::size_t stage = test::stage_named(session, "autotuned");
    for (int i = 0; i < 3; ++i) // S, again and again
        session.search_parameters(stage);
    const int records = script->records;
    session.record_again(); // it is not waited for
    ASSERT_TRUE(eventually(session, [&] { return script->records > records && session.snapshot()->settled(); }));
    ASSERT_TRUE(eventually(session, [&] {
        const app::SearchState* search = session.snapshot()->search();
        return search != nullptr && !search->running;
    }));
    EXPECT_EQ(session.snapshot()->search()->device, "Other");
    session.leave_search();
    session.leave_search();
    EXPECT_EQ(session.snapshot()->search(), nullptr);
}

TEST_F(BesideTest, AMachineBesideThatDoesNotWorkIsToldAndHoldsNothingUp)
{
    Session session(measuring(true));
    session.put_beside({"echo nobody is here >&2; exit 3", {}});
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->beside[0].found.has_value(); }));
    EXPECT_TRUE(says(session.snapshot()->beside[0].found->error, "nobody is here"));
    EXPECT_TRUE(eventually(session, [&] { return all_timed(session.snapshot()->status); }));
    for (int i = 0; i < 4; ++i)
        session.put_beside({"exit " + std::to_string(i), {}});
    EXPECT_EQ(session.snapshot()->beside.size(), app::most_beside);
}

TEST(Gpus, AreFoundByNumberAndByUuid)
{
    const std::vector<kernels::ListedGpu> gpus = {{0, "A", "GPU-12ab"}, {1, "B", "GPU-12cd"}};
    EXPECT_EQ(kernels::find_gpu(gpus, "").number, 0);
    EXPECT_EQ(kernels::find_gpu(gpus, "1").number, 1);
    EXPECT_EQ(kernels::find_gpu(gpus, "GPU-12cd").number, 1);
    EXPECT_EQ(kernels::find_gpu(gpus, "GPU-12a").number, 0);
    const auto refusal = [&](const char* wanted) {
        return test::refusal<kernels::Unavailable>([&] { kernels::find_gpu(gpus, wanted); });
    };
    EXPECT_TRUE(says(refusal("2"), "0 is A (GPU-12ab), 1 is B (GPU-12cd)"));
    EXPECT_TRUE(says(refusal("GPU-12"), "More than one"));
    EXPECT_TRUE(says(refusal("1x"), "no GPU 1x"));
    EXPECT_THROW(kernels::find_gpu({}, ""), kernels::Unavailable);
}

TEST(Gpus, WhatIsWantedGoesToTheWorkerAndBack)
{
    for (const app::WantedDevice& wanted :
         {app::WantedDevice{}, app::WantedDevice{"cpu", {}}, app::WantedDevice{std::nullopt, "GPU-12ab"},
          app::WantedDevice{"cuda", "3"}}) {
        const app::WantedDevice back = app::wanted_in(app::opening(wanted));
        EXPECT_EQ(back.backend, wanted.backend);
        EXPECT_EQ(back.gpu, wanted.gpu);
    }
}

TEST(Gpus, OneThatIsNotThereIsNoReasonToTakeTheCpu)
{
    app::BackendFactories factories;
    factories.gpus = [] { return std::vector<kernels::ListedGpu>{{0, "A", "GPU-12ab"}}; };
    factories.cuda = [](int) -> std::unique_ptr<kernels::Backend> { throw kernels::Unavailable("It is busy."); };
    const app::Machine machine = app::open_machine(factories, {std::nullopt, "7"});
    EXPECT_FALSE(machine.device);
    EXPECT_TRUE(says(machine.error, "no GPU 7"));
    EXPECT_EQ(app::open_machine(factories, {}).why_no_gpu, "It is busy.");
}

TEST(UserKernels, AreKnownByTheirFiles)
{
    EXPECT_TRUE(app::is_of_user(app::OpenTask{"/a/mine.cu", {}}));
    EXPECT_TRUE(app::is_of_user(app::TraceTask{}));
    EXPECT_FALSE(app::is_of_user(app::OpenTask{"/a/mine.gscope", {}}));
    EXPECT_FALSE(app::is_of_user(app::RecordTask{}));
}

} // namespace
