// Allocations, copies and fills of all kinds. All memory is mapped in this process, so a copy is a plain memory copy.
// Asynchronous functions act at once, as CUDA allows, or are kept for a graph.
#include "cudart/library/runtime.h"

#include <cstdlib>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

using namespace cudart;

namespace {

// Where this process sees the bytes of a pointer of the host or the device. `device` says whether it is the GPU's
// memory.
struct Seen {
    char* bytes = nullptr; // null if the bytes begin in an allocation of the GPU and end beyond it
    bool device = false;
};

Seen see(const void* pointer, std::size_t bytes)
{
    const Allocation* const allocation = Runtime::get().allocation_of(pointer);
    if (allocation == nullptr)
        return {static_cast<char*>(const_cast<void*>(pointer)), false};
    const uint64_t offset = reinterpret_cast<uint64_t>(pointer) - allocation->address;
    if (bytes > allocation->bytes - offset)
        return {nullptr, true};
    return {allocation->host + offset, allocation->kind != Allocation::Kind::registered};
}

// Rows of bytes, `pitch` bytes apart, in slices that are `slice` bytes apart.
struct Rows {
    std::size_t width = 0, height = 1, depth = 1;
};
struct End {
    void* pointer = nullptr;
    std::size_t pitch = 0, slice = 0; // bytes from row to row and from slice to slice
    std::size_t bytes(const Rows& rows) const
    {
        return (rows.depth - 1) * slice + (rows.height - 1) * pitch + rows.width;
    }
};

Error copy_rows(const End& to, const End& from, const Rows& rows, CopyKind kind)
{
    if (rows.width == 0 || rows.height == 0 || rows.depth == 0)
        return success;
    if (static_cast<int>(kind) < 0 || kind > CopyKind::by_address)
        return 21; // cudaErrorInvalidMemcpyDirection
    if (rows.height > 1 && (to.pitch < rows.width || from.pitch < rows.width))
        return invalid_pitch;
    const Seen target = see(to.pointer, to.bytes(rows)), source = see(from.pointer, from.bytes(rows));
    const bool to_device = kind == CopyKind::host_to_device || kind == CopyKind::device_to_device;
    const bool from_device = kind == CopyKind::device_to_host || kind == CopyKind::device_to_device;
    if (target.bytes == nullptr || source.bytes == nullptr || (to_device && !target.device) ||
        (from_device && !source.device))
        return invalid_value;
    for (std::size_t z = 0; z < rows.depth; ++z)
        for (std::size_t y = 0; y < rows.height; ++y)
            std::memmove(target.bytes + z * to.slice + y * to.pitch, source.bytes + z * from.slice + y * from.pitch,
                         rows.width);
    return success;
}

// Fills rows with a value of `element` bytes, as for cudaMemset2D and for nodes of graphs.
Error fill_rows(const End& to, unsigned value, unsigned element, const Rows& rows)
{
    if (rows.width == 0 || rows.height == 0 || rows.depth == 0)
        return success;
    const Seen target = see(to.pointer, to.bytes(rows));
    if (target.bytes == nullptr || !target.device)
        return invalid_value;
    for (std::size_t z = 0; z < rows.depth; ++z)
        for (std::size_t y = 0; y < rows.height; ++y)
            for (std::size_t x = 0; x < rows.width; x += element)
                std::memcpy(target.bytes + z * to.slice + y * to.pitch + x, &value, element);
    return success;
}

Error copy(void* stream, const End& to, const End& from, const Rows& rows, CopyKind kind)
{
    return submit(stream, [=] { return copy_rows(to, from, rows, kind); });
}

Error copy_flat(void* stream, void* to, const void* from, std::size_t bytes, CopyKind kind)
{
    return copy(stream, {to}, {const_cast<void*>(from)}, {bytes}, kind);
}

Error copy_symbol(void* stream, const void* symbol, std::size_t offset, std::size_t bytes,
                  const std::function<Error(void*)>& with)
{
    const LoadedVariable* const variable = Runtime::get().variable(symbol);
    if (variable == nullptr)
        return Runtime::get().result(invalid_symbol);
    if (offset > variable->bytes || bytes > variable->bytes - offset)
        return Runtime::get().result(invalid_value);
    return submit(stream, [=, address = variable->address + offset] { return with(reinterpret_cast<void*>(address)); });
}

Error copy_3d(void* stream, const Copy3D& what)
{
    // Widths are elements of the array if there is one, otherwise bytes. Positions in other memory are bytes.
    const DeviceArray* const array = what.to_array != nullptr ? what.to_array : what.from_array;
    const std::size_t element = array != nullptr ? array->element_bytes : 1;
    const auto end = [](const DeviceArray* in_array, const PitchedPointer& at, const Position& begin) {
        if (in_array != nullptr)
            return End{static_cast<char*>(in_array->memory) + begin.z * in_array->slice + begin.y * in_array->pitch +
                           begin.x * in_array->element_bytes,
                       in_array->pitch, in_array->slice};
        const std::size_t slice = at.pitch * at.height;
        return End{static_cast<char*>(at.pointer) + begin.z * slice + begin.y * at.pitch + begin.x, at.pitch, slice};
    };
    return copy(stream, end(what.to_array, what.to, what.to_position),
                end(what.from_array, what.from, what.from_position),
                {what.extent.width * element, what.extent.height, what.extent.depth}, what.kind);
}

Error fill(void* stream, const End& to, int value, const Rows& rows)
{
    return submit(stream, [=] { return fill_rows(to, static_cast<unsigned>(value) & 0xff, 1, rows); });
}

Error allocate(void** to, std::size_t bytes, Allocation::Kind kind)
{
    return Runtime::get().result(Runtime::get().allocate(to, bytes, kind));
}

constexpr std::size_t row_alignment = 512; // of an H200

} // namespace

CUDART_API Error cudaMalloc(void** to, std::size_t bytes)
{
    return allocate(to, bytes, Allocation::Kind::device);
}
CUDART_API Error cudaMallocAsync(void** to, std::size_t bytes, void*)
{
    return allocate(to, bytes, Allocation::Kind::device);
}
CUDART_API Error cudaMallocFromPoolAsync(void** to, std::size_t bytes, void*, void*)
{
    return allocate(to, bytes, Allocation::Kind::device);
}
CUDART_API Error cudaMallocManaged(void** to, std::size_t bytes, unsigned)
{
    return allocate(to, bytes, Allocation::Kind::managed);
}
CUDART_API Error cudaMallocHost(void** to, std::size_t bytes)
{
    return allocate(to, bytes, Allocation::Kind::pinned);
}
CUDART_API Error cudaHostAlloc(void** to, std::size_t bytes, unsigned)
{
    return allocate(to, bytes, Allocation::Kind::pinned);
}
CUDART_API Error cudaMallocPitch(void** to, std::size_t* pitch, std::size_t width, std::size_t height)
{
    *pitch = (width + row_alignment - 1) / row_alignment * row_alignment;
    return allocate(to, *pitch * height, Allocation::Kind::device);
}
CUDART_API Error cudaMalloc3D(PitchedPointer* to, Box extent)
{
    to->width = extent.width;
    to->height = extent.height;
    return cudaMallocPitch(&to->pointer, &to->pitch, extent.width, extent.height * extent.depth);
}

CUDART_API Error cudaFree(void* pointer)
{
    return Runtime::get().result(Runtime::get().release(pointer));
}
CUDART_API Error cudaFreeAsync(void* pointer, void*)
{
    return cudaFree(pointer);
}
CUDART_API Error cudaFreeHost(void* pointer)
{
    return cudaFree(pointer);
}

CUDART_API Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned)
{
    Runtime::get().register_host(pointer, bytes);
    return good();
}
CUDART_API Error cudaHostUnregister(void* pointer)
{
    return Runtime::get().result(Runtime::get().release(pointer) == success ? success : host_not_registered);
}
CUDART_API Error cudaHostGetDevicePointer(void** device, void* host, unsigned)
{
    const Allocation* const allocation = Runtime::get().allocation_of(host);
    if (allocation == nullptr)
        return Runtime::get().result(invalid_value);
    if (allocation->kind == Allocation::Kind::registered)
        return not_served("cudaHostGetDevicePointer of memory that cudaHostRegister registered");
    *device = host;
    return good();
}
CUDART_API Error cudaHostGetFlags(unsigned* flags, void*)
{
    *flags = 2; // cudaHostAllocMapped
    return good();
}

CUDART_API Error cudaMemGetInfo(std::size_t* available, std::size_t* total)
{
    *total = most_memory;
    *available = most_memory - std::min(most_memory, Runtime::get().allocated());
    return good();
}

CUDART_API Error cudaPointerGetAttributes(PointerAttributes* result, const void* pointer)
{
    const Allocation* const allocation = Runtime::get().allocation_of(pointer);
    *result = {};
    result->device = allocation != nullptr ? 0 : -2;
    void* const same = const_cast<void*>(pointer);
    result->host_pointer = same;
    if (allocation == nullptr)
        return good();
    const bool device = allocation->kind == Allocation::Kind::device;
    result->type = device ? 2 : allocation->kind == Allocation::Kind::managed ? 3 : 1;
    result->device_pointer = allocation->kind == Allocation::Kind::registered ? nullptr : same;
    if (device)
        result->host_pointer = nullptr;
    return good();
}

CUDART_API Error cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind)
{
    return copy_flat(nullptr, to, from, bytes, kind);
}
CUDART_API Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream)
{
    return copy_flat(stream, to, from, bytes, kind);
}
CUDART_API Error cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes)
{
    return copy_flat(nullptr, to, from, bytes, CopyKind::device_to_device);
}
CUDART_API Error cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, void* stream)
{
    return copy_flat(stream, to, from, bytes, CopyKind::device_to_device);
}
CUDART_API Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                   std::size_t width, std::size_t height, CopyKind kind, void* stream)
{
    return copy(stream, {to, to_pitch}, {const_cast<void*>(from), from_pitch}, {width, height}, kind);
}
CUDART_API Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, CopyKind kind)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
CUDART_API Error cudaMemcpy3D(const Copy3D* what)
{
    return copy_3d(nullptr, *what);
}
CUDART_API Error cudaMemcpy3DAsync(const Copy3D* what, void* stream)
{
    return copy_3d(stream, *what);
}

CUDART_API Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                         CopyKind kind, void* stream)
{
    return copy_symbol(stream, symbol, offset, bytes,
                       [=](void* at) { return copy_rows({at}, {const_cast<void*>(from)}, {bytes}, kind); });
}
CUDART_API Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    CopyKind kind)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr);
}
CUDART_API Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                           CopyKind kind, void* stream)
{
    return copy_symbol(stream, symbol, offset, bytes, [=](void* at) { return copy_rows({to}, {at}, {bytes}, kind); });
}
CUDART_API Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      CopyKind kind)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr);
}

CUDART_API Error cudaMemset(void* to, int value, std::size_t bytes)
{
    return fill(nullptr, {to}, value, {bytes});
}
CUDART_API Error cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream)
{
    return fill(stream, {to}, value, {bytes});
}
CUDART_API Error cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                   void* stream)
{
    return fill(stream, {to, pitch}, value, {width, height});
}
CUDART_API Error cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}
CUDART_API Error cudaMemset3DAsync(PitchedPointer to, int value, Box extent, void* stream)
{
    return fill(stream, {to.pointer, to.pitch, to.pitch * to.height}, value,
                {extent.width, extent.height, extent.depth});
}
CUDART_API Error cudaMemset3D(PitchedPointer to, int value, Box extent)
{
    return cudaMemset3DAsync(to, value, extent, nullptr);
}

CUDART_API Error cudaGraphAddMemcpyNode(void** node, void* graph, const void*, std::size_t, const Copy3D* what)
{
    return add_node(node, graph, [&](void* stream) { return copy_3d(stream, *what); });
}
CUDART_API Error cudaGraphAddMemcpyNode1D(void** node, void* graph, const void*, std::size_t, void* to,
                                          const void* from, std::size_t bytes, CopyKind kind)
{
    return add_node(node, graph, [&](void* stream) { return copy_flat(stream, to, from, bytes, kind); });
}
CUDART_API Error cudaGraphAddMemsetNode(void** node, void* graph, const void*, std::size_t, const MemsetNode* what)
{
    const Rows rows{what->width * what->element_bytes, what->height};
    return add_node(node, graph, [&](void* stream) {
        return submit(stream, [=, how = *what] {
            return fill_rows({how.to, how.pitch}, how.value, how.element_bytes, rows);
        });
    });
}

// Accepts hints about the best place of managed memory, which has only one place here. Later arguments differ between
// versions.
CUDART_API Error cudaMemPrefetchAsync(const void* pointer)
{
    return Runtime::get().result(Runtime::get().allocation_of(pointer) != nullptr ? success : invalid_value);
}
CUDART_API Error cudaMemAdvise(const void* pointer)
{
    return cudaMemPrefetchAsync(pointer);
}
CUDART_API Error cudaMemPrefetchAsync_v2(const void* pointer)
{
    return cudaMemPrefetchAsync(pointer);
}
CUDART_API Error cudaMemAdvise_v2(const void* pointer)
{
    return cudaMemPrefetchAsync(pointer);
}
CUDART_API Error cudaStreamAttachMemAsync(void*, void* pointer)
{
    return cudaMemPrefetchAsync(pointer);
}

// NOLINTEND(readability-identifier-naming)
