// Runs an unmodified program with the tracing library injected. Needs no root privileges.
#pragma once

#include "injection/raw_trace.h"
#include "run_program.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace injection {

struct TracedProgram {
    std::vector<std::string> command;       // the program and its arguments; looked for in PATH
    std::string kernel;                     // regular expression; empty: any kernel
    uint64_t launch = 1;                    // the how-many-th launch that matches
    std::vector<std::string> blocks;        // "X,Y,Z" to record in full; empty: the first, the middle and the last one
    bool at_load = false;                   // see Request
    std::string gpu = {};                   // UUID of the only one that the program sees; empty: as this process
    kernels::TakenOutput::Take output = {}; // gets what it writes; none: its streams are those of this process
    bool output_to_errors = false;          // then its standard output goes to this process's standard error
};

struct ProgramEnd {
    int status = 0; // exit status as in a shell: 128 and more mean that a signal ended it
};

// All throw kernels::Unavailable (no toolkit's library, see Tools), kernels::Error with a sentence (the program cannot be
// started, launched nothing that matches, another tool is at work in it), kernels::Cancelled.
std::vector<ListedLaunch> list_launches(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);
RawTrace trace_launch(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);

} // namespace injection
