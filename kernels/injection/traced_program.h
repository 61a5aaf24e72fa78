// Runs an unmodified program with the tracing library injected. Needs no root privileges.
#pragma once

#include "injection/raw_trace.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace injection {

struct TracedProgram {
    std::vector<std::string> command; // the program and its arguments; found in PATH
    std::string kernel;               // regular expression; empty: any kernel
    uint64_t launch = 1;              // trace the n-th matching launch, starting at 1
    std::vector<std::string> blocks;  // "X,Y,Z" to record in full; empty: the first, the middle and the last block
    bool at_load = false;             // see Request::at_load
    std::string gpu = {}; // UUID of the only GPU that the program sees; empty: the same GPUs as this process
};

struct ProgramEnd {
    int status = 0; // exit status as in a shell: 128 and more mean that a signal ended it
};

// These functions throw kernels::Unavailable (a library of the toolkit is missing, see tools.h), kernels::Error with a
// sentence (the program cannot be started, launched nothing that matches, or is used by another tool), and
// kernels::Cancelled. The program shares this process's standard streams.
std::vector<ListedLaunch> list_launches(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);
RawTrace trace_launch(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);

} // namespace injection
