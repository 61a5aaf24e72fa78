// What a GPU counted at each level of memory, as views compare it.
#pragma once

#include "measure/counters.h"

#include "viz/analysis/counted.h"

namespace app {

// Fills in sectors and wavefronts; absent stays what the GPU did not count.
void add_levels(viz::HardwareFigures& figures, const kernels::Counters& counters);

} // namespace app
