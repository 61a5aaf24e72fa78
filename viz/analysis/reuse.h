// Determines how often a block reads each element of A and B, from which memory, and the resulting arithmetic
// intensity. Also computes the working sets of a warp, a block and an SM, for comparison with the size of L1. Pure
// functions.
#pragma once

#include "viz/analysis/counted.h"
#include "viz/analysis/ownership.h"

#include "recording/recording.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// The first and the last step at which a warp reads an element. Without such a step first > last.
struct StepRange {
    uint32_t first = 0xffffffff, last = 0;
    bool meets(std::size_t from, std::size_t to) const { return first <= last && first <= to && last >= from; }
};

// A bit set of threads for each element.
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
    std::size_t words_ = 0; // per element
    std::vector<uint64_t> bits_;
};

// Reads of one operand within `band`, the rectangle of the elements that the block reads.
struct OperandReuse {
    uint8_t array = 0;
    CellRect band;
    std::vector<uint32_t> global, shared; // reads by lanes, row-major over the band
    std::vector<StepRange> global_steps, shared_steps;
    // Linear numbers in the block of the threads whose loads include the element. A TMA copy counts for its issuing
    // thread. A wgmma read counts for all threads of its four warps.
    ThreadSets global_threads, shared_threads;
    uint64_t elements = 0; // distinct elements that are read
    uint64_t global_reads = 0, shared_reads = 0;
    uint32_t most_global = 0, most_shared = 0;
    std::size_t index_of(Cell cell) const // row-major index within the band
    {
        return std::size_t{cell.row - band.row} * band.cols + (cell.col - band.col);
    }
    double from_global() const { return ratio_or_zero(global_reads, elements); }
    double from_shared() const { return ratio_or_zero(shared_reads, elements); }
};

// The memory of A and B that is touched while one k-tile is processed, in whole sectors. Without tiles: while k runs
// through one sector of A.
struct WorkingSet {
    uint32_t k = 0;                                // number of k values; 0 if the stage has no k
    uint64_t warp = 0, block = 0;                  // bytes; `warp` is the warp that touches most
    uint64_t tiles = 0;                            // bytes of the block's shared memory, which is taken from L1
    uint32_t blocks = 0;                           // resident on an SM; 0 if not known
    uint64_t sm() const { return block * blocks; } // upper bound, because blocks may share sectors

    // Sectors of A and B that the block requests in total, and the distinct ones among them.
    uint64_t asked = 0, distinct = 0;
    // Returns the hit rate of an L1 that never evicts data, without data that other blocks request.
    double again() const { return ratio_or_zero(asked - distinct, asked); }
};

// The reuse of A and B by one block.
struct Reuse {
    std::array<OperandReuse, 2> operands; // A and B
    uint64_t flops = 0;                   // of the block
    uint64_t global_bytes = 0;            // read by lanes from A and B in global memory
    uint64_t sector_bytes = 0;            // moved by these requests, in sectors of 32 bytes
    uint64_t shared_bytes = 0;            // read by lanes from A and B in the shared tiles
    uint64_t surplus_reads = 0;           // reads of A and B in shared tiles, ahead for a k-tile that does not exist
    uint64_t unknown_reads = 0;           // reads of shared cells that hold other data or data of unknown origin
    bool derived = false;                 // includes TMA copies and wgmma reads, which are in no lane's addresses
    bool tensor_cores = false;            // each lane then reads operands for its whole warp
    // Rows and columns of C that belong to the block, and to one reader: a thread, or a warp with tensor cores. 0 x 0
    // if not known.
    CellRect block_tile, reader_tile;
    WorkingSet working_set;
    // Returns the elements that lanes load from shared or from global memory per multiply-add.
    double loads_per_product(bool shared) const
    {
        const uint64_t loads = shared ? operands[0].shared_reads + operands[1].shared_reads
                                      : operands[0].global_reads + operands[1].global_reads;
        return 2 * ratio_or_zero(loads, flops);
    }
    // Returns how often the block uses an element of an operand in a product.
    double uses(const OperandReuse& operand) const { return ratio_or_zero(flops, operand.elements) / 2; }
};

// Returns nothing for a launch that does not multiply or add A and B.
std::optional<Reuse> reuse_of(const recording::Recording& recording, const recording::BlockTrace& block);

// Returns FLOP per byte of a tile of rows x cols of C, if each element of A and B is read once per k.
double tile_intensity(uint64_t rows, uint64_t cols, uint32_t element_bytes);

// Returns the loads per multiply-add of a thread that computes rows x cols results: for each k it loads `rows` elements
// of A and `cols` elements of B.
inline double tile_loads(uint32_t rows, uint32_t cols)
{
    return static_cast<double>(rows + cols) / (static_cast<double>(rows) * cols);
}

// Returns FLOP per byte if each element of A and B is read once, the maximum for the whole multiplication.
double best_intensity(const recording::Problem& problem, uint32_t element_bytes);

// What L1 does with requests that the block repeats, judged by the counted hit rate. kept: at least 90% of the possible
// hits. nothing_again: less than 2% of the requests are repetitions.
enum class L1Reuse : uint8_t { nothing_again, kept, evicted };
L1Reuse reuse_in_l1(const WorkingSet& set, double hits);

} // namespace viz
