#include "measure/resident_blocks.h"

namespace kernels {

std::optional<uint32_t> shared_for_blocks(const SharedOfSm& sm, uint32_t blocks)
{
    constexpr uint32_t most_blocks = 64; // of any SM
    if (blocks >= most_blocks)
        return 0;
    // The least that is given to a block of which one more than `blocks` no longer fit.
    const uint32_t given = (sm.bytes / (blocks + 1) / sm.unit + 1) * sm.unit;
    if (given < sm.reserved + sm.unit)
        return 0;
    // Asked for is what rounding makes of it: one byte more than what would give a unit less.
    const uint32_t asked = given - sm.reserved - sm.unit + 1;
    if (asked > sm.per_block)
        return std::nullopt;
    return asked;
}

} // namespace kernels
