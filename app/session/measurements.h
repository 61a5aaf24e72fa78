// Verifies and times all stages and baselines, repeatedly and with a low duty cycle, and says what that gave of a stage.
#pragma once

#include "app/engine/engine.h"

#include "viz/stage_column.h"

#include <memory>
#include <optional>
#include <string>
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
    bool in_round_ = false;
};

enum class Verdict { unknown, right, wrong, failed, absent }; // absent: this machine cannot run it

struct StageStatus {
    kernels::ParameterValues parameters;
    Verdict verdict = Verdict::unknown;
    std::string said; // description of the verdict
    viz::Speed speed;
    bool timed = false; // `speed` is measured, or says what is known of a stage without arithmetic
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // of the same run
    std::string cublas_missing;          // sentence that says why cuBLAS was not timed in the same run
    bool refuted() const { return verdict == Verdict::wrong || verdict == Verdict::failed; }
};

// Returns the speed of a timed run. A run without arithmetic has a time and no speed.
viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from);

// `measurement` is empty if nothing is known yet; `machine` is null during the search for it.
StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine);

} // namespace app
