// Tasks: list the kernels that a program launches, and record one launch of it. The program runs unmodified, beside the task.
#pragma once

#include "app/tasks/record.h"

#include "injection/traced_program.h"

namespace app {

struct ListProgramResult;

struct ListProgramTask {
    std::vector<std::string> command; // the program and its arguments
    bool output_to_errors = false;    // its standard output goes to this process's standard error

    using Result = ListProgramResult;
    // The program sees the GPU that was chosen of several, and no other.
    ListProgramResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const ListProgramTask&, const ListProgramTask&) = default;
};

struct ListProgramResult {
    std::vector<injection::ListedLaunch> launches;
    int status = 0; // with which the program ended
};

struct TraceProgramResult;

struct TraceProgramTask {
    std::vector<std::string> command;
    std::string kernel;              // a regular expression; empty: any kernel
    uint64_t launch = 1;             // the how-many-th of those that match
    std::vector<std::string> blocks; // see injection::TracedProgram
    bool at_load = false;            // likewise
    bool output_to_errors = false;   // likewise

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
