#include "measure/speed.h"

namespace kernels {

SpeedFigures speed_figures(const Job& job, const BenchResult& bench, const recording::Device& device)
{
    SpeedFigures figures;
    const bool fp32 = type_of(job) == type_fp32;
    // Operations divided by 1e6: dividing by milliseconds gives GFLOPS.
    const double work = operations(job.stage->operation, job.problem) * 1e-6;
    if (work > 0)
        figures.gflops = work / bench.stage.median_ms;
    if (bench.cublas.samples > 0 && bench.cublas.median_ms > 0) {
        figures.of_cublas = bench.cublas.median_ms / bench.stage.median_ms;
        if (work > 0 && fp32)
            figures.cublas_gflops = work / bench.cublas.median_ms;
    }
    if (bench.cublas_best.samples > 0 && bench.cublas_best.median_ms > 0)
        figures.of_best = bench.cublas_best.median_ms / bench.stage.median_ms;
    if (figures.gflops && fp32 && device.peak_gflops > 0)
        figures.of_peak = *figures.gflops / device.peak_gflops;
    return figures;
}

} // namespace kernels
