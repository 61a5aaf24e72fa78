#include "app/tasks/program.h"

#include "injection/executed_recording.h"
#include "injection/tools.h"

namespace app {

ListProgramResult list_program(const ListProgramTask& task, const TaskContext& context)
{
    injection::ProgramEnd end;
    ListProgramResult result{.launches = injection::list_launches(
                                 {.command = task.command, .gpu = context.machine.chosen_gpu}, end, context.stop)};
    result.status = end.status;
    return result;
}

TraceProgramResult trace_program(const TraceProgramTask& task, const TaskContext& context)
{
    injection::ProgramEnd end;
    const injection::RawTrace trace = injection::trace_launch({.command = task.command,
                                                               .kernel = task.kernel,
                                                               .launch = task.launch,
                                                               .blocks = task.blocks,
                                                               .at_load = task.at_load,
                                                               .gpu = context.machine.chosen_gpu},
                                                              end, context.stop);
    return {.recorded = derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel))),
            .status = end.status};
}

} // namespace app
