#include "app/session/stage_status.h"

#include "app/text/format.h"

#include "gemm/element_type.h"

#include <fmt/format.h>

namespace app {

namespace {

std::string why_no_speed(const MachineFacts* machine)
{
    if (machine == nullptr)
        return "looking for a GPU …";
    return machine->gpu() ? "measuring …" : "no GPU here";
}

// What a learner pays for the speed of a smaller type.
std::string cost_of_type(Type type, double total_error)
{
    if (type == type_fp32)
        return "";
    return fmt::format(" With A and B rounded from FP32 to {}, its error in all is {:.1e}.",
                       kernels::full_name_of(type), total_error);
}

void describe_verdict(const kernels::Job& job, const Measurement& measurement, StageStatus& status)
{
    if (measurement.failure) {
        const bool absent = measurement.failure->kind == Failure::Kind::unavailable && !measurement.verification;
        status.verdict = absent ? Verdict::absent : Verdict::failed;
        status.verdict_words = measurement.failure->why;
        return;
    }
    if (!measurement.verification)
        return;
    const kernels::Verification& found = *measurement.verification;
    const bool right = found.ok && (!measurement.measured || measurement.measured->right);
    const Type type = kernels::type_of(job);
    status.verdict = right ? Verdict::right : Verdict::wrong;
    if (right)
        status.verdict_words =
            fmt::format("Verified against float64 at {}: relative error {:.1e}, allowed {:.1e}.",
                        size_text(measurement.verified_at, job.stage->operation), found.error, found.tolerance) +
            cost_of_type(type, measurement.measured ? measurement.measured->bench.total_error : found.total_error);
    else if (!found.ok)
        status.verdict_words =
            fmt::format("Wrong result at {}: relative error {:.1e}, allowed {:.1e}; so no speed is shown.",
                        size_text(measurement.verified_at, job.stage->operation), found.error, found.tolerance);
    else
        status.verdict_words = fmt::format("Wrong result at {}: relative error {:.1e}; so no speed is shown.",
                                           size_text(measurement.job.problem, job.stage->operation),
                                           measurement.measured->bench.relative_error);
}

void describe_speed(const kernels::Job& job, const MeasureResult& measured, const MachineFacts& machine,
                    StageStatus& status)
{
    status.timed = true;
    status.timing = measured.bench.stage;
    status.cublas_missing = measured.bench.cublas_missing;
    status.cublas_gflops = measured.speed.cublas_gflops;
    viz::Speed& speed = status.speed;
    if (!measured.speed.gflops) {
        speed.why_missing = fmt::format("{:.3f} ms, no arithmetic", measured.bench.stage.median_ms);
        return;
    }
    speed.gflops = measured.speed.gflops;
    speed.of_cublas = measured.speed.of_cublas;
    speed.of_peak = measured.speed.of_peak;
    speed.origin = fmt::format("measured on {} at {}, median of {}", machine.device->name,
                               size_text(job.problem, job.stage->operation), measured.bench.stage.samples);
    speed.why_missing.clear();
}

} // namespace

StageStatus describe(const kernels::Job& job, const Measurement* measurement, const MachineFacts* machine)
{
    StageStatus status;
    status.parameters = job.parameters;
    status.speed.why_missing = why_no_speed(machine);
    if (measurement == nullptr || machine == nullptr)
        return status;
    describe_verdict(job, *measurement, status);
    if (status.verdict == Verdict::right && measurement->measured)
        describe_speed(job, *measurement->measured, *machine, status);
    else if (status.verdict == Verdict::wrong)
        status.speed.why_missing = "wrong result";
    else if (status.verdict == Verdict::failed)
        status.speed.why_missing = "failed";
    else if (status.verdict == Verdict::absent)
        status.speed.why_missing = "not on this machine";
    return status;
}

} // namespace app
