#include "cuda/context.h"
#include "cuda/library.h"
#include "error.h"

#include <fmt/format.h>

#include <utility>

namespace cuda {

Kernel::Kernel(const Context& context, const std::string& image, const std::string& lowered_name,
               uint32_t dynamic_shared)
    : context_(&context), dynamic_shared_(dynamic_shared)
{
    CUDA_CHECK(context.driver(), cuModuleLoadData, &module_, image.c_str());
    try {
        CUDA_CHECK(context.driver(), cuModuleGetFunction, &function_, module_, lowered_name.c_str());
        if (dynamic_shared > 0)
            allow_dynamic_shared();
    } catch (...) {
        context.driver().cuModuleUnload(module_);
        throw;
    }
}

void Kernel::allow_dynamic_shared() const
{
    if (const auto most =
            static_cast<uint32_t>(context_->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
        dynamic_shared_ > most)
        throw kernels::Error(
            fmt::format("The kernel needs {} of shared memory per block, and this GPU gives a block at "
                        "most {}; choose smaller tiles or fewer stages.",
                        bytes_in_words(dynamic_shared_), bytes_in_words(most)));
    CUDA_CHECK(context_->driver(), cuFuncSetAttribute, function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
               static_cast<int>(dynamic_shared_));
}

Kernel::~Kernel()
{
    if (module_)
        context_->driver().cuModuleUnload(module_);
}

Kernel::Kernel(Kernel&& other) noexcept
    : context_(other.context_), module_(std::exchange(other.module_, nullptr)),
      function_(std::exchange(other.function_, nullptr)), dynamic_shared_(other.dynamic_shared_)
{
}

recording::Resources Kernel::resources(uint32_t threads_per_block) const
{
    const auto attribute = [this](CUfunction_attribute which) {
        int value = 0;
        CUDA_CHECK(context_->driver(), cuFuncGetAttribute, &value, which, function_);
        return static_cast<uint32_t>(value);
    };
    int blocks = 0;
    CUDA_CHECK(context_->driver(), cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, function_,
               static_cast<int>(threads_per_block), dynamic_shared_);
    return {.registers_per_thread = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
            .shared_bytes_per_block = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + dynamic_shared_,
            .local_bytes_per_thread = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
            .blocks_per_sm = static_cast<uint32_t>(blocks)};
}

void Kernel::launch(const recording::Launch& launch, void** arguments, CUlaunchAttribute* attribute) const
{
    const Driver& driver = context_->driver();
    if (attribute == nullptr) {
        CUDA_CHECK(driver, cuLaunchKernel, function_, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                   launch.block.y, launch.block.z, dynamic_shared_, context_->stream(), arguments, nullptr);
        return;
    }
    const CUlaunchConfig config{.gridDimX = launch.grid.x,
                                .gridDimY = launch.grid.y,
                                .gridDimZ = launch.grid.z,
                                .blockDimX = launch.block.x,
                                .blockDimY = launch.block.y,
                                .blockDimZ = launch.block.z,
                                .sharedMemBytes = dynamic_shared_,
                                .hStream = context_->stream(),
                                .attrs = attribute,
                                .numAttrs = 1};
    driver.check(driver.launch_with_attributes(&config, function_, arguments, nullptr), "cuLaunchKernelEx",
                 std::source_location::current());
}

void Kernel::launch(const recording::Launch& extent, std::span<const std::span<const std::byte>> arguments,
                    bool early) const
{
    std::vector<void*> pointers; // the driver knows each argument's size from the cubin, and only reads the arguments
    for (const std::span<const std::byte> argument : arguments)
        pointers.push_back(const_cast<std::byte*>(argument.data()));
    CUlaunchAttribute may_begin{};
    may_begin.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    may_begin.value.programmaticStreamSerializationAllowed = 1;
    const bool known =
        context_->driver().launch_with_attributes != nullptr && context_->device().compute_capability >= 90;
    launch(extent, pointers.data(), early && known ? &may_begin : nullptr);
}

void Kernel::launch_with(const recording::Launch& extent, const std::optional<recording::Index3>& cluster,
                         std::span<void* const> arguments) const
{
    void** const pointers = const_cast<void**>(arguments.data()); // the driver only reads them
    if (!cluster)
        return launch(extent, pointers, nullptr);
    if (context_->driver().launch_with_attributes == nullptr)
        throw kernels::Error("This driver is too old for clusters of blocks; install one for CUDA 12 or later.");
    CUlaunchAttribute in_clusters{};
    in_clusters.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    in_clusters.value.clusterDim = {cluster->x, cluster->y, cluster->z};
    launch(extent, pointers, &in_clusters);
}

} // namespace cuda
