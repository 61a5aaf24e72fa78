// A tensor map: what a copy by the tensor memory accelerator needs to know of a tensor in global memory. What the
// driver writes into a CUtensorMap is not public; here its 128 bytes have a form of the machine's own, which only its
// copies read.
#pragma once

#include "ptx/types.h"
#include "traced/builder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ptx {

inline constexpr std::size_t tensor_map_bytes = 128;
inline constexpr uint32_t most_axes = 5;

// Axes in the driver's order: the first runs along memory.
struct TensorMap {
    uint64_t address = 0;
    uint32_t axes = 2, element_bytes = 2;
    std::array<uint32_t, most_axes> extent{1, 1, 1, 1, 1}; // elements
    std::array<uint64_t, most_axes> stride{};           // bytes from one to the next; of the first axis element_bytes
    std::array<uint32_t, most_axes> box{1, 1, 1, 1, 1}; // elements that one copy takes
    uint32_t swizzle = 0;                               // bytes of its pattern: 0, 32, 64 or 128
    Type element = Type::none;                          // for copies that reduce; none: not known

    uint64_t box_bytes() const;
};

// What the driver would refuse in it, as a sentence; empty: nothing.
std::string refusal(const TensorMap& map);

std::array<std::byte, tensor_map_bytes> bytes_of(const TensorMap& map);
std::optional<TensorMap> tensor_map_of(std::span<const std::byte, tensor_map_bytes> bytes); // nothing: these are none

// Where a byte of a swizzled tile lies: of each 1024, 512 or 256 bytes of shared memory the pieces of 16 bytes change
// places with the number of their line of 128 bytes.
constexpr uint64_t swizzled(uint64_t address, uint32_t swizzle)
{
    return swizzle < 32 ? address : address ^ (address >> 7 & (swizzle / 16 - 1)) << 4;
}

// What WMMA's loads and stores move. PTX leaves open which lane takes which element of a tile, so their requests,
// sectors and wavefronts are not known, and no total counts them.

class TileTraffic {
public:
    void take(const traced::Step& step);
    void join(const TileTraffic& other);

    // A sentence for global memory and one for shared memory, where there was any.
    void write(std::vector<std::string>& notes) const;

private:
    struct Traffic {
        uint64_t loads = 0, stores = 0; // instructions of warps
        uint64_t sectors = 0;           // in which the rows of their tiles lie
        void add(const Traffic& other);
    };
    Traffic global_, shared_;
};

} // namespace ptx
