#include "cpu/warp_buffer.h"

#include "error.h"

#include <fmt/format.h>

namespace cpu {

void WarpBuffer::add(uint32_t lane, const recording::Access& made, uint64_t offset, bool active)
{
    recording::Access& entry = entries_[count_[lane]++];
    if (count_[lane] > used_) {
        entry = made;
        used_ = count_[lane];
    } else if (entry.line != made.line || entry.op != made.op || entry.array != made.array ||
               entry.width != made.width || entry.transposed != made.transposed) {
        throw kernels::Error(fmt::format("The lanes of a warp part ways: lane {} is at line {} while another is at "
                                         "line {}. Guard the access instead of branching around it.",
                                         lane, made.line, entry.line));
    }
    if (active) {
        entry.mask |= 1u << lane;
        entry.offset[lane] = static_cast<uint32_t>(offset);
    }
}

void WarpBuffer::clear()
{
    used_ = 0;
    count_.fill(0);
}

} // namespace cpu
