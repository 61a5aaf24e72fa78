#include "app/session/inside.h"

#include "machine_code/machine_code.h"
#include "measure/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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
    return recording::same_source(recording, kernels::describe_launch(*job, {})) ? "" : other_source;
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

namespace {

// Of the GPU, with nobody else in it.
template <class Count>
auto in_turn(const Machine& machine, const std::stop_token& stop, const Count& count)
{
    std::optional<decltype(count(stop))> result;
    if (!machine.gate->in_turn(Rank::counters, stop, [&](std::stop_token own) { result = count(std::move(own)); }))
        throw kernels::Cancelled();
    return std::move(*result);
}

// Of the GPU here; of Hopper, whose counters are shipped, where there is none.
uint32_t capability_of(const Machine& machine)
{
    return machine.gpu() ? machine.backend->device().compute_capability : without_gpu;
}

std::function<kernels::Counters()> reader(const Machine& machine, const kernels::Job& job, const std::stop_token& stop)
{
    return [&machine, job, stop] {
        return in_turn(machine, stop,
                       [&](std::stop_token own) { return machine.backend->counters(job, std::move(own)); });
    };
}

std::function<kernels::InstructionCounters()> instruction_reader(const Machine& machine, const kernels::Job& job,
                                                                 const std::stop_token& stop)
{
    return [&machine, job, stop] {
        return in_turn(machine, stop,
                       [&](std::stop_token own) { return machine.backend->instruction_counters(job, std::move(own)); });
    };
}

void take_counters(const CounterSource& source, const kernels::Job& job, const std::stop_token& stop,
                   CountersOf& result)
{
    const bool gpu = source.machine.gpu();
    const auto read = gpu ? reader(source.machine, job, stop) : nullptr;
    const CountedRow* shipped = gpu ? nullptr : source.shipped.find(job);
    if (!gpu && shipped == nullptr) {
        result.missing = source.machine.why_no_gpu + " " + source.shipped.why_none();
        return;
    }
    kernels::Counters first = gpu ? read() : shipped->counters;
    const std::optional<recording::Totals> executed =
        executed_totals(job, capability_of(source.machine), stop, result.not_executed);
    kernels::CounterReading reading = kernels::settle(std::move(first), *result.recording, executed, read);
    result.counters = std::move(reading.counters);
    result.check = std::move(reading.check);
    result.readings = gpu ? reading.readings : shipped->readings;
    if (!gpu)
        result.shipped = viz::device_and_date(source.shipped.from_of(*shipped));
}

void take_counters(const CounterSource& source, const kernels::Job& job, const kernels::MachineCode& code,
                   const std::stop_token& stop, InstructionsOf& result)
{
    const bool gpu = source.machine.gpu();
    const auto read = gpu ? instruction_reader(source.machine, job, stop) : nullptr;
    const CountedRow* shipped = gpu ? nullptr : source.shipped.find(job);
    if (!gpu && (shipped == nullptr || shipped->each.empty())) {
        result.missing = source.machine.why_no_gpu + " " +
                         (shipped != nullptr ? "The shipped counters of this stage are not per instruction."
                                             : source.shipped.why_none());
        return;
    }
    if (!gpu && !shipped->fits(code)) {
        result.missing = "The shipped counters are those of other machine code: another version of NVRTC compiled it.";
        return;
    }
    kernels::InstructionCounters first = gpu ? read() : shipped->instructions();
    std::optional<kernels::Executed> executed;
    try {
        executed = kernels::executed(code, *job.stage, job.parameters, job.problem, stop);
    } catch (const kernels::Unavailable&) { // then there are counters alone
    }
    kernels::InstructionReading reading =
        kernels::settle(std::move(first), code, executed ? &*executed : nullptr, read);
    result.counters = std::move(reading.counters);
    result.accesses = std::move(reading.accesses);
    result.readings = gpu ? reading.readings : shipped->instruction_readings;
    if (!gpu)
        result.shipped = viz::device_and_date(source.shipped.from_of(*shipped));
}

} // namespace

CountersOf count(const CounterSource& source, const std::vector<kernels::Stage>& ladder, RecordingPtr recording,
                 std::stop_token stop)
{
    CountersOf result{.recording = std::move(recording)};
    const std::optional<kernels::Job> job = job_of(ladder, *result.recording);
    result.missing = unfit(job, *result.recording);
    if (!result.missing.empty())
        return result;
    try {
        result.least_dram_bytes = least_dram_bytes(*job);
        take_counters(source, *job, stop, result);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) {
        result.counters.reset();
        result.missing = reason.what();
    }
    return result;
}

InstructionsOf count_instructions(const CounterSource& source, const std::vector<kernels::Stage>& ladder,
                                  RecordingPtr recording, std::stop_token stop)
{
    InstructionsOf result{.recording = std::move(recording)};
    const std::optional<kernels::Job> job = job_of(ladder, *result.recording);
    result.missing = unfit(job, *result.recording);
    if (!result.missing.empty())
        return result;
    try {
        const uint32_t capability = capability_of(source.machine);
        if (const uint32_t shown = result.recording->device.compute_capability; shown != 0 && shown != capability)
            throw kernels::Unavailable(
                fmt::format("The machine code shown is that for sm_{}, and this GPU's is another; "
                            "record the stage here (r).",
                            shown));
        const kernels::MachineCode code = kernels::machine_code(*job->stage, job->parameters, capability);
        take_counters(source, *job, code, stop, result);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) {
        result.missing = reason.what();
    }
    return result;
}

} // namespace app
