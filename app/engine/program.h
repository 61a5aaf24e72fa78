// Tasks that list the kernels a program launches, and record one of its launches. The program runs unmodified, in a
// process beside the task.
#pragma once

#include "app/engine/record.h"

#include "cudart/host_program.h"
#include "injection/raw_trace.h"
#include "injection/traced_program.h"
#include "traced/request.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ListProgramResult;

struct ListProgramTask {
    std::vector<std::string> command; // the program and its arguments
    bool output_to_errors = false;    // its standard output goes to this process's standard error

    using Result = ListProgramResult;
    // If one of several GPUs was chosen, the program sees only that GPU.
    ListProgramResult run(const TaskContext& context) const;
    std::string name() const { return "listing the kernels of " + (command.empty() ? "a program" : command.front()); }
    double seconds_allowed(const MachineFacts&) const { return any_program; }
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
    std::string source = {};         // CUDA file that the program was compiled from; empty: its line table names it
    std::string kernel;              // regular expression; empty: any kernel
    uint64_t launch = 1;             // ordinal among the matching launches, from 1
    std::vector<std::string> blocks; // see injection::TracedProgram
    double most_seconds = 120;       // limit of the recorded launch, see injection::TracedProgram
    bool output_to_errors = false;   // its standard output goes to this process's standard error

    using Result = TraceProgramResult;
    TraceProgramResult run(const TaskContext& context) const;
    std::string name() const { return "tracing a kernel of " + (command.empty() ? "a program" : command.front()); }
    double seconds_allowed(const MachineFacts&) const { return any_program; }
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const TraceProgramTask&, const TraceProgramTask&) = default;
};

struct TraceProgramResult {
    Recorded recorded;
    int status = 0;
};

// Runs a program with its own host code. Without a GPU its kernels run on the PTX machine. As a part of RunFileTask it
// runs beside the window; the command line runs it in its own terminal.

struct HostProgramTask {
    // A CUDA file, which is compiled with its host code, and the program's arguments; or a program and its arguments.
    std::vector<std::string> command;
    traced::Request request; // kernel: a regular expression; blocks, steps, -I, -D
    uint64_t launch = 1;     // ordinal among the matching launches; 0: see default_launch() (traced/host_text.h)
    bool list = false;       // list every launch and record none
    std::optional<std::string> text = {};              // text of the CUDA file; absent: the file's content
    std::function<void(std::string_view)> output = {}; // this and the next two: as in cudart::HostProgram
    bool output_to_errors = false;
    std::chrono::seconds most_after_recording{60};
};

struct HostProgramResult {
    cudart::HostProgramEnd end; // its recording is moved to `recorded`
    std::optional<Recorded> recorded;
    double compiling_milliseconds = 0;
};

// Returns why the host program in this text of a file cannot run here; empty if it can.
std::string why_no_host_program(const std::string& text);

// Throws the errors of cudart::run_host_program() and traced::build_host_program().
HostProgramResult run_host_program(const HostProgramTask& task, const std::function<void(const std::string&)>& say,
                                   const std::stop_token& stop);

// Compiles the task's file for this machine's GPU into the file `program`.
void build_for_gpu(const HostProgramTask& task, const std::filesystem::path& program);

// Returns the index of the launch that is shown first among a program's launches on a GPU.
std::size_t default_launch(const std::vector<injection::ListedLaunch>& launches);

// Returns a regular expression that matches only this name of a kernel.
std::string exactly(std::string_view name);

} // namespace app
