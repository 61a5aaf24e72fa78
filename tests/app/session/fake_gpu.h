// A fake GPU whose times for candidates are set by the test.
#pragma once

#include "tests/played_gpu.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace test {

// Returns the times that the test sets. Parameter 0 identifies the candidate.
class FakeGpu : public PlayedGpu {
public:
    FakeGpu() : PlayedGpu({.backend = "cuda", .name = "fake GPU", .compute_capability = 90}) {}

    struct Answer {
        double ms = 1;
        double error = 0;
        bool fails = false;
        bool wrong_when_small = false;
    };
    std::map<int, Answer> answers;
    std::vector<int> benched;
    std::size_t most_prepared = 0;
    int stop_after = -1; // number of benchmarks after which a stop is requested
    std::stop_source stop;
    std::function<void(const std::stop_token&)> while_timing = [](const std::stop_token&) {};

    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token token) override
    {
        PlayedGpu::run(job, probe, operands, token);
        if (answers.at(job.parameters[0]).wrong_when_small)
            operands.C[0] = std::numeric_limits<float>::quiet_NaN();
    }
    kernels::BenchResult bench(const kernels::Job& job, const kernels::BenchOptions&, std::stop_token token) override
    {
        if (token.stop_requested())
            throw kernels::Cancelled();
        while_timing(token);
        const Answer& answer = answers.at(job.parameters[0]);
        if (answer.fails)
            throw kernels::Error("It does not compile.");
        benched.push_back(job.parameters[0]);
        if (static_cast<int>(benched.size()) == stop_after)
            stop.request_stop();
        return {.stage = timing(answer.ms), .cublas = timing(1), .relative_error = answer.error};
    }
    std::optional<kernels::Counters> counted;     // empty: counting is unavailable
    std::deque<kernels::Counters> counted_before; // results of the first readings
    int interrupted = 0;                          // number of readings that a recording interrupts
    int readings = 0;
    std::function<void()> while_counting = [] {};
    kernels::Counters counters(const kernels::Job&, std::stop_token token) override
    {
        while_counting();
        if (token.stop_requested() || interrupted-- > 0)
            throw kernels::Cancelled();
        ++readings;
        if (!counted_before.empty()) {
            kernels::Counters first = std::move(counted_before.front());
            counted_before.pop_front();
            return first;
        }
        if (!counted)
            throw kernels::Unavailable("Nobody may count here.");
        return *counted;
    }
    std::optional<kernels::InstructionCounters> counted_instructions; // empty: unavailable
    kernels::InstructionCounters instruction_counters(const kernels::Job&, std::stop_token) override
    {
        if (!counted_instructions)
            throw kernels::Unavailable("Nobody may look into instructions here.");
        return *counted_instructions;
    }
    std::optional<kernels::WarpSamples> warps_sampled; // empty: unavailable
    kernels::WarpSamples warp_samples(const kernels::Job&, std::stop_token) override
    {
        if (!warps_sampled)
            throw kernels::Unavailable("Nobody may look at warps here.");
        return *warps_sampled;
    }
    void prepare(std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind>, std::stop_token) override
    {
        most_prepared = std::max(most_prepared, jobs.size());
    }
};

} // namespace test
