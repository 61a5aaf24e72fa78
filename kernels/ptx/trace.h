// A launch of a kernel of any CUDA file, run without a GPU and recorded.
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
    // Of the accesses of the machine code where they are known, and its language is then "SASS"; else of those of the
    // PTX, and a note says why.
    recording::Recording recording;
    recording::Totals written;                 // of the accesses of the PTX
    std::vector<traced::Buffer> before, after; // what the buffers held
    std::optional<traced::Check> check;        // where it was asked for
    std::vector<std::string> warnings;         // a sentence each
    std::string printed;                       // by the kernel's printf
    double milliseconds = 0;                   // of the run alone
    uint64_t steps = 0;                        // instructions of warps
};

using OnProgress = std::function<void(uint64_t blocks)>; // that have begun; called by one thread at a time

// Throws kernels::Error with a sentence for whoever wrote the file or the request.
Traced trace(
    const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
    const std::stop_token& stop, const OnProgress& told = [](uint64_t) {});

// The same with buffers of automatic size (traced/launch_from_text.h), which become as large as the kernel's accesses
// need, a power of two; the request then says how large.
Traced trace_with_sizes(traced::Request& request, const traced::UserKernel& kernel,
                        const traced::CompiledKernel& compiled, const std::stop_token& stop, const OnProgress& told);

// The same of a launch that is made ready already.
Traced trace(const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
             FileLaunch launch, const std::stop_token& stop, const OnProgress& told);

} // namespace ptx
