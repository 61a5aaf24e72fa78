// The session with a backend that does as it is told: what is asked for, replaced, cancelled, measured.
#include "app/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

using app::Session;
using namespace std::chrono_literals;

// Shared by the test and the backend, which run on different threads.
struct Script {
    std::atomic<bool> hold = false;       // record() waits, until it is told to stop
    std::atomic<bool> hold_bench = false; // so does bench()
    std::atomic<int> records = 0, stopped = 0, benches = 0, inside = 0, most_inside = 0;
    std::atomic<bool> wrong = false;            // the timed result is wrong
    std::atomic<bool> breaks = false;           // prepare() throws
    std::atomic<std::size_t> most_prepared = 0; // jobs in one call, for the plain kernels
    std::atomic<int> prepared_to_record = 0;    // jobs, in all calls
};

class FakeBackend : public kernels::Backend {
public:
    FakeBackend(std::shared_ptr<Script> script, std::string kind) : script_(std::move(script))
    {
        device_.backend = std::move(kind);
        device_.name = "fake GPU";
        device_.peak_gflops = 1000;
    }
    const recording::Device& device() const override { return device_; }
    void run(const kernels::Job& job, kernels::ProbeKind, kernels::Operands& operands, std::stop_token stop) override
    {
        const Inside inside(*script_);
        const std::vector<double> right = kernels::cpu_reference(job.stage->operation, job.problem, operands, stop);
        operands.C.assign(right.begin(), right.end());
    }
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        const Inside inside(*script_);
        ++script_->records;
        while (script_->hold && !stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        if (stop.stop_requested()) {
            ++script_->stopped;
            throw kernels::Cancelled();
        }
        recording::Recording result;
        result.stage = job.stage->slug;
        result.problem = job.problem;
        for (const recording::Index3& block : blocks)
            result.blocks.push_back({.block = block, .warps = {}});
        return result;
    }
    kernels::BenchResult bench(const kernels::Job&, const kernels::BenchOptions&, std::stop_token stop) override
    {
        const Inside inside(*script_);
        ++script_->benches;
        while (script_->hold_bench && !stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        if (stop.stop_requested())
            throw kernels::Cancelled();
        return {.stage = {.median_ms = 2, .low_ms = 2, .high_ms = 2, .samples = 5},
                .cublas = {.median_ms = 1, .low_ms = 1, .high_ms = 1, .samples = 5},
                .relative_error = script_->wrong ? 0.5 : 0};
    }
    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override
    {
        return kernels::cpu_reference(job.stage->operation, job.problem, operands, stop);
    }
    void prepare(std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
                 std::stop_token) override
    {
        const Inside inside(*script_);
        if (std::ranges::count(probes, kernels::ProbeKind::record) > 0)
            script_->prepared_to_record += static_cast<int>(jobs.size());
        else
            script_->most_prepared = std::max(script_->most_prepared.load(), jobs.size());
        if (script_->breaks)
            throw kernels::Error("A kernel of this test does not compile.");
    }

private:
    struct Inside {
        explicit Inside(Script& own) : script(own)
        {
            const int now = ++script.inside;
            script.most_inside = std::max(script.most_inside.load(), now);
        }
        ~Inside() { --script.inside; }
        Script& script;
    };

    std::shared_ptr<Script> script_;
    recording::Device device_;
};

class SessionTest : public testing::Test {
protected:
    app::SessionOptions options(bool gpu)
    {
        app::SessionOptions result;
        result.factories.cpu = [this] { return std::make_unique<FakeBackend>(script, "cpu"); };
        result.factories.cuda = [this, gpu]() -> std::unique_ptr<kernels::Backend> {
            if (!gpu)
                throw kernels::Unavailable("There is no GPU in this test.");
            return std::make_unique<FakeBackend>(script, "cuda");
        };
        return result;
    }

    template <class Condition>
    static bool eventually(Session& session, Condition condition)
    {
        for (int i = 0; i < 4000; ++i) {
            session.poll();
            if (condition())
                return true;
            std::this_thread::sleep_for(5ms);
        }
        return false;
    }

    std::shared_ptr<Script> script = std::make_shared<Script>();
};

std::size_t stage_named(const Session& session, std::string_view slug)
{
    return static_cast<std::size_t>(&kernels::find_stage(session.ladder(), slug) - session.ladder().data());
}

TEST_F(SessionTest, RecordsTheChosenStageWithoutBeingWaitedFor)
{
    script->hold = true;
    Session session(options(false));
    EXPECT_EQ(session.first().recording, nullptr);
    EXPECT_FALSE(session.first().status.empty());
    script->hold = false;
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    ASSERT_NE(session.first().recording, nullptr);
    EXPECT_EQ(session.first().recording->stage, "vectorized");
    EXPECT_EQ(session.first().recording->problem.M, 128u);
}

TEST_F(SessionTest, PreparesTheKernelsOfAllStagesTogether)
{
    Session session(options(true));
    ASSERT_TRUE(eventually(session, [&] { return session.measured(); }));
    EXPECT_GE(script->prepared_to_record, 1);
    EXPECT_EQ(script->most_prepared, session.ladder().size());
    EXPECT_EQ(script->most_inside, 1);
}

TEST_F(SessionTest, AKernelThatCannotBePreparedHoldsUpNoOther)
{
    script->breaks = true;
    Session session(options(true));
    EXPECT_TRUE(eventually(session, [&] { return session.measured() && session.first().recording != nullptr; }));
    EXPECT_GE(script->prepared_to_record, 1);
}

TEST_F(SessionTest, TheLatestChoiceWins)
{
    script->hold = true;
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return script->records == 1; }));
    session.choose(stage_named(session, "naive"));
    session.choose(stage_named(session, "coalesced"));
    script->hold = false;
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    EXPECT_EQ(session.first().recording->stage, "coalesced");
    EXPECT_EQ(script->stopped, 1) << "the one that ran was stopped";
    EXPECT_EQ(script->records, 2) << "and the one that waited never ran";
}

TEST_F(SessionTest, ACancelledRecordingSaysHowToMakeIt)
{
    script->hold = true;
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return script->records == 1; }));
    session.cancel();
    ASSERT_TRUE(eventually(session, [&] { return !session.busy(); }));
    EXPECT_EQ(session.first().recording, nullptr);
    EXPECT_NE(session.first().status.find("press r"), std::string::npos);
    script->hold = false;
    session.record_again();
    EXPECT_TRUE(eventually(session, [&] { return session.first().recording != nullptr; }));
}

TEST_F(SessionTest, KeepsWhatWasRecorded)
{
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    const auto before = session.first().recording;
    session.choose(stage_named(session, "naive"));
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    session.choose(stage_named(session, "vectorized"));
    EXPECT_EQ(session.first().recording, before);
}

TEST_F(SessionTest, RecordsTheChosenBlockBesideTheFirst)
{
    Session session(options(false));
    app::Sizes sizes = session.sizes();
    sizes.recorded.M = sizes.recorded.N = 256;
    session.set_sizes(sizes);
    session.set_block({1, 1, 0});
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    ASSERT_EQ(session.first().recording->blocks.size(), 2u);
    EXPECT_EQ(session.first().recording->blocks[0].block, (recording::Index3{0, 0, 0}));
    EXPECT_EQ(session.first().recording->blocks[1].block, (recording::Index3{1, 1, 0}));
}

TEST_F(SessionTest, WithoutAGpuVerifiesAndSaysWhyThereIsNoSpeed)
{
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return session.measured() && session.settled(); }));
    EXPECT_EQ(session.machine()->why_no_gpu, "There is no GPU in this test.");
    for (std::size_t i = 0; i < session.ladder().size(); ++i) {
        EXPECT_EQ(session.rung(i).verdict, app::Verdict::right) << session.rung(i).verdict_words;
        EXPECT_FALSE(session.rung(i).speed.gflops.has_value());
        EXPECT_FALSE(session.rung(i).speed.why_missing.empty());
    }
    EXPECT_EQ(script->benches, 0);
}

TEST_F(SessionTest, OnAGpuTimesEveryStageOneCallAtATime)
{
    Session session(options(true));
    ASSERT_TRUE(eventually(session, [&] { return session.measured() && session.settled(); }));
    const app::Rung& rung = session.rung(stage_named(session, "naive"));
    EXPECT_NEAR(*rung.speed.gflops, 2.0 * 4096 * 4096 * 4096 / 2e-3 * 1e-9, 1);
    EXPECT_NEAR(*rung.speed.of_cublas, 0.5, 1e-9);
    EXPECT_NEAR(*session.cublas_gflops(), 2.0 * 4096 * 4096 * 4096 / 1e-3 * 1e-9, 1);
    EXPECT_EQ(script->most_inside, 1);
}

TEST_F(SessionTest, AWrongResultHasNoSpeed)
{
    script->wrong = true;
    Session session(options(true));
    const std::size_t naive = stage_named(session, "naive");
    ASSERT_TRUE(eventually(session, [&] { return session.rung(naive).verdict == app::Verdict::wrong; }));
    EXPECT_FALSE(session.rung(naive).speed.gflops.has_value());
}

TEST_F(SessionTest, ARecordingInterruptsAMeasurementThatIsThenMadeAgain)
{
    script->hold_bench = true;
    Session session(options(true));
    ASSERT_TRUE(eventually(session, [&] { return script->benches > 0; }));
    session.choose(stage_named(session, "naive"));
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    EXPECT_EQ(session.first().recording->stage, "naive");
    script->hold_bench = false;
    ASSERT_TRUE(eventually(session, [&] { return session.measured(); }));
    EXPECT_EQ(script->most_inside, 1);
}

TEST_F(SessionTest, AFileThatIsNoRecordingGetsASentence)
{
    app::SessionOptions with_file = options(false);
    with_file.file = "/nowhere/at/all.gscope";
    Session session(with_file);
    ASSERT_TRUE(eventually(session, [&] { return session.settled(); }));
    EXPECT_EQ(session.first().recording, nullptr);
    EXPECT_NE(session.first().status.find("all.gscope"), std::string::npos) << session.first().status;
}

TEST_F(SessionTest, UnknownStagesAreNamedWithTheValidOnes)
{
    app::SessionOptions wrong = options(false);
    wrong.first = "fastest_of_all";
    EXPECT_THROW(Session{wrong}, kernels::Error);
}

} // namespace
