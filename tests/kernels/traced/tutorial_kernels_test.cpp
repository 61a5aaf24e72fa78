// Compares buffers of kernels as in tutorials with plain loops. The threads of these kernels work independently.
#include "run_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>

namespace {

using test::values;

TEST(Tutorial, SaxpyInAGridStrideLoop)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=4 block=96 args=N,2.5,x,y size=1000 buffer=x=4*N:random buffer=y=4*N:random
#include <cstdio>
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}
int main() { float *x, *y; cudaMallocManaged(&x, 4000); cudaMallocManaged(&y, 4000); saxpy<<<4, 96>>>(1000, 2.5f, x, y);
    cudaDeviceSynchronize(); printf("%f\n", y[0]); }
)");
    const auto x = values<float>(traced.before, "x"), y = values<float>(traced.before, "y"),
               after = values<float>(traced.after, "y");
    for (std::size_t i = 0; i < 1000; ++i)
        ASSERT_EQ(after[i], std::fma(2.5f, x[i], y[i]));
}

TEST(Tutorial, ThreeDimensionalHeat)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=3,3,5 block=8,4,2 args=t,next,20,12,10 buffer=t=4*2400:random buffer=next=4*2400
__global__ void heat(const float* t, float* next, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int i = (z * ny + y) * nx + x;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) { next[i] = t[i]; return; }
    next[i] = (t[i - 1] + t[i + 1]) + (t[i - nx] + t[i + nx]) + (t[i - nx * ny] + t[i + nx * ny]);
}
)");
    const auto t = values<float>(traced.before, "t"), next = values<float>(traced.after, "next");
    for (int z = 0; z < 10; ++z)
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 20; ++x) {
                const auto i = static_cast<std::size_t>((z * 12 + y) * 20 + x);
                const bool edge = x == 0 || y == 0 || z == 0 || x == 19 || y == 11 || z == 9;
                ASSERT_EQ(next[i],
                          edge ? t[i] : (t[i - 1] + t[i + 1]) + (t[i - 20] + t[i + 20]) + (t[i - 240] + t[i + 240]));
            }
}

TEST(Tutorial, RowsOfASparseMatrix)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=64 args=rows,cols,values,x,y,100
// gemmscope: buffer=rows=4*101:iota buffer=cols=4*5000:random buffer=values=4*5000:random buffer=x=4*1000:random buffer=y=400
// Row r has r elements, those from r * (r - 1) / 2 on.
__global__ void spmv(const int* rows, const int* cols, const float* values, const float* x, float* y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float dot = 0;
    int first = rows[r] * (rows[r] - 1) / 2;
    for (int j = first; j < first + rows[r]; ++j) dot += values[j] * x[cols[j]];
    y[r] = dot;
}
)");
    const auto cols = values<int>(traced.before, "cols");
    const auto a = values<float>(traced.before, "values"), x = values<float>(traced.before, "x"),
               y = values<float>(traced.after, "y");
    for (std::size_t r = 0; r < 100; ++r) {
        float dot = 0;
        for (std::size_t j = r * (r - 1) / 2; r > 0 && j < r * (r - 1) / 2 + r; ++j)
            dot = std::fma(a[j], x[static_cast<std::size_t>(cols[j])], dot);
        ASSERT_EQ(y[r], dot) << r;
    }
}

TEST(Tutorial, MandelbrotWithLanesThatEndAtDifferentTimes)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=4,3 block=16,16 args=out,60,40,100 buffer=out=2*60*40
__global__ void mandelbrot(unsigned short* out, int w, int h, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float cx = -2.0f + px * (3.0f / w), cy = -1.0f + py * (2.0f / h), x = 0, y = 0;
    int n = 0;
    while (n < most) {
        if (__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) > 4.0f) break;
        float nx = __fadd_rn(__fsub_rn(__fmul_rn(x, x), __fmul_rn(y, y)), cx);
        y = __fadd_rn(__fmul_rn(__fmul_rn(2.0f, x), y), cy);
        x = nx;
        ++n;
    }
    out[py * w + px] = n;
}
)");
    const auto out = values<uint16_t>(traced.after, "out");
    for (int py = 0; py < 40; ++py)
        for (int px = 0; px < 60; ++px) {
            const float cx = std::fma(static_cast<float>(px), 3.0f / 60, -2.0f),
                        cy = std::fma(static_cast<float>(py), 2.0f / 40, -1.0f);
            volatile float x = 0, y = 0; // each operation is rounded separately
            int n = 0;
            for (; n < 100; ++n) {
                const volatile float xx = x * x, yy = y * y, both = xx + yy;
                if (both > 4.0f)
                    break;
                const volatile float difference = xx - yy, twice = 2.0f * x, product = twice * y;
                y = product + cy;
                x = difference + cx;
            }
            ASSERT_EQ(out[static_cast<std::size_t>(py * 60 + px)], n) << px << " " << py;
        }
}

TEST(Tutorial, FrontierOfABreadthFirstSearch)
{
    RUN_OR_SKIP(
        traced,
        R"(// gemmscope: grid=1 block=64 args=distance,frontier,next,count,64 buffer=distance=4*256 buffer=frontier=4*64:iota
// gemmscope: buffer=next=4*256 buffer=count=4
// Node v leads to 2 v + 1, 2 v + 2 and v / 2 of a graph of 256.
__global__ void expand(int* distance, const int* frontier, int* next, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = frontier[i];
    int neighbours[3] = {2 * v + 1, 2 * v + 2, v / 2};
    for (int j = 0; j < 3; ++j)
        if (atomicCAS(&distance[neighbours[j]], 0, 7) == 0)
            next[atomicAdd(count, 1)] = neighbours[j];
}
)");
    auto next = values<int>(traced.after, "next");
    std::vector<int> wanted(129);
    std::iota(wanted.begin(), wanted.end(), 0);
    ASSERT_EQ(values<int>(traced.after, "count")[0], 129);
    next.resize(129);
    std::ranges::sort(next);
    EXPECT_EQ(next, wanted);
}

TEST(Tutorial, GreyOfColours)
{
    RUN_OR_SKIP(
        traced,
        R"(// gemmscope: grid=ceil(N/64),ceil(M/4) block=64,4 args=rgb,grey,N,M size=9x100x1 buffer=rgb=3*M*N:random buffer=grey=M*N
__global__ void to_grey(const uchar3* rgb, unsigned char* grey, int w, int h)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < w && y < h) {
        uchar3 c = rgb[y * w + x];
        grey[y * w + x] = (77 * c.x + 150 * c.y + 29 * c.z) >> 8;
    }
}
)");
    const auto rgb = values<uint8_t>(traced.before, "rgb"), grey = values<uint8_t>(traced.after, "grey");
    for (std::size_t i = 0; i < 900; ++i)
        ASSERT_EQ(grey[i], (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}

TEST(Tutorial, ProductsOfBytesByDp4a)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=4 block=32 args=a,b,c buffer=a=4*128:random buffer=b=4*128:random buffer=c=4*128
__global__ void dots(const int* a, const int* b, int* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = __dp4a(a[i] * 0x01030507, b[i] * 0x11131517, i);
}
)");
    const auto a = values<int>(traced.before, "a"), b = values<int>(traced.before, "b"),
               c = values<int>(traced.after, "c");
    for (std::size_t i = 0; i < 128; ++i) {
        int sum = static_cast<int>(i);
        const auto x = static_cast<uint32_t>(a[i]) * 0x01030507u, y = static_cast<uint32_t>(b[i]) * 0x11131517u;
        for (int byte = 0; byte < 32; byte += 8)
            sum += static_cast<int8_t>(x >> byte) * static_cast<int8_t>(y >> byte);
        ASSERT_EQ(c[i], sum);
    }
}

TEST(Tutorial, MaximumByCompareAndSwap)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=8 block=64 args=in,most buffer=in=4*512:random buffer=most=4
__device__ float atomic_max(float* at, float value)
{
    int* const bits = (int*)at;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void most_of(const float* in, float* most) { atomic_max(most, in[blockIdx.x * blockDim.x + threadIdx.x]); }
)");
    const auto in = values<float>(traced.before, "in");
    EXPECT_EQ(values<float>(traced.after, "most")[0], *std::ranges::max_element(in));
}

TEST(Tutorial, TwoHalvesAtOnce)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=64 args=x,y,128 buffer=x=4*128:random buffer=y=4*128:random
#include <cuda_fp16.h>
__global__ void haxpy(const half2* x, half2* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const half2 a = __float2half2_rn(0.5f);
    if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}
)");
    const auto x = values<_Float16>(traced.before, "x"), y = values<_Float16>(traced.before, "y"),
               after = values<_Float16>(traced.after, "y");
    for (std::size_t i = 0; i < 256; ++i)
        ASSERT_EQ(float(after[i]), float(static_cast<_Float16>(0.5 * double(x[i]) + double(y[i]))));
}

TEST(Tutorial, GeluAndOtherFunctions)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=4 block=128 args=x,y buffer=x=4*512:random buffer=y=4*512
__global__ void gelu(const float* x, float* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 3 * x[i];
    y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))) + erff(v) + sinf(40 * v) + powf(2.5f, v);
}
)");
    const auto x = values<float>(traced.before, "x"), y = values<float>(traced.after, "y");
    for (std::size_t i = 0; i < 512; ++i) {
        const double v = 3.0f * x[i];
        ASSERT_NEAR(y[i],
                    0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v))) + std::erf(v) +
                        std::sin(40 * v) + std::pow(2.5, v),
                    4e-5);
    }
}

TEST(Tutorial, PiByRandomPoints)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=64 args=hits,50 buffer=hits=8
__global__ void pi(unsigned long long* hits, int tries)
{
    unsigned state = 747796405u * (blockIdx.x * blockDim.x + threadIdx.x) + 2891336453u;
    unsigned own = 0;
    for (int i = 0; i < tries; ++i) {
        unsigned xy[2];
        for (unsigned& v : xy) {
            state = state * 747796405u + 2891336453u;
            unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
            v = ((word >> 22) ^ word) >> 16;
        }
        own += (unsigned long long)xy[0] * xy[0] + (unsigned long long)xy[1] * xy[1] < (1ull << 32);
    }
    atomicAdd(hits, (unsigned long long)own);
}
)");
    uint64_t hits = 0;
    for (uint32_t thread = 0; thread < 128; ++thread) {
        uint32_t state = 747796405u * thread + 2891336453u;
        for (int i = 0; i < 50; ++i) {
            uint64_t xy[2];
            for (uint64_t& v : xy) {
                state = state * 747796405u + 2891336453u;
                const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
                v = ((word >> 22) ^ word) >> 16;
            }
            hits += xy[0] * xy[0] + xy[1] * xy[1] < (uint64_t{1} << 32) ? 1 : 0;
        }
    }
    EXPECT_EQ(values<uint64_t>(traced.after, "hits")[0], hits);
}

TEST(Tutorial, ASwitchOverTheThreadAndSmallStructs)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=1 block=32 args=in,out buffer=in=12*32:iota buffer=out=4*32
struct Particle { int x, y; float mass; };
__global__ void sorts(const Particle* in, int* out)
{
    Particle p = in[threadIdx.x];
    int v;
    switch (threadIdx.x % 7) {
    case 0: v = p.x + p.y; break;
    case 1: v = p.x * p.y; break;
    case 2: v = __clz(p.x) + __ffs(p.y); break;
    case 3: v = p.y / (p.x % 5 + 1); break;
    case 4: v = __brev(p.x) >> 20; break;
    case 5: v = min(p.x, 40) - max(p.y, 3); break;
    default: v = __mulhi(p.x << 20, p.y << 12); break;
    }
    out[threadIdx.x] = v;
}
)");
    const auto in = values<int>(traced.before, "in"), out = values<int>(traced.after, "out");
    const auto reversed = [](uint32_t v) {
        uint32_t r = 0;
        for (int bit = 0; bit < 32; ++bit)
            r |= (v >> bit & 1) << (31 - bit);
        return r;
    };
    for (std::size_t i = 0; i < 32; ++i) {
        const int x = in[3 * i], y = in[3 * i + 1];
        const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
        const int wanted =
            i % 7 == 0   ? static_cast<int>(ux + uy)
            : i % 7 == 1 ? static_cast<int>(ux * uy)
            : i % 7 == 2 ? std::countl_zero(static_cast<uint32_t>(x)) +
                               (y == 0 ? 0 : std::countr_zero(static_cast<uint32_t>(y)) + 1)
            : i % 7 == 3 ? y / (x % 5 + 1)
            : i % 7 == 4 ? static_cast<int>(reversed(static_cast<uint32_t>(x)) >> 20)
            : i % 7 == 5 ? std::min(x, 40) - std::max(y, 3)
                         : static_cast<int>(int64_t{static_cast<int>(ux << 20)} * static_cast<int>(uy << 12) >> 32);
        EXPECT_EQ(out[i], wanted) << i;
    }
}

} // namespace
