// The animation of one step. Words of one turn start and arrive together, those of the next turn a moment later, so a
// step with more turns takes longer. Pure values.
#pragma once

#include <algorithm>
#include <optional>

namespace viz {

// The progress of one step's animation.
struct Motion {
    static constexpr double travel = 0.45, between_turns = 0.16; // seconds

    double since = 1e9; // seconds since the step began; a large value means that the animation is over
    // While a clock runs: the fraction of the step that is done, and the number of its turns. The words of a turn move
    // during that turn.
    std::optional<double> played = {};
    int turns = 1;

    static double duration(int of) { return travel + between_turns * std::max(0, of - 1); }
    bool over(int of) const { return played ? *played >= 1 : since >= duration(of); }

    // Returns how far the words of a turn have moved: 0 is waiting, 1 has arrived. Eases in and out.
    double along(int turn) const
    {
        const double gone = played ? *played * std::max(turns, 1) - turn : (since - between_turns * turn) / travel;
        const double share = std::clamp(gone, 0.0, 1.0);
        return share * share * (3 - 2 * share);
    }
};

} // namespace viz
