// A clock that runs by what the steps of a warp cost, so that two stages can be followed on one clock. Pure values.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace viz {

enum class ClockUnit : uint8_t {
    wavefronts, // of the port to shared memory, the writes of asynchronous copies among them
    sectors,    // of 32 bytes, of global memory
    steps,      // each step costs 1
};

class CostClock {
public:
    CostClock() = default;
    CostClock(const recording::WarpTrace& warp, ClockUnit unit);

    uint64_t total() const { return ends_.empty() ? 0 : ends_.back(); }
    uint64_t start(std::size_t step) const { return step == 0 || ends_.empty() ? 0 : ends_[step - 1]; } // of a step
    uint64_t cost(std::size_t step) const { return ends_[step] - start(step); }
    // The step that is under way at that time; steps that cost nothing are passed over. After the end: the last step.
    std::size_t step_at(uint64_t time) const;
    std::size_t steps() const { return ends_.size(); }

private:
    std::vector<uint64_t> ends_; // of each step
};

// Wavefronts where the warp goes to shared memory, else sectors where it goes to global memory, else steps.
ClockUnit usual_unit(const recording::WarpTrace& warp);

} // namespace viz
