#include "viz/analysis/guards.h"

#include "viz/analysis/access.h"

#include <bit>

namespace viz {

GuardUse guard_use(const recording::BlockTrace& block)
{
    GuardUse use;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses) {
            if (!is_global(access.op))
                continue;
            const auto off = recording::warp_size - static_cast<uint32_t>(std::popcount(access.mask));
            ++use.accesses;
            use.guarded += off > 0;
            use.lanes += recording::warp_size;
            use.off += off;
        }
    return use;
}

} // namespace viz
