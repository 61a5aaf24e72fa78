// CUDA arrays, textures and surfaces. An array lies row by row in memory of the GPU. A texture or surface object is a
// ptx::Texture in such memory, which the PTX machine reads.
#include "cudart/library/runtime.h"
#include "ptx/texture.h"

#include <algorithm>
#include <cstring>
#include <set>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

using namespace cudart;

extern "C" {
Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                        std::size_t height, CopyKind kind, void* stream);
}

namespace {

struct Channels { // cudaChannelFormatDesc
    int x, y, z, w;
    int kind; // 0: signed, 1: unsigned, 2: float
    int count() const { return (x > 0) + (y > 0) + (z > 0) + (w > 0); }
    bool is_supported() const
    {
        const auto is_or_none = [this](int bits) { return bits == 0 || bits == x; };
        return (x == 8 || x == 16 || x == 32) && is_or_none(y) && is_or_none(z) && is_or_none(w) && kind >= 0 &&
               kind <= 2 && (kind != 2 || x > 8) && count() != 3;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(x / 8 * count()); }
};

struct Resource { // cudaResourceDesc
    int kind;     // 0: array, 2: linear memory, 3: rows with a pitch
    union {
        DeviceArray* array;
        struct {
            void* pointer;
            Channels channels;
            std::size_t width, height, pitch; // of linear memory `width` is the number of bytes
        } memory;
    };
};

struct Sampling { // cudaTextureDesc
    int beyond[3], linear_filter, to_unit, srgb;
    float border[4];
    int unit_coordinates;
};

std::set<DeviceArray*>& arrays()
{
    static std::set<DeviceArray*> all;
    return all;
}

Channels channels_of(const DeviceArray& array)
{
    Channels channels{};
    std::memcpy(&channels, array.channels, sizeof channels);
    return channels;
}

constexpr std::size_t array_row_alignment = 512;

Error make_array(DeviceArray** to, const Channels& channels, Box extent, unsigned flags)
{
    constexpr unsigned loads_and_stores = 2; // cudaArraySurfaceLoadStore
    if ((flags & ~loads_and_stores) != 0)
        return not_served("a CUDA array with layers, faces of a cube or for gathering");
    if (!channels.is_supported() || extent.width == 0)
        return Runtime::get().result(invalid_value);
    const std::size_t rows = std::max<std::size_t>(1, extent.height), slices = std::max<std::size_t>(1, extent.depth);
    const std::size_t pitch =
        (extent.width * channels.bytes() + array_row_alignment - 1) / array_row_alignment * array_row_alignment;
    auto* const array = new DeviceArray{
        .memory = nullptr, .pitch = pitch, .slice = pitch * rows, .element_bytes = channels.bytes(), .extent = extent};
    std::memcpy(array->channels, &channels, sizeof channels);
    const Error error = Runtime::get().allocate(&array->memory, array->slice * slices, Allocation::Kind::device);
    if (error != success) {
        delete array;
        return Runtime::get().result(error);
    }
    arrays().insert(array);
    *to = array;
    return good();
}

// Writes the description to the GPU's memory. Its address is the handle.
Error make_object(uint64_t* handle, const ptx::Texture& texture)
{
    void* at = nullptr;
    if (const Error error = Runtime::get().allocate(&at, sizeof texture, Allocation::Kind::device); error != success)
        return Runtime::get().result(error);
    std::memcpy(Runtime::get().allocation_of(at)->host, &texture, sizeof texture);
    *handle = reinterpret_cast<uint64_t>(at) | ptx::texture_handle;
    return good();
}

Error release_object(uint64_t handle)
{
    return Runtime::get().result(Runtime::get().release(reinterpret_cast<void*>(handle & ~ptx::texture_handle)));
}

void set_channels(ptx::Texture& texture, const Channels& channels)
{
    texture.channels = static_cast<uint32_t>(channels.count());
    texture.bits = static_cast<uint32_t>(channels.x);
    texture.format = static_cast<ptx::Texture::Format>(channels.kind);
}

// Returns false if the resource is of a kind that is not supported.
bool describe(const Resource& resource, ptx::Texture& texture)
{
    if (resource.kind == 0 && arrays().contains(resource.array)) {
        const DeviceArray& array = *resource.array;
        set_channels(texture, channels_of(array));
        texture.address = reinterpret_cast<uint64_t>(array.memory);
        texture.pitch = array.pitch;
        texture.slice = array.slice;
        texture.axes = array.extent.depth > 0 ? 3 : array.extent.height > 0 ? 2 : 1;
        const std::size_t extent[] = {array.extent.width, array.extent.height, array.extent.depth};
        for (std::size_t axis = 0; axis < texture.axes; ++axis)
            texture.extent[axis] = static_cast<uint32_t>(extent[axis]);
        return true;
    }
    const auto& memory = resource.memory;
    if ((resource.kind != 2 && resource.kind != 3) || !memory.channels.is_supported())
        return false;
    set_channels(texture, memory.channels);
    texture.address = reinterpret_cast<uint64_t>(memory.pointer);
    texture.linear_memory = resource.kind == 2;
    texture.axes = texture.linear_memory ? 1 : 2;
    texture.pitch = texture.linear_memory ? memory.width : memory.pitch;
    texture.extent[0] =
        static_cast<uint32_t>(texture.linear_memory ? memory.width / memory.channels.bytes() : memory.width);
    texture.extent[1] = texture.linear_memory ? 1 : static_cast<uint32_t>(memory.height);
    return true;
}

} // namespace

CUDART_API Channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return {x, y, z, w, kind};
}
CUDART_API Error cudaMallocArray(DeviceArray** to, const Channels* channels, std::size_t width, std::size_t height,
                                 unsigned flags)
{
    return make_array(to, *channels, {width, height, 0}, flags);
}
CUDART_API Error cudaMalloc3DArray(DeviceArray** to, const Channels* channels, Box extent, unsigned flags)
{
    return make_array(to, *channels, extent, flags);
}
CUDART_API Error cudaFreeArray(DeviceArray* array)
{
    if (array == nullptr)
        return good();
    if (arrays().erase(array) == 0)
        return Runtime::get().result(invalid_value);
    const Error error = Runtime::get().release(array->memory);
    delete array;
    return Runtime::get().result(error);
}
CUDART_API Error cudaGetChannelDesc(Channels* channels, const DeviceArray* array)
{
    *channels = channels_of(*array);
    return good();
}
CUDART_API Error cudaArrayGetInfo(Channels* channels, Box* extent, unsigned* flags, const DeviceArray* array)
{
    if (channels != nullptr)
        *channels = channels_of(*array);
    if (extent != nullptr)
        *extent = array->extent;
    if (flags != nullptr)
        *flags = 0;
    return good();
}

CUDART_API Error cudaMemcpy2DToArrayAsync(DeviceArray* to, std::size_t x, std::size_t y, const void* from,
                                          std::size_t pitch, std::size_t width, std::size_t height, CopyKind kind,
                                          void* stream)
{
    return cudaMemcpy2DAsync(static_cast<char*>(to->memory) + y * to->pitch + x, to->pitch, from, pitch, width, height,
                             kind, stream);
}
CUDART_API Error cudaMemcpy2DToArray(DeviceArray* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, CopyKind kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}
CUDART_API Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const DeviceArray* from, std::size_t x,
                                            std::size_t y, std::size_t width, std::size_t height, CopyKind kind,
                                            void* stream)
{
    return cudaMemcpy2DAsync(to, pitch, static_cast<char*>(from->memory) + y * from->pitch + x, from->pitch, width,
                             height, kind, stream);
}
CUDART_API Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const DeviceArray* from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, CopyKind kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}

// Copies of bytes that need not be whole rows, which CUDA 13 has no longer.
CUDART_API Error cudaMemcpyToArray(DeviceArray* to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                   CopyKind kind)
{
    const std::size_t row = to->extent.width * to->element_bytes;
    if (x != 0 || bytes % row != 0)
        return not_served("cudaMemcpyToArray of a part of a row");
    return cudaMemcpy2DToArray(to, x, y, from, row, row, bytes / row, kind);
}
CUDART_API Error cudaMemcpyFromArray(void* to, const DeviceArray* from, std::size_t x, std::size_t y, std::size_t bytes,
                                     CopyKind kind)
{
    const std::size_t row = from->extent.width * from->element_bytes;
    if (x != 0 || bytes % row != 0)
        return not_served("cudaMemcpyFromArray of a part of a row");
    return cudaMemcpy2DFromArray(to, row, from, x, y, row, bytes / row, kind);
}

CUDART_API Error cudaCreateTextureObject(uint64_t* handle, const Resource* resource, const Sampling* sampling,
                                         const void* view)
{
    ptx::Texture texture;
    if (view != nullptr || sampling->srgb != 0 || !describe(*resource, texture))
        return not_served("cudaCreateTextureObject of a mipmapped array, a view, sRGB or compressed blocks");
    for (std::size_t axis = 0; axis < 3; ++axis)
        texture.beyond[axis] = static_cast<ptx::Texture::Beyond>(sampling->beyond[axis]);
    texture.to_unit = sampling->to_unit != 0 && texture.format != ptx::Texture::Format::floating;
    texture.linear_filter = sampling->linear_filter != 0;
    texture.unit_coordinates = sampling->unit_coordinates != 0;
    std::memcpy(texture.border.data(), sampling->border, sizeof sampling->border);
    const bool floats = texture.to_unit || texture.format == ptx::Texture::Format::floating;
    if ((texture.linear_filter && !floats) || (texture.to_unit && texture.bits == 32))
        return Runtime::get().result(invalid_value); // a filter mixes floats only
    return make_object(handle, texture);
}
CUDART_API Error cudaDestroyTextureObject(uint64_t handle)
{
    return release_object(handle);
}
CUDART_API Error cudaCreateSurfaceObject(uint64_t* handle, const Resource* resource)
{
    ptx::Texture texture;
    if (resource->kind != 0 || !describe(*resource, texture))
        return Runtime::get().result(invalid_value); // surfaces are of arrays
    return make_object(handle, texture);
}
CUDART_API Error cudaDestroySurfaceObject(uint64_t handle)
{
    return release_object(handle);
}

// NOLINTEND(readability-identifier-naming)
