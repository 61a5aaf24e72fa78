#include "app/serve/shared_worker.h"

#include "error.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <vector>

namespace app {

namespace {

const std::filesystem::path shipped = "/usr/share/gemmscope/recordings";

// Returns an empty result for each task and counts the tasks.
class CountingWorker final : public Worker {
public:
    struct Count {
        std::atomic<int> runs{0};
        std::promise<void> may_end;
        std::shared_future<void> ends{may_end.get_future()};
        std::atomic<bool> fails{false};
    };
    explicit CountingWorker(std::shared_ptr<Count> count) : count_(std::move(count)) {}
    MachinePtr machine() const override { return nullptr; }
    Result run(const Task& task, Lane, std::stop_token, const std::function<void(const Progress&)>&) override
    {
        ++count_->runs;
        count_->ends.wait();
        if (count_->fails)
            throw kernels::Error("It failed.");
        return std::holds_alternative<RecordTask>(task) ? Result(RecordResult{}) : Result(VerifyTask::Result{});
    }

private:
    std::shared_ptr<Count> count_;
};

struct SharedWorkerTest : testing::Test {
    std::shared_ptr<CountingWorker::Count> count = std::make_shared<CountingWorker::Count>();
    std::vector<kernels::Stage> ladder;
    std::shared_ptr<SharedWorker> shared = [this] {
        WorkerChoice choice;
        choice.make = [count = count](auto) { return std::make_unique<CountingWorker>(count); };
        return std::make_shared<SharedWorker>(ladder, choice, std::nullopt, shipped);
    }();
    std::shared_ptr<const Visit> visit = std::make_shared<const Visit>(Visit{.folder = "/tmp/visitors/1"});
    std::unique_ptr<Worker> visitor()
    {
        return shared->for_visitor(visit, [] {});
    }
    static Result run(Worker& worker, const Task& task)
    {
        return worker.run(task, Lane::recording, {}, [](const Progress&) {});
    }
    const Task naive = RecordTask{{.stage = "naive"}}, coalesced = RecordTask{{.stage = "coalesced"}};
};

TEST_F(SharedWorkerTest, WhatOneVisitorAskedForIsThereForTheOthers)
{
    count->may_end.set_value();
    run(*visitor(), naive);
    run(*visitor(), naive);
    EXPECT_EQ(count->runs, 1);
    run(*visitor(), coalesced);
    EXPECT_EQ(count->runs, 2);
    EXPECT_EQ(shared->computed(), 2u);
}

TEST_F(SharedWorkerTest, TwoWhoAskAtATimeHaveItMadeOnce)
{
    const auto first = visitor(), second = visitor();
    auto one = std::async(std::launch::async, [&] { run(*first, naive); });
    ASSERT_TRUE(test::happens([&] { return count->runs == 1; }));
    auto other = std::async(std::launch::async, [&] { run(*second, naive); });
    count->may_end.set_value();
    one.get();
    other.get();
    EXPECT_EQ(count->runs, 1);
}

TEST_F(SharedWorkerTest, WhatFailedIsMadeAgain)
{
    count->may_end.set_value();
    count->fails = true;
    EXPECT_THROW(run(*visitor(), naive), kernels::Error);
    count->fails = false;
    run(*visitor(), naive);
    EXPECT_EQ(count->runs, 2);
}

TEST_F(SharedWorkerTest, AVisitorWhoLeavesWaitsForNobody)
{
    const auto first = visitor(), second = visitor();
    auto one = std::async(std::launch::async, [&] { run(*first, naive); });
    ASSERT_TRUE(test::happens([&] { return count->runs == 1; }));
    second->close();
    EXPECT_THROW(run(*second, naive), kernels::Cancelled);
    count->may_end.set_value();
    one.get();
}

TEST_F(SharedWorkerTest, OnlyFilesOfTheVisitorsFolderAreTouched)
{
    const auto refused = [&](const Task& task) { return !refusal(task, *visit, shipped).empty(); };
    EXPECT_TRUE(refused(OpenTask{.path = "/etc/passwd"}));
    EXPECT_TRUE(refused(OpenTask{.path = "/tmp/visitors/1/../2/a.gscope"}));
    EXPECT_TRUE(refused(OpenTask{.path = "/tmp/visitors/12/a.gscope"}));
    EXPECT_TRUE(refused(OpenTask{.path = "a.gscope"}));
    EXPECT_TRUE(refused(OpenTask{.path = shipped / "naive.gscope"}));
    EXPECT_TRUE(refused(OpenTask{.path = "/home", .stage = "naive"}));
    EXPECT_FALSE(refused(OpenTask{.path = "/tmp/visitors/1/a.gscope"}));
    EXPECT_FALSE(refused(OpenTask{.path = shipped, .stage = "naive"}));
    EXPECT_TRUE(refused(SaveTask{.path = "/home/x/.bashrc"}));
    EXPECT_FALSE(refused(SaveTask{.path = "/tmp/visitors/1/a.gscope"}));
    EXPECT_THROW(run(*visitor(), OpenTask{.path = "/etc/passwd"}), kernels::Error);
    EXPECT_EQ(count->runs, 0);
}

TEST_F(SharedWorkerTest, NoLinkMakesTheDeviceWorkForMinutes)
{
    const auto refused = [&](const Task& task) { return !refusal(task, *visit, shipped).empty(); };
    const auto job = [](uint32_t side) { return StageJob{.stage = "naive", .problem = {side, side, side}}; };
    EXPECT_FALSE(refused(RecordTask{job(1024)}));
    EXPECT_TRUE(refused(RecordTask{job(1025)}));
    EXPECT_FALSE(refused(MeasureTask{.job = job(8192)}));
    EXPECT_TRUE(refused(MeasureTask{.job = job(65536)}));
    EXPECT_TRUE(refused(BaselineTask{.baseline = "cublas_sgemm", .problem = {65536, 65536, 65536}}));
    EXPECT_FALSE(refused(MeasureTask{.job = {.stage = "vector_add", .problem = {1, 1u << 24, 1}}}));
    EXPECT_TRUE(refused(RunFileTask{.file = "/tmp/visitors/1/a.cu", .problem = {4096, 4096, 4096}}));
}

TEST_F(SharedWorkerTest, NoProgramsRunAndNoKernelsUnlessTheyAreAllowed)
{
    Visit allowed = *visit;
    allowed.kernels = true;
    const std::filesystem::path file = "/tmp/visitors/1/a.cu";
    for (const Task& task : {Task(RunFileTask{.file = file}), Task(RecordTask{{.stage = "my_naive", .text = "..."}}),
                             Task(VerifyTask{{.stage = "my_naive", .text = "..."}})}) {
        EXPECT_FALSE(refusal(task, *visit, shipped).empty()) << name_of(task);
        EXPECT_TRUE(refusal(task, allowed, shipped).empty()) << name_of(task);
    }
    EXPECT_FALSE(refusal(RunFileTask{.file = "/home/x/a.cu"}, allowed, shipped).empty());
    EXPECT_FALSE(refusal(ListProgramTask{.command = {"/bin/true"}}, allowed, shipped).empty());
    EXPECT_FALSE(refusal(TraceProgramTask{.command = {"/bin/true"}}, allowed, shipped).empty());
    EXPECT_FALSE(refusal(TraceTask{}, allowed, shipped).empty());
    EXPECT_FALSE(refusal(TuneTask{}, allowed, shipped).empty());
}

} // namespace

} // namespace app
