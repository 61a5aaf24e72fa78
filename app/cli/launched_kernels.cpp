#include "app/cli/launched_kernels.h"

#include <fmt/format.h>

namespace app {

void print(const std::vector<recording::LaunchedKernel>& kernels)
{
    const auto extent = [](const recording::Index3& index) {
        return fmt::format("{} x {} x {}", index.x, index.y, index.z);
    };
    for (const recording::LaunchedKernel& kernel : kernels)
        fmt::print("    {}\n      grid {}, block {}, cluster {}; {} registers, {} bytes of shared memory, {} of local "
                   "memory; {:.0f} ns\n",
                   kernel.name, extent(kernel.launch.grid), extent(kernel.launch.block), extent(kernel.cluster),
                   kernel.resources.registers_per_thread, kernel.resources.shared_bytes_per_block,
                   kernel.resources.local_bytes_per_thread, kernel.time_ns);
}

} // namespace app
