#include "cuda/cold_cache.h"

#include <algorithm>
#include <array>

namespace cuda {

namespace {

// The kernel only reads. Written lines would stay in the cache until they are evicted, and would then count as DRAM
// writes of the stage (5 MB too many on an H200 at 1024^3).
constexpr const char* source = R"(
extern "C" __global__ void read_all(const uint4* from, unsigned long long count, unsigned int* result)
{
    unsigned int any = 0;
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        any |= from[i].x | from[i].y | from[i].z | from[i].w;
    if (any != 0)
        *result = any;
}
)";

Kernel compiled(const Context& context, const Compiler& compiler)
{
    const Compiled code = compiler.compile({.text = source, .headers = {}}, "read_all");
    return {context, code.image, code.lowered_name, 0};
}

uint64_t bytes_to_read(const Context& context)
{
    const auto l2 = static_cast<uint64_t>(context.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    return std::max<uint64_t>(2 * l2, 16);
}

} // namespace

ColdCache::ColdCache(const Context& context, const Compiler& compiler)
    : context_(context), kernel_(compiled(context, compiler)), buffer_(context, bytes_to_read(context)),
      result_(context, sizeof(unsigned int))
{
    context_.fill(buffer_, 0);
}

void ColdCache::operator()() const
{
    const auto blocks =
        static_cast<uint32_t>(std::max(1, context_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)));
    const CUdeviceptr from = buffer_.address(), result = result_.address();
    const uint64_t count = buffer_.bytes() / 16;
    const std::array<std::span<const std::byte>, 3> arguments = {argument_bytes(from), argument_bytes(count),
                                                                 argument_bytes(result)};
    kernel_.launch({.grid = {4 * blocks, 1, 1}, .block = {256, 1, 1}}, arguments);
}

} // namespace cuda
