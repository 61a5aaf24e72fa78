// Tasks that list the kernels a program launches, and record one of its launches. The program runs unmodified, in a
// process beside the task.
#pragma once

#include "app/engine/record.h"

#include "injection/traced_program.h"

namespace app {

struct ListProgramResult;

struct ListProgramTask {
    std::vector<std::string> command; // the program and its arguments
    bool output_to_errors = false;    // its standard output goes to this process's standard error

    using Result = ListProgramResult;
    // If one of several GPUs was chosen, the program sees only that GPU.
    ListProgramResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const ListProgramTask&, const ListProgramTask&) = default;
};

struct ListProgramResult {
    std::vector<injection::ListedLaunch> launches;
    int status = 0; // exit status of the program
};

struct TraceProgramResult;

struct TraceProgramTask {
    std::vector<std::string> command;
    std::string kernel;              // regular expression; empty: any kernel
    uint64_t launch = 1;             // ordinal among the matching launches, from 1
    std::vector<std::string> blocks; // see injection::TracedProgram
    double most_seconds = 120;       // likewise
    bool output_to_errors = false;   // its standard output goes to this process's standard error

    using Result = TraceProgramResult;
    TraceProgramResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const TraceProgramTask&, const TraceProgramTask&) = default;
};

struct TraceProgramResult {
    Recorded recorded;
    int status = 0;
};

} // namespace app
