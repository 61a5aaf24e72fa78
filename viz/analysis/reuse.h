// How often a block reads each element of A and B, and from where; the arithmetic intensity that follows; and what a warp, a block and
// an SM touch of A and B at a time, to be held against the size of L1. Pure functions.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/quotient.h"

#include "recording/recording.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// The first and the last step at which any warp reads an element; none: first lies after last.
struct StepRange {
    uint32_t first = 0xffffffff, last = 0;
    bool meets(std::size_t from, std::size_t to) const { return first <= last && first <= to && last >= from; }
};

// Which threads of the block do something with each element, as bits.
class ThreadSets {
public:
    ThreadSets() = default;
    ThreadSets(std::size_t elements, uint32_t threads)
        : threads_(threads), words_((threads + 63) / 64), bits_(elements * words_)
    {
    }
    uint32_t threads() const { return threads_; }
    void add(std::size_t element, uint32_t thread)
    {
        if (thread < threads_)
            bits_[element * words_ + thread / 64] |= uint64_t{1} << thread % 64;
    }
    bool has(std::size_t element, uint32_t thread) const
    {
        return thread < threads_ && (bits_[element * words_ + thread / 64] >> thread % 64 & 1) != 0;
    }
    uint32_t count(std::size_t element) const
    {
        uint32_t sum = 0;
        for (std::size_t word = 0; word < words_; ++word)
            sum += static_cast<uint32_t>(std::popcount(bits_[element * words_ + word]));
        return sum;
    }

private:
    uint32_t threads_ = 0;
    std::size_t words_ = 0; // of one element
    std::vector<uint64_t> bits_;
};

// Of one operand, over the rectangle of its elements that the block reads.
struct OperandReuse {
    uint8_t array = 0;
    CellRect band;
    std::vector<uint32_t> global, shared; // reads by lanes, row-major over the band
    std::vector<StepRange> global_steps, shared_steps;
    // Threads (linear in the block) whose loads have the element. What TMA copies counts as its one thread's, what wgmma reads as
    // all threads' of its four warps.
    ThreadSets global_threads, shared_threads;
    uint64_t elements = 0; // that are read at all
    uint64_t global_reads = 0, shared_reads = 0;
    uint32_t most_global = 0, most_shared = 0;
    std::size_t index_of(Cell cell) const // within the band, row-major
    {
        return std::size_t{cell.row - band.row} * band.cols + (cell.col - band.col);
    }
    double from_global() const { return quotient(global_reads, elements); }
    double from_shared() const { return quotient(shared_reads, elements); }
};

// What is touched of A and B in global memory while one k-tile is worked on, in whole sectors. Of a kernel without tiles:
// while k goes through one sector of A, which is then used again.
struct WorkingSet {
    uint32_t k = 0;                                // how many values of k; 0: the stage has no k
    uint64_t warp = 0, block = 0;                  // bytes; of the warp that touches most
    uint64_t tiles = 0;                            // bytes of shared memory of the block, which L1 gives up
    uint32_t blocks = 0;                           // resident on an SM; 0: not known
    uint64_t sm() const { return block * blocks; } // at most: blocks may share sectors

    // Of the whole block's run, in sectors of A and B: as its requests ask for them one after another, and each once.
    uint64_t asked = 0, distinct = 0;
    // What L1 would have if nothing were evicted before it is used again, without what other blocks have asked for.
    double again() const { return quotient(asked - distinct, asked); }
};

struct Reuse {
    std::array<OperandReuse, 2> operands; // A and B
    uint64_t flops = 0;                   // of the block
    uint64_t global_bytes = 0;            // that lanes read of A and B in global memory
    uint64_t sector_bytes = 0;            // that these requests move, 32 at a time
    uint64_t shared_bytes = 0;            // that lanes read of A and B in the shared tiles
    uint64_t surplus_reads = 0;           // of A and B in the shared tiles, ahead of a k-tile that does not come
    uint64_t unknown_reads = 0;           // of shared cells that hold something else, or whose origin is not known
    bool derived = false;                 // what TMA copies and wgmma reads is among them: no lane's address says it
    bool tensor_cores = false;            // a warp's lanes then read for each other
    // Of C, rows and columns: the block's, and that of one reader: of a thread, or of a warp where there are tensor
    // cores (0 x 0 where that is not known).
    CellRect block_tile, reader_tile;
    WorkingSet working_set;
    // Elements that lanes load from shared memory, or from global memory, for each multiply-add.
    double loads_per_product(bool shared) const
    {
        const uint64_t loads = shared ? operands[0].shared_reads + operands[1].shared_reads
                                      : operands[0].global_reads + operands[1].global_reads;
        return 2 * quotient(loads, flops);
    }
    // How often the block multiplies an element of an operand.
    double uses(const OperandReuse& operand) const { return quotient(flops, operand.elements) / 2; }
};

// Nothing for a launch that multiplies or adds no A and B.
std::optional<Reuse> reuse_of(const recording::Recording& recording, const recording::BlockTrace& block);

// FLOP per byte when a tile of rows x cols of C is computed from rows of A and columns of B, each read once per k.
double tile_intensity(uint64_t rows, uint64_t cols, uint32_t element_bytes);

// Loads for each multiply-add of a thread that computes rows x cols results: so many of A and of B for each step of k.
inline double tile_loads(uint32_t rows, uint32_t cols)
{
    return static_cast<double>(rows + cols) / (static_cast<double>(rows) * cols);
}

// FLOP per byte when A and B are read exactly once: the most that the whole multiplication can have.
double best_intensity(const recording::Problem& problem, uint32_t element_bytes);

// What became of what is asked for again, by the hit rate that was counted: of ten that could have been there, nine were.
enum class L1Reuse : uint8_t { nothing_again, kept, evicted };
L1Reuse reuse_in_l1(const WorkingSet& set, double hits);

} // namespace viz
