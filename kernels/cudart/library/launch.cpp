// Launches of kernels, and functions about kernels.
#include "cudart/library/runtime.h"

#include <algorithm>
#include <cstring>
#include <vector>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

// The configurations of <<<...>>>. They are kept from the launch in the source to the call of the kernel's host
// function.
thread_local std::vector<Launch> pushed;

Extent extent(const dim3& from)
{
    return {from.x, from.y, from.z};
}

std::string arguments_of(const DescribedKernel& described, void** arguments)
{
    std::string bytes(described.parameter_bytes, '\0');
    for (std::size_t i = 0; i < described.parameters.size(); ++i)
        std::memcpy(bytes.data() + described.parameters[i].first, arguments[i], described.parameters[i].bytes);
    return bytes;
}

// Returns how many blocks of that many threads an SM of an H200 holds. It has room for 64 warps and 32 blocks, 65,536
// registers, which it allocates to a warp in units of 256, and 228 KiB of shared memory, of which the system takes 1
// KiB for each block.
int blocks_per_sm(const DescribedKernel& kernel, int threads, std::size_t dynamic)
{
    if (threads <= 0 || static_cast<uint32_t>(threads) > kernel.most_threads)
        return 0;
    const auto warps = static_cast<uint32_t>(threads + 31) / 32;
    const uint32_t of_warp = (std::max(1u, kernel.registers) * 32 + 255) / 256 * 256;
    const auto by_shared = static_cast<uint32_t>(uint64_t{228} * 1024 / (kernel.shared_bytes + dynamic + 1024));
    return static_cast<int>(std::min({32u, 64 / warps, 65536 / (of_warp * warps), by_shared}));
}

// Fails for a kernel that cannot be run, since nothing is known about it, and reports why.
Error unknown(const DescribedKernel& described)
{
    Runtime::get().tell_once(described.error);
    return Runtime::get().result(not_supported);
}

Launch of_config(const LaunchConfig& config)
{
    Launch launch{
        .grid = config.grid, .block = config.block, .shared_bytes = config.shared_bytes, .stream = config.stream};
    for (unsigned i = 0; i < config.count; ++i) {
        const LaunchAttribute& one = config.attributes[i];
        if (one.id == 2)
            launch.cooperative = one.value.number != 0;
        else if (one.id == 4)
            launch.cluster = {one.value.cluster.x, one.value.cluster.y, one.value.cluster.z};
    }
    return launch;
}

} // namespace

Error launch(const void* function, const Launch& how, void** arguments)
{
    Runtime& runtime = Runtime::get();
    Kernel* const kernel = runtime.kernel(function);
    if (kernel == nullptr)
        return runtime.result(invalid_function);
    const DescribedKernel& described = runtime.describe(*kernel);
    if (!described.error.empty()) {
        runtime.tell_once(described.error);
        return runtime.result(kernel->module->loaded.error.empty() ? not_supported : no_image);
    }
    const auto threads = static_cast<int>(how.block.x * how.block.y * how.block.z);
    const uint64_t blocks = uint64_t{how.grid.x} * how.grid.y * how.grid.z,
                   most =
                       uint64_t{sm_count} * static_cast<uint64_t>(blocks_per_sm(described, threads, how.shared_bytes));
    if (how.cooperative && blocks > most) {
        runtime.tell_once("A cooperative launch of " + std::to_string(blocks) +
                          " blocks is refused: " + std::to_string(most) + " of this kernel fit the GPU at once.");
        return runtime.result(static_cast<Error>(Status::cooperative_too_large));
    }
    LaunchKernel question{.module = kernel->module->loaded.number,
                          .name = kernel->name,
                          .grid = extent(how.grid),
                          .block = extent(how.block),
                          .cluster = extent(how.cluster),
                          .shared_bytes = how.shared_bytes,
                          .most_shared_bytes = kernel->most_dynamic_shared,
                          .cooperative = how.cooperative,
                          .arguments = arguments_of(described, arguments)};
    return submit(how.stream, [question = std::move(question)] {
        const auto status = static_cast<Status>(Runtime::get().ask<Answer>(Call::launch, question).status);
        if (!is_sticky(status))
            return static_cast<Error>(status);
        Runtime::get().fail_for_good(static_cast<Error>(status)); // a GPU reports it only after the kernel has run
        return success;
    });
}

} // namespace cudart

using namespace cudart;

CUDART_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream)
{
    pushed.push_back({.grid = grid, .block = block, .shared_bytes = shared, .stream = stream});
    return 0;
}

CUDART_API Error __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream)
{
    if (pushed.empty())
        return Runtime::get().result(missing_configuration);
    const Launch& last = pushed.back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared_bytes;
    *static_cast<void**>(stream) = last.stream;
    pushed.pop_back();
    return success;
}

CUDART_API Error __cudaGetKernel(const void** handle, const void* function)
{
    *handle = Runtime::get().kernel(function);
    return Runtime::get().result(*handle != nullptr ? success : invalid_function);
}
CUDART_API Error cudaGetKernel(const void** handle, const void* function)
{
    return __cudaGetKernel(handle, function);
}

CUDART_API Error cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                  void* stream)
{
    return launch(function, {.grid = grid, .block = block, .shared_bytes = shared, .stream = stream}, arguments);
}
CUDART_API Error __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    void* stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
CUDART_API Error cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared, void* stream)
{
    return launch(function,
                  {.grid = grid, .block = block, .shared_bytes = shared, .stream = stream, .cooperative = true},
                  arguments);
}
CUDART_API Error cudaLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments)
{
    return launch(function, of_config(*config), arguments);
}

CUDART_API Error cudaGraphAddKernelNode(void** node, void* graph, const void*, std::size_t, const KernelNode* what)
{
    if (what->arguments == nullptr)
        return not_served("cudaGraphAddKernelNode with packed arguments");
    return add_node(node, graph, [&](void* stream) {
        return cudaLaunchKernel(what->function, what->grid, what->block, what->arguments, what->shared_bytes, stream);
    });
}

CUDART_API Error cudaFuncGetAttributes(FunctionAttributes* result, const void* function)
{
    Runtime& runtime = Runtime::get();
    Kernel* const kernel = runtime.kernel(function);
    if (kernel == nullptr)
        return runtime.result(invalid_function);
    const DescribedKernel& described = runtime.describe(*kernel);
    if (!described.error.empty())
        return unknown(described);
    *result = {};
    result->shared_bytes = described.shared_bytes;
    result->local_bytes = described.local_bytes;
    result->most_threads = static_cast<int>(described.most_threads);
    result->registers = static_cast<int>(described.registers);
    result->ptx_version = result->binary_version = 90;
    result->most_dynamic_shared = static_cast<int>(kernel->most_dynamic_shared);
    result->carveout = -1;
    return runtime.result(success);
}

CUDART_API Error cudaFuncSetAttribute(const void* function, int attribute, int value)
{
    constexpr int most_dynamic_shared = 8;
    Kernel* const kernel = Runtime::get().kernel(function);
    if (kernel == nullptr)
        return Runtime::get().result(invalid_function);
    if (attribute == most_dynamic_shared) {
        if (value < 0 || value > 227 * 1024)
            return Runtime::get().result(invalid_value);
        kernel->most_dynamic_shared = static_cast<uint64_t>(value);
    }
    return good();
}

CUDART_API Error cudaFuncSetCacheConfig(const void* function, int)
{
    return Runtime::get().result(Runtime::get().kernel(function) != nullptr ? success : invalid_function);
}
CUDART_API Error cudaFuncSetSharedMemConfig(const void* function, int)
{
    return cudaFuncSetCacheConfig(function, 0);
}
CUDART_API Error cudaFuncGetName(const char** name, const void* function)
{
    const Kernel* const kernel = Runtime::get().kernel(function);
    if (kernel != nullptr)
        *name = kernel->name.c_str();
    return Runtime::get().result(kernel != nullptr ? success : invalid_function);
}

CUDART_API Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                        std::size_t shared, unsigned)
{
    Kernel* const kernel = Runtime::get().kernel(function);
    if (kernel == nullptr)
        return Runtime::get().result(invalid_function);
    const DescribedKernel& described = Runtime::get().describe(*kernel);
    if (!described.error.empty())
        return unknown(described);
    *blocks = blocks_per_sm(described, threads, shared);
    return good();
}
CUDART_API Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                               std::size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

// NOLINTEND(readability-identifier-naming)
