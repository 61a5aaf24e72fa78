// Task that times a baseline of the ladder, traces which kernels a library launches, and reads the GPU's counters of
// one call.
#pragma once

#include "app/tasks/context.h"

#include "measure/baseline.h"

namespace app {

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
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
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

} // namespace app
