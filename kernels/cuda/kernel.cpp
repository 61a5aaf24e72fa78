#include "cuda/context.h"
#include "error.h"

#include <fmt/format.h>

#include <utility>

namespace cuda {

Kernel::Kernel(const Context& context, const std::string& image, const std::string& lowered_name) : context_(&context)
{
    CUDA_CHECK(context.driver(), cuModuleLoadData, &module_, image.c_str());
    const CUresult result = context.driver().cuModuleGetFunction(&function_, module_, lowered_name.c_str());
    if (result != CUDA_SUCCESS) {
        context.driver().cuModuleUnload(module_);
        context.driver().check(result, "cuModuleGetFunction", std::source_location::current());
    }
}

Kernel::~Kernel()
{
    if (module_)
        context_->driver().cuModuleUnload(module_);
}

Kernel::Kernel(Kernel&& other) noexcept
    : context_(other.context_), module_(std::exchange(other.module_, nullptr)),
      function_(std::exchange(other.function_, nullptr))
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
               static_cast<int>(threads_per_block), 0);
    return {.registers_per_thread = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
            .shared_bytes_per_block = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
            .local_bytes_per_thread = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
            .blocks_per_sm = static_cast<uint32_t>(blocks)};
}

void Kernel::launch(const recording::Launch& launch, std::span<const std::span<const std::byte>> arguments) const
{
    std::vector<void*> pointers; // the driver knows each argument's size from the cubin, and only reads
    for (const std::span<const std::byte> argument : arguments)
        pointers.push_back(const_cast<std::byte*>(argument.data()));
    CUDA_CHECK(context_->driver(), cuLaunchKernel, function_, launch.grid.x, launch.grid.y, launch.grid.z,
               launch.block.x, launch.block.y, launch.block.z, 0, context_->stream(), pointers.data(), nullptr);
}

} // namespace cuda
