#include "app/session/rung.h"

#include "app/shell/format.h"

#include "gemm/element_type.h"
#include "measure/speed.h"

#include <fmt/format.h>

namespace app {

namespace {

std::string why_no_speed(const Machine* machine)
{
    if (machine == nullptr)
        return "looking for a GPU …";
    return machine->gpu() ? "measuring …" : "no GPU here";
}

// Whether what was timed came out right too; written so that NaN is wrong.
bool timed_right(const Measurement& measurement)
{
    return measurement.bench->relative_error <= kernels::tolerance(measurement.job);
}

// What a learner pays for the speed of a smaller type.
std::string cost_of_type(Type type, double total_error)
{
    if (type == type_fp32)
        return "";
    return fmt::format(" With A and B rounded from FP32 to {}, its error in all is {:.1e}.",
                       kernels::full_name_of(type), total_error);
}

void describe_verdict(const Measurement& measurement, Rung& rung)
{
    if (!measurement.error.empty()) {
        rung.verdict = measurement.unavailable ? Verdict::absent : Verdict::failed;
        rung.verdict_words = measurement.error;
        return;
    }
    if (!measurement.verification)
        return;
    const kernels::Verification& found = *measurement.verification;
    const bool right = found.ok && (!measurement.bench || timed_right(measurement));
    const Type type = kernels::type_of(measurement.job);
    rung.verdict = right ? Verdict::right : Verdict::wrong;
    if (right)
        rung.verdict_words = fmt::format("Verified against float64 at {}: relative error {:.1e}, allowed {:.1e}.",
                                         size_text(measurement.verified_at, measurement.job.stage->operation),
                                         found.error, found.tolerance) +
                             cost_of_type(type, measurement.bench ? measurement.bench->total_error : found.total_error);
    else if (!found.ok)
        rung.verdict_words = fmt::format(
            "Wrong result at {}: relative error {:.1e}, allowed {:.1e}; so no speed is shown.",
            size_text(measurement.verified_at, measurement.job.stage->operation), found.error, found.tolerance);
    else
        rung.verdict_words = fmt::format("Wrong result at {}: relative error {:.1e}; so no speed is shown.",
                                         size_text(measurement.job.problem, measurement.job.stage->operation),
                                         measurement.bench->relative_error);
}

void describe_speed(const Measurement& measurement, const Machine& machine, Rung& rung)
{
    const kernels::BenchResult& bench = *measurement.bench;
    const recording::Device& device = machine.backend->device();
    const kernels::SpeedFigures figures = kernels::speed_figures(measurement.job, bench, device);
    viz::Speed& speed = rung.speed;
    rung.timed = true;
    rung.cublas_missing = bench.cublas_missing;
    if (!figures.gflops) {
        speed.why_missing = fmt::format("{:.3f} ms, no arithmetic", bench.stage.median_ms);
        return;
    }
    speed.gflops = figures.gflops;
    speed.of_cublas = figures.of_cublas;
    speed.of_peak = figures.of_peak;
    rung.cublas_gflops = figures.cublas_gflops;
    speed.origin =
        fmt::format("measured on {} at {}, median of {}", device.name,
                    size_text(measurement.job.problem, measurement.job.stage->operation), bench.stage.samples);
    speed.why_missing.clear();
}

} // namespace

Rung blank_rung(const kernels::Stage& stage, const Machine* machine)
{
    Rung rung;
    rung.parameters = stage.standard_parameters();
    rung.speed.why_missing = why_no_speed(machine);
    return rung;
}

Rung describe(const Measurement& measurement, const Machine& machine)
{
    Rung rung;
    rung.parameters = measurement.job.parameters;
    rung.speed.why_missing = why_no_speed(&machine);
    describe_verdict(measurement, rung);
    if (rung.verdict == Verdict::right && measurement.bench)
        describe_speed(measurement, machine, rung), rung.timing = measurement.bench->stage;
    else if (rung.verdict == Verdict::wrong)
        rung.speed.why_missing = "wrong result";
    else if (rung.verdict == Verdict::failed)
        rung.speed.why_missing = "failed";
    else if (rung.verdict == Verdict::absent)
        rung.speed.why_missing = "not on this machine";
    return rung;
}

} // namespace app
