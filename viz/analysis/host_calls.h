// Finds the allocations, copies, launches and waits in main() of a recorded file, and derives what the host and the
// device do during each of them. Pure functions of the source text.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

enum class HostStep : uint8_t { allocate_host, allocate_device, copy_in, launch, synchronize, copy_out, release };
std::string_view name(HostStep step); // "copy in"

// One step: consecutive calls of the same kind, such as two cudaMalloc().
struct HostCall {
    HostStep step = HostStep::launch;
    uint32_t line = 0;  // of the first call, 1-based
    uint32_t calls = 1; // number of calls
    std::string code;   // the first call, on one line: "cudaFree(d_a)"
};
// Returns the steps of main(). Empty if the text has no main() that launches a kernel.
std::vector<HostCall> host_calls(std::string_view source);
std::vector<HostCall> host_calls_of(const recording::Recording& recording);

// An activity of the host or the device. Only the order of times has a meaning, because the duration of calls was not
// measured.
struct HostInterval {
    enum class Doing : uint8_t { works, copies, waits, computes } doing = Doing::works;
    double from = 0, until = 0;
    std::size_t call = 0; // index into the steps
};
struct HostTimes {
    std::vector<HostInterval> host, device;
    double end = 0;
};
// Follows the rules of the default stream: a launch returns at once, and a copy begins after the preceding kernels.
// Copies and synchronizations make the host wait for these kernels.
HostTimes host_times(const std::vector<HostCall>& calls);

} // namespace viz
