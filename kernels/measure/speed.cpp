#include "measure/speed.h"

#include "gemm/element_type.h"
#include "gemm/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

namespace {

// Time of the launches between two readings of the counter. It is a fraction of the counter's update interval.
constexpr double batch_ms = 5;
constexpr int most_launches = 20'000;      // launches per batch
constexpr int least_batches = 8;           // minimum, even if one launch takes longer than batch_ms
constexpr double longest_wait_seconds = 3; // for the counter to change

struct Reading {
    uint64_t millijoules = 0;
    double seconds = 0;
    int64_t launches = 0;
};

class Run {
public:
    Run(const EnergyWork& work, double ms)
        : work_(work),
          each_(static_cast<int>(std::clamp(std::ceil(batch_ms / std::max(ms, 1e-6)), 1.0, double{most_launches})))
    {
    }

    // Returns a reading right after the counter has changed, or nothing if it does not change.
    std::optional<Reading> next_change()
    {
        const double begun = work_.seconds();
        const uint64_t before = work_.millijoules();
        while (true) {
            batch();
            if (const uint64_t now = work_.millijoules(); now != before)
                return Reading{now, work_.seconds(), launches_};
            if (work_.seconds() - begun > longest_wait_seconds)
                return {};
        }
    }

    void run_until(double end)
    {
        for (int batches = 0; batches < least_batches || work_.seconds() < end; ++batches)
            batch();
    }

private:
    void batch()
    {
        work_.check_stop();
        work_.launch(each_);
        launches_ += each_;
    }

    const EnergyWork& work_;
    int each_;
    int64_t launches_ = 0;
};

} // namespace

Energy energy_of_launch(const EnergyWork& work, double ms, double seconds)
{
    Run run(work, ms);
    const std::optional<Reading> first = run.next_change();
    if (first)
        run.run_until(first->seconds + seconds);
    const std::optional<Reading> last = first ? run.next_change() : std::nullopt;
    if (!last || last->millijoules < first->millijoules)
        return {.missing =
                    fmt::format("The GPU's counter of energy did not move in {} s of work.", longest_wait_seconds)};
    const auto launches = static_cast<double>(last->launches - first->launches);
    return {.joules = static_cast<double>(last->millijoules - first->millijoules) * 1e-3 / launches,
            .ms = 1e3 * (last->seconds - first->seconds) / launches,
            .missing = {}};
}

} // namespace kernels
