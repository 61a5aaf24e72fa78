// The motion of one step: words of one turn set out together and arrive together, those of the next turn a moment later, so
// that a step takes the longer the more turns it has. Pure values.
#pragma once

#include <algorithm>

namespace viz {

struct Motion {
    static constexpr double travel = 0.45, between_turns = 0.16; // seconds

    double since = 1e9; // seconds since the step began; large: it is over

    static double duration(int turns) { return travel + between_turns * std::max(0, turns - 1); }
    bool over(int turns) const { return since >= duration(turns); }

    // How far the words of that turn have come: 0 waiting, 1 arrived. Gentle at both ends.
    double along(int turn) const
    {
        const double share = std::clamp((since - between_turns * turn) / travel, 0.0, 1.0);
        return share * share * (3 - 2 * share);
    }
};

} // namespace viz
