// 'gemmscope trace -- PROGRAM': the kernels of any program.
#pragma once

#include "app/cli/trace.h"
#include "app/tasks/program.h"

namespace app {

// Of the GPU that was chosen. The program runs in this one's terminal, so beside no worker.
Machine machine_of(const TraceOptions& options);

// Every launch, a row for each that differs.
int print_kernels_of(const ListProgramTask& task, const TraceOptions& options);

// Records one launch in the file that the options name.
int record_program(const TraceProgramTask& task, const TraceOptions& options);

} // namespace app
