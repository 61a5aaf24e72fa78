// Order in which tasks run, and their priority on the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace app {

// A lane runs its tasks one after another, in parallel to the other lanes. The last four lanes use the device. Among
// them a later lane interrupts an earlier one, whose backend call is then repeated.
enum class Lane : uint8_t {
    files,     // runs on this machine whichever worker is used
    code,      // works on machine code, which takes minutes on a CPU
    ladder,    // times the stages of the ladder repeatedly
    search,    // searches for parameters and probes the GPU, which takes minutes, in many steps
    counters,  // counts and measures when the user presses a key, which takes seconds
    recording, // nothing can be shown without it; never interrupted
};
inline constexpr std::size_t lane_count = 6;

constexpr bool uses_device(Lane lane)
{
    return lane >= Lane::ladder;
}

} // namespace app
