// Runs a CUDA program without a GPU: its host code as it is, in a process of its own, on our libcudart.so; its kernels
// on the PTX machine. One of its launches is recorded.
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
    std::vector<std::string> command; // the program and its arguments; looked for in PATH
    LaunchChoice wanted;
    // Gets what the program writes to standard output and standard error, while it runs; its input is empty then. None:
    // its streams are those of this process.
    std::function<void(std::string_view)> output = {};
    bool output_to_errors = false; // standard output goes to this process's standard error
    // Once a recording is made, what the program launches after it may take so long.
    std::chrono::seconds most_after_recording{60};
};

struct HostProgramEnd {
    std::vector<SeenLaunch> launches; // in order of the first of each kind
    std::vector<std::string> failures;
    std::optional<RecordedLaunch> recorded;
    int status = 0;         // as a shell gives it: 128 and more: ended by a signal
    bool cut_short = false; // it was ended after a recording, since what followed took too long
};

// `say` gets sentences while it runs. Throws kernels::Unavailable where the
// library is not installed, kernels::Error with a sentence (the program cannot be started, used no CUDA, launched
// nothing that matches), kernels::Cancelled.
HostProgramEnd run_host_program(const HostProgram& program, const Session::Say& say, const std::stop_token& stop);

// The folder of libcudart.so.13 and libcudart.so.12, beside gemmscope or in ../lib/gemmscope. Throws
// kernels::Unavailable.
std::filesystem::path library_folder();

} // namespace cudart
