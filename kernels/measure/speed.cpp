#include "measure/speed.h"

#include "gemm/element_type.h"
#include "gemm/reference.h"

#include <algorithm>
#include <limits>

namespace kernels {

Timing timing_of(std::vector<double> samples)
{
    std::sort(samples.begin(), samples.end());
    const std::size_t count = samples.size();
    if (count == 0)
        return {};
    return {.median_ms = samples[count / 2],
            .low_ms = samples[count / 4],
            .high_ms = samples[count * 3 / 4],
            .samples = static_cast<int>(count)};
}

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

Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop)
{
    constexpr uint32_t seed = 7;
    Operands operands = input_operands(job.stage->operation, job.problem, seed, job.inputs);
    if (job.problem.beta == 0 || !facts(job.stage->operation).is_scaled)
        std::fill(operands.C.begin(), operands.C.end(), std::numeric_limits<float>::quiet_NaN());
    const Type type = type_of(job);
    std::vector<double> exact;
    if (type != type_fp32)
        exact = backend.reference(job, operands, stop);
    round_all(operands.A, type);
    round_all(operands.B, type);
    round_all(operands.C, types_of(job).c);
    const std::vector<double> reference = backend.reference(job, operands, stop);
    backend.run(job, probe, operands, stop);
    Verification result;
    result.error = relative_error(operands.C, reference);
    result.total_error = type == type_fp32 ? result.error : relative_error(operands.C, exact);
    result.tolerance = tolerance(job);
    result.ok = result.error <= result.tolerance; // false for NaN
    return result;
}

} // namespace kernels
