#include "cuda/driver.h"

#include "error.h"

#include <fmt/format.h>

#include <filesystem>

namespace cuda {

namespace {

Library open_driver()
{
    Library library({"libcuda.so.1"});
    if (!library.found())
        throw kernels::Unavailable("There is no NVIDIA driver on this machine (libcuda.so.1 was not found); to use "
                                   "an NVIDIA GPU, install the package nvidia-driver.");
    return library;
}

[[noreturn]] void refuse(const Driver& driver, CUresult result)
{
    switch (result) {
    case CUDA_ERROR_NO_DEVICE:
        throw kernels::Unavailable("The NVIDIA driver is installed but sees no GPU; check with nvidia-smi, and that "
                                   "CUDA_VISIBLE_DEVICES does not hide the GPU.");
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        throw kernels::Unavailable("The NVIDIA driver's library and kernel module are of different versions; restart "
                                   "the machine to finish the driver's update.");
    case CUDA_ERROR_STUB_LIBRARY:
        throw kernels::Unavailable("The libcuda.so.1 that was found is the toolkit's stub, not the NVIDIA driver; take "
                                   "the folder 'stubs' out of LD_LIBRARY_PATH.");
    default:
        throw kernels::Unavailable(
            fmt::format("The NVIDIA driver does not start: {}; check with nvidia-smi.", driver.text(result)));
    }
}

} // namespace

Driver::Driver() : library(open_driver())
{
    if (const CUresult result = cuInit(0); result != CUDA_SUCCESS)
        refuse(*this, result);
    int version = 0, count = 0;
    CUDA_CHECK(*this, cuDriverGetVersion, &version);
    if (version < 12000)
        throw kernels::Unavailable(fmt::format("The NVIDIA driver is too old (it knows CUDA {}.{}, and CUDA 12 is "
                                               "needed); update to driver 525 or later.",
                                               version / 1000, version % 1000 / 10));
    if (const CUresult result = cuDeviceGetCount(&count); result != CUDA_SUCCESS)
        refuse(*this, result);
    if (count == 0)
        refuse(*this, CUDA_ERROR_NO_DEVICE);
}

std::string Driver::text(CUresult result) const
{
    const char *name = nullptr, *description = nullptr;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || cuGetErrorString(result, &description) != CUDA_SUCCESS)
        return fmt::format("error {}", static_cast<int>(result));
    return fmt::format("{} ({})", description, name);
}

void Driver::check(CUresult result, const char* call, std::source_location place) const
{
    if (result == CUDA_SUCCESS)
        return;
    throw kernels::Error(fmt::format("The GPU's driver refused {} (in {}, line {}): {}.", call,
                                     std::filesystem::path(place.file_name()).filename().string(), place.line(),
                                     text(result)));
}

std::vector<kernels::ListedGpu> listed_gpus(const Driver& driver)
{
    int count = 0;
    CUDA_CHECK(driver, cuDeviceGetCount, &count);
    std::vector<kernels::ListedGpu> result;
    for (int number = 0; number < count; ++number) {
        CUdevice device = 0;
        CUuuid uuid{};
        char name[256] = {};
        CUDA_CHECK(driver, cuDeviceGet, &device, number);
        CUDA_CHECK(driver, cuDeviceGetName, name, static_cast<int>(sizeof name) - 1, device);
        CUDA_CHECK(driver, cuDeviceGetUuid, &uuid, device);
        std::string text = "GPU-";
        for (std::size_t i = 0; i < sizeof uuid.bytes; ++i)
            text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                                static_cast<unsigned char>(uuid.bytes[i]));
        result.push_back({number, name, text});
    }
    return result;
}

} // namespace cuda
