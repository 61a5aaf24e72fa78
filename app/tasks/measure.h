// Task: time a stage beside cuBLAS.
#pragma once

#include "app/tasks/context.h"

#include "measure/speed.h"

namespace app {

struct MeasureResult;

struct MeasureTask {
    StageJob job;
    double seconds = 0.25;     // for the samples
    double energy_seconds = 0; // for the energy of a launch; 0: it is not asked for
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
    bool right = false;          // what was timed; false for NaN
    kernels::SpeedFigures speed; // whether it is right or not
};

} // namespace app
