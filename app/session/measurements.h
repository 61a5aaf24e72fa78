// What is known of every stage's result and speed, and of what the ladder is compared with; and the tasks that find it out,
// again and again at a low duty.
#pragma once

#include "app/worker/task_queue.h"

#include <map>
#include <utility>

namespace app {

// What became of one stage with one set of parameters at one size.
struct Measurement {
    StageJob job; // as timed
    std::optional<kernels::Verification> verification;
    recording::Problem verified_at;        // a small ragged size
    std::optional<MeasureResult> measured; // absent on the CPU
    std::optional<Failure> failure;        // where it could not be run
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
    // What is known of one device.
    struct Known {
        std::vector<Measurement> stages;
        std::vector<BaselineMeasurement> baselines;
    };

    explicit Measurements(TaskQueue& queue) : queue_(queue) {}

    // From now on measures these, one per stage, and once all baselines at size `compared`. Of what is known of others
    // nothing is forgotten, and the same again change nothing.
    void want(const MachineFacts& machine, std::vector<kernels::Job> jobs, recording::Problem compared);

    Known take(); // all that is known, which is forgotten: another device measures from now on
    void know(Known known) { known_ = std::move(known.stages), baselines_ = std::move(known.baselines); }

    bool receive(const Report& report); // whether it was about one of these

    const Measurement* find(const StageJob& job) const; // null: nothing is known yet
    const std::vector<Measurement>& all() const { return known_; }
    // In the order of kernels::baselines().
    std::vector<BaselineMeasurement> baselines(const recording::Problem& problem) const;
    const std::vector<BaselineMeasurement>& all_baselines() const { return baselines_; }

private:
    void submit(Task task);
    void verify();
    void time(TaskQueue::Clock::time_point due);
    void next_phase();
    void receive(const VerifyTask& task, const Report& report);
    void receive(const MeasureTask& task, const Report& report);
    void receive(const BaselineTask& task, const Report& report);

    TaskQueue& queue_;
    bool gpu_ = false;
    std::vector<kernels::Job> jobs_;
    recording::Problem compared_;
    enum class Phase { none, verifying, timing } phase_ = Phase::none;
    TaskQueue::Clock::time_point due_, phase_began_;
    std::map<Ticket, Task> under_way_;
    std::vector<Measurement> known_;
    std::vector<BaselineMeasurement> baselines_;
};

} // namespace app
