// The CUDA driver's functions, resolved at run time, and its errors as sentences. Internal to kernels/cuda: it includes
// cuda.h.
#pragma once

#include "backend.h"
#include "cuda/library.h"

#include <cuda.h>

#include <source_location>
#include <string>
#include <vector>

namespace cuda {

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
