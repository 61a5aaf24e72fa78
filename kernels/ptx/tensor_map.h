// A tensor map, which describes a tensor in global memory to the tensor memory accelerator. The content of the driver's
// CUtensorMap is not public. Here the 128 bytes have a format of the PTX machine, which only its own copies read.
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

// The axes are in the driver's order: elements along the first axis are contiguous.
struct TensorMap {
    uint64_t address = 0;
    uint32_t axes = 2, element_bytes = 2;
    std::array<uint32_t, most_axes> extent{1, 1, 1, 1, 1}; // elements
    std::array<uint64_t, most_axes> stride{};              // bytes between neighbours; element_bytes for the first axis
    std::array<uint32_t, most_axes> box{1, 1, 1, 1, 1};    // size of one copy in elements
    uint32_t swizzle = 0;                                  // width of the pattern in bytes: 0, 32, 64 or 128
    Type element = Type::none;                             // for copies that reduce; none if it is not known

    uint64_t box_bytes() const;
};

// Returns a sentence that says why the driver would refuse the map, or an empty text if it would not.
std::string refusal(const TensorMap& map);

std::array<std::byte, tensor_map_bytes> bytes_of(const TensorMap& map);
// Returns nothing if the bytes are not a tensor map.
std::optional<TensorMap> tensor_map_of(std::span<const std::byte, tensor_map_bytes> bytes);

// Returns where a byte of a swizzled tile lies. In each 1024, 512 or 256 bytes of shared memory, the pieces of 16 bytes
// are permuted by the number of their 128-byte line.
constexpr uint64_t swizzled(uint64_t address, uint32_t swizzle)
{
    return swizzle < 32 ? address : address ^ (address >> 7 & (swizzle / 16 - 1)) << 4;
}

// Counts the traffic of WMMA's loads and stores. PTX leaves open which lane accesses which element of a tile. So the
// requests, sectors and wavefronts are unknown, and no total contains them.

class TileTraffic {
public:
    void take(const traced::Step& step);
    void join(const TileTraffic& other);

    // Adds a sentence about global memory and one about shared memory, if there was any traffic.
    void write(std::vector<std::string>& notes) const;

private:
    struct Traffic {
        uint64_t loads = 0, stores = 0; // instructions, counted by warp
        uint64_t sectors = 0;           // sectors that contain rows of their tiles
        void add(const Traffic& other);
    };
    Traffic global_, shared_;
};

} // namespace ptx
