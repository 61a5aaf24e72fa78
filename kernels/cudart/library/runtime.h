// The state of the stand-in for CUDA's runtime: the connection to gemmscope, the program's memory and modules, and the
// next error. There is one object for the process, as for CUDA's runtime. It is never destroyed, since programs call
// the runtime up to their last destructor.
#pragma once

#include "cudart/protocol.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cudart {

// The supported part of CUDA's runtime interface. It is declared here so that no toolkit is needed to build the
// library. Values and layouts are those of cuda_runtime_api.h and driver_types.h, which do not change them between
// versions.

struct dim3 { // NOLINT(readability-identifier-naming): CUDA's
    unsigned x = 1, y = 1, z = 1;
};

using Error = int; // cudaError_t; names for the values in use follow
inline constexpr Error success = 0, invalid_value = 1, out_of_memory = 2, invalid_configuration = 9,
                       invalid_symbol = 13, invalid_pitch = 12, invalid_function = 98, invalid_device = 101,
                       no_image = 209, invalid_handle = 400, not_supported = 801, capture_unmatched = 903,
                       missing_configuration = 52, capture_implicit = 906, host_not_registered = 713;

inline constexpr int sm_count = 132; // of the GPU that programs are told of, an H200

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
// A CUDA array. Its rows lie one after another in the GPU's memory.
struct DeviceArray {
    void* memory = nullptr;
    std::size_t pitch = 0, slice = 0, element_bytes = 0; // bytes
    Box extent{};                                        // elements; 0 for an axis that it does not have
    int channels[5]{};                                   // cudaChannelFormatDesc
};
struct Copy3D { // cudaMemcpy3DParms
    DeviceArray* from_array;
    Position from_position;
    PitchedPointer from;
    DeviceArray* to_array;
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

// Marks functions that the library exports.
#define CUDART_API extern "C" __attribute__((visibility("default")))

namespace cudart {

struct Allocation {
    enum class Kind { device, managed, pinned, registered };
    uint64_t address = 0, bytes = 0;
    char* host = nullptr; // where this process sees the bytes
    Kind kind = Kind::device;
};

struct Module {
    std::string ptx, cubin;
    std::string no_code; // if not empty, a sentence that says why it has no readable PTX
    bool asked = false;
    LoadedModule loaded;
};

struct Kernel {
    Module* module = nullptr;
    std::string name;
    std::optional<DescribedKernel> described;
    uint64_t most_dynamic_shared = 48 * 1024; // until cudaFuncSetAttribute allows more
};

struct Symbol {
    Module* module = nullptr;
    std::string name;
    void** managed = nullptr; // the host's pointer to a managed variable, which is set when its address is known
};

class Runtime {
public:
    static Runtime& get();

    // Returns what CUDA's functions return. The error becomes the result of the next cudaGetLastError. After a fault of
    // a kernel all functions return that fault.
    Error result(Error error);
    Error take_last_error();
    Error last_error() const;
    void fail_for_good(Error error) { sticky_ = error; }
    Error sticky() const { return sticky_; }

    // Sends a request and returns its answer. Does not throw: if gemmscope is gone, the process ends.
    template <class Reply, class Question>
    Reply ask(Call call, const Question& question)
    {
        return unpacked<Reply>(exchange(call, packed(question)));
    }
    void tell(const std::string& words);      // reports a sentence to the user
    void tell_once(const std::string& words); // does nothing if it was reported before

    Error allocate(void** to, std::size_t bytes, Allocation::Kind kind);
    Error release(const void* pointer);
    void register_host(void* pointer, std::size_t bytes);
    const Allocation* allocation_of(const void* pointer);
    uint64_t allocated() const { return allocated_; }

    void** add_module(const void* fat_binary);
    void add_kernel(void** module, const void* host, const char* name);
    void add_symbol(void** module, const void* host, const char* name, void** managed);
    // Returns the kernel with that host function or that handle, or null if there is none.
    Kernel* kernel(const void* host);
    const DescribedKernel& describe(Kernel& kernel); // asks gemmscope once per kernel
    const LoadedVariable* variable(const void* symbol);
    void load_managed(); // loads symbols that the host reads without a call

private:
    Runtime() = default;
    std::string exchange(Call call, const std::string& bytes);
    void connect();
    bool map(Allocation& allocation, uint64_t offset);
    const LoadedModule& load(Module& module);

    std::recursive_mutex mutex_;
    int socket_ = -1, memory_ = -1;
    Error sticky_ = success;
    std::vector<std::string> told_;
    std::map<uint64_t, Allocation> allocations_;
    std::vector<std::unique_ptr<Module>> modules_;
    std::map<const void*, std::unique_ptr<Kernel>> kernels_;
    std::map<const void*, Symbol> symbols_;
    uint64_t allocated_ = 0;
};

inline Error good()
{
    return Runtime::get().result(success);
}

// Reports the name of a function that is not supported, and fails.
Error not_served(const char* function);

// Work of a stream. It is done at once, or kept if the stream is being captured to a graph.
using Work = std::function<Error()>;
Error submit(void* stream, Work work);

// Adds a node to a graph that the program builds itself: what `work` submits to the stream. The work of a graph is done
// in the order in which its nodes were added, in which each node comes after those that it depends on.
Error add_node(void** node, void* graph, const std::function<Error(void* stream)>& work);

// The parameters of a launch. launch() copies the arguments at once.
struct Launch {
    dim3 grid, block, cluster{0, 0, 0};
    std::size_t shared_bytes = 0;
    void* stream = nullptr;
    bool cooperative = false;
};
Error launch(const void* function, const Launch& launch, void** arguments);

} // namespace cudart
