// Runs a CUDA program without a GPU. The unmodified host code runs in a process of its own with our libcudart.so, and
// the kernels run in the PTX machine. One launch is recorded.
#pragma once

#include "cudart/device.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cudart {

struct HostProgram {
    std::vector<std::string> command; // program and arguments; the program is looked for in PATH
    LaunchChoice wanted;
    // Receives what the program writes to standard output and standard error while it runs. The program then has an
    // empty standard input. If the function is empty, the program uses the streams of this process.
    std::function<void(std::string_view)> output = {};
    bool output_to_errors = false; // standard output goes to this process's standard error
    // Time limit of the program after the recording was made.
    std::chrono::seconds most_after_recording{60};
};

struct HostProgramEnd {
    std::vector<SeenLaunch> launches; // in the order in which each first occurs
    std::vector<std::string> failures;
    std::optional<RecordedLaunch> recorded;
    int status = 0;         // as in a shell; at least 128 if a signal ended the program
    bool cut_short = false; // the program was ended, since it took too long after the recording
};

// Runs the program. `say` receives messages while it runs. Throws kernels::Unavailable if the library is not installed.
// Throws kernels::Error with a sentence if the program cannot be started, does not use CUDA or makes no matching
// launch. Throws kernels::Cancelled.
HostProgramEnd run_host_program(const HostProgram& program, const Session::Say& say, const std::stop_token& stop);

// Returns the folder with libcudart.so.13 and libcudart.so.12, beside gemmscope or in ../lib/gemmscope. Throws
// kernels::Unavailable.
std::filesystem::path library_folder();

} // namespace cudart
