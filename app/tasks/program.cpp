#include "app/tasks/program.h"

#include "injection/executed_recording.h"
#include "injection/tools.h"

#include <utility>

namespace app {

ListProgramResult list_program(const ListProgramTask& task, std::stop_token stop)
{
    injection::ProgramEnd end;
    ListProgramResult result{.launches = injection::list_launches({.command = task.command}, end, std::move(stop))};
    result.status = end.status;
    return result;
}

TraceProgramResult trace_program(const TraceProgramTask& task, std::stop_token stop)
{
    injection::ProgramEnd end;
    const injection::RawTrace trace = injection::trace_launch(
        {.command = task.command, .kernel = task.kernel, .launch = task.launch, .blocks = task.blocks}, end,
        std::move(stop));
    return {.recorded = derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel))),
            .status = end.status};
}

} // namespace app
