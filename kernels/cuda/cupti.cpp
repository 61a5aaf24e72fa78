#include "cuda/cupti.h"

#include "error.h"

#include <fmt/format.h>

namespace cuda {

namespace {

// A CUPTI that is newer than the driver does not work with it.
Library open_cupti(int newest_major)
{
    Library library = newest_major >= 13 ? Library({"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
                                         : Library({"libcupti.so.12", "libcupti.so"});
    if (!library.found())
        throw kernels::Unavailable(fmt::format(
            "The GPU's counters are read through NVIDIA's CUPTI, which is not installed (libcupti.so was not "
            "found); install the package cuda-cupti-{} from NVIDIA's repository.",
            newest_major >= 13 ? "13-0" : "12-9"));
    return library;
}

} // namespace

Cupti::Cupti(int newest_major) : library(open_cupti(newest_major))
{
    // These functions were added last.
    if (!cuptiRangeProfilerCounterDataGetRangeInfo || !cuptiProfilerHostEvaluateToGpuValues ||
        !cuptiDeviceGetChipName || !cuptiSassMetricsFlushData)
        throw kernels::Unavailable("The CUPTI that is installed is too old to read counters for gemmscope; install the "
                                   "package cuda-cupti-12-9 or cuda-cupti-13-0 from NVIDIA's repository.");
}

void Cupti::check(CUptiResult result, const char* call) const
{
    if (result == CUPTI_SUCCESS)
        return;
    const char* name = nullptr;
    if (!cuptiGetResultString || cuptiGetResultString(result, &name) != CUPTI_SUCCESS || !name)
        name = "a result without a name";
    throw kernels::Unavailable(refusal(result, name, call));
}

std::string chip_name(const Cupti& cupti, uint32_t gpu)
{
    auto params = CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    params.deviceIndex = gpu; // CUDA's device number
    CUPTI_CALL(cupti, cuptiDeviceGetChipName, &params);
    return params.pChipName;
}

std::string refusal(CUptiResult result, const std::string& name, const char* call)
{
    const std::string origin = fmt::format(" ({} from {})", name, call);
    switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "The NVIDIA driver lets only administrators read the GPU's counters" + origin +
               "; run gemmscope as root, or put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in "
               "/etc/modprobe.d and restart the machine, or start the container with --cap-add=SYS_ADMIN.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        return "The hypervisor does not let this virtual machine read the GPU's counters" + origin +
               "; its administrator can allow profiling for this virtual GPU.";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        return "The GPU runs in confidential-computing mode, which gives out no counters" + origin +
               "; use a machine without that mode.";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        return "The GPU is divided into MIG instances, which give out no counters" + origin +
               "; use a GPU that is not divided.";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        return "The GPU gives out no counters under WSL" + origin +
               "; allow it in the NVIDIA control panel (developer settings), or use Linux itself.";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_DISABLED:
        return "Another profiler has the GPU's counters" + origin +
               "; end it (Nsight, DCGM or another gemmscope) and try again.";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
        return "This CUPTI reads no counters of this GPU" + origin +
               "; it needs a GPU of compute capability 7.5 or later, and a CUPTI (package cuda-cupti) that is not "
               "older "
               "than the GPU.";
    default:
        return "The GPU's counters could not be read" + origin +
               "; check that CUPTI (package cuda-cupti) is of the same version as the driver's CUDA.";
    }
}

} // namespace cuda
