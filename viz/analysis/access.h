// One recorded access: what it costs, and which elements its addresses are. Pure functions.
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

// The places of the matrices among a recording's arrays.
inline constexpr uint8_t array_A = 0, array_B = 1, array_C = 2;

// An element of a matrix or of a shared tile.
struct Cell {
    uint32_t row = 0, col = 0;
    friend auto operator<=>(const Cell&, const Cell&) = default;
};

// Loads and stores whose cost follows from their addresses: of shared memory, ldmatrix and the writes of asynchronous
// copies among them; of global memory.
bool is_shared(recording::Op op);
bool touches_shared(recording::Op op); // also where what it costs is not known: the write of an asynchronous copy
bool is_global(recording::Op op);
bool is_store(recording::Op op); // of any kind that writes memory
bool reads_global(recording::Op op);
// Whether what it touches is a shared tile, and whether there is any.
bool in_shared(std::span<const recording::Array> arrays, const recording::Access& access);
bool has_shared_tile(std::span<const recording::Array> arrays);
uint64_t shared_tile_bytes(std::span<const recording::Array> arrays); // of all of them
// A step of the tensor cores that reads a shared tile by itself (wgmma), by no lane's addresses.
bool reads_tile_itself(const recording::Access& access);
// Half of a bulk copy into shared memory. One back to global memory has the same two operations, turned around.
bool is_bulk_fill(std::span<const recording::Array> arrays, const recording::Access& access);
inline bool takes_part(const recording::Access& access, uint32_t lane)
{
    return access.mask >> lane & 1u;
}

// Whether a step is of that kind: of a warp, or of any warp of a recorded block.
bool has_op(const recording::WarpTrace& warp, recording::Op op);
bool has_op(const recording::Recording& recording, recording::Op op);

model::Pattern pattern_of(const recording::Access& access);

// Of a shared access; zero for any other.
model::SharedCost shared_cost(const recording::Access& access);

// The same for one who asks again and again. A kernel's loop makes few different accesses, and what counts of their addresses is
// where they lie to each other: moved by whole rows of banks they cost the same.
class SharedCosts {
public:
    model::SharedCost of(const recording::Access& access);

private:
    struct Key {
        recording::Op op;
        uint8_t width;
        uint32_t mask;
        std::array<uint32_t, recording::warp_size> offset;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    std::unordered_map<Key, model::SharedCost, Hash> known_;
};

// One access, in the units of a launch's totals.
recording::SharedTotals totals_of(const model::SharedCost& cost);

// Of a global access; zero for any other. `write`: of an asynchronous copy, the step after its read; else not used.
model::GlobalCost global_cost(const recording::Access& access, const recording::Access* write = nullptr);

// Of the lowest lane that takes part, as where one lane acts for all: at an mbarrier, or in a bulk copy. 0 where no lane does.
uint32_t lowest_lane_offset(const recording::Access& access);

// The last step at or before `step` for which `wanted(step)` is true; if there is none, the first one after it.
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

// Sorts them and leaves out what is there twice.
template <class T>
void keep_distinct(std::vector<T>& values)
{
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
}

// Of all warps of a block together.
std::size_t access_count(const recording::BlockTrace& block);

// Which element lies at a byte offset: the inverse of an array's layout.
class Elements {
public:
    Elements() = default;
    explicit Elements(const recording::Array& array);

    std::optional<Cell> at(uint64_t offset) const; // nothing: padding, or outside the array

private:
    uint32_t cols = 0, element_bytes = 4;
    uint64_t row_bytes = 0; // from row to row, where row_major
    uint32_t rows = 0;
    bool row_major = true;
    std::vector<uint32_t> element_of; // by offset / element_bytes, where not row_major
};

// The inverse of every array of a recording, in its order.
std::vector<Elements> elements_of(const recording::Recording& recording);

// The elements that one lane touches, in the order of their addresses; empty for a lane that does not take part.
// Unknown addresses (padding) are left out.
std::vector<Cell> cells_of_lane(const recording::Access& access, const Elements& elements, uint32_t element_bytes,
                                uint32_t lane);

// The same for all lanes of the warp, each element as often as lanes touch it.
std::vector<Cell> cells_of_access(const recording::Access& access, const Elements& elements, uint32_t element_bytes);

// "Bs(3, 104..107)", "As(0..7, 3)", or "As(1, 2), As(1, 6)" where the elements are not neighbours in a row or a column.
std::string element_name(const std::string& array, const std::vector<Cell>& cells);

} // namespace viz
