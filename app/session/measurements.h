// Measurements without a request: all stages and baselines are verified and timed, repeatedly and with a low duty
// cycle. Also the properties of the GPU, which may be those of the shipped figures' GPU.
#pragma once

#include "app/data/gpu.h"
#include "app/engine/engine.h"
#include "app/engine/probe.h"

#include "viz/analysis/access_pattern.h"
#include "viz/ladder_facts.h"
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

    // Verifies the jobs, one per stage, and then times them: first those at the indices `shown`. Also times each
    // baseline once at size `compared`. Call it in each turn.
    void turn(const MachineFacts& machine, const std::vector<kernels::Job>& jobs, const std::vector<std::size_t>& shown,
              const recording::Problem& compared);
    void device_changed() { jobs_.clear(); }

    std::optional<Measurement> find(const kernels::Job& job) const;   // empty: no result yet
    std::vector<Measurement> timed_of(const kernels::Job& job) const; // the same stage and parameters at all sizes
    // Returns the baselines in the order of kernels::baselines().
    std::vector<BaselineMeasurement> baselines(const recording::Problem& problem) const;
    std::vector<BaselineMeasurement> all_baselines() const; // at all sizes

private:
    bool ask(const MachineFacts& machine, const recording::Problem& compared);
    bool settled(const MachineFacts& machine, const std::vector<kernels::Job>& jobs);

    Engine& engine_;
    std::vector<kernels::Job> jobs_;
    std::vector<std::size_t> shown_;
    Engine::Clock::time_point due_, round_began_;
    int pause_ = 0; // pause after the current round, as a multiple of its duration
    bool in_round_ = false;
};

enum class Verdict { unknown, right, wrong, failed, absent }; // absent: this machine cannot run it

struct StageStatus {
    kernels::ParameterValues parameters;
    Verdict verdict = Verdict::unknown;
    std::string said; // description of the verdict
    viz::Speed speed;
    bool timed = false; // `speed` is measured; for a stage without arithmetic it holds what is known
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // from the same run
    std::string cublas_missing;          // sentence that says why cuBLAS was not timed in the same run
    bool refuted() const { return verdict == Verdict::wrong || verdict == Verdict::failed; }
};

// Returns the speed of a timed run. A run without arithmetic has a time and no speed.
viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from);

// `measurement` is empty if nothing is known yet; `machine` is null during the search for it.
StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine);

class GpuFigures {
public:
    explicit GpuFigures(Engine& engine) : engine_(engine) {}

    // `shipped`: properties of another GPU, or why there are none.
    void machine_found(const MachineFacts& machine, const ShippedGpu& shipped);
    void measure();                              // measures in the background; does nothing without a GPU
    void stop() { engine_.cancel(ProbeTask()); } // does not wait
    // Measures an access pattern of one warp instruction. Returns whether it differs from the last one. While the user
    // drags through patterns, only the last one is measured.
    bool measure_pattern(const model::PatternRow& row);
    void turn();

    viz::GpuState state() const;
    std::shared_ptr<const viz::MeasuredPattern> pattern() const
    {
        return pattern_;
    } // null: there is no GPU, or no pattern was requested

private:
    void turn_pattern();
    void take(const ProbeResult& result);
    void know(recording::GpuMeasurement measured, bool shipped);

    Engine& engine_;
    bool found_ = false, here_ = false; // the machine was found; it has a GPU
    recording::Measured<recording::GpuProperties> properties_;
    recording::Measured<recording::GpuMeasurement> measured_;
    recording::Reasons not_here_, failed_;
    bool measuring_ = false;
    Progress progress_;
    std::optional<SaveTask> saving_;
    std::optional<MeasurePatternsTask> wanted_pattern_;
    Engine::Clock::time_point pattern_due_;
    std::shared_ptr<const viz::MeasuredPattern> pattern_;
};

} // namespace app
