// A kernel of any CUDA file, launched once. See traced/gpu_launch.h.
#include "traced/gpu_launch.h"

#include "cuda/context.h"
#include "cuda/tensor_map.h"
#include "error.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace traced {

namespace {

constexpr int cubins_are_for = 90; // see CompiledKernel

CUtensorMapDataType element_type(const Buffer& buffer)
{
    const auto is = [&](std::string_view part) { return buffer.type.find(part) != std::string::npos; };
    if (is("bfloat16"))
        return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    if (is("half"))
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    if (is("double"))
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    if (is("float"))
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    switch (buffer.element_bytes) {
    case 1: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case 2: return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case 4: return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    default: return CU_TENSOR_MAP_DATA_TYPE_UINT64;
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

// Rows of a matrix that is stored by columns are its columns.
cuda::TensorMap map_of(const cuda::Context& context, const cuda::Buffer& memory, const Buffer& buffer,
                       const MapBox& box)
{
    const uint32_t rows = buffer.by_columns ? buffer.cols : buffer.rows,
                   cols = buffer.by_columns ? buffer.rows : buffer.cols;
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
    context.check_limits(launch.extent);
    const bool cubin_fits = !compiled.cubin.empty() && context.device().compute_capability == cubins_are_for;
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
    kernel.launch_with(launch.extent, launch.cluster, argument_bytes.bytes);
    context.synchronize(compiled.lowered_name);
    for (std::size_t i = 0; i < memory.size(); ++i)
        context.download(result.after[i].bytes.data(), memory[i], memory[i].bytes());
    return result;
}

} // namespace traced
