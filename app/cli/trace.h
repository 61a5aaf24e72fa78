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

std::string index_name(const recording::Index3& index); // "64,8,1"

// Blocks to keep in full. Throws kernels::Error for what is none.
std::vector<recording::Index3> blocks_of(const TraceOptions& options);

// What came of a launch on the PTX machine: the sentences and totals; as JSON.
void print(const TraceOptions& options, const TraceResult& result, const Output& out);
nlohmann::json to_json(const TraceResult& result);
// The same with the values that the options ask for, which it prints.
nlohmann::json with_values(nlohmann::json result, const recording::Recording& recording, const TraceOptions& options,
                           Output& out);

// 'gemmscope trace' of a program that runs without a GPU.

struct ProgramChoice {
    std::vector<std::string> command; // a CUDA file or a program, and the program's arguments
    uint64_t launch = 1;              // the how-many-th of those that match; 0: the one that tells most
    bool list = false;
};

// Lists its launches, or records one of them. Throws as run_host_program() does.
int trace_host_program(const ProgramChoice& choice, const TraceOptions& options, Output& out);

} // namespace app
