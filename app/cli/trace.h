// Implements 'gemmscope trace' and 'gemmscope launch' for kernels of CUDA files. 'gemmscope trace' also takes programs.
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
    std::string arguments; // arguments of the kernel, as the user typed them: "M,N,K,A,B,C"
    // Blocks to record in full: "X,Y" or "X,Y,Z". Empty: 0,0, or on a GPU the first, the middle and the last block.
    std::vector<std::string> blocks;
    std::filesystem::path output; // empty: no recording is written
    std::string values;           // an array whose values before and after are printed, or "all"; empty: none
    std::string backend = "cpu";  // for a file: "cpu" executes its PTX, "cuda" runs it on the GPU
    WorkerChoice worker;          // runs on this machine, because the file is here
};

// Declares the options that describe the launch of a file's kernel. words_of() (app/engine/launch_file.h) writes the
// same options, and also the file and --kernel.
void request_options(OptionList& option, TraceOptions& options);
TraceTask task_of(const TraceOptions& options, const std::string& file);

} // namespace app
