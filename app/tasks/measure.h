// Task: time a stage beside cuBLAS.
#pragma once

#include "app/tasks/context.h"

#include "measure/speed.h"

namespace app {

struct MeasureTask {
    StageJob job;
    double seconds = 0.25;     // for the samples
    double energy_seconds = 0; // for the energy of a launch; 0: it is not asked for
    bool library_best = false; // see kernels::BenchOptions
};

struct MeasureResult {
    kernels::BenchResult bench;
    bool right = false;          // what was timed; false for NaN
    kernels::SpeedFigures speed; // whether it is right or not
};

MeasureResult measure(const MeasureTask& task, const TaskContext& context);

} // namespace app
