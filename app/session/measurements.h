// Verifies and times every stage and times the baselines, repeatedly and with a low duty cycle.
#pragma once

#include "app/engine/engine.h"

#include <memory>
#include <vector>

namespace app {

// Results of one stage with one set of parameters at one size.
struct Measurement {
    StageJob job; // job that was timed
    std::optional<kernels::Verification> verification;
    recording::Problem verified_at;                // a small ragged size
    std::shared_ptr<const MeasureResult> measured; // null on the CPU
    std::optional<Failure> failure;                // present if it could not run
};

// Result of one baseline at one size.
struct BaselineMeasurement {
    const kernels::Baseline* baseline = nullptr;
    recording::Problem problem;
    std::optional<kernels::BaselineResult> result;
    std::string missing{};                            // sentence if there is no result
    bool under_way = false;                           // it is being measured or waits for its turn
    std::vector<recording::LaunchedKernel> kernels{}; // kernels that cuBLAS launches
    std::string kernels_missing{};                    // sentence if they could not be traced
    bool known() const { return result || !missing.empty(); }
};

class Measurements {
public:
    explicit Measurements(Engine& engine) : engine_(engine) {}

    // Verifies the jobs, one per stage, and then times them. Also times each baseline once at size `compared`. Call it
    // in each turn.
    void turn(const MachineFacts& machine, const std::vector<kernels::Job>& jobs, const recording::Problem& compared);
    void device_changed() { jobs_.clear(); }

    std::optional<Measurement> find(const kernels::Job& job) const;   // empty: no result yet
    std::vector<Measurement> timed_of(const kernels::Job& job) const; // the same stage and parameters at all sizes
    // Returns the baselines in the order of kernels::baselines().
    std::vector<BaselineMeasurement> baselines(const recording::Problem& problem) const;
    std::vector<BaselineMeasurement> all_baselines() const; // at all sizes

private:
    bool ask(const MachineFacts& machine, const recording::Problem& compared);

    Engine& engine_;
    std::vector<kernels::Job> jobs_;
    Engine::Clock::time_point due_, round_began_;
    int pause_ = 0; // after the current round, in times that it takes
    bool in_round_ = false;
};

} // namespace app
