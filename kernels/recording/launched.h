// A kernel as a library launched it: what a tracer of launches says of it. Plain data, facts only.
#pragma once

#include "base/fields.h"
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
void fields(auto& visit, kernels::Like<LaunchedKernel> auto& kernel)
{
    constexpr auto extent = kernels::between(1u, 0x7fffffffu);
    visit("name", kernel.name);
    visit("grid", kernel.launch.grid, extent);
    visit("block", kernel.launch.block, extent);
    visit("cluster", kernel.cluster, extent);
    visit("registers_per_thread", kernel.resources.registers_per_thread);
    visit("shared_bytes_per_block", kernel.resources.shared_bytes_per_block);
    visit("local_bytes_per_thread", kernel.resources.local_bytes_per_thread);
    visit("time_ns", kernel.time_ns);
}

} // namespace recording
