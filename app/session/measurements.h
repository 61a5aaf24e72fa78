// What is known of every stage's result and speed, and of what the ladder is compared with; and asking for it, again and again at
// a low duty.
#pragma once

#include "app/session/engine.h"

#include <memory>
#include <vector>

namespace app {

// What became of one stage with one set of parameters at one size.
struct Measurement {
    StageJob job; // as timed
    std::optional<kernels::Verification> verification;
    recording::Problem verified_at;                // a small ragged size
    std::shared_ptr<const MeasureResult> measured; // null on the CPU
    std::optional<Failure> failure;                // where it could not be run
};

// What became of one baseline at one size.
struct BaselineMeasurement {
    const kernels::Baseline* baseline = nullptr;
    recording::Problem problem;
    std::optional<kernels::BaselineResult> result;
    std::string missing{};                            // a sentence, where there is no result
    bool under_way = false;                           // it is being measured, or waits for its turn
    std::vector<recording::LaunchedKernel> kernels{}; // that cuBLAS launches there
    std::string kernels_missing{};                    // a sentence, where they could not be traced
    bool known() const { return result || !missing.empty(); }
};

class Measurements {
public:
    explicit Measurements(Engine& engine) : engine_(engine) {}

    // In each turn: verifies these, one per stage, then times them, and once all baselines at size `compared`.
    void turn(const MachineFacts& machine, const std::vector<kernels::Job>& jobs, const recording::Problem& compared);
    void device_changed() { jobs_.clear(); }

    std::optional<Measurement> find(const kernels::Job& job) const;   // none: nothing is known yet
    std::vector<Measurement> timed_of(const kernels::Job& job) const; // the same stage and parameters at all sizes
    // In the order of kernels::baselines().
    std::vector<BaselineMeasurement> baselines(const recording::Problem& problem) const;
    std::vector<BaselineMeasurement> all_baselines() const; // at all sizes

private:
    bool ask(const MachineFacts& machine, const recording::Problem& compared);

    Engine& engine_;
    std::vector<kernels::Job> jobs_;
    Engine::Clock::time_point due_, round_began_;
    bool in_round_ = false;
};

} // namespace app
