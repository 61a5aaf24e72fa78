#include "app/tasks/measure.h"

#include "job.h"

namespace app {

SpeedFigures speed_figures(const kernels::Job& job, const kernels::BenchResult& bench, const recording::Device& device)
{
    SpeedFigures figures;
    const bool fp32 = kernels::type_of(job) == type_fp32;
    const double work = kernels::operations(job.stage->operation, job.problem) * 1e-6; // per millisecond: GFLOPS
    if (bench.cublas.samples > 0 && bench.cublas.median_ms > 0) {
        figures.of_cublas = bench.cublas.median_ms / bench.stage.median_ms;
        if (work > 0 && fp32)
            figures.cublas_gflops = work / bench.cublas.median_ms;
    }
    if (work > 0)
        figures.gflops = work / bench.stage.median_ms;
    if (figures.gflops && fp32 && device.peak_gflops > 0) // the peak is that of FP32
        figures.of_peak = *figures.gflops / device.peak_gflops;
    return figures;
}

MeasureResult measure(const MeasureTask& task, const TaskContext& context)
{
    const kernels::Job job = context.resolve(task.job);
    kernels::Backend& backend = context.backend();
    MeasureResult result{
        .bench = backend.bench(job, {.seconds = task.seconds, .energy_seconds = task.energy_seconds}, context.stop)};
    result.right = result.bench.relative_error <= kernels::tolerance(job);
    result.speed = speed_figures(job, result.bench, backend.device());
    return result;
}

} // namespace app
