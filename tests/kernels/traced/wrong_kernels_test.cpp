// Reports mistakes that readers of tutorials make, and features that the PTX machine lacks, each with its line.
#include "run_kernel.h"
#include "tests/says.h"
#include "traced/host_text.h"

#include <algorithm>
#include <array>

namespace {

using test::says;

struct Wrong {
    const char *text, *said;
};

// Returns only the sentence that refuses the kernel, or the warnings if it ran.
std::string said_of(const std::string& text)
{
    try {
        std::string all;
        for (const std::string& warning : test::run(text).warnings)
            all += warning + "\n";
        return all;
    } catch (const kernels::Unavailable&) {
        throw;
    } catch (const kernels::Error& error) {
        return error.what();
    }
}

template <std::size_t count>
void expect_all(const std::array<Wrong, count>& all)
{
    for (const Wrong& one : all)
        EXPECT_TRUE(says(said_of(one.text), one.said));
}

#define SKIP_WITHOUT_NVRTC() \
    SKIP_WHERE_UNAVAILABLE(test::run("// gemmscope: grid=1 block=1 args=1\n__global__ void k(int n) {}"))

// Blocks that store the same value need not be wrong, for example when they set a flag. They are reported without an
// alarm. If the values differ, only the race is reported.
TEST(WrongKernel, BlocksThatStoreOneValueToOneWordAreNotedWithoutAnAlarm)
{
    SKIP_WITHOUT_NVRTC();
    const auto noted = [](const ptx::Traced& traced) {
        return std::ranges::count_if(traced.recording.executed->notes, [](const std::string& note) {
            return note.starts_with("Several blocks store to one word without an atomic operation: at line 4 thread "
                                    "(0,0,0) of block (1,0,0) stores to byte 0 of found, as a thread of another block "
                                    "has done at line 4.");
        });
    };
    const auto run = [](const std::string& value) {
        return test::run("// gemmscope: grid=4 block=32 args=in,found buffer=in=4*128:iota buffer=found=4\n"
                         "__global__ void any(const int* in, int* found)\n{\n"
                         "    if (in[blockIdx.x * 32 + threadIdx.x] >= 0) *found = " +
                         value + ";\n}\n");
    };
    const ptx::Traced same = run("1"), other = run("(int)blockIdx.x / 2");
    EXPECT_EQ(noted(same), 1);
    EXPECT_TRUE(same.warnings.empty());
    EXPECT_EQ(noted(other), 0);
    ASSERT_EQ(other.warnings.size(), 1u);
    EXPECT_TRUE(says(other.warnings[0], "A race of blocks: at line 4"));
}

TEST(WrongKernel, Memory)
{
    SKIP_WITHOUT_NVRTC();
    expect_all(std::array{
        Wrong{R"(// gemmscope: grid=4 block=32 args=a,100 buffer=a=4*100
__global__ void one_too_many(int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        a[i] = i;
}
)",
              "thread (4,0,0) of block (3,0,0) writes 4 bytes at byte 400 of a, which has 400"},
        Wrong{R"(// gemmscope: grid=2,3 block=16,16 args=in,out,48,32 buffer=in=4*48*32:iota buffer=out=4*48*32
__global__ void swapped(const float* in, float* out, int rows, int cols)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[x * rows + y] = in[x * rows * cols + y];
}
)",
              "of in, which has 6144"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=a buffer=a=4*65
__global__ void crooked(float* a)
{
    float4 v = *reinterpret_cast<float4*>(a + 1 + threadIdx.x % 16);
    a[threadIdx.x] = v.x + v.y + v.z + v.w;
}
)",
              "thread (0,0,0) of block (0,0,0) reads 16 bytes at address"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=null,out buffer=out=128
__global__ void from_nowhere(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
)",
              "a null pointer"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=out buffer=out=256
__global__ void halo(float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] - s[threadIdx.x - 1];
}
)",
              "thread (0,0,0) of block (0,0,0) reads 4 bytes at byte -4 of shared memory"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=out buffer=out=256
__global__ void forgotten(float* out)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
)",
              "give the size of its dynamic shared memory with --shared"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=out buffer=out=256
__global__ void large(float* out)
{
    __shared__ float s[16384];
    for (int i = threadIdx.x; i < 16384; i += 64) s[i] = i;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x * 256];
}
)",
              "declares 65536 bytes of shared memory, and a GPU takes 49152 at most that way"},
        Wrong{R"(// gemmscope: grid=1 block=2048 args=out buffer=out=8192
__global__ void many(float* out) { out[threadIdx.x] = 1; }
)",
              "larger than the 1024 that CUDA allows"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=out buffer=out=128
#include <cassert>
__global__ void checked(int* out) { assert(threadIdx.x < 20); out[threadIdx.x] = 1; }
)",
              "thread (20,0,0) of block (0,0,0) ends the kernel with a trap"},
    });
}

// The recording keeps who raced at which word: inside a warp, between warps at a word that one warp has read, and at one
// that several have read.
TEST(WrongKernel, RacesAreKeptWithTheirThreadsAndTheirWord)
{
    SKIP_WITHOUT_NVRTC();
    const auto races = [](const std::string& parameters, const std::string& body) {
        return test::run("// gemmscope: grid=2 block=64 args=in,out buffer=in=4*64:iota buffer=out=4*64\n"
                         "__global__ void k(const int* in, int* out)\n{\n    __shared__ int first[8], p[64];\n"
                         "    const int t = threadIdx.x;\n    first[t % 8] = 0;\n" +
                         parameters + "    p[t] = in[t];\n" + body + "}\n")
            .recording;
    };
    const recording::Recording in_warp = races("    if (t >= 32) return;\n", "    out[t] = p[t ^ 16] + first[0];\n");
    const auto among = [](const recording::Recording& recording, const recording::RaceAccess& first,
                          const recording::RaceAccess& second, uint32_t offset) {
        return std::ranges::any_of(recording.executed->races, [&](const recording::Race& race) {
            return recording.arrays[race.array].name == "p" && race.offset == offset &&
                   race.block == recording::Index3{0, 0, 0} && race.first == first && race.second == second;
        });
    };
    EXPECT_TRUE(among(in_warp, {0, 16, 8, true}, {0, 0, 9, false}, 64));
    const recording::Recording between = races("", "    out[t] = p[63 - t] + first[0];\n");
    EXPECT_TRUE(among(between, {1, 0, 7, true}, {0, 31, 8, false}, 128) ||
                among(between, {0, 31, 8, false}, {1, 0, 7, true}, 128));
    const recording::Recording after =
        races("", "    __syncthreads();\n    out[t] = p[0];\n    if (t == 0) p[0] = 1;\n    __syncthreads();\n");
    EXPECT_TRUE(among(after, {1, 0, 9, false}, {0, 0, 10, true}, 0) ||
                among(after, {0, 0, 10, true}, {1, 0, 9, false}, 0));
}

TEST(WrongKernel, WaitsAndRaces)
{
    SKIP_WITHOUT_NVRTC();
    expect_all(std::array{
        Wrong{R"(// gemmscope: grid=2 block=128 args=in,out buffer=in=1024:random buffer=out=8
__global__ void reduce(const float* in, float* out)
{
    __shared__ float s[128];
    s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    for (int step = 64; step > 0; step /= 2) {
        if (threadIdx.x < step)
            s[threadIdx.x] += s[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
)",
              "A race on shared memory: at line "},
        Wrong{R"(// gemmscope: grid=4,4 block=16,16 args=A,B,C,64 size=64
__global__ void tiled(const float* A, const float* B, float* C, int n)
{
    __shared__ float a[16][16], b[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        a[threadIdx.y][threadIdx.x] = A[row * n + t + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    }
    C[row * n + col] = sum;
}
)",
              "A race on shared memory: at line 9 thread"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=text,bins buffer=text=32:random buffer=bins=4*16
__global__ void without_atomics(const unsigned char* text, int* bins) { bins[text[threadIdx.x] % 8] += threadIdx.x; }
)",
              "A race of two lanes: at line 2 thread ("},
        Wrong{R"(// gemmscope: grid=1 block=32 args=in,out buffer=in=128 buffer=out=4
__global__ void in_step(const float* in, float* out)
{
    __shared__ float p[32];
    const int t = threadIdx.x;
    p[t] = in[t];
    if (t < 16) p[t] += p[t + 16];
    if (t < 8) p[t] += p[t + 8];
    if (t == 0) out[0] = p[0];
}
)",
              "A race inside a warp: at line 7 thread (0,0,0) of block (0,0,0) reads byte 64 of shared memory, which "
              "thread (16,0,0) of block (0,0,0) of the same warp writes at line 6, with no __syncwarp() between them."},
        Wrong{R"(// gemmscope: grid=1 block=32 args=out buffer=out=128
__global__ void reads_first(int* out)
{
    __shared__ int p[33];
    const int t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = p[t + 1];
    p[t] = 0;
}
)",
              "A race inside a warp: at line 9 thread (1,0,0) of block (0,0,0) writes byte 4 of shared memory, which "
              "thread (0,0,0) of block (0,0,0) of the same warp reads at line 8"},
        Wrong{
            R"(// gemmscope: grid=2 block=32 args=x buffer=x=128
__global__ void twice(float* x) { x[threadIdx.x] = x[threadIdx.x] * 2; }
)",
            "A race of blocks: at line 2 thread (0,0,0) of block (1,0,0) reads byte 0 of x, which a thread of another "
            "block has written at line 2"},
        Wrong{R"(// gemmscope: grid=1 block=256 args=o buffer=o=1024
__global__ void __launch_bounds__(128) bounded(float* o) { o[threadIdx.x] = 1; }
)",
              "A block of 256 threads is refused: bounded(float*) is compiled for at most 128 (__launch_bounds__)."},
        Wrong{R"(// gemmscope: grid=4 block=32 args=in,sum buffer=in=4*128:iota buffer=sum=4
__global__ void total(const int* in, int* sum)
{
    int x = in[blockIdx.x * 32 + threadIdx.x];
    for (int to = 16; to > 0; to /= 2) x += __shfl_xor_sync(~0u, x, to);
    if (threadIdx.x == 0) *sum += x;
}
)",
              "A race of blocks: at line 6 thread (0,0,0) of block (1,0,0) reads byte 0 of sum, which a thread of "
              "another "
              "block has written at line 6"},
        Wrong{R"(// gemmscope: grid=4 block=32 args=a buffer=a=4*130:iota
__global__ void smooth(int* a)
{
    int i = blockIdx.x * 32 + threadIdx.x + 1;
    a[i] = a[i - 1] + a[i + 1];
}
)",
              "A race of blocks: at line 5 thread (0,0,0) of block (1,0,0) reads byte 128 of a, which a thread of "
              "another block has "},
        Wrong{R"(// gemmscope: grid=4 block=32 args=a buffer=a=4*130:iota
__global__ void shifted(int* a) { int i = blockIdx.x * 32 + threadIdx.x; a[i] = a[i + 1]; }
)",
              "A race of blocks: at line 2 thread (0,0,0) of block (1,0,0) writes byte 128 of a, which a thread of "
              "another "
              "block has read at line 2"},
        Wrong{
            R"(// gemmscope: grid=2 block=32 args=F,out buffer=F=16 buffer=out=4
__global__ void told(int* F, int* out)
{
    if (blockIdx.x == 0) F[3] = 1;
    else if (threadIdx.x == 0) { int4 all = *(int4*)F; *out = all.x + all.w; }
}
)",
            "A race of blocks: at line 5 thread (0,0,0) of block (1,0,0) reads byte 12 of F, which a thread of another "
            "block has written at line 4"},
        Wrong{
            R"(// gemmscope: grid=2 block=32 args=F,out buffer=F=4 buffer=out=4
__global__ void flag(int* F, int* out)
{
    if (blockIdx.x == 0) F[0] = 1;
    else if (threadIdx.x == 0) *out = F[0];
}
)",
            "A race of blocks: at line 5 thread (0,0,0) of block (1,0,0) reads byte 0 of F, which a thread of another "
            "block has written at line 4"},
        Wrong{
            R"(// gemmscope: grid=2 block=1 args=F buffer=F=4
__global__ void set(int* F)
{
    asm("st.global.u32 [%0], 0;" ::"l"(F));
    if (blockIdx.x == 1) F[0] = 5;
}
)",
            "A race of blocks: at line 5 thread (0,0,0) of block (1,0,0) writes byte 0 of F, which a thread of another "
            "block has written at line 4"},
        Wrong{R"(// gemmscope: grid=4 block=32 args=bins buffer=bins=4*32
__global__ void cleared(int* bins)
{
    if (blockIdx.x == 0) bins[threadIdx.x] = 7;
    atomicAdd(&bins[threadIdx.x], 1);
}
)",
              "A race of blocks: at line 5 thread (0,0,0) of block (1,0,0) changes byte 0 of bins, which a thread of "
              "another block has written at line 4"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=a,40 buffer=a=4*64
__global__ void guarded(int* a, int n)
{
    if (threadIdx.x < n) {
        a[threadIdx.x] = 1;
        __syncthreads();
        a[threadIdx.x] += 1;
    }
}
)",
              "only 8 of the 32 threads of warp 1"},
        Wrong{R"(// gemmscope: grid=1 block=64 args=a buffer=a=4*64
__global__ void rounds(int* a)
{
    for (int i = 0; i <= threadIdx.x / 32; ++i) {
        a[threadIdx.x] += i;
        __syncthreads();
    }
    if (threadIdx.x < 32) return;
    while (true) { if (((volatile int*)a)[0] == 7) break; }
}
)",
              "does not end"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=a buffer=a=4
__global__ void half_of_a_warp(int* a)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16) v = __shfl_sync(0xffffffff, v, 0);
    else while (((volatile int*)a)[0] == 0) {}
    a[0] = v;
}
)",
              "does not end"},
        Wrong{R"(// gemmscope: grid=2 block=32 args=flag,out buffer=flag=4 buffer=out=128
__global__ void for_a_later_block(int* flag, int* out)
{
    if (blockIdx.x == 1) atomicExch(flag, 1);
    else while (atomicAdd(flag, 0) == 0) {}
    out[threadIdx.x] = 1;
}
)",
              "does not end"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=5,out buffer=out=128
__global__ void counts_down(unsigned n, int* out)
{
    for (unsigned i = n; i >= 0; --i) out[threadIdx.x] += i;
}
)",
              "does not end"},
    });
}

TEST(WrongKernel, WhatThePtxMachineHasNot)
{
    SKIP_WITHOUT_NVRTC();
    expect_all(std::array{
        Wrong{R"(// gemmscope: grid=1 block=32 args=out,5 buffer=out=128
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursive(int* out, int n) { out[threadIdx.x] = fib(n); }
)",
              "calls itself, or functions are nested too deeply"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=out,1 buffer=out=128
__device__ __noinline__ int one(int x) { return x + 1; }
__device__ __noinline__ int two(int x) { return x + 2; }
__device__ int (*const volatile table[2])(int) = {one, two};
__global__ void by_pointer(int* out, int n) { out[threadIdx.x] = table[(threadIdx.x + n) % 2](3); }
)",
              "a function is called by its address"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=out buffer=out=128
__global__ void allocates(int* out)
{
    int* own = (int*)malloc(64);
    own[threadIdx.x % 16] = 1;
    out[threadIdx.x] = own[threadIdx.x % 16];
    free(own);
}
)",
              "the PTX machine has no heap for kernels"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=0,out buffer=out=128
__global__ void textured(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
)",
              "uses a texture or surface object that is none"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=out buffer=out=128
__global__ void sparse(float* out)
{
    float d[4] = {};
    unsigned a[2] = {}, b[2] = {};
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, "
                 "{%0,%1,%2,%3}, %8, 0x0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(0x44444444));
    out[threadIdx.x] = d[0];
}
)",
              "the PTX machine does not know the instruction mma.sp::ordered_metadata.sync.aligned.m16n8k16"},
        Wrong{R"(// gemmscope: grid=1 block=32 args=map(in:half,8,8),out buffer=in=2*64 buffer=out=128 size=8
struct alignas(64) CUtensorMap { char bytes[128]; };
__global__ void im2col(const __grid_constant__ CUtensorMap map, float* out)
{
    __shared__ alignas(128) float tile[64];
    __shared__ unsigned long long full;
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2, "
                 "%2}], [%3], {%4};" ::"r"((unsigned)__cvta_generic_to_shared(tile)), "l"(&map), "r"(0),
                 "r"((unsigned)__cvta_generic_to_shared(&full)), "h"((short)0) : "memory");
    out[threadIdx.x] = tile[threadIdx.x];
}
)",
              "the PTX machine does not know the instruction cp.async.bulk.tensor.3d.shared::cluster.global.im2col"},
    });
}

// Host declarations in the same file as the kernel.
const std::string with_host = R"(#include <cuda_runtime.h>
#include <iostream>
#include <vector>
using namespace std;
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); \
    exit(1); } } while (0)
struct Timer { cudaEvent_t start; Timer() { cudaEventCreate(&start); } };
static void check(cudaError_t error, const char* what) { if (error != cudaSuccess) { std::cerr << what; exit(1); } }
__device__ float twice(float x) { return 2 * x; }
__global__ void scale(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = twice(x[i]);
}
template <class T> void print(const std::vector<T>& all) { for (const T& one : all) std::cout << one; }
int main()
{
    std::vector<float> host(256, 1.0f);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    scale<<<256 / 64, 64>>>(nullptr, nullptr, 256);
    CHECK(cudaGraphLaunch(exec, 0));
    cudaLaunchKernelEx(nullptr, scale, nullptr, nullptr, 256);
}
)";

TEST(HostCode, IsLeftOutAndWhatItAsksForIsSaid)
{
    const std::string facts = "// gemmscope: grid=4 block=64 args=x,y,N size=256 buffer=x=4*N:iota buffer=y=4*N\n";
    RUN_OR_SKIP(traced, facts + with_host);
    const auto y = test::values<float>(traced.after, "y");
    for (std::size_t i = 0; i < 256; ++i)
        ASSERT_EQ(y[i], static_cast<float>(2 * i));
    const auto notes_of = [](const ptx::Traced& one) {
        std::string notes;
        for (const std::string& note : one.recording.executed->notes)
            notes += note + "\n";
        return notes;
    };
    EXPECT_TRUE(
        says(notes_of(traced), "Line 23 launches in clusters. The host program is not run: say it with --cluster"));
    EXPECT_TRUE(says(notes_of(traced), "Line 26 launches a CUDA graph."));
    ASSERT_TRUE(traced.recording.resources) << "NVRTC compiled it, without the host program";
    const std::string notes = notes_of(test::run(facts + with_host, {.cluster = "2"}));
    EXPECT_TRUE(says(notes, "Blocks run in clusters of 2 x 1 x 1."));
    EXPECT_FALSE(says(notes, "launches in clusters."));
}

// The registers differ only in bits that are not stored.
TEST(RightKernel, LanesThatStoreTheSameByteDoNotRace)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=1 block=32 args=a buffer=a=4
__global__ void k(int* a)
{
    __shared__ int s[1];
    unsigned where = (unsigned)__cvta_generic_to_shared(s), what = threadIdx.x << 8 | 7;
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(where), "r"(what));
    a[0] = 1;
}
)");
    EXPECT_TRUE(traced.warnings.empty());
}

// Computes a warp's sum with __syncwarp before and after each store, although only some lanes store.
TEST(RightKernel, LanesThatWaitForTheirWarpDoNotRace)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=1 block=64 args=in,out buffer=in=256:iota buffer=out=256
__global__ void in_turns(const int* in, int* out)
{
    __shared__ int p[64];
    const int t = threadIdx.x, first = t / 32 * 32, lane = t % 32;
    p[t] = in[t];
    __syncwarp();
    for (int n = 16; n > 0; n /= 2) {
        int sum = lane < n ? p[t] + p[t + n] : 0;
        __syncwarp();
        if (lane < n) p[t] = sum;
        __syncwarp();
    }
    out[t] = p[first];
    __syncwarp();
    p[t] = out[t];
}
)");
    EXPECT_TRUE(traced.warnings.empty()) << traced.warnings.front();
    EXPECT_EQ(test::values<int>(traced.after, "out").front(), 496);
}

// Each kernel orders its blocks differently: by atomic operations, by the same value from every writer, or by a fence
// before the last block reads what all wrote.
TEST(RightKernel, BlocksThatShareGlobalMemoryInAnOrderDoNotRace)
{
    RUN_OR_SKIP(
        traced,
        R"(// gemmscope: grid=4 block=32 args=in,part,count,found buffer=in=4*128:iota buffer=part=4*5 buffer=count=4 buffer=found=4
__global__ void total(const int* in, int* part, int* count, int* found)
{
    __shared__ bool last;
    int x = in[blockIdx.x * 32 + threadIdx.x];
    for (int to = 16; to > 0; to /= 2) x += __shfl_xor_sync(~0u, x, to);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(count, 1) == 3;
        *found = 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) part[4] = part[0] + part[1] + part[2] + part[3];
}
)");
    EXPECT_TRUE(traced.warnings.empty()) << traced.warnings.front();
    RUN_OR_SKIP(counted, R"(// gemmscope: grid=4 block=32 args=sum,found,top buffer=sum=4 buffer=found=4 buffer=top=4
__global__ void counted(int* sum, int* found, int* top)
{
    atomicAdd(sum, 1);
    *found = 1;
    if (*top < (int)threadIdx.x) atomicMax(top, threadIdx.x);
}
)");
    EXPECT_TRUE(counted.warnings.empty()) << counted.warnings.front();
}

} // namespace
