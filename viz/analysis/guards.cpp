#include "viz/analysis/guards.h"

#include "viz/analysis/access.h"

#include <bit>

namespace viz {

uint32_t lanes_with_thread(const recording::Launch& launch, std::size_t warp)
{
    const std::size_t threads = launch.threads_per_block(), first = warp * recording::warp_size;
    if (first >= threads || threads - first >= recording::warp_size)
        return 0xffffffff;
    return (1u << (threads - first)) - 1;
}

GuardUse guard_use(const recording::Launch& launch, const recording::BlockTrace& block)
{
    GuardUse use;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        const uint32_t threads = lanes_with_thread(launch, warp);
        for (const recording::Access& access : block.warps[warp].accesses) {
            if (!is_global(access.op))
                continue;
            const auto off = static_cast<uint32_t>(std::popcount(threads & ~access.mask));
            ++use.accesses;
            use.guarded += off > 0;
            use.lanes += static_cast<uint32_t>(std::popcount(threads));
            use.off += off;
        }
    }
    return use;
}

} // namespace viz
