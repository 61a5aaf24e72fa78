// Finds what the host code of a recorded file does with a GPU, in the order of its main(), and what host and device do
// meanwhile. Pure functions of the source text.
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

// One step: neighbouring calls that do the same, such as two cudaMalloc().
struct HostCall {
    HostStep step = HostStep::launch;
    uint32_t line = 0;  // of the first call, 1-based
    uint32_t calls = 1; // number of calls
    std::string code;   // the first call, on one line: "cudaFree(d_a)"
};
// Returns the steps of main(). Empty if the text has no main() that launches a kernel.
std::vector<HostCall> host_calls(std::string_view source);
std::vector<HostCall> host_calls_of(const recording::Recording& recording);

// What one of the two does during a time. Only the order has a meaning; how long a call takes was not measured.
struct HostInterval {
    enum class Doing : uint8_t { works, copies, waits, computes } doing = Doing::works;
    double from = 0, until = 0;
    std::size_t call = 0; // index into the steps
};
struct HostTimes {
    std::vector<HostInterval> host, device;
    double end = 0;
};
// Rules of the default stream: a launch returns at once; a copy and a wait begin after the kernels before them.
HostTimes host_times(const std::vector<HostCall>& calls);

} // namespace viz
