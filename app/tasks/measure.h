// Task: time a stage beside cuBLAS.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct MeasureTask {
    StageJob job;
    double seconds = 0.25;     // for the samples
    double energy_seconds = 0; // for the energy of a launch; 0: it is not asked for
};

// Shares: 1 is as fast. Absent: the operation is no arithmetic, there is no such library, or the peak is that of another
// type.
struct SpeedFigures {
    std::optional<double> gflops, of_cublas, of_peak;
    std::optional<double> cublas_gflops; // of SGEMM, in the same run
};

struct MeasureResult {
    kernels::BenchResult bench;
    bool right = false; // what was timed; false for NaN
    SpeedFigures speed; // whether it is right or not
};

MeasureResult measure(const MeasureTask& task, const TaskContext& context);

SpeedFigures speed_figures(const kernels::Job& job, const kernels::BenchResult& bench, const recording::Device& device);

} // namespace app
