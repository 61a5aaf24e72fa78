// Task: search for a stage's fastest parameters.
#pragma once

#include "app/catalogue/tuned.h"
#include "app/tasks/context.h"

namespace app {

struct TuneResult;

struct TuneTask {
    StageJob job;                   // with the parameters to begin from
    std::vector<std::string> fixed; // parameters that are not varied
    kernels::TuneOptions options;

    using Result = TuneResult;
    // Asked to stop, or failing on the way, it returns what it has until then.
    TuneResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const TuneTask&, const TuneTask&) = default;
};

struct TuneResult {
    std::vector<kernels::Candidate> ranked; // see Tuning::ranking
    std::size_t done = 0, steps = 0;
    bool whole = false; // it came to its end: the first one was verified at ragged sizes too
    std::string error;  // a sentence: why it ended before that, unless it was asked to
};

// Of several, to say before it begins how many there are.
std::vector<kernels::ParameterValues> candidates_of(const TuneTask& task, const kernels::Job& job);

// What is worth remembering: nothing of a search that did not come to its end, since its first one was not verified at all
// sizes. `gpu`: its name.
std::optional<Winner> winner_of(const TuneTask& task, const TuneResult& result, const kernels::Stage& stage,
                                const std::string& gpu);

} // namespace app
