// How a thread multiplies: the rows of A and columns of B that its results need, and what it reads for them. Pure.
#pragma once

#include "viz/analysis/tiling.h"

#include <cstdint>
#include <optional>

namespace viz {

struct ThreadProduct {
    uint32_t rows = 1, cols = 1; // of its results, and so elements of A and of B that one k needs
    double reads = 0;      // elements of A and B per k, as recorded: from shared memory, or global where nothing is
    bool of_block = false; // the block's, from global memory: lanes read for each other (tensor cores, shuffles)

    uint32_t results() const { return rows * cols; }
    uint32_t inner_reads() const { return 2 * results(); } // each result takes its own product
    uint32_t outer_reads() const { return rows + cols; }   // each element read serves a row or a column of results
    bool outer() const { return results() > 1 && reads < inner_reads(); }
};

// `ks`: how many k the block works on. Nothing for a thread without results.
std::optional<ThreadProduct> thread_product(const BlockTiling& tiling, uint32_t thread, uint32_t ks);

} // namespace viz
