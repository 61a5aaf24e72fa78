// Tasks: list the kernels that a program launches, and record one launch of it. The program runs unmodified, beside the task.
#pragma once

#include "app/tasks/record.h"

#include "injection/traced_program.h"

namespace app {

struct ListProgramTask {
    std::vector<std::string> command; // the program and its arguments
};

struct ListProgramResult {
    std::vector<injection::ListedLaunch> launches;
    int status = 0; // with which the program ended
};

struct TraceProgramTask {
    std::vector<std::string> command;
    std::string kernel;              // a regular expression; empty: any kernel
    uint64_t launch = 1;             // the how-many-th of those that match
    std::vector<std::string> blocks; // see injection::TracedProgram
    bool at_load = false;            // likewise
};

struct TraceProgramResult {
    Recorded recorded;
    int status = 0;
};

// The program sees the GPU that was chosen of several, and no other.
ListProgramResult list_program(const ListProgramTask& task, const TaskContext& context);
TraceProgramResult trace_program(const TraceProgramTask& task, const TaskContext& context);

} // namespace app
