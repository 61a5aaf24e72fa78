// Task that times a stage and cuBLAS.
#pragma once

#include "app/tasks/context.h"

#include "measure/speed.h"

namespace app {

struct MeasureResult;

struct MeasureTask {
    StageJob job;
    double seconds = 0.25;     // duration of sampling
    double energy_seconds = 0; // duration of the energy measurement of a launch; 0: do not measure
    bool library_best = false; // see kernels::BenchOptions

    using Result = MeasureResult;
    MeasureResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr bool of_device = true;
    friend bool operator==(const MeasureTask&, const MeasureTask&) = default;
};

struct MeasureResult {
    kernels::BenchResult bench;
    bool right = false;          // whether the timed result is correct; false for NaN
    kernels::SpeedFigures speed; // set even if the result is wrong
};

} // namespace app
