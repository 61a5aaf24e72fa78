#include "app/engine/program.h"

#include "injection/executed_recording.h"
#include "injection/traced_program.h"

namespace app {

ListProgramResult ListProgramTask::run(const TaskContext& context) const
{
    injection::ProgramEnd end;
    ListProgramResult result{
        .launches = injection::list_launches(
            {.command = command, .gpu = context.machine.chosen_gpu, .output_to_errors = output_to_errors}, end,
            context.stop)};
    result.status = end.status;
    return result;
}

std::string ListProgramTask::name() const
{
    return "listing the kernels of " + (command.empty() ? "a program" : command.front());
}

double ListProgramTask::seconds_allowed(const MachineFacts&) const
{
    return any_program;
}

TraceProgramResult TraceProgramTask::run(const TaskContext& context) const
{
    injection::ProgramEnd end;
    const injection::RawTrace trace = injection::trace_launch({.command = command,
                                                               .kernel = kernel,
                                                               .launch = launch,
                                                               .blocks = blocks,
                                                               .most_seconds = most_seconds,
                                                               .gpu = context.machine.chosen_gpu,
                                                               .output_to_errors = output_to_errors},
                                                              end, context.stop);
    return {.recorded = derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel))),
            .status = end.status};
}

std::string TraceProgramTask::name() const
{
    return "tracing a kernel of " + (command.empty() ? "a program" : command.front());
}

double TraceProgramTask::seconds_allowed(const MachineFacts&) const
{
    return any_program;
}

} // namespace app
