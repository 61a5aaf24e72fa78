// Tasks that time: a stage beside cuBLAS, the baselines, the candidates of a search for parameters.
#pragma once

#include "app/data/searches.h"
#include "app/engine/context.h"

#include "measure/baseline.h"
#include "measure/speed.h"

#include <fmt/format.h>

namespace app {

// Task that times a stage and cuBLAS.
struct MeasureResult;

struct MeasureTask {
    StageJob job;
    double seconds = 0.25;     // duration of sampling
    double energy_seconds = 0; // duration of the energy measurement of a launch; 0: do not measure
    bool library_best = false; // see kernels::BenchOptions

    using Result = MeasureResult;
    MeasureResult run(const TaskContext& context) const;
    std::string name() const { return at_size("timing", job); }
    double seconds_allowed(const MachineFacts& machine) const
    {
        return 20 + 4 * (seconds + energy_seconds) + seconds_of(job.problem, machine);
    }
    static constexpr bool of_device = true;
    friend bool operator==(const MeasureTask&, const MeasureTask&) = default;
};

struct MeasureResult {
    kernels::BenchResult bench;
    bool right = false;          // whether the timed result is correct; false for NaN
    kernels::SpeedFigures speed; // set even if the result is wrong
};

// Task that times a baseline of the ladder, traces which kernels a library launches, and reads the GPU's counters of
// one call.
struct BaselineResult;

struct BaselineTask {
    std::string baseline; // slug
    recording::Problem problem;
    double seconds = 0.25;     // duration of sampling; 0: do not time
    bool traced = false;       // trace the launched kernels after the timing, because tracing may slow a GPU down
    double energy_seconds = 0; // duration of the energy measurement of a call; 0: do not measure
    bool counted = false;      // read the GPU's counters over one call

    using Result = BaselineResult;
    BaselineResult run(const TaskContext& context) const;
    std::string name() const { return fmt::format("timing {} at {}", baseline, size_of(problem)); }
    double seconds_allowed(const MachineFacts& machine) const
    {
        return 60 + 4 * (seconds + energy_seconds) + seconds_of(problem, machine);
    }
    static constexpr bool of_device = true;
    friend bool operator==(const BaselineTask&, const BaselineTask&) = default;
};

struct BaselineResult {
    std::optional<kernels::BaselineResult> timed;
    std::string missing; // sentence that says why `timed` is missing although it was requested
    std::vector<recording::LaunchedKernel> kernels;
    std::string kernels_missing; // sentence that says why `kernels` is missing although it was requested
    std::optional<kernels::Counters> counters;
    std::string counters_missing; // sentence that says why `counters` is missing although it was requested
};

// Task that searches for a stage's fastest parameters.
struct TuneResult;

struct TuneTask {
    StageJob job;                   // with the parameters to start from
    std::vector<std::string> fixed; // parameters that are not varied
    kernels::TuneOptions options;

    using Result = TuneResult;
    // Returns the results so far if a stop is requested or an error occurs.
    TuneResult run(const TaskContext& context) const;
    std::string name() const { return at_size("searching parameters of", job); }
    double seconds_allowed(const MachineFacts& machine) const
    {
        // Each candidate counts as a sign of life.
        return 20 + 4 * options.final_seconds + seconds_of(job.problem, machine) + 2;
    }
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const TuneTask&, const TuneTask&) = default;
};

struct TuneResult {
    std::vector<kernels::Candidate> ranked; // see Tuning::ranking
    std::size_t done = 0, steps = 0;
    bool whole = false; // the search completed, and its winner was also verified at ragged sizes
    std::string error;  // sentence that says why the search ended early; empty if a stop was requested
};

// Returns the candidates that the search would try, to state their number beforehand.
std::vector<kernels::ParameterValues> candidates_of(const TuneTask& task, const kernels::Job& job);

// Returns the winner to remember. Returns nothing if the search did not complete, because its winner was not verified
// at all sizes. `gpu` is the GPU's name.
std::optional<Winner> winner_of(const TuneTask& task, const TuneResult& result, const kernels::Stage& stage,
                                const std::string& gpu);

} // namespace app
