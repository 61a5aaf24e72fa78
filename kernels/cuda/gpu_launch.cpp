// Launches a kernel from any CUDA file once. See traced/user_kernel.h.
#include "traced/user_kernel.h"

#include "cuda/context.h"
#include "cuda/tensor_map.h"
#include "error.h"

#include <fmt/format.h>

#include <cstring>

namespace traced {

namespace {

// Returns the accelerator's type for an element. It is as wide as the whole element, which may be a vector, because the
// accelerator's sizes count elements.
CUtensorMapDataType element_type(const Buffer& buffer)
{
    const bool is_number = scalar_bytes(buffer.type, buffer.element_bytes) == buffer.element_bytes;
    switch (is_number ? scalar_of(buffer.type) : Scalar::whole) {
    case Scalar::bfloat: return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case Scalar::half: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case Scalar::single: return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case Scalar::twofold: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case Scalar::whole: break;
    }
    const bool no_sign = recording::is_unsigned(buffer.type);
    switch (buffer.element_bytes) {
    case 1: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case 2: return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case 4: return no_sign ? CU_TENSOR_MAP_DATA_TYPE_UINT32 : CU_TENSOR_MAP_DATA_TYPE_INT32;
    case 8: return no_sign ? CU_TENSOR_MAP_DATA_TYPE_UINT64 : CU_TENSOR_MAP_DATA_TYPE_INT64;
    default:
        throw kernels::Error(
            fmt::format("A tensor map has no elements of {} bytes, as {} has.", buffer.element_bytes, buffer.name));
    }
}

CUtensorMapSwizzle swizzle_of(const MapBox& box)
{
    switch (box.swizzle) {
    case 32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case 64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case 128: return CU_TENSOR_MAP_SWIZZLE_128B;
    default: return CU_TENSOR_MAP_SWIZZLE_NONE;
    }
}

cuda::TensorMap map_of(const cuda::Context& context, const cuda::Buffer& memory, const Buffer& buffer,
                       const MapBox& box)
{
    const auto [rows, cols] = stored_rows(buffer);
    return cuda::tensor_map(context, memory,
                            {.rows = rows,
                             .cols = cols,
                             .row_bytes = uint64_t{cols} * buffer.element_bytes,
                             .box_rows = box.rows,
                             .box_cols = box.cols,
                             .element = element_type(buffer),
                             .swizzle = swizzle_of(box)});
}

} // namespace

GpuLaunch launch_on_gpu(const CompiledKernel& compiled, const PreparedLaunch& launch, ArgumentBytes argument_bytes)
{
    const cuda::Context context(0);
    context.enter();
    const recording::Device& device = context.device();
    if (!compiled.runs_on(device.compute_capability))
        throw kernels::Unavailable(
            fmt::format("Files are compiled for GPUs of compute capability 9.0, and the {} has {}.{}; gemmscope trace "
                        "without --backend cuda executes the kernel's PTX instead.",
                        device.name, device.compute_capability / 10, device.compute_capability % 10));
    context.check_limits(launch.extent);
    const bool cubin_fits = !compiled.cubin.empty() && device.compute_capability == compiled_for;
    const cuda::Kernel kernel(context, cubin_fits ? compiled.cubin : compiled.ptx, compiled.lowered_name,
                              static_cast<uint32_t>(launch.dynamic_shared_bytes));
    std::vector<cuda::Buffer> memory;
    GpuLaunch result{.after = launch.buffers, .addresses = {}};
    for (const Buffer& buffer : launch.buffers) {
        memory.emplace_back(context, buffer.bytes.size());
        context.upload(memory.back(), buffer.bytes.data(), buffer.bytes.size());
        result.addresses.push_back(memory.back().address());
    }
    for (const ArgumentBytes::OfBuffer& place : argument_bytes.buffers) {
        std::byte* const to = argument_bytes.bytes.data() + place.first;
        if (place.map) {
            const cuda::TensorMap map = map_of(context, memory[place.buffer], launch.buffers[place.buffer], *place.map);
            std::memcpy(to, map.data(), map.size());
        } else {
            std::memcpy(to, &result.addresses[place.buffer], sizeof(uint64_t));
        }
    }
    // Passes arguments one by one. With an aligned parameter, such as a tensor map, the cubin's parameters begin later
    // in the kernel's constant bank. A single buffer with PTX's layout would be misplaced.
    std::vector<void*> arguments;
    for (const uint64_t first : argument_bytes.firsts)
        arguments.push_back(argument_bytes.bytes.data() + first);
    kernel.launch_with(launch.extent, launch.cluster, arguments);
    context.synchronize(compiled.lowered_name);
    for (std::size_t i = 0; i < memory.size(); ++i)
        context.download(result.after[i].bytes.data(), memory[i], memory[i].bytes());
    return result;
}

} // namespace traced
