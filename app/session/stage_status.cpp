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

// What a learner pays for the speed of a smaller type.
void add_cost_of_type(Type type, double total_error, viz::Messages& said)
{
    if (type != type_fp32)
        said.push_back(
            {"stage.type_error", {{"type", kernels::full_name_of(type)}, {"error", error_text(total_error)}}});
}

void describe_verdict(const kernels::Job& job, const Measurement& measurement, StageStatus& status)
{
    if (measurement.failure) {
        const bool absent = measurement.failure->kind == Failure::Kind::unavailable && !measurement.verification;
        status.verdict = absent ? Verdict::absent : Verdict::failed;
        status.said = {{"stage.failed", {{"why", measurement.failure->why}}}};
        return;
    }
    if (!measurement.verification)
        return;
    const kernels::Verification& found = *measurement.verification;
    const bool right = found.ok && (!measurement.measured || measurement.measured->right);
    const std::string verified_at = size_text(measurement.verified_at, job.stage->operation);
    status.verdict = right ? Verdict::right : Verdict::wrong;
    if (right) {
        status.said = {
            {"stage.verified",
             {{"size", verified_at}, {"error", error_text(found.error)}, {"tolerance", error_text(found.tolerance)}}}};
        add_cost_of_type(kernels::type_of(job),
                         measurement.measured ? measurement.measured->bench.total_error : found.total_error,
                         status.said);
    } else if (!found.ok) {
        status.said = {
            {"stage.wrong",
             {{"size", verified_at}, {"error", error_text(found.error)}, {"tolerance", error_text(found.tolerance)}}}};
    } else {
        status.said = {{"stage.wrong_when_timed",
                        {{"size", size_text(measurement.job.problem, job.stage->operation)},
                         {"error", error_text(measurement.measured->bench.relative_error)}}}};
    }
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

StageStatus describe(const kernels::Job& job, const Measurement* measurement, const MachineFacts* machine)
{
    StageStatus status;
    status.parameters = job.parameters;
    status.speed = no_speed({why_no_speed(machine)});
    if (measurement == nullptr || machine == nullptr)
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
