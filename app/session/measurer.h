// A thread in the background that verifies every stage and, on a GPU, times them in turn, again and again at a low duty.
#pragma once

#include "app/session/machine.h"

#include "backend.h"
#include "measure/baseline.h"
#include "measure/verification.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace app {

// What became of one stage with one set of parameters at one size.
struct Measurement {
    kernels::Job job; // as timed
    std::optional<kernels::Verification> verification;
    recording::Problem verified_at;            // a small ragged size
    std::optional<kernels::BenchResult> bench; // absent on the CPU, and where the output is wrong
    std::string error;                         // a sentence, when it could not be run
    bool unavailable = false;                  // because this machine cannot run it at all
};

bool same(const kernels::Job& a, const kernels::Job& b);

// What became of one baseline at one size.
struct BaselineMeasurement {
    const kernels::Baseline* baseline = nullptr;
    recording::Problem problem;
    std::optional<kernels::BaselineResult> result;
    std::string missing;                              // a sentence, where there is no result
    std::vector<recording::LaunchedKernel> kernels{}; // that cuBLAS launches there
    std::string kernels_missing{};                    // a sentence, where they could not be traced
};

class Measurer {
public:
    Measurer(FutureMachine machine, std::function<void()> wake);
    ~Measurer();

    // From now on measures these, one per stage, and once all baselines at size `compared`; what is known of jobs that stay
    // the same is kept. Measurements of earlier jobs may still come.
    void measure(std::vector<kernels::Job> jobs, recording::Problem compared);
    std::vector<Measurement> take();
    std::vector<BaselineMeasurement> take_baselines();

private:
    struct Round {
        uint64_t number = 0;
        std::vector<kernels::Job> jobs;
        recording::Problem compared;
        std::stop_source changed; // asked to stop when another round is wanted, or the end comes
    };

    void work(std::stop_token stop);
    bool settle(const Round& round, std::chrono::milliseconds time, std::stop_token stop);
    // False when the round was interrupted by new subjects or the end.
    bool prepare_all(const Machine& machine, const Round& round);
    bool verify_all(const Machine& machine, const Round& round, std::vector<Measurement>& known);
    bool time_all(const Machine& machine, const Round& round, std::vector<Measurement>& known);
    bool measure_baselines(const Machine& machine, const Round& round);
    bool trace(const Machine& machine, const Round& round, BaselineMeasurement& found);
    template <class Work>
    bool in_turn(const Machine& machine, const Round& round, const Work& work);
    void publish(const Measurement& measurement);

    FutureMachine machine_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    Round wanted_;
    std::vector<Measurement> results_;
    std::vector<BaselineMeasurement> baselines_;
    std::optional<recording::Problem> compared_; // the size of the baselines that are known
    std::jthread thread_;
};

} // namespace app
