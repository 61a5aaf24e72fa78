// 'gemmscope trace' and 'gemmscope launch': a kernel of any CUDA file, or of any program.
#pragma once

#include "app/cli/command.h"
#include "app/engine/trace.h"

#include "traced/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

struct TraceOptions {
    traced::Request request;
    std::string arguments;           // of the kernel, as the user typed them: "M,N,K,A,B,C"
    std::vector<std::string> blocks; // "X,Y" or "X,Y,Z", in full; empty: 0,0, on a GPU the first, middle and last one
    std::filesystem::path output;    // empty: no recording is written
    std::string values;              // an array whose values before and after are printed, or "all"; empty: none
    std::string backend = "cpu";     // of a file: "cpu" executes its PTX, "cuda" runs it on the GPU
    WorkerChoice worker;             // on this machine, where the file is
};

// How a kernel of a file is launched: what words_of (app/engine/launch_file.h) writes but for the file and --kernel.
void request_options(OptionList& option, TraceOptions& options);
TraceTask task_of(const TraceOptions& options, const std::string& file);

} // namespace app
