// How much shared memory a block must ask for so that fewer are resident on an SM. Pure.
#pragma once

#include <cstdint>
#include <optional>

namespace kernels {

struct SharedOfSm {
    uint32_t bytes = 0;     // that an SM has for its blocks
    uint32_t per_block = 0; // the most that one may ask for
    // Of compute capability 8.0 and later: the system keeps this of each block's, and what a block gets is rounded up.
    uint32_t reserved = 1024, unit = 128;
};

// Bytes that a block must have so that at most `blocks` (1 or more) are resident, the least that do. Nothing where that is
// more than a block may ask for.
std::optional<uint32_t> shared_for_blocks(const SharedOfSm& sm, uint32_t blocks);

} // namespace kernels
