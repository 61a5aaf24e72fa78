// The energy of a launch, from a counter of all the energy that the GPU has taken.
#pragma once

#include "backend.h"

#include <cstdint>
#include <functional>

namespace kernels {

// The counter stands still most of the time, until the driver sets it anew. So launches run one after another without a pause, for
// much longer than that, and only what lies between two changes of the counter is taken.
struct EnergyWork {
    std::function<uint64_t()> millijoules;    // that the GPU has taken in all, as the counter says now
    std::function<double()> seconds;          // a clock
    std::function<void(int launches)> launch; // runs so many, and waits for them
    std::function<void()> check_stop;         // throws when it is to end
};

// `ms`: how long a launch takes, as it was timed; `seconds`: at least so long between the two changes. Where the counter does
// not change, `missing` says so.
Energy energy_of_launch(const EnergyWork& work, double ms, double seconds);

} // namespace kernels
