// Properties of one recorded access: its cost, and the elements at its addresses. Pure functions.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace viz {

// Indices of the matrices among a recording's arrays.
inline constexpr uint8_t array_A = 0, array_B = 1, array_C = 2;

// An element of a matrix or of a shared tile.
struct Cell {
    uint32_t row = 0, col = 0;
    friend auto operator<=>(const Cell&, const Cell&) = default;
};

// Returns whether the cost of the access follows from its own addresses. is_shared() is for shared memory, including
// ldmatrix and stmatrix. is_global() is for global memory, including the read of an asynchronous copy.
bool is_shared(recording::Op op);
bool touches_shared(recording::Op op); // is_shared(), or the write of an asynchronous copy
bool is_global(recording::Op op);
bool is_store(recording::Op op);       // any kind of write to memory
bool is_atomic(recording::Op op);      // an indivisible read, computation and write
const char* verb_of(recording::Op op); // what a lane does: "reads", "writes", "updates"
bool reads_global(recording::Op op);
// Returns whether the access is to a shared tile, and whether the recording has any shared tile.
bool in_shared(std::span<const recording::Array> arrays, const recording::Access& access);
bool has_shared_tile(std::span<const recording::Array> arrays);
uint64_t shared_tile_bytes(std::span<const recording::Array> arrays); // the sum over all tiles
// Returns whether the access is a tensor core step (wgmma) that reads a shared tile directly, without addresses of
// lanes.
bool reads_tile_itself(const recording::Access& access);
// Returns whether the access is the read or the write of a bulk copy into shared memory. A bulk copy to global memory
// has the same two operations with the memories swapped.
bool is_bulk_fill(std::span<const recording::Array> arrays, const recording::Access& access);
inline bool takes_part(const recording::Access& access, uint32_t lane)
{
    return access.mask >> lane & 1u;
}

// Returns whether the warp executes both sides of a branch: two consecutive steps have no active lane in common.
bool takes_both_sides(const recording::WarpTrace& warp);

// Returns whether any step has this operation, in a warp or in any recorded block.
bool has_op(const recording::WarpTrace& warp, recording::Op op);
bool has_op(const recording::Recording& recording, recording::Op op);

// Returns the access in the form that the cost model takes.
model::Pattern pattern_of(const recording::Access& access);

// Returns whether shared_cost() or global_cost() know the cost of the access. Of atomic operations it is known where a
// rule was measured for their instruction; why_no_cost() says why it is not, as the end of a sentence.
bool has_shared_cost(const recording::Access& access);
bool has_global_cost(const recording::Access& access);
const char* why_no_cost(recording::AtomicRule rule);
// Returns "4 wavefronts", "32 sectors", "cost not known: " with the reason.
std::string atomic_cost_words(const recording::Access& access);

// Returns the cost of a shared access, zero for any other access.
model::SharedCost shared_cost(const recording::Access& access);

// Caches shared_cost() for many calls. A kernel's loop has few different accesses. Accesses whose addresses differ by
// whole rows of banks have the same cost and share an entry.
class SharedCosts {
public:
    model::SharedCost of(const recording::Access& access);

private:
    struct Key {
        recording::Op op;
        uint8_t width;
        recording::AtomicRule atomic;
        uint32_t mask;
        std::array<uint32_t, recording::warp_size> offset;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    std::unordered_map<Key, model::SharedCost, Hash> known_;
};

// Returns the cost of a global access, zero for any other access. `write` is the step after the read of an asynchronous
// copy; it is not used for other accesses.
model::GlobalCost global_cost(const recording::Access& access, const recording::Access* write = nullptr);

// Returns the offset of the lowest active lane, or 0 if no lane is active. Used if one lane acts for the warp: at an
// mbarrier or in a bulk copy.
uint32_t lowest_lane_offset(const recording::Access& access);

// Returns the last step at or before `step` for which `wanted(step)` is true. If there is none, returns the first such
// step after it.
template <class Wanted>
std::optional<std::size_t> nearest_step(const recording::WarpTrace& warp, std::size_t step, Wanted wanted)
{
    const std::size_t count = warp.accesses.size();
    for (std::size_t i = std::min(step + 1, count); i-- > 0;)
        if (wanted(i))
            return i;
    for (std::size_t i = std::min(step, count); i < count; ++i)
        if (wanted(i))
            return i;
    return {};
}

// Sorts the values and removes duplicates.
template <class T>
void keep_distinct(std::vector<T>& values)
{
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
}

// Returns the number of accesses of all warps of a block.
std::size_t access_count(const recording::BlockTrace& block);

// Maps byte offsets to elements: the inverse of an array's layout.
class Elements {
public:
    Elements() = default;
    explicit Elements(const recording::Array& array);

    std::optional<Cell> at(uint64_t offset) const; // nothing for padding and outside the array

private:
    uint32_t cols = 0, element_bytes = 4;
    uint64_t row_bytes = 0; // distance between rows if row_major
    uint32_t rows = 0;
    bool row_major = true;
    std::vector<uint32_t> element_of; // by offset / element_bytes, if not row_major
};

// Returns the inverse layout of each array, in the recording's order.
std::vector<Elements> elements_of(const recording::Recording& recording);

// Returns the elements that one lane touches, in address order. Skips addresses of padding. Empty if the lane does not
// take part.
std::vector<Cell> cells_of_lane(const recording::Access& access, const Elements& elements, uint32_t element_bytes,
                                uint32_t lane);

// Returns the elements that all lanes touch. An element occurs once for each lane that touches it.
std::vector<Cell> cells_of_access(const recording::Access& access, const Elements& elements, uint32_t element_bytes);

// Returns "Bs(3, 104..107)", "As(0..7, 3)", or "As(1, 2), As(1, 6)" if the elements are not adjacent in a row or a
// column.
std::string element_name(const std::string& array, const std::vector<Cell>& cells);

} // namespace viz
