// A program that runs without a GPU: its host code as it is, its kernels on the PTX machine. No Task: the program has this process's
// terminal, so it runs beside no worker.
#pragma once

#include "app/engine/record.h"

#include "cudart/host_program.h"
#include "traced/request.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

struct HostProgramTask {
    // A CUDA file, which is compiled with its host code, and the program's arguments; or a program and its arguments.
    std::vector<std::string> command;
    traced::Request request; // kernel: a regular expression; blocks, steps, -I, -D
    uint64_t launch = 1;     // the how-many-th of those that match
    bool list = false;       // every launch, and no recording
};

struct HostProgramResult {
    cudart::HostProgramEnd end; // its recording is moved to `recorded`
    std::optional<Recorded> recorded;
    double compiling_milliseconds = 0;
};

// Why the file's own host program cannot run here; empty: it can. `text`: of the file.
std::string why_no_host_program(const std::string& text);

// Throws as cudart::run_host_program() and traced::build_host_program() do.
HostProgramResult run_host_program(const HostProgramTask& task, const std::function<void(const std::string&)>& say,
                                   const std::stop_token& stop);

// The file's program for this machine's GPU, at `program`.
void build_for_gpu(const std::string& file, const traced::Request& request, const std::filesystem::path& program);

} // namespace app
