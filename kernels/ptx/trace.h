// Runs a launch of a kernel of any CUDA file without a GPU, and records it.
#pragma once

#include "ptx/file_launch.h"
#include "recording/recording.h"
#include "traced/launch.h"
#include "traced/request.h"
#include "traced/user_kernel.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

struct Traced {
    // Contains the accesses of the machine code if they are known; then its language is "SASS". Otherwise contains the
    // accesses of the PTX, and a note says why.
    recording::Recording recording;
    recording::Totals written;                 // totals of the accesses of the PTX
    std::vector<traced::Buffer> before, after; // the contents of the buffers
    std::optional<traced::Check> check;        // if a check was requested
    std::vector<std::string> warnings;         // one sentence each
    std::string printed;                       // output of the kernel's printf
    double milliseconds = 0;                   // time of the run alone
    uint64_t steps = 0;                        // instructions, counted by warp
};

// Is called when a block begins, with the number of blocks that began before it, by one thread at a time.
using OnProgress = std::function<void(uint64_t blocks)>;

// Throws kernels::Error with a sentence for the author of the file or the request.
Traced trace(
    const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
    const std::stop_token& stop, const OnProgress& told = [](uint64_t) {});

// Does the same with buffers of automatic size (traced/launch_from_text.h). They grow to the power of two that the
// kernel's accesses need, and `request` then contains their sizes.
Traced trace_with_sizes(traced::Request& request, const traced::UserKernel& kernel,
                        const traced::CompiledKernel& compiled, const std::stop_token& stop, const OnProgress& told);

// Does the same with a launch that is already prepared.
Traced trace(const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
             FileLaunch launch, const std::stop_token& stop, const OnProgress& told);

} // namespace ptx
