// Texture and surface objects. The content of the driver's handles is not public. Here a handle is the address of a
// Texture in global memory, marked by its highest bit, which cudart/library/textures.cpp writes and the PTX machine
// reads.
#pragma once

#include <array>
#include <cstdint>

namespace ptx {

inline constexpr uint64_t texture_handle = uint64_t{1} << 63;

struct Texture {
    enum class Format : uint8_t { signed_number, unsigned_number, floating };
    enum class Beyond : uint8_t {
        wrap,
        clamp,
        mirror,
        border
    }; // which element is read outside; cudaTextureAddressMode
    static constexpr uint64_t is_texture = 0x7465787475726521;

    uint64_t mark = is_texture;
    uint64_t address = 0;
    std::array<uint32_t, 3> extent{1, 1, 1}; // elements
    uint32_t axes = 2;
    uint64_t pitch = 0, slice = 0;    // bytes from row to row, and from slice to slice
    uint32_t channels = 1, bits = 32; // of an element, and of each channel
    Format format = Format::floating;
    std::array<Beyond, 3> beyond{Beyond::clamp, Beyond::clamp, Beyond::clamp};
    bool linear_filter = false;
    bool to_unit = false;          // integers are read as numbers from 0 or -1 to 1 (cudaReadModeNormalizedFloat)
    bool unit_coordinates = false; // coordinates are from 0 to 1
    bool linear_memory = false;    // cudaResourceTypeLinear: only tex1Dfetch reads it
    std::array<float, 4> border{};

    uint64_t element_bytes() const { return uint64_t{channels} * bits / 8; }
};

} // namespace ptx
