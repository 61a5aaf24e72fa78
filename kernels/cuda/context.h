// One GPU: its primary context, a stream, and the memory, events and kernels in it. Internal to kernels/cuda.
#pragma once

#include "backend.h"
#include "cuda/library.h"
#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <cuda.h>

namespace cuda {

// The CUDA driver's functions, resolved at run time, and its errors as sentences. Internal to kernels/cuda.

// Resolves a function under the name that cuda.h maps it to: cuMemAlloc is cuMemAlloc_v2 in the library.
#define DRIVER_NAME_OF(name) #name
#define DRIVER_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(DRIVER_NAME_OF(name))

struct Driver {
    // Throws kernels::Unavailable if there is no driver or no GPU.
    Driver();

    Library library;
    DRIVER_FUNCTION(cuInit);
    DRIVER_FUNCTION(cuDriverGetVersion);
    DRIVER_FUNCTION(cuGetErrorName);
    DRIVER_FUNCTION(cuGetErrorString);
    DRIVER_FUNCTION(cuDeviceGetCount);
    DRIVER_FUNCTION(cuDeviceGet);
    DRIVER_FUNCTION(cuDeviceGetName);
    DRIVER_FUNCTION(cuDeviceGetUuid);
    DRIVER_FUNCTION(cuDeviceGetAttribute);
    DRIVER_FUNCTION(cuDevicePrimaryCtxRetain);
    DRIVER_FUNCTION(cuDevicePrimaryCtxRelease);
    DRIVER_FUNCTION(cuCtxSetCurrent);
    DRIVER_FUNCTION(cuMemAlloc);
    DRIVER_FUNCTION(cuMemFree);
    DRIVER_FUNCTION(cuMemGetInfo);
    DRIVER_FUNCTION(cuMemcpyHtoDAsync);
    DRIVER_FUNCTION(cuMemcpyDtoHAsync);
    DRIVER_FUNCTION(cuMemcpyDtoDAsync);
    DRIVER_FUNCTION(cuMemsetD8Async);
    DRIVER_FUNCTION(cuStreamCreate);
    DRIVER_FUNCTION(cuStreamDestroy);
    DRIVER_FUNCTION(cuStreamSynchronize);
    DRIVER_FUNCTION(cuStreamBeginCapture);
    DRIVER_FUNCTION(cuStreamEndCapture);
    DRIVER_FUNCTION(cuGraphInstantiateWithFlags);
    DRIVER_FUNCTION(cuGraphLaunch);
    DRIVER_FUNCTION(cuGraphDestroy);
    DRIVER_FUNCTION(cuGraphExecDestroy);
    DRIVER_FUNCTION(cuEventCreate);
    DRIVER_FUNCTION(cuEventDestroy);
    DRIVER_FUNCTION(cuEventRecord);
    DRIVER_FUNCTION(cuEventSynchronize);
    DRIVER_FUNCTION(cuModuleLoadData);
    DRIVER_FUNCTION(cuModuleUnload);
    DRIVER_FUNCTION(cuModuleGetFunction);
    DRIVER_FUNCTION(cuFuncGetAttribute);
    DRIVER_FUNCTION(cuFuncSetAttribute);
    DRIVER_FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    DRIVER_FUNCTION(cuLaunchKernel);
    // Null in drivers older than CUDA 11.8.
    decltype(&::cuLaunchKernelEx) launch_with_attributes =
        library.find<decltype(&::cuLaunchKernelEx)>("cuLaunchKernelEx");
    // Null in drivers older than CUDA 12, which do not support Hopper.
    decltype(&::cuTensorMapEncodeTiled) encode_tiled =
        library.find<decltype(&::cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
    // CUDA 13's cuda.h maps this to a name that older drivers lack; the plain name does the same.
    decltype(&::cuEventElapsedTime) elapsed_time =
        library.function<decltype(&::cuEventElapsedTime)>("cuEventElapsedTime");

    // If the call failed, throws kernels::Error with the call, its source location and the driver's text.
    void check(CUresult result, const char* call, std::source_location place) const;

    std::string text(CUresult result) const; // "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
};

#undef DRIVER_FUNCTION
#undef DRIVER_NAME_OF

std::vector<kernels::ListedGpu> listed_gpus(const Driver& driver);

} // namespace cuda

// CUDA_CHECK(driver, cuMemFree, pointer) makes the call and throws kernels::Error if it fails.
#define CUDA_CHECK(driver, call, ...) (driver).check((driver).call(__VA_ARGS__), #call, std::source_location::current())

namespace cuda {

class Context;

// Device memory; the destructor frees it.
class Buffer {
public:
    Buffer() = default;
    // Allocates uninitialized memory. Throws kernels::Error with the requested and the free amount.
    Buffer(const Context& context, uint64_t bytes);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    CUdeviceptr address() const { return address_; }
    uint64_t bytes() const { return bytes_; }
    template <class T>
    T* as() const
    {
        return reinterpret_cast<T*>(address_);
    }

private:
    const Context* context_ = nullptr;
    CUdeviceptr address_ = 0;
    uint64_t bytes_ = 0;
};

class Event {
public:
    explicit Event(const Context& context);
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() const;
    double milliseconds_since(const Event& earlier) const; // waits for this event

private:
    const Context& context_;
    CUevent event_ = nullptr;
};

// Returns the bytes of a kernel argument.
template <class T>
std::span<const std::byte> argument_bytes(const T& value)
{
    return std::as_bytes(std::span(&value, 1));
}

// A loaded cubin and the kernel in it.
class Kernel {
public:
    // `dynamic_shared` is in bytes per block, beyond what the kernel declares. Throws kernels::Error if the GPU has
    // less.
    Kernel(const Context& context, const std::string& image, const std::string& lowered_name, uint32_t dynamic_shared);
    ~Kernel();
    Kernel(Kernel&& other) noexcept;
    Kernel& operator=(Kernel&&) = delete;

    recording::Resources resources(uint32_t threads_per_block) const;

    // Queues a launch and returns at once; faults are reported by the next synchronize(). `arguments` has the bytes of
    // each argument. With `early`, the kernel may start before the previous kernel has ended; it then waits for that
    // kernel's results itself (Block::wait_for_first_kernel).
    void launch(const recording::Launch& launch, std::span<const std::span<const std::byte>> arguments,
                bool early = false) const;

    // Does the same with the address of each argument. If `cluster` is given, launches clusters of that many blocks.
    void launch_with(const recording::Launch& launch, const std::optional<recording::Index3>& cluster,
                     std::span<void* const> arguments) const;

private:
    void allow_dynamic_shared() const;
    // Null: no attribute.
    void launch(const recording::Launch& launch, void** arguments, CUlaunchAttribute* attribute) const;

    const Context* context_;
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
    uint32_t dynamic_shared_ = 0;
};

class Context {
public:
    // `gpu` is CUDA's device number. Throws kernels::Unavailable like Driver does, and if there is no such GPU.
    explicit Context(int gpu);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    int attribute(CUdevice_attribute which) const;

    // Makes the context current, which every thread needs before it uses the context. Throws if a fault has lost it.
    void enter() const;

    const Driver& driver() const { return driver_; }
    CUcontext handle() const { return context_; }
    CUstream stream() const { return stream_; }
    uint32_t number() const { return static_cast<uint32_t>(number_); } // CUDA's device number
    const recording::Device& device() const { return device_; }        // `toolkit` is empty
    // The newest version that the driver supports: 13000 for CUDA 13.0.
    int cuda_version() const { return cuda_version_; }
    uint64_t free_bytes() const;
    uint64_t total_bytes() const;

    // Throws kernels::Error if the device does not support such a grid or block.
    void check_limits(const recording::Launch& launch) const;

    void upload(const Buffer& to, const void* from, uint64_t bytes) const; // returns when `from` may change
    // Returns when the data has arrived.
    void download(void* to, const Buffer& from, uint64_t bytes, uint64_t start = 0) const;
    void copy(const Buffer& to, const Buffer& from) const;     // queued
    void fill(const Buffer& buffer, unsigned char byte) const; // queued

    // Waits for all queued work. Throws kernels::Error if the kernel `doing` faulted; the context is then lost, and
    // every later call in this process throws too.
    void synchronize(const std::string& doing) const;

    bool lost() const { return !lost_.empty(); }

private:
    void describe();

    Driver driver_;
    int number_ = 0;
    CUdevice id_ = 0;
    CUcontext context_ = nullptr;
    CUstream stream_ = nullptr;
    recording::Device device_;
    int cuda_version_ = 0;
    mutable std::string lost_; // the reason, once the context is lost
};

} // namespace cuda
