// Compares buffers of kernels as in tutorials with plain loops. The threads of these kernels cooperate.
#include "run_kernel.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace {

using test::values;

TEST(TutorialBlocks, ConvolutionWithAConstantMask)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=ceil(N/28) block=32 args=in,out,N size=200 buffer=in=4*N:random buffer=out=4*N
#define RADIUS 2
__constant__ float mask[2 * RADIUS + 1] = {0.125f, 0.25f, 0.5f, 0.25f, 0.125f};
__global__ void convolve(const float* in, float* out, int n)
{
    __shared__ float tile[32];
    int i = blockIdx.x * 28 + threadIdx.x - RADIUS;
    tile[threadIdx.x] = i >= 0 && i < n ? in[i] : 0.0f;
    __syncthreads();
    if (threadIdx.x >= RADIUS && threadIdx.x < 32 - RADIUS && i < n) {
        float sum = 0;
        for (int j = -RADIUS; j <= RADIUS; ++j)
            sum += mask[j + RADIUS] * tile[threadIdx.x + j];
        out[i] = sum;
    }
}
)");
    const auto in = values<float>(traced.before, "in"), out = values<float>(traced.after, "out");
    const float mask[] = {0.125f, 0.25f, 0.5f, 0.25f, 0.125f};
    for (int i = 0; i < 200; ++i) {
        float sum = 0;
        for (int j = -2; j <= 2; ++j)
            sum = std::fma(mask[j + 2], i + j >= 0 && i + j < 200 ? in[static_cast<std::size_t>(i + j)] : 0.0f, sum);
        ASSERT_EQ(out[static_cast<std::size_t>(i)], sum) << i;
    }
}

TEST(TutorialBlocks, ReductionWhoseLastWarpNeedsNoBarrier)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: kernel=reduce<256> grid=4 block=256 args=in,out buffer=in=4*2048:iota buffer=out=16
template <unsigned THREADS>
__device__ void last_warp(volatile int* s, unsigned t)
{
    if (THREADS >= 64) s[t] += s[t + 32];
    if (THREADS >= 32) s[t] += s[t + 16];
    s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
template <unsigned THREADS>
__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int unused[];
    __shared__ int s[THREADS];
    const unsigned t = threadIdx.x, i = blockIdx.x * THREADS * 2 + t;
    s[t] = in[i] + in[i + THREADS];
    __syncthreads();
    for (unsigned step = THREADS / 2; step > 32; step /= 2) {
        if (t < step) s[t] += s[t + step];
        __syncthreads();
    }
    if (t < 32) last_warp<THREADS>(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}
)");
    const auto out = values<int>(traced.after, "out");
    for (int block = 0; block < 4; ++block)
        EXPECT_EQ(out[static_cast<std::size_t>(block)], 512 * 512 * block + 511 * 256);
}

TEST(TutorialBlocks, SumByShufflesAndOneAtomicOfEachWarp)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=5 block=128 args=in,sum,N size=600 buffer=in=8*N:iota buffer=sum=8
__inline__ __device__ double warp_sum(double v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}
__global__ void sum_all(const double* in, double* sum, int n)
{
    double v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    v = warp_sum(v);
    if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(sum, v);
}
)");
    EXPECT_EQ(values<double>(traced.after, "sum")[0], 599.0 * 300);
}

TEST(TutorialBlocks, ScanOfBlelloch)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=1 block=128 shared=4*256 args=out,in,256 buffer=in=4*256:random buffer=out=4*256
__global__ void prescan(int* out, const int* in, int n)
{
    extern __shared__ int temp[];
    int id = threadIdx.x, offset = 1;
    temp[2 * id] = in[2 * id];
    temp[2 * id + 1] = in[2 * id + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (id < d) { int a = offset * (2 * id + 1) - 1, b = offset * (2 * id + 2) - 1; temp[b] += temp[a]; }
        offset *= 2;
    }
    if (id == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (id < d) {
            int a = offset * (2 * id + 1) - 1, b = offset * (2 * id + 2) - 1, t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    out[2 * id] = temp[2 * id];
    out[2 * id + 1] = temp[2 * id + 1];
}
)");
    const auto in = values<int>(traced.before, "in"), out = values<int>(traced.after, "out");
    int sum = 0;
    for (std::size_t i = 0; i < 256; sum += in[i++])
        ASSERT_EQ(out[i], sum);
    EXPECT_TRUE(traced.warnings.empty());
}

TEST(TutorialBlocks, BitonicSort)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=1 block=256 args=data buffer=data=4*256:random
__global__ void bitonic(float* data)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    for (unsigned k = 2; k <= 256; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            unsigned other = t ^ j;
            if (other > t && ((t & k) == 0 ? s[t] > s[other] : s[t] < s[other])) {
                float x = s[t]; s[t] = s[other]; s[other] = x;
            }
        }
    __syncthreads();
    data[t] = s[t];
}
)");
    auto sorted = values<float>(traced.before, "data");
    std::ranges::sort(sorted);
    EXPECT_EQ(values<float>(traced.after, "data"), sorted);
}

TEST(TutorialBlocks, BodiesInTilesOfSharedMemory)
{
    RUN_OR_SKIP(
        traced,
        R"(// gemmscope: grid=2 block=64 args=position,force,128 buffer=position=16*128:random buffer=force=16*128
__global__ void forces(const float4* position, float4* force, int n)
{
    __shared__ float4 tile[64];
    const float4 own = position[blockIdx.x * 64 + threadIdx.x];
    float3 f = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = position[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) {
            const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            const float near = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[j].w * near * near * near;
            f.x += s * dx; f.y += s * dy; f.z += s * dz;
        }
        __syncthreads();
    }
    force[blockIdx.x * 64 + threadIdx.x] = make_float4(f.x, f.y, f.z, 0);
}
)");
    const auto p = values<float>(traced.before, "position"), force = values<float>(traced.after, "force");
    for (std::size_t i = 0; i < 128; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double sum = 0, size = 0;
            for (std::size_t j = 0; j < 128; ++j) {
                double square = 0.01;
                for (std::size_t a = 0; a < 3; ++a)
                    square += std::pow(double(p[4 * j + a]) - p[4 * i + a], 2);
                const double part = p[4 * j + 3] * std::pow(square, -1.5) * (double(p[4 * j + axis]) - p[4 * i + axis]);
                sum += part;
                size += std::abs(part);
            }
            ASSERT_NEAR(force[4 * i + axis], sum, 1e-5 * size);
        }
}

TEST(TutorialBlocks, CompactionByBallots)
{
    RUN_OR_SKIP(
        traced,
        R"(// gemmscope: grid=1 block=32 args=in,out,count,1000 buffer=in=4*1000:random buffer=out=4*1000 buffer=count=4
__global__ void keep_positive(const float* in, float* out, int* count, int n)
{
    int kept = 0;
    for (int first = 0; first < n; first += 32) {
        int i = first + threadIdx.x;
        float v = i < n ? in[i] : -1.0f;
        unsigned votes = __ballot_sync(~0u, v > 0);
        if (v > 0) out[kept + __popc(votes & ((1u << threadIdx.x) - 1))] = v;
        kept += __popc(votes);
    }
    if (threadIdx.x == 0) *count = kept;
}
)");
    std::vector<float> wanted;
    std::ranges::copy_if(values<float>(traced.before, "in"), std::back_inserter(wanted), [](float v) { return v > 0; });
    auto out = values<float>(traced.after, "out");
    ASSERT_EQ(values<int>(traced.after, "count")[0], static_cast<int>(wanted.size()));
    out.resize(wanted.size());
    EXPECT_EQ(out, wanted);
}

TEST(TutorialBlocks, GroupsOfACooperativeKernel)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=64 args=in,out buffer=in=4*128:iota buffer=out=4*16
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(const int* in, int* out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int sum = cg::reduce(tile, in[blockIdx.x * 64 + block.thread_rank()], cg::plus<int>());
    block.sync();
    if (tile.thread_rank() == 0) out[blockIdx.x * 8 + tile.meta_group_rank()] = sum;
}
)");
    const auto out = values<int>(traced.after, "out");
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(out[static_cast<std::size_t>(i)], 64 * i + 28);
}

TEST(TutorialBlocks, LayerNormalization)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=6 block=64 args=x,y,100 buffer=x=4*600:random buffer=y=4*600
__global__ void layer_norm(const float* x, float* y, int n)
{
    __shared__ float sums[2], squares[2];
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { float v = x[blockIdx.x * n + i]; sum += v; square += v * v; }
    for (int o = 16; o > 0; o >>= 1) { sum += __shfl_xor_sync(~0u, sum, o); square += __shfl_xor_sync(~0u, square, o); }
    if (threadIdx.x % 32 == 0) { sums[threadIdx.x / 32] = sum; squares[threadIdx.x / 32] = square; }
    __syncthreads();
    float mean = (sums[0] + sums[1]) / n, inverse = rsqrtf((squares[0] + squares[1]) / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - mean) * inverse;
}
)");
    const auto x = values<float>(traced.before, "x"), y = values<float>(traced.after, "y");
    for (std::size_t row = 0; row < 6; ++row) {
        double sum = 0, square = 0;
        for (std::size_t i = row * 100; i < row * 100 + 100; ++i)
            sum += x[i], square += double(x[i]) * x[i];
        for (std::size_t i = row * 100; i < row * 100 + 100; ++i)
            ASSERT_NEAR(y[i], (x[i] - sum / 100) / std::sqrt(square / 100 - sum * sum / 1e4 + 1e-5), 1e-5);
    }
}

TEST(TutorialBlocks, GameOfLife)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=3,3 block=16,16 args=old,next,40,40 buffer=old=1600:random buffer=next=1600
__global__ void life(const unsigned char* old, unsigned char* next, int w, int h)
{
    __shared__ unsigned char cells[18][18];
    int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256)
        cells[i / 18][i % 18] = old[(y0 + i / 18 + h) % h * w + (x0 + i % 18 + w) % w] & 1;
    __syncthreads();
    int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y, n = 0;
    if (x >= w || y >= h) return;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) n += cells[threadIdx.y + dy][threadIdx.x + dx];
    int own = cells[threadIdx.y + 1][threadIdx.x + 1];
    next[y * w + x] = n == 3 || (own && n == 4);
}
)");
    const auto old = values<uint8_t>(traced.before, "old"), next = values<uint8_t>(traced.after, "next");
    const auto cell = [&](int x, int y) {
        return old[static_cast<std::size_t>((y + 40) % 40 * 40 + (x + 40) % 40)] & 1;
    };
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) {
            int n = 0;
            for (int d = 0; d < 9; ++d)
                n += cell(x + d % 3 - 1, y + d / 3 - 1);
            ASSERT_EQ(next[static_cast<std::size_t>(y * 40 + x)], n == 3 || (cell(x, y) && n == 4)) << x << " " << y;
        }
}

TEST(TutorialBlocks, CopiesThatRunAhead)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=32 args=in,out,8 buffer=in=16*512:random buffer=out=16*512
#include <cuda_pipeline.h>
__global__ void pipelined(const float4* in, float4* out, int tiles)
{
    __shared__ float4 stage[2][32];
    const float4* from = in + blockIdx.x * tiles * 32 + threadIdx.x;
    __pipeline_memcpy_async(&stage[0][threadIdx.x], from, 16);
    __pipeline_commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) __pipeline_memcpy_async(&stage[(t + 1) % 2][threadIdx.x], from + (t + 1) * 32, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = stage[t % 2][31 - threadIdx.x];
        out[(blockIdx.x * tiles + t) * 32 + threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
        __syncthreads();
    }
}
)");
    const auto in = values<float>(traced.before, "in"), out = values<float>(traced.after, "out");
    for (std::size_t i = 0; i < in.size(); ++i)
        ASSERT_EQ(out[i], in[i / 128 * 128 + 127 - i % 128]);
}

} // namespace
