// The part of CUDA's runtime interface that the stand-in has, declared anew so that no toolkit is needed to build it. Numbers and
// layouts are those of cuda_runtime_api.h and driver_types.h, which keep them from version to version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudart {

struct dim3 { // NOLINT(readability-identifier-naming): CUDA's
    unsigned x = 1, y = 1, z = 1;
};

using Error = int; // cudaError_t; the numbers that are used are named here
inline constexpr Error success = 0, invalid_value = 1, out_of_memory = 2, invalid_configuration = 9,
                       invalid_symbol = 13, invalid_pitch = 12, invalid_function = 98, invalid_device = 101,
                       no_image = 209, invalid_handle = 400, not_supported = 801, capture_unmatched = 903,
                       missing_configuration = 52, capture_implicit = 906, host_not_registered = 713;

enum class CopyKind : int { host_to_host, host_to_device, device_to_host, device_to_device, by_address };

struct PitchedPointer {
    void* pointer;
    std::size_t pitch, width, height;
};
struct Box { // cudaExtent
    std::size_t width, height, depth;
};
struct Position {
    std::size_t x, y, z;
};
struct Copy3D { // cudaMemcpy3DParms
    void* from_array;
    Position from_position;
    PitchedPointer from;
    void* to_array;
    Position to_position;
    PitchedPointer to;
    Box extent;
    CopyKind kind;
};

struct FunctionAttributes { // cudaFuncAttributes
    std::size_t shared_bytes, constant_bytes, local_bytes;
    int most_threads, registers, ptx_version, binary_version, cache_mode, most_dynamic_shared, carveout,
        cluster_must_be_set, cluster_width, cluster_height, cluster_depth, cluster_policy, portable_cluster_only,
        reserved[16];
};

struct PointerAttributes {
    int type; // 0: unregistered, 1: host, 2: device, 3: managed
    int device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};

struct LaunchAttribute {
    int id; // 2: cooperative, 4: cluster
    char unused[4];
    union {
        int number;
        struct {
            unsigned x, y, z;
        } cluster;
        char bytes[64];
    } value;
};
struct LaunchConfig {
    dim3 grid, block;
    std::size_t shared_bytes;
    void* stream;
    LaunchAttribute* attributes;
    unsigned count;
};

struct KernelNode { // cudaKernelNodeParams
    const void* function;
    dim3 grid, block;
    unsigned shared_bytes;
    void** arguments;
    void** extra;
};
struct MemsetNode { // cudaMemsetParams
    void* to;
    std::size_t pitch;
    unsigned value, element_bytes;
    std::size_t width, height;
};

} // namespace cudart

// What is seen of the library.
#define CUDART_API extern "C" __attribute__((visibility("default")))
