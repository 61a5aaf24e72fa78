// What the lanes of a warp hold in registers for one k, as far as their loads say it, and what their registers are spent
// on. Pure functions.
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
    fragments,    // loads of operands, and everything that is none of the others: the outer product of this k
    shuffle,      // values pass between lanes
    matrix_load,  // ldmatrix
    product,      // mma
    group_product // wgmma, which reads shared memory by itself
};
RegisterStep register_step(const recording::Access& access);

// Whether the types of A and B are known, which say who holds what in a product of tensor cores. A traced kernel that names
// neither keeps them to itself.
bool knows_operands(const recording::Recording& recording);

// Whether fragments are opaque: WMMA does not say which lane holds what.
bool is_wmma(const recording::WarpTrace& warp);

// Elements of A in column k and of B in row k that a lane loads for its multiplications, each once, in the order loaded.
struct LaneFragment {
    std::vector<Cell> a, b;
    const std::vector<Cell>& part(bool of_a) const { return of_a ? a : b; }
    friend bool operator==(const LaneFragment&, const LaneFragment&) = default;
};

struct Fragments {
    uint32_t k = 0;
    std::array<LaneFragment, recording::warp_size> lanes;
    // Of A and of B, by lane: so many of its elements, the first ones, are loaded by the step that was asked for.
    std::array<std::array<uint32_t, recording::warp_size>, 2> loaded{};
    bool complete = true; // all of both
    uint32_t loads = 0;   // of the warp for this k
    uint64_t bytes = 0;   // that the busiest lane loads for it

    LaneFragment held_by(uint32_t lane) const; // what of it is loaded
};

// The rows of A, or the columns of B, that the lanes of a warp use, without those between; places count in them.
class UsedLines {
public:
    UsedLines(const Fragments& fragments, bool of_a);
    uint32_t count() const { return static_cast<uint32_t>(lines_.size()); }
    uint32_t operator[](uint32_t place) const { return lines_[place]; }
    std::set<uint32_t> places(const LaneFragment& fragment) const;
    // First place and count of neighbours without a gap.
    std::vector<std::pair<uint32_t, uint32_t>> runs(const LaneFragment& fragment) const;

private:
    uint32_t line_of(const Cell& cell) const { return of_a_ ? cell.row : cell.col; }

    bool of_a_;
    std::vector<uint32_t> lines_; // ascending
};

// Which steps of a k-tile read which k is found out once. All that it is given outlives it.
class FragmentFinder {
public:
    FragmentFinder(SharedContents& contents, const recording::Recording& recording, const recording::BlockTrace& block,
                   std::size_t warp, const std::vector<Phase>& phases)
        : contents_(contents), recording_(recording), trace_(block.warps[warp]), warp_(warp), phases_(phases)
    {
    }
    // Of the k that the step reads, else of the last one read before it, else of the first one of its k-tile; nothing where lanes do
    // not load their operands one by one (tensor cores), or pass them to each other. Moves the contents.
    std::optional<Fragments> at(std::size_t step);

private:
    void read_k_tile(int k_tile);
    std::optional<std::size_t> computation_at(std::size_t step) const; // the phase

    SharedContents& contents_;
    const recording::Recording& recording_;
    const recording::WarpTrace& trace_;
    std::size_t warp_;
    const std::vector<Phase>& phases_;
    std::optional<int> k_tile_;                          // that the rest is of
    std::map<std::size_t, uint32_t> k_of_;               // by step; those that read none are left out
    std::map<uint32_t, std::vector<std::size_t>> reads_; // steps, by k; empty: lanes do not load one by one
    std::size_t first_ = 0;                              // step of its computation
};

// What lanes have loaded of A and B from global memory to pass it on, since the loads of this k-tile began: of a kernel
// with shuffles.
std::array<LaneFragment, recording::warp_size> held_for_shuffles(const recording::Recording& recording,
                                                                 const recording::WarpTrace& warp,
                                                                 const std::vector<Phase>& phases, std::size_t step);

// Where each lane's value comes from in a shuffle, and how many lanes are asked.
struct ShuffleFacts {
    std::vector<uint32_t> sources; // different ones, ascending
    uint32_t lanes = 0;            // that take part
    uint32_t from_itself = 0;      // lanes that ask themselves
    uint32_t most_asked = 0;       // by how many lanes the busiest source is asked
};
ShuffleFacts shuffle_facts(const recording::Access& access);

// Registers of a thread: how many hold sums and fragments of one k. The rest holds addresses, counters and values on their
// way; nothing recorded says more.
struct RegisterUse {
    recording::Measured<uint32_t> registers; // the driver's figure
    std::optional<uint32_t> local; // bytes of a thread in local memory, each use of which is a load or a store
    // A thread could have had more registers: what lies in local memory lies there for another reason.
    bool registers_left = false;
    uint32_t results = 0;   // sums
    uint32_t fragments = 0; // values of operands for one k; 0: not known
    bool moved = false;     // between warps, by the kernel itself: `registers` is what each starts with
    // Local memory has room for the operands though registers were left: which of them lies where is not recorded.
    bool elsewhere() const { return registers_left && fragments > 0 && local.value_or(0) >= 4 * fragments; }
};
RegisterUse register_use(const recording::Recording& recording, const recording::BlockTrace& block, std::size_t warp,
                         const std::optional<Fragments>& fragments);

// What a warp holds at a step, and what its registers are spent on. Moves the contents of the block. While sums are stored nothing
// is loaded: none of it is needed any more, and what its register holds then is not known.
struct HeldFragments {
    std::optional<Fragments> fragments;
    RegisterUse use;
};
HeldFragments held_fragments(const recording::Recording& recording, const std::shared_ptr<SharedContents>& contents,
                             const recording::BlockTrace& block, uint32_t warp, std::size_t step);

// RegisterUse::elsewhere() alone, without counting the sums.
bool operands_elsewhere(const recording::Recording& recording, const std::optional<Fragments>& fragments);

} // namespace viz
