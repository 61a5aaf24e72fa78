// Determines the operands that the lanes of a warp hold in registers for one k, as far as their loads reveal them, and
// the use of their registers. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include "recording/measured.h"
#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace viz {

// What a step does with registers.
enum class RegisterStep : uint8_t {
    fragments,    // loads of operands, and all other steps; they belong to the outer product of this k
    shuffle,      // lanes exchange values
    matrix_load,  // ldmatrix
    product,      // mma
    group_product // wgmma, which reads shared memory directly
};
RegisterStep register_step(const recording::Access& access);

// Returns whether the types of A and B are known. They determine which lane holds which element in a tensor core
// product. A traced kernel may lack them.
bool knows_operands(const recording::Recording& recording);

// Returns whether it is unknown which lane holds which element, because WMMA does not specify it.
bool is_wmma(const recording::WarpTrace& warp);

// Elements of A in column k and of B in row k that a lane loads to multiply them: each once, in load order.
struct LaneFragment {
    std::vector<Cell> a, b;
    const std::vector<Cell>& part(bool of_a) const { return of_a ? a : b; }
    friend bool operator==(const LaneFragment&, const LaneFragment&) = default;
};

// The operands that the lanes of a warp hold for one k.
struct Fragments {
    uint32_t k = 0;
    std::array<LaneFragment, recording::warp_size> lanes;
    // By operand and lane: the number of elements that are loaded after the requested step. They are the first ones in
    // load order.
    std::array<std::array<uint32_t, recording::warp_size>, 2> loaded{};
    // After each load of the warp: the number of loaded elements of A and of B of lane 0.
    std::vector<std::array<uint32_t, 2>> after_load;
    bool complete = true; // all elements of A and B are loaded
    uint32_t loads = 0;   // load instructions of the warp for this k
    uint64_t bytes = 0;   // bytes that the lane with the most loads has for this k

    LaneFragment held_by(uint32_t lane) const; // the elements that are already loaded
};

// The rows of A or the columns of B that the lanes of a warp use, numbered consecutively. `place` is such a number.
class UsedLines {
public:
    UsedLines(const Fragments& fragments, bool of_a);
    uint32_t count() const { return static_cast<uint32_t>(lines_.size()); }
    uint32_t operator[](uint32_t place) const { return lines_[place]; }
    std::set<uint32_t> places(const LaneFragment& fragment) const;
    // Returns the first place and the length of each run of adjacent places.
    std::vector<std::pair<uint32_t, uint32_t>> runs(const LaneFragment& fragment) const;

private:
    uint32_t line_of(const Cell& cell) const { return of_a_ ? cell.row : cell.col; }

    bool of_a_;
    std::vector<uint32_t> lines_; // ascending
};

// A rectangle of C that all lanes of a warp compute together, because their elements of A and of B are adjacent there.
struct Subtile {
    CellRect cells;
    std::size_t load = 0; // index of the load that brings its last value: see Fragments::after_load
    bool ready = false;   // all of its values are loaded
    friend bool operator==(const Subtile&, const Subtile&) = default;
};
// Returns the subtiles of a warp tile in the order in which their values arrive. A warp tile that is not divided is a
// single subtile. Returns nothing if the lanes' parts do not form disjoint rectangles.
std::vector<Subtile> subtiles_of(const Fragments& fragments);

// Finds the fragments at a step. Determines once per k-tile which steps read which k. All arguments must outlive the
// finder.
class FragmentFinder {
public:
    FragmentFinder(SharedContents& contents, const recording::Recording& recording, const recording::BlockTrace& block,
                   std::size_t warp, const std::vector<Phase>& phases)
        : contents_(contents), recording_(recording), trace_(block.warps[warp]), warp_(warp), phases_(phases)
    {
    }
    // Returns the fragments of the k that the step reads. If it reads none, returns those of the last k read before it,
    // or else of the first k of its k-tile. Returns nothing if lanes do not load their operands one by one (tensor
    // cores), or pass them to each other. Advances the contents.
    std::optional<Fragments> at(std::size_t step);

private:
    void read_k_tile(int k_tile);
    std::optional<std::size_t> computation_at(std::size_t step) const; // index of the phase

    SharedContents& contents_;
    const recording::Recording& recording_;
    const recording::WarpTrace& trace_;
    std::size_t warp_;
    const std::vector<Phase>& phases_;
    std::optional<int> k_tile_;                          // the k-tile that the following members describe
    std::map<std::size_t, uint32_t> k_of_;               // by step; steps that read no operand are absent
    std::map<uint32_t, std::vector<std::size_t>> reads_; // steps by k; empty if lanes do not load one by one
    std::size_t first_ = 0;                              // first step of the k-tile's computation
};

// For a kernel with shuffles: returns the elements of A and B that each lane has loaded from global memory to pass on
// since the loads of the current k-tile began.
std::array<LaneFragment, recording::warp_size> held_for_shuffles(const recording::Recording& recording,
                                                                 const recording::WarpTrace& warp,
                                                                 const std::vector<Phase>& phases, std::size_t step);

// An element of A (0) or B (1) that a lane receives by a shuffle.
struct PassedValue {
    uint8_t array = 0;
    Cell cell;
    friend bool operator==(const PassedValue&, const PassedValue&) = default;
};
using PassedValues = std::array<std::optional<PassedValue>, recording::warp_size>;
// Returns the element that each lane receives. A recording has only the source lane, so the element is derived: from
// the elements that the source holds, the results of the receiving lane, and the order of the shuffles of the same
// line. Returns nothing for all lanes unless exactly one operand agrees with the results of every lane.
PassedValues passed_by_shuffle(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                               std::size_t step);

// Four lanes of a warp that compute 2 x 2 neighbouring elements of C, row by row.
struct LaneSquare {
    Cell corner;
    std::array<uint32_t, 4> lanes{};
};
// Returns the square that contains the first result of this lane. Returns nothing if no four lanes compute such a
// square.
std::optional<LaneSquare> lane_square(const recording::Recording& recording, const recording::BlockTrace& block,
                                      uint32_t warp, uint32_t lane);

// The source lanes of a shuffle, and how many lanes read from them.
struct ShuffleFacts {
    std::vector<uint32_t> sources; // distinct source lanes, ascending
    uint32_t lanes = 0;            // lanes that take part
    uint32_t from_itself = 0;      // lanes that read their own value
    uint32_t most_asked = 0;       // lanes that read from the busiest source
};
ShuffleFacts shuffle_facts(const recording::Access& access);

// Use of a thread's registers: how many hold sums, and how many hold the fragments of one k. The others hold addresses,
// counters and values in transit; the recording does not distinguish them.
struct RegisterUse {
    recording::Measured<uint32_t> registers; // as the driver reports it
    std::optional<uint32_t> local;           // bytes of local memory per thread; each use of it is a load or a store
    // A thread could have had more registers. A lack of registers is then no reason for values in local memory.
    bool registers_left = false;
    uint32_t results = 0;   // number of sums
    uint32_t fragments = 0; // operand values for one k; 0 if not known
    bool moved = false;     // the kernel moves registers between warps; `registers` is then the number at the start
    // Returns whether local memory may hold the operands although registers were left. The recording does not show
    // which ones.
    bool elsewhere() const { return registers_left && fragments > 0 && local.value_or(0) >= 4 * fragments; }
};
RegisterUse register_use(const recording::Recording& recording, const recording::BlockTrace& block, std::size_t warp,
                         const std::optional<Fragments>& fragments);

// The fragments of a warp at a step, and the use of its registers. held_fragments() advances the contents of the block.
// While sums are stored, Fragments::loaded is zero: operands are not needed any more, and their registers may hold
// other values.
struct HeldFragments {
    std::optional<Fragments> fragments;
    RegisterUse use;
};
HeldFragments held_fragments(const recording::Recording& recording, const std::shared_ptr<SharedContents>& contents,
                             const recording::BlockTrace& block, uint32_t warp, std::size_t step);

// Returns RegisterUse::elsewhere() without counting the sums.
bool operands_elsewhere(const recording::Recording& recording, const std::optional<Fragments>& fragments);

// The positions of elements in the small matrices of ldmatrix, mma and wgmma, as NVIDIA's PTX manual documents them.

// The position of an element: a lane, and the index among the elements of the matrix that this lane holds.
struct Holder {
    uint32_t lane = 0, index = 0;
    friend bool operator==(const Holder&, const Holder&) = default;
};

// Returns the lane that receives an element of one 8 x 8 matrix of 16-bit elements from ldmatrix. Row r is stored at
// the address of the r-th of the matrix's eight lanes. If transposed, a lane receives elements of one column.
Holder ldmatrix_holder(Cell element, bool transposed);

inline constexpr uint32_t mma_rows = 16, mma_cols = 8;
// Shape of mma.m16n8k32 with 1-byte elements, of m16n8k16 with 2-byte and of m16n8k8 with 4-byte elements: A is
// 16 x depth, B is depth x 8, the sums are 16 x 8.
struct MmaShape {
    uint32_t depth = 16;
    uint32_t packed() const { return depth / 8; } // elements per register
    uint32_t multiply_adds() const { return mma_rows * mma_cols * depth; }
    uint32_t operand_bytes() const { return (mma_rows + mma_cols) * depth * 4 / packed(); } // of A and B
};
MmaShape mma_shape(uint32_t element_bytes);

enum class MmaPart : uint8_t { a, b, sums }; // every 8 columns of a warp's 16 x N wgmma sums are laid out like `sums`
Cell extent_of(MmaShape shape, MmaPart part);
Holder mma_holder(MmaShape shape, MmaPart part, Cell element);

// Returns all elements that a lane holds, by index.
std::vector<Cell> held_by_lane(MmaShape shape, MmaPart part, uint32_t lane);

} // namespace viz
