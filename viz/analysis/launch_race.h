// Two whole launches on one clock: how much of C each has finished, and who is through first. Pure functions and values.
#pragma once

#include "viz/analysis/placement.h"

#include <cstdint>
#include <vector>

namespace viz {

// Launches of other problems are no race.
inline bool may_race(const recording::Recording& first, const recording::Recording& second)
{
    return first.problem == second.problem;
}

class LaunchRunner {
public:
    LaunchRunner() = default;
    explicit LaunchRunner(const PlacementPicture& picture);

    double finish() const { return ends_.empty() ? 0 : static_cast<double>(ends_.back()); } // nanoseconds
    double done(double ns) const; // share of its blocks that have ended by then, 0 ... 1

private:
    std::vector<uint64_t> ends_; // of the blocks, ascending
};

} // namespace viz
