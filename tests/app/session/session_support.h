// A session with a fake backend, for tests.
#pragma once

#include "tests/app/session/followed.h"
#include "tests/played_clock.h"
#include "tests/played_gpu.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace test {

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

class FakeBackend : public PlayedGpu {
public:
    FakeBackend(std::shared_ptr<Script> script, std::string kind)
        : PlayedGpu({.backend = std::move(kind), .name = "fake GPU", .peak_gflops = 1000}), script_(std::move(script))
    {
    }
    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token stop) override
    {
        const Inside inside(*script_);
        PlayedGpu::run(job, probe, operands, stop);
    }
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        const Inside inside(*script_);
        ++script_->records;
        while (script_->hold && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
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
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (stop.stop_requested())
            throw kernels::Cancelled();
        return {.stage = timing(2), .cublas = timing(1), .relative_error = script_->wrong ? 0.5 : 0};
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
};

class SessionTest : public testing::Test {
protected:
    // Options of a session that measures nothing by itself. Only `measuring` sessions verify and time all stages.
    app::SessionOptions options(bool gpu)
    {
        app::SessionOptions result = measuring(gpu);
        result.measures = false;
        return result;
    }
    app::SessionOptions measuring(bool gpu)
    {
        app::SessionOptions result;
        result.worker.in_process = true;
        result.worker.now = PlayedClock().reader(); // the clock stands still, so no worker exceeds a time limit
        result.worker.factories.cpu = [this] { return std::make_unique<FakeBackend>(script, "cpu"); };
        result.worker.factories.gpus = [] { return std::vector<kernels::ListedGpu>{{0, "fake GPU", "GPU-0"}}; };
        result.worker.factories.cuda = [this, gpu](int) -> std::unique_ptr<kernels::Backend> {
            if (!gpu)
                throw kernels::Unavailable("There is no GPU in this test.");
            return std::make_unique<FakeBackend>(script, "cuda");
        };
        return result;
    }

    template <class Condition>
    static bool eventually(Session& session, Condition condition)
    {
        return happens(
            [&] {
                session.poll();
                return condition();
            },
            std::chrono::milliseconds(5));
    }

    std::shared_ptr<Script> script = std::make_shared<Script>();
};

inline std::size_t stage_named(Session& session, std::string_view slug)
{
    return static_cast<std::size_t>(&kernels::find_stage(session.snapshot()->ladder(), slug) -
                                    session.snapshot()->ladder().data());
}

} // namespace test
