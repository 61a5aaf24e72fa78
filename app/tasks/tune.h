// Task that searches for a stage's fastest parameters.
#pragma once

#include "app/catalogue/tuned.h"
#include "app/tasks/context.h"

namespace app {

struct TuneResult;

struct TuneTask {
    StageJob job;                   // with the parameters to start from
    std::vector<std::string> fixed; // parameters that are not varied
    kernels::TuneOptions options;

    using Result = TuneResult;
    // Returns the results so far if a stop is requested or an error occurs.
    TuneResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
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
