// The parameters that wgmma_tma accepts, and the shared memory that it needs. Host side only.
#pragma once

#include "device/sum_stores.h"
#include "device/type.h"
#include "gemm/block_limits.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace kernels {

// Returns the shared memory of a block in bytes: tiles, staging for results, barriers, and sums from other blocks.
template <class Parameters>
int wgmma_shared_bytes(Parameters p)
{
    const int barriers = (2 * p.STAGES + 1) * int(sizeof(uint64_t));
    return p.STAGES * p.stage_bytes() + patch_layout(4 * p.consumers()).size() * int(sizeof(float)) +
           ceil_div(barriers, 128) * 128 + (p.DEPTH > 1 ? p.squares() * 16 * 16 * int(sizeof(float)) : 0);
}

// Returns how many stages fit, at most 12: their barriers take 256 bytes.
template <class Parameters>
int most_wgmma_stages(Parameters p)
{
    p.STAGES = 0;
    return std::min(12, (most_dynamic_shared - wgmma_shared_bytes(p) - 256) / p.stage_bytes());
}

// Returns a sentence that says why these parameters are not supported; empty if they are.
template <class Parameters>
std::string refusal_of_wgmma(Parameters p)
{
    if (p.TYPE != type_fp16 && p.TYPE != type_bf16)
        return "TYPE must be bf16 or fp16";
    if (p.TYPE_C != type_fp32 && p.TYPE_C != p.TYPE)
        return "TYPE_C must be fp32, or the type of A and B";
    if (p.BN != 64 && p.BN != 128 && p.BN != 192)
        return "BN must be 64, 128 or 192: 64 columns for each of up to three warpgroups";
    if (p.BM < 16 || p.BM > 256 || p.BM % 16 != 0)
        return "BM must be 16, 32, 48, ... 256, the rows of one product";
    if (p.BN == 192 && p.BM > 192)
        return "BM must be 192 at most where BN is 192: four warpgroups share the registers";
    if (p.BK != 64)
        return "BK must be 64: its 128 bytes are the longest line that the copy can swizzle";
    if (p.STAGES < 2 || wgmma_shared_bytes(p) > most_dynamic_shared)
        return "STAGES must be at least 2, and STAGES tiles fit the 227 KiB that a block gets";
    if (p.CUT < 0 || p.CUT > 1 || p.BLOCKS < 1 || p.GROUP < 1)
        return "CUT must be 0 or 1, BLOCKS and GROUP at least 1";
    for (const int blocks : {p.ABOVE, p.BESIDE})
        if (blocks != 1 && blocks != 2 && blocks != 4)
            return "ABOVE and BESIDE must be 1, 2 or 4";
    if (p.BM % (8 * p.BESIDE) != 0)
        return "BM must be a multiple of 8 x BESIDE: each block copies a part, and 8 rows are swizzled together";
    if (p.DEPTH < 1 || p.squares() % p.DEPTH != 0 || (p.DEPTH > 1 && (p.sharing() > 1 || p.CUT)))
        return "DEPTH must divide the 16 x 16 squares of a tile, and where it is not 1, ABOVE and BESIDE are, and CUT "
               "is 0";
    if (p.cluster() > 8 || p.BLOCKS < p.cluster())
        return "A cluster, ABOVE x BESIDE x DEPTH blocks, must have 8 at most, and no more than BLOCKS";
    return "";
}

} // namespace kernels
