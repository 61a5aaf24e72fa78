#include "app/session/stage_status.h"

#include "app/text/format.h"

#include "gemm/element_type.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

viz::Speed no_speed(const recording::Reason& why)
{
    return {why, why};
}

recording::Missing why_no_speed(const MachineFacts* machine)
{
    if (machine == nullptr)
        return recording::Missing::looking_for_gpu;
    return machine->gpu() ? recording::Missing::in_progress : recording::Missing::no_gpu;
}

std::string error_text(double error)
{
    return fmt::format("{:.1e}", error);
}

// Returns a sentence about the accuracy that a smaller type costs; empty for FP32.
std::string cost_of_type(Type type, double total_error)
{
    return type == type_fp32 ? ""
                             : fmt::format(" With A and B rounded from FP32 to {}, its error in all is {}.",
                                           kernels::full_name_of(type), error_text(total_error));
}

void describe_verdict(const kernels::Job& job, const Measurement& measurement, StageStatus& status)
{
    if (measurement.failure) {
        const bool absent = measurement.failure->kind == Failure::Kind::unavailable && !measurement.verification;
        status.verdict = absent ? Verdict::absent : Verdict::failed;
        status.said = measurement.failure->why;
        return;
    }
    if (!measurement.verification)
        return;
    const kernels::Verification& found = *measurement.verification;
    const bool right = found.ok && (!measurement.measured || measurement.measured->right);
    const std::string verified =
        fmt::format("at {}: relative error {}, allowed {}", size_text(measurement.verified_at, job.stage->operation),
                    error_text(found.error), error_text(found.tolerance));
    status.verdict = right ? Verdict::right : Verdict::wrong;
    if (right)
        status.said = fmt::format(
            "Verified against float64 {}.{}", verified,
            cost_of_type(kernels::type_of(job),
                         measurement.measured ? measurement.measured->bench.total_error : found.total_error));
    else if (!found.ok)
        status.said = fmt::format("Wrong result {}; so no speed is shown.", verified);
    else
        status.said = fmt::format("Wrong result at {}: relative error {}; so no speed is shown.",
                                  size_text(measurement.job.problem, job.stage->operation),
                                  error_text(measurement.measured->bench.relative_error));
}

void describe_speed(const kernels::Job& job, const MeasureResult& measured, const MachineFacts& machine,
                    StageStatus& status)
{
    const kernels::BenchResult& bench = measured.bench;
    status.timed = true;
    status.timing = bench.stage;
    status.cublas_missing = bench.cublas_missing;
    status.cublas_gflops = measured.speed.cublas_gflops;
    const recording::Provenance from{.device = machine.device->name,
                                     .problem = job.problem,
                                     .samples = static_cast<uint32_t>(std::max(bench.stage.samples, 0))};
    status.speed = speed_of(measured.speed.gflops, measured.speed.of_cublas, bench.stage.median_ms, from);
}

} // namespace

viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from)
{
    if (!gflops)
        return no_speed({recording::Missing::no_arithmetic, {fmt::format("{:.3f}", median_ms)}});
    return {{*gflops, from}, of_cublas ? recording::Measured<double>(*of_cublas, from) : recording::Missing::not_asked};
}

StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine)
{
    StageStatus status;
    status.parameters = job.parameters;
    status.speed = no_speed({why_no_speed(machine)});
    if (!measurement || machine == nullptr)
        return status;
    describe_verdict(job, *measurement, status);
    if (status.verdict == Verdict::right && measurement->measured)
        describe_speed(job, *measurement->measured, *machine, status);
    else if (status.verdict == Verdict::wrong)
        status.speed = no_speed({recording::Missing::wrong_result});
    else if (status.verdict == Verdict::failed)
        status.speed = no_speed({recording::Missing::failed, {measurement->failure->why}});
    else if (status.verdict == Verdict::absent)
        status.speed = no_speed({recording::Missing::absent, {measurement->failure->why}});
    return status;
}

} // namespace app
