// The motion of one step: words of one turn set out together and arrive together, those of the next turn a moment later, so
// that a step takes the longer the more turns it has. Pure values.
#pragma once

#include <algorithm>
#include <optional>

namespace viz {

struct Motion {
    static constexpr double travel = 0.45, between_turns = 0.16; // seconds

    double since = 1e9; // seconds since the step began; large: it is over
    // While a clock runs: how much of the step it has done, and the step's turns. A turn's words fly while it lasts.
    std::optional<double> played = {};
    int turns = 1;

    static double duration(int of) { return travel + between_turns * std::max(0, of - 1); }
    bool over(int of) const { return played ? *played >= 1 : since >= duration(of); }

    // How far the words of that turn have come: 0 waiting, 1 arrived. Gentle at both ends.
    double along(int turn) const
    {
        const double gone = played ? *played * std::max(turns, 1) - turn : (since - between_turns * turn) / travel;
        const double share = std::clamp(gone, 0.0, 1.0);
        return share * share * (3 - 2 * share);
    }
};

} // namespace viz
