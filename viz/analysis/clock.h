// A clock of cost: each step of a warp takes as long as it costs, so that two stages that run on one clock race. Pure values.
#pragma once

#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

enum class ClockUnit : uint8_t {
    wavefronts, // of the port to shared memory
    sectors,    // of global memory, 32 bytes each
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

class Clock {
public:
    Clock() = default;
    // A step that has no cost in this unit takes one: it is an instruction all the same.
    Clock(const recording::WarpTrace& warp, ClockUnit unit);

    std::size_t steps() const { return begins_.empty() ? 0 : begins_.size() - 1; }

    // The rest is in units of the clock.
    uint64_t total() const { return begins_.empty() ? 0 : begins_.back(); }
    uint64_t begin(std::size_t step) const; // the total for a step beyond the last
    uint64_t cost(std::size_t step) const { return begin(step + 1) - begin(step); }
    std::size_t step_at(double time) const;  // that is under way; the last one after the end. 0 where there is none
    double share_of_step(double time) const; // how much of that step is done: 0 ... 1
    bool leaves_out() const { return leaves_out_; } // it has steps whose cost in this unit nobody knows

private:
    std::vector<uint64_t> begins_; // of each step, and the total
    bool leaves_out_ = false;
};

bool uses_shared(const recording::WarpTrace& warp); // looks through its accesses

// The unit that tells most of the warps: wavefronts where all of them use shared memory, else sectors.
ClockUnit telling_unit(bool all_use_shared);

// By how many units `second` is ahead of `first` at that time: the time that `first` will need for the same share of its steps,
// less that time. Negative: it is behind.
double lead(const Clock& first, const Clock& second, double time);

// How much work a warp of `second` does, measured by what one of `first` does: the launches do the same in all, so it follows from
// their numbers of warps. Nothing where the problems differ.
std::optional<double> work_of_warp(const recording::Recording& first, const recording::Recording& second);

// The warp to look at first: the wanted one if it works on operands itself, else the first that does; one that only starts bulk
// copies, or only waits, shows little.
uint32_t telling_warp(const recording::BlockTrace& block, uint32_t wanted);

// Where to look first. Of one warp: the access with most bank conflicts, else the first to shared memory, else the first step of
// the tensor cores, else the one with most sectors. Of two: the first step that costs the one more than the other, else the first that differs.
std::size_t telling_step(const recording::WarpTrace& first, const recording::WarpTrace* second);

} // namespace viz
