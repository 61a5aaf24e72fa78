// In which order tasks run, and who goes first to the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace app {

// Each lane runs its tasks one after another beside the other lanes. The last four use the device; of them a later one
// interrupts an earlier one, whose call is then made again.
enum class Lane : uint8_t {
    files,     // on this machine, whoever the worker is
    code,      // minutes of a CPU
    ladder,    // times, again and again
    search,    // for parameters, or of what the GPU is made of: minutes, in many steps
    counters,  // asked for by a key: seconds
    recording, // without it there is nothing to see; never interrupted
};
inline constexpr std::size_t lane_count = 6;

constexpr bool uses_device(Lane lane)
{
    return lane >= Lane::ladder;
}

} // namespace app
