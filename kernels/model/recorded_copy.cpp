#include "model/recorded_copy.h"

namespace model {

CopyPattern copy_of(const recording::Access& read, const recording::Access& write)
{
    CopyPattern copy{.width = read.width,
                     .bypass = read.width == 16,
                     .mask = read.mask,
                     .idle = write.mask & ~read.mask,
                     .from = {},
                     .to = {}};
    for (std::size_t lane = 0; lane < copy.from.size(); ++lane) {
        copy.from[lane] = read.offset[lane];
        copy.to[lane] = write.offset[lane];
    }
    return copy;
}

} // namespace model
