#include "measure/resident_blocks.h"

namespace kernels {

std::optional<uint32_t> shared_for_blocks(const SharedOfSm& sm, uint32_t blocks)
{
    constexpr uint32_t most_blocks = 64; // an upper bound for any SM
    if (blocks >= most_blocks)
        return 0;
    // The smallest allocation per block with which blocks + 1 blocks do not fit.
    const uint32_t given = (sm.bytes / (blocks + 1) / sm.unit + 1) * sm.unit;
    if (given < sm.reserved + sm.unit)
        return 0;
    // The smallest request that is rounded up to this allocation: one byte more than the largest for one unit less.
    const uint32_t asked = given - sm.reserved - sm.unit + 1;
    if (asked > sm.per_block)
        return std::nullopt;
    return asked;
}

} // namespace kernels
