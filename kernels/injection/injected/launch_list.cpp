#include "injection/injected/launch_list.h"

#include "injection/injected/sanitizer_api.h"
#include "machine_code/elf.h"

#include <cupti_activity.h>
#include <cupti_result.h>
#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <new>
#include <stdexcept>
#include <unistd.h>

namespace injection {

namespace {

using KernelRecord = CUpti_ActivityKernel9; // its fields have the same offsets as in CUPTI 12.0

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::align_val_t buffer_alignment{8}; // required by CUPTI

// CUPTI calls back without a user pointer, so the output must be reachable globally.
struct Output {
    std::mutex mutex;
    std::ofstream file;
    decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
    decltype(&::cuptiActivityFlushAll) flush = nullptr;
};

Output& output()
{
    static auto* const one = new Output; // never destroyed, because CUPTI calls back until the process ends
    return *one;
}

void write_line(std::ofstream& to, const KernelRecord& kernel)
{
    to << kernel.start << '\t' << kernel.end - kernel.start << '\t' << kernel.gridX << '\t' << kernel.gridY << '\t'
       << kernel.gridZ << '\t' << kernel.blockX << '\t' << kernel.blockY << '\t' << kernel.blockZ << '\t'
       << kernel.clusterX << '\t' << kernel.clusterY << '\t' << kernel.clusterZ << '\t' << kernel.registersPerThread
       << '\t' << kernel.staticSharedMemory + kernel.dynamicSharedMemory << '\t' << kernel.localMemoryPerThread << '\t'
       << kernel.deviceId << '\t' << kernels::readable_name(kernel.name) << '\n';
}

void CUPTIAPI give_buffer(uint8_t** buffer, std::size_t* bytes, std::size_t* most_records)
{
    *buffer = static_cast<uint8_t*>(::operator new(buffer_bytes, buffer_alignment, std::nothrow));
    *bytes = *buffer != nullptr ? buffer_bytes : 0;
    *most_records = 0; // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t* buffer, std::size_t, std::size_t valid)
{
    Output& to = output();
    const std::lock_guard lock(to.mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && to.next_record(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            write_line(to.file, *reinterpret_cast<const KernelRecord*>(record));
    to.file.flush();
    ::operator delete(buffer, buffer_alignment);
}

} // namespace

LaunchList::LaunchList(const Request& request, const std::filesystem::path& folder)
{
    void* library = dlopen(request.library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
        throw std::runtime_error("CUPTI could not be loaded: " + std::string(dlerror()));
    const auto find = [&]<class Function>(Function, const char* name) {
        const auto function = reinterpret_cast<Function>(dlsym(library, name));
        if (function == nullptr)
            throw std::runtime_error(request.library + " has no function " + name + ": install CUDA 12 or later.");
        return function;
    };
    Output& to = output();
    to.file.open(folder / (launches_file + std::to_string(getpid())));
    to.next_record = find(&::cuptiActivityGetNextRecord, "cuptiActivityGetNextRecord");
    to.flush = find(&::cuptiActivityFlushAll, "cuptiActivityFlushAll");
    const auto enable = find(&::cuptiActivityEnable, "cuptiActivityEnable");
    const auto callbacks = find(&::cuptiActivityRegisterCallbacks, "cuptiActivityRegisterCallbacks");
    if (callbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
        enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
        throw std::runtime_error("CUPTI refuses to list kernels: another profiler may be at work in the program.");
    std::atexit([] { output().flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED); });
}

} // namespace injection
