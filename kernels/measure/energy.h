// Measures the energy of a launch with a counter of the GPU's total energy.
#pragma once

#include "backend.h"

#include <cstdint>
#include <functional>

namespace kernels {

// The driver updates the counter only at intervals. Launches therefore run back to back for much longer than an
// interval, and only the time between two changes of the counter is evaluated.
struct EnergyWork {
    std::function<uint64_t()> millijoules;    // the counter: total energy that the GPU has used
    std::function<double()> seconds;          // a clock
    std::function<void(int launches)> launch; // runs this many launches and waits for them
    std::function<void()> check_stop;         // throws if the measurement must stop
};

// `ms` is the measured time of a launch; `seconds` is the minimum time between the two changes of the counter. If the
// counter does not change, Energy::missing says so.
Energy energy_of_launch(const EnergyWork& work, double ms, double seconds);

} // namespace kernels
