// Task: time what the ladder is compared with, trace which kernels a library launches, and count what they do.
#pragma once

#include "app/tasks/context.h"

#include "measure/baseline.h"

namespace app {

struct BaselineResult;

struct BaselineTask {
    std::string baseline; // slug
    recording::Problem problem;
    double seconds = 0.25;     // for the samples; 0: it is not timed
    bool traced = false;       // after that, for a GPU that is being traced may take longer
    double energy_seconds = 0; // for the energy of a call; 0: it is not asked for
    bool counted = false;      // the GPU's counters over one call

    using Result = BaselineResult;
    BaselineResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr bool of_device = true;
    friend bool operator==(const BaselineTask&, const BaselineTask&) = default;
};

struct BaselineResult {
    std::optional<kernels::BaselineResult> timed;
    std::string missing; // a sentence, where it was to be timed and was not
    std::vector<recording::LaunchedKernel> kernels;
    std::string kernels_missing; // a sentence, where they were to be traced and were not
    std::optional<kernels::Counters> counters;
    std::string counters_missing; // likewise
};

} // namespace app
