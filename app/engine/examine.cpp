#include "app/engine/examine.h"

#include "machine_code/line_table.h"
#include "stage.h"

#include <algorithm>
#include <utility>

namespace app {

std::optional<recording::Totals> Followed::totals() const
{
    return executed ? std::optional(executed->totals()) : std::nullopt;
}

Followed follow(const kernels::Job& job, uint32_t capability, std::stop_token stop)
{
    Followed result;
    result.why = why_it_failed([&] {
        result.code = kernels::machine_code(*job.stage, job.parameters, capability);
        result.executed = kernels::executed(result.code, *job.stage, job.parameters, job.problem, std::move(stop));
    });
    return result;
}

kernels::Job examinable(const TaskContext& context, const recording::Recording& recording)
{
    if (recording.executed)
        throw kernels::Error(
            "This is not a rung's own kernel: it was recorded by its instructions, and nothing else is known "
            "of them.");
    const StageJob made = job_of(recording);
    if (made.text.empty() && !find_job(context.ladder, made))
        throw kernels::Error("This recording is of a stage that this gemmscope does not have in that form; record it "
                             "again to see what is inside.");
    kernels::Job job = context.resolve(made);
    if (!recording::same_source(recording, kernels::describe_launch(job, {})))
        throw kernels::Error("The stage's source has changed since this was recorded, and its machine code would not "
                             "fit the lines shown; record it here (r) to see it.");
    return job;
}

namespace {

// Examines a kernel that was recorded by its own instructions, which the recording contains as a second file.
ExamineResult as_recorded(const recording::Recording& recording)
{
    ExamineResult result;
    result.missing = {{recording::Missing::failed,
                       {"This is no rung's own kernel: it was recorded by its " + recording.executed->language +
                        ", and what is shown is what it executed."}}};
    const bool by_gpu = recording.device.compute_capability != 0;
    result.code.compute_capability = by_gpu ? recording.device.compute_capability : without_gpu;
    result.code.compiler = recording.device.toolkit;
    kernels::KernelCode code{.kernel = recording.executed->kernel};
    if (recording.executed->language == "SASS") {
        result.code.disassembler = by_gpu ? "nvdisasm" : "";
        for (const recording::MachineInstruction& one : recording.executed->instructions)
            code.instructions.push_back({.address = one.address,
                                         .name = one.text.substr(0, one.text.find(' ')),
                                         .line = one.line,
                                         .text = one.text});
    }
    for (const recording::SourceFile& file : recording.sources)
        if (file.name.ends_with(".ptx")) {
            code.ptx = cuda::lines_of(file.text);
            code.ptx_to_source = cuda::source_lines(code.ptx, recording.source().name);
        }
    if (!code.instructions.empty() || !code.ptx.empty())
        result.code.kernels.push_back(std::move(code));
    return result;
}

} // namespace

ExamineResult ExamineTask::run(const TaskContext& context) const
{
    ExamineResult result;
    if (recording != nullptr && recording->executed)
        return as_recorded(*recording);
    try {
        if (recording == nullptr) {
            const kernels::Job resolved = context.resolve(job);
            result.code =
                kernels::machine_code(*resolved.stage, resolved.parameters, capability != 0 ? capability : without_gpu);
            return result;
        }
        const recording::Recording& made = *recording;
        const kernels::Job own_job = examinable(context, made);
        const uint32_t own = capability != 0 ? capability : made.device.compute_capability;
        Followed followed = follow(own_job, own != 0 ? own : without_gpu, context.stop);
        result.code = std::move(followed.code);
        if (!followed.why.empty())
            result.missing = {{recording::Missing::failed, {followed.why}}};
        if (!followed.executed)
            return result;
        result.lines = kernels::compare_lines(made, *followed.executed);
        result.executed = followed.executed->totals();
        result.opaque = followed.executed->opaque;
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) { // for example a recording whose sizes are inconsistent
        result.missing = {{recording::Missing::failed, {reason.what()}}};
    }
    return result;
}

ParameterFacts parameter_facts(const kernels::Stage& stage, const kernels::ParameterValues& values,
                               const recording::Problem& problem)
{
    ParameterFacts facts{.launch = stage.launch(values, problem), .tiles = {}};
    for (const recording::Array& array : kernels::arrays(stage, values, problem))
        if (array.space == recording::Space::shared) {
            facts.tiles.push_back({array.name, array.rows, array.cols, array.bytes});
            facts.shared_bytes += array.bytes;
        }
    facts.shared_bytes = std::max<uint64_t>(facts.shared_bytes, stage.dynamic_shared(values));
    return facts;
}

} // namespace app
