// 'gemmscope trace' of a program that runs without a GPU.
#pragma once

#include "app/cli/command.h"
#include "app/cli/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

struct ProgramChoice {
    std::vector<std::string> command; // a CUDA file or a program, and the program's arguments
    uint64_t launch = 1;              // the how-many-th of those that match; 0: the one that tells most
    bool list = false;
};

// Lists its launches, or records one of them. Throws as run_host_program() does.
int trace_host_program(const ProgramChoice& choice, const TraceOptions& options, Output& out);

} // namespace app
