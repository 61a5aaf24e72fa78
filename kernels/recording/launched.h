// A kernel as a library launched it: what a tracer of launches says of it. Plain data, facts only.
#pragma once

#include "recording/recording.h"

#include <string>

namespace recording {

struct LaunchedKernel {
    std::string name; // as its source spells it, template arguments included
    Launch launch;
    Index3 cluster;      // blocks that share a GPC; 1 x 1 x 1: it asked for none
    Resources resources; // blocks_per_sm is not told
    double time_ns = 0;  // of this one run, from its start to its end
    friend bool operator==(const LaunchedKernel&, const LaunchedKernel&) = default;
};

} // namespace recording
