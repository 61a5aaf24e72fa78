// A kernel that a library launched, as reported by a launch tracer. Plain data, facts only.
#pragma once

#include "base/fields.h"
#include "recording/recording.h"

#include <string>

namespace recording {

struct LaunchedKernel {
    std::string name; // as written in source code, with template arguments
    Launch launch;
    Index3 cluster;      // blocks that share a GPC; 1 x 1 x 1: launched without clusters
    Resources resources; // blocks_per_sm is not reported
    double time_ns = 0;  // from start to end of this run
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
