// Computes the shared memory that a block must request to limit how many blocks are resident on an SM.
#pragma once

#include <cstdint>
#include <optional>

namespace kernels {

struct SharedOfSm {
    uint32_t bytes = 0;     // available to the blocks of an SM
    uint32_t per_block = 0; // maximum per block
    // For compute capability 8.0 and later: bytes that the system reserves per block, and the allocation granularity.
    uint32_t reserved = 1024, unit = 128;
};

// Returns the fewest bytes per block with which at most `blocks` (1 or more) are resident. Returns nothing if a block
// may not request that much.
std::optional<uint32_t> shared_for_blocks(const SharedOfSm& sm, uint32_t blocks);

} // namespace kernels
