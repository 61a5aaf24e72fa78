// The part of NVIDIA's Compute Sanitizer API that tracing uses, as in CUDA 12 and 13: names, numbers, and the first
// fields of the callbacks' arguments. It is declared here because only a full installation of the toolkit contains the
// headers. A program built without them can still trace if the library exists. scripts/gpu-check compares these
// declarations with the headers.
#pragma once

#include "injection/request.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace injection {

using Handle = void*; // a context, module, function, stream or launch; opaque here

enum class Domain : int { driver = 1, resource = 3, launch = 5, graphs = 10 };
inline constexpr uint32_t module_loaded = 9, module_unloading = 10;
inline constexpr uint32_t memory_allocated = 11, memory_freed = 12;
inline constexpr uint32_t host_memory_allocated = 13, host_memory_freed = 14; // pinned, so kernels can access it
inline constexpr uint32_t memory_allocated_async = 15, memory_freed_async = 16;
inline constexpr uint32_t launch_begin = 1, launch_end = 3;
inline constexpr uint32_t graph_node_begin = 4, graph_begin = 6, graph_end = 7;

struct ModuleData {
    Handle context, module;
    std::size_t cubin_bytes;
    const char* cubin;
};

struct MemoryData {
    uint64_t address, bytes;
    Handle context;
    int device;
    Handle stream, stream_handle, pool;
    uint32_t flags;
};
inline constexpr uint32_t memory_managed = 0x2, memory_of_peer = 0x10, memory_of_cooperative_groups = 0x40;
inline constexpr uint32_t memory_of_dynamic_parallelism = 0x80;

// A call of a function of CUDA's driver, at its begin or end.
struct CallData {
    int ends; // not 0 at its end
    const char* function;
    const void* parameters;
};

struct LaunchData {
    Handle context, stream, stream_handle, module, function;
    const char* name;
    uint32_t grid[3], block[3], cluster[3]; // set when the launch begins
    uint64_t grid_id;
    Handle launch; // valid until the launch ends
    int device;
    Handle graph_context, graph_stream, graph_stream_handle; // of the launched graph; only for its nodes
};

// A graph that is launched, or only uploaded to the GPU.
struct GraphData {
    Handle context, stream, stream_handle, graph;
    uint32_t uploaded; // not 0 if the graph is only uploaded and does not run
};

struct GraphNodeData {
    Handle graph;
    uint32_t launch_id;
    Handle node;
    int type;
    LaunchData launch; // set for a kernel_node
};
inline constexpr int kernel_node = 0;

// Kinds of instructions that can be patched.
enum class Patched : int {
    block_enter = 1,
    block_exit = 2,
    global_access = 3,
    shared_access = 4,
    barrier = 6,
    shuffle = 8,
    cuda_barrier = 13,
    memcpy_async = 14,
    pipeline_commit = 15,
    pipeline_wait = 16,
    remote_shared_access = 17,
    matrix_access = 19,
    warpgroup_multiply = 23,
    warpgroup_wait = 24,
    bulk_copy_to_shared = 30,
    bulk_copy_to_global = 35,
};

using Callback = void (*)(void* data, Domain domain, uint32_t id, const void* what);

// The API's functions return 0 for success.
struct SanitizerApi {
    // Loads libsanitizer-public.so from this path. Throws std::runtime_error if that fails or a function is missing.
    explicit SanitizerApi(const std::string& path);

    int (*subscribe)(Handle* subscriber, Callback callback, void* data) = nullptr;
    int (*enable_domain)(uint32_t on, Handle subscriber, Domain domain) = nullptr;
    int (*add_patches)(const char* file, Handle context) = nullptr;
    int (*patch_instructions)(Patched kind, Handle module, const char* function) = nullptr;
    int (*patch_module)(Handle module) = nullptr;
    int (*set_launch_data)(Handle launch, Handle function, Handle stream, const void* data) = nullptr;
    int (*function_place)(Handle module, const char* function, uint64_t* pc, uint64_t* bytes) = nullptr;
    int (*alloc)(Handle context, void** memory, std::size_t bytes) = nullptr;
    int (*free)(Handle context, void* memory) = nullptr;
    int (*to_device)(void* to, void* from, std::size_t bytes, Handle stream) = nullptr;
    int (*to_host)(void* to, void* from, std::size_t bytes, Handle stream) = nullptr;
    int (*set)(void* memory, int value, std::size_t bytes, Handle stream) = nullptr;
    int (*synchronize)(Handle stream) = nullptr;
    int (*result_text)(int result, const char** text) = nullptr;

    // If the call failed, throws std::runtime_error with the call and the library's message.
    void check(int result, const char* call) const;
    // Returns that message, or an empty text.
    std::string problem(int result, const char* call) const;
};

// Returns device, compute_capability, sms, threads_per_sm, clock_khz and driver, as far as the driver reports them.
Fields gpu_facts(int device);
Fields current_gpu_facts(); // for the calling thread's context

// Returns whether work submitted to the stream (a CUstream) becomes part of a CUDA graph instead of running.
bool is_captured(Handle stream);

// Returns registers and local_bytes of a CUfunction.
Fields kernel_facts(Handle function);

} // namespace injection
