// A clock of cost: each step of a warp takes as long as its cost, so two stages on one clock race. Pure values.
#pragma once

#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

// The unit of cost of a clock.
enum class ClockUnit : uint8_t {
    wavefronts, // of the port to shared memory
    sectors,    // of 32 bytes each, in global memory
    steps,
};
constexpr std::array<std::string_view, 3> names_of(ClockUnit)
{
    return {"wavefronts", "sectors", "steps"};
}
inline std::string_view name(ClockUnit unit)
{
    return names_of(unit).at(static_cast<std::size_t>(unit));
}

// Maps times to the steps of one warp.
class Clock {
public:
    Clock() = default;
    // A step without a cost in this unit counts as one unit, because it is an instruction.
    Clock(const recording::WarpTrace& warp, ClockUnit unit);

    std::size_t steps() const { return begins_.empty() ? 0 : begins_.size() - 1; }

    // Times and costs are in units of the clock.
    uint64_t total() const { return begins_.empty() ? 0 : begins_.back(); }
    uint64_t begin(std::size_t step) const; // the total for a step beyond the last one
    uint64_t cost(std::size_t step) const { return begin(step + 1) - begin(step); }
    std::size_t step_at(double time) const;         // the last one after the end; 0 without steps
    double share_of_step(double time) const;        // fraction of the current step that is done, 0 to 1
    bool leaves_out() const { return leaves_out_; } // the cost of some step in this unit is unknown

private:
    std::vector<uint64_t> begins_; // of each step, followed by the total
    bool leaves_out_ = false;
};

bool uses_shared(const recording::WarpTrace& warp); // visits all accesses

// Returns the most informative unit: wavefronts if all warps use shared memory, otherwise sectors.
ClockUnit telling_unit(bool all_use_shared);

// Returns the units of time by which `second` is ahead of `first`, negative if it is behind: the time at which `first`
// has completed the same fraction of its steps, minus `time`.
double lead(const Clock& first, const Clock& second, double time);

// Returns the work of a warp of `second` relative to a warp of `first`: the inverse ratio of their numbers of warps,
// because both launches do the same work in total. Returns nothing if the problems differ.
std::optional<double> work_of_warp(const recording::Recording& first, const recording::Recording& second);

// Returns the warp to show first: `wanted` if it processes operands itself, otherwise the first warp that does. Other
// warps only start bulk copies or wait.
uint32_t telling_warp(const recording::BlockTrace& block, uint32_t wanted);

// Returns the step to show first. For one warp: the access with the most bank conflicts, otherwise the first shared
// access, otherwise the first tensor core step, otherwise the access with the most sectors. For two warps: the first
// step at which their costs differ, otherwise the first step at which their operations differ.
std::size_t default_step(const recording::WarpTrace& first, const recording::WarpTrace* second);

// Returns the warp's first access to a shared tile that is not laid out row after row, because that layout is what the
// stage is about. Returns `step` if it accesses such a tile, or if the warp accesses none.
std::size_t step_in_moved_tile(const recording::Recording& recording, const recording::WarpTrace& warp,
                               std::size_t step);

} // namespace viz
