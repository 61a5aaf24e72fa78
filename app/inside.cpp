#include "app/inside.h"

#include "engine.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr uint32_t without_gpu = 90; // compiled for Hopper, which the shipped recordings come from

const char* const unknown_stage =
    "This recording is of a stage that this gemmscope does not have in that form; record it "
    "again to see what is inside.";

const char* const other_source =
    "The stage's source has changed since this was recorded, and its machine code would not fit "
    "the lines shown; record it here (r) to see it.";

// None where it cannot be followed; `why` is then a sentence. The check goes on with what is written.
std::optional<recording::Totals> executed_totals(const kernels::Job& job, uint32_t capability, std::stop_token stop,
                                                 std::string& why)
{
    try {
        const kernels::MachineCode code = kernels::machine_code(*job.stage, job.parameters, capability);
        return kernels::executed(code, *job.stage, job.parameters, job.problem, std::move(stop)).totals();
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const kernels::Error& reason) {
        why = reason.what();
        return std::nullopt;
    }
}

// Why a recording cannot be looked into as this job; empty where it can.
std::string unfit(const std::optional<kernels::Job>& job, const recording::Recording& recording)
{
    if (!job)
        return unknown_stage;
    return recording.source.text == kernels::describe_launch(*job, {}).source.text ? "" : other_source;
}

double least_bytes(const kernels::Job& job)
{
    const kernels::OperandShapes shapes =
        kernels::device_shapes(job.stage->operation, kernels::type_of(job), job.problem);
    const bool reads_C = kernels::facts(job.stage->operation).is_scaled && job.problem.beta != 0;
    return static_cast<double>(shapes.A.bytes() + shapes.B.bytes() + (reads_C ? shapes.C.bytes() : 0));
}

} // namespace

std::optional<kernels::Job> job_of(const std::vector<kernels::Stage>& ladder, const recording::Recording& recording)
{
    const auto stage = std::find_if(ladder.begin(), ladder.end(),
                                    [&](const kernels::Stage& one) { return one.slug == recording.stage; });
    if (stage == ladder.end())
        return std::nullopt;
    kernels::ParameterValues values;
    for (const kernels::ParameterSpec& parameter : stage->parameters) {
        const auto found = std::find_if(recording.parameters.begin(), recording.parameters.end(),
                                        [&](const auto& one) { return one.name == parameter.name; });
        if (found == recording.parameters.end())
            return std::nullopt;
        values.push_back(found->value);
    }
    if (!stage->refusal(values).empty()) // a file may say anything
        return std::nullopt;
    return kernels::Job{&*stage, values, recording.problem};
}

CodeOf examine(const std::vector<kernels::Stage>& ladder, RecordingPtr recording, std::stop_token stop)
{
    CodeOf result{.recording = std::move(recording)};
    const recording::Recording& r = *result.recording;
    const std::optional<kernels::Job> job = job_of(ladder, r);
    result.missing = unfit(job, r);
    if (!result.missing.empty())
        return result;
    try {
        const uint32_t capability = r.device.compute_capability;
        result.code = kernels::machine_code(*job->stage, job->parameters, capability != 0 ? capability : without_gpu);
        const kernels::Executed executed =
            kernels::executed(result.code, *job->stage, job->parameters, job->problem, stop);
        result.lines = kernels::compare_lines(r, executed);
        result.executed = executed.totals();
        result.opaque = executed.opaque;
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) {
        result.missing = reason.what();
    }
    return result;
}

CountersOf count(const Machine& machine, const std::vector<kernels::Stage>& ladder, RecordingPtr recording,
                 std::stop_token stop)
{
    CountersOf result{.recording = std::move(recording)};
    const std::optional<kernels::Job> job = job_of(ladder, *result.recording);
    result.missing = machine.gpu() ? unfit(job, *result.recording) : machine.why_no_gpu;
    if (!result.missing.empty())
        return result;
    try {
        std::stop_source own;
        const std::stop_callback pass_on(stop, [&own] { own.request_stop(); });
        if (const auto pass = machine.gate->enter_background(own, stop))
            result.counters = machine.backend->counters(*job, own.get_token());
        else
            throw kernels::Cancelled();
        result.least_dram_bytes = least_bytes(*job);
        result.check = kernels::check(
            *result.recording,
            executed_totals(*job, machine.backend->device().compute_capability, stop, result.not_executed),
            *result.counters);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) {
        result.missing = reason.what();
    }
    return result;
}

} // namespace app
