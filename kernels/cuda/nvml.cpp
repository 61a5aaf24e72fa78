#include "cuda/nvml.h"

#include "error.h"

#include <fmt/format.h>

namespace cuda {

namespace {

// Declarations that match nvml.h: its results are an enum, its devices are pointers, its strings are zero-terminated.
using Begin = int();
using Find = int(const char* uuid, void** device);
using TotalEnergy = int(void* device, unsigned long long* millijoules);
using ResultText = const char*(int result);

constexpr int success = 0, not_supported = 3, no_permission = 4, not_found = 6;

Library open()
{
    Library library({"libnvidia-ml.so.1"});
    if (!library.found())
        throw kernels::Unavailable(
            "How much energy a GPU takes is read through NVIDIA's NVML, which comes with the driver: "
            "libnvidia-ml.so.1 was not found. Where gemmscope runs in a container, it needs the "
            "driver's 'utility' part (NVIDIA_DRIVER_CAPABILITIES).");
    return library;
}

// Explains the library's result in a sentence; `text` is the library's own message.
std::string why_no_energy(int result, const std::string& text)
{
    switch (result) {
    case not_supported: return fmt::format("This GPU does not count the energy that it takes (NVML: {}).", text);
    case no_permission: return fmt::format("This user may not read how much energy the GPU takes (NVML: {}).", text);
    case not_found:
        return fmt::format(
            "NVML does not know this GPU, of whose energy it was asked ({}); a part of a GPU (MIG) has no "
            "count of its own.",
            text);
    default: return fmt::format("How much energy the GPU takes could not be read (NVML: {}).", text);
    }
}

} // namespace

Nvml::Nvml(const std::string& uuid) : library_(open())
{
    check(library_.function<Begin*>("nvmlInit_v2")(), "nvmlInit_v2");
    check(library_.function<Find*>("nvmlDeviceGetHandleByUUID")(uuid.c_str(), &device_), "nvmlDeviceGetHandleByUUID");
    millijoules(); // throws if this GPU has no energy counter
}

Nvml::~Nvml()
{
    library_.find<Begin*>("nvmlShutdown")();
}

uint64_t Nvml::millijoules() const
{
    unsigned long long result = 0;
    check(library_.function<TotalEnergy*>("nvmlDeviceGetTotalEnergyConsumption")(device_, &result),
          "nvmlDeviceGetTotalEnergyConsumption");
    return result;
}

void Nvml::check(int result, const char* what) const
{
    if (result == success)
        return;
    auto* const text = library_.find<ResultText*>("nvmlErrorString");
    throw kernels::Unavailable(
        why_no_energy(result, fmt::format("{} from {}", text ? text(result) : "no words", what)));
}

} // namespace cuda
