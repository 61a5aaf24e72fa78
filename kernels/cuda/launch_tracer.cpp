#include "cuda/launch_tracer.h"

#include "cuda/cuda_backend.h"
#include "error.h"
#include "gemm/inputs.h"
#include "machine_code/elf.h"
#include "recording/inputs.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include <cupti_activity.h>

namespace cuda {

namespace {

using recording::LaunchedKernel;

// The fields in use have had the same offsets since CUPTI 12.0. Later versions only append fields.
using KernelRecord = CUpti_ActivityKernel9;

constexpr std::size_t buffer_bytes = 1 << 16;
constexpr std::align_val_t buffer_alignment{8}; // required by CUPTI

struct StartedKernel {
    uint64_t start = 0;
    LaunchedKernel kernel;
};

// CUPTI calls back without a user pointer, possibly on its own thread. So the collected data must be global.
struct Collected {
    std::mutex mutex;
    const Cupti* cupti = nullptr; // null if no tracer exists
    std::vector<StartedKernel> kernels;
    std::size_t lost = 0;
};

Collected& collected()
{
    static Collected one;
    return one;
}

recording::Index3 index_of(int32_t x, int32_t y, int32_t z)
{
    const auto extent = [](int32_t value) { return static_cast<uint32_t>(std::max(value, 1)); };
    return {extent(x), extent(y), extent(z)};
}

StartedKernel kernel_of(const KernelRecord& record)
{
    StartedKernel result{.start = record.start, .kernel = {}};
    LaunchedKernel& kernel = result.kernel;
    kernel.name = kernels::readable_name(record.name);
    kernel.launch = {.grid = index_of(record.gridX, record.gridY, record.gridZ),
                     .block = index_of(record.blockX, record.blockY, record.blockZ)};
    kernel.cluster = index_of(static_cast<int32_t>(record.clusterX), static_cast<int32_t>(record.clusterY),
                              static_cast<int32_t>(record.clusterZ));
    kernel.resources = {.registers_per_thread = record.registersPerThread,
                        .shared_bytes_per_block =
                            static_cast<uint32_t>(record.staticSharedMemory + record.dynamicSharedMemory),
                        .local_bytes_per_thread = record.localMemoryPerThread};
    kernel.time_ns = static_cast<double>(record.end - record.start);
    return result;
}

void CUPTIAPI give_buffer(uint8_t** buffer, std::size_t* bytes, std::size_t* most_records)
{
    *buffer = static_cast<uint8_t*>(::operator new(buffer_bytes, buffer_alignment, std::nothrow));
    *bytes = *buffer != nullptr ? buffer_bytes : 0;
    *most_records = 0; // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t* buffer, std::size_t, std::size_t valid)
{
    Collected& to = collected();
    const std::lock_guard lock(to.mutex);
    CUpti_Activity* record = nullptr;
    while (to.cupti != nullptr && valid > 0 &&
           to.cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            to.kernels.push_back(kernel_of(*reinterpret_cast<const KernelRecord*>(record)));
    std::size_t lost = 0;
    if (to.cupti != nullptr && to.cupti->cuptiActivityGetNumDroppedRecords(context, stream, &lost) == CUPTI_SUCCESS)
        to.lost += lost;
    ::operator delete(buffer, buffer_alignment);
}

} // namespace

LaunchTracer::LaunchTracer(const Cupti& cupti) : cupti_(cupti)
{
    CUPTI_CALL(cupti_, cuptiActivityRegisterCallbacks, give_buffer, take_buffer);
    CUPTI_CALL(cupti_, cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    on_ = true;
    Collected& to = collected();
    const std::lock_guard lock(to.mutex);
    to.cupti = &cupti;
    to.kernels.clear();
    to.lost = 0;
}

LaunchTracer::~LaunchTracer()
{
    if (on_) { // finish() was not called: discards pending records
        cupti_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    }
    Collected& to = collected();
    const std::lock_guard lock(to.mutex);
    to.cupti = nullptr;
}

std::vector<LaunchedKernel> LaunchTracer::finish()
{
    CUPTI_CALL(cupti_, cuptiActivityFlushAll, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    CUPTI_CALL(cupti_, cuptiActivityDisable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    on_ = false;
    Collected& from = collected();
    const std::lock_guard lock(from.mutex);
    if (from.lost > 0)
        throw kernels::Unavailable("CUPTI lost some of its records of the kernels that ran; try again.");
    std::vector<StartedKernel> found = std::exchange(from.kernels, {});
    std::ranges::stable_sort(found, {}, &StartedKernel::start);
    std::vector<LaunchedKernel> result;
    for (StartedKernel& one : found)
        result.push_back(std::move(one.kernel));
    return result;
}

// Traces the kernels that cuBLAS selects for a multiplication.

std::vector<recording::LaunchedKernel> CudaBackend::cublas_kernels(kernels::Precision precision,
                                                                   const recording::Problem& problem,
                                                                   std::stop_token stop)
{
    enter_cublas(problem, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    const DeviceOperands operands = library_operands(
        precision, problem, kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed));
    const auto multiply = [&] {
        multiply_with_cublas(precision, problem, operands);
        context_.synchronize("cuBLAS");
    };
    multiply(); // the first call also selects an algorithm and loads its kernel
    LaunchTracer tracer(cupti);
    multiply();
    std::vector<recording::LaunchedKernel> found = tracer.finish();
    if (found.empty())
        throw kernels::Unavailable("CUPTI saw no kernel of cuBLAS; another profiler may hold its records (Nsight, or "
                                   "another gemmscope): end it and try again.");
    return found;
}

} // namespace cuda
