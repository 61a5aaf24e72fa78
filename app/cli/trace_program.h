// 'gemmscope trace -- PROGRAM': the kernels of any program.
#pragma once

#include "app/cli/commands.h"
#include "app/tasks/program.h"

namespace app {

// Every launch, a row for each that differs.
int print_kernels_of(const ListProgramTask& task, const TraceOptions& options);

// Records one launch in the file that the options name.
int record_program(const TraceProgramTask& task, const TraceOptions& options);

} // namespace app
