// How much of what a launch computes is in C: tiles at its edges reach beyond it, and what they do there is counted, too.
// Pure functions.
#pragma once

#include "recording/recording.h"
#include "recording/tiles.h"

namespace viz {

struct UsefulWork {
    recording::Tiles tiles;
    double share = 1; // M N K over what whole tiles would multiply: above 0, at most 1

    // Half or more of the work lies outside: what is counted per multiplication says more of the edge than of the kernel.
    bool mostly_edge() const { return share <= 0.5; }
};

UsefulWork useful_work(const recording::Recording& recording);

} // namespace viz
