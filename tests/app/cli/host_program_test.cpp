// Programs with their own host code, run without a GPU: what they print, what their launches are, what is recorded of
// one.
#include "tests/app/cli/host_program_run.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "error.h"
#include "recording/recording.h"
#include "run_program.h"
#include "traced/user_kernel.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using test::says;
using test::Ran;

class HostProgram : public test::HostProgramRun {};

TEST_F(HostProgram, TheSecondKernelFindsWhatTheFirstOneLeft)
{
    const Ran ran = run(
        "__global__ void fill(int* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = i; }\n"
        "__global__ void twice(const int* in, int* out) { int i = threadIdx.x; out[i] = 2 * in[i]; }\n"
        "int main() {\n"
        "    int *a, *b, host[64];\n"
        "    cudaMalloc(&a, sizeof host); cudaMalloc(&b, sizeof host);\n"
        "    fill<<<2, 32>>>(a, 64);\n"
        "    twice<<<1, 64>>>(a, b);\n"
        "    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);\n"
        "    long sum = 0; for (int v : host) sum += v;\n"
        "    printf(\"sum %ld last %d\\n\", sum, host[63]);\n"
        "    cudaFree(a); cudaFree(b);\n"
        "}\n",
        kernel("twice"));
    EXPECT_EQ(ran.printed, "sum 4032 last 126\n");
    ASSERT_EQ(ran.result.end.launches.size(), 2u);
    EXPECT_EQ(ran.result.end.launches[0].name, "fill(int*, int)");
    EXPECT_EQ(ran.result.end.launches[0].launch.grid.x, 2u);
    EXPECT_EQ(ran.result.end.recorded->number, 2u);
    EXPECT_EQ(ran.recording().stage, "twice");
    const recording::Totals totals = ran.recording().totals();
    EXPECT_EQ(totals.global_load.requests, 2u);
    EXPECT_EQ(totals.global_load.sectors, 8u);
    EXPECT_EQ(totals.global_store.sectors, 8u);
    ASSERT_NE(ran.array("in"), nullptr);
    EXPECT_EQ(ran.array("in")->bytes, 256u);
    ASSERT_EQ(ran.recording().arrays[2].name, "out") << "what it writes";
    EXPECT_TRUE(says(ran.recording().source().text, "__global__ void twice"));
    EXPECT_EQ(ran.recording().blocks[0].warps[0].accesses[0].line, 3u) << "of the file";
    EXPECT_GT(ran.recording().resources->registers_per_thread, 0u);
    EXPECT_TRUE(ran.said.empty());
}

// The machine code that comes with the program, beside the PTX that is executed; NVRTC and a GPU give the same figures.
TEST_F(HostProgram, ItsAccessesAreAsExecuted)
{
    const Ran ran = run(test::text_of(test::data("cuda/ladder.cu")) +
                            "int main() {\n"
                            "    float *a, *b, *c; const size_t bytes = 128 * 128 * sizeof(float);\n"
                            "    cudaMalloc(&a, bytes); cudaMalloc(&b, bytes); cudaMalloc(&c, bytes);\n"
                            "    thread_tile<rows, 128, 128, 8, 8, 8><<<1, 256>>>(128, 128, 128, 0.5f, a, b, 3, c);\n"
                            "    cudaDeviceSynchronize();\n"
                            "}\n",
                        kernel("thread_tile"));
    ASSERT_TRUE(recording::is_as_executed(ran.recording())) << ran.recording().executed->notes.front();
    EXPECT_EQ(ran.recording().totals().shared_load, (recording::SharedTotals{4096, 20480, 8192}));
    EXPECT_EQ(ran.recording().totals().shared_store, (recording::SharedTotals{640, 1536, 512}));
    EXPECT_EQ(ran.result.end.recorded->traced.written.shared_load, (recording::SharedTotals{16384, 40960, 24576}));
}

// The grandchild of this program has the runtime library's prctl, in which its parent ends just before.
TEST_F(HostProgram, AParentThatEndedBeforeIsNoticed)
{
    const Ran ran = run("#include <csignal>\n#include <cstdlib>\n#include <string>\n"
                        "#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                        "extern \"C\" int prctl(int option, unsigned long value) {\n"
                        "    if (!getenv(\"LATE\")) return syscall(SYS_prctl, option, value, 0, 0, 0);\n"
                        "    const pid_t parent = getppid();\n"
                        "    kill(parent, SIGKILL);\n"
                        "    while (getppid() == parent) usleep(1000);\n"
                        "    return 0;\n"
                        "}\n"
                        "__global__ void one(int* x) { *x = 1; }\n"
                        "int main(int, char** words) {\n"
                        "    if (getenv(\"LATE\")) { puts(\"It runs on.\"); return 0; }\n"
                        "    int ends[2];\n"
                        "    if (pipe(ends) != 0) return 1;\n"
                        "    const pid_t child = fork();\n"
                        "    if (child == 0) {\n"
                        "        setenv(\"LATE\", \"1\", 1);\n"
                        "        setenv(\"GEMMSCOPE_CUDART_PARENT\", std::to_string(getpid()).c_str(), 1);\n"
                        "        dup2(ends[1], 1); close(ends[0]); close(ends[1]);\n"
                        "        if (fork() == 0) { execv(\"/proc/self/exe\", words); _exit(2); }\n"
                        "        for (;;) pause();\n"
                        "    }\n"
                        "    close(ends[1]);\n"
                        "    int letters = 0;\n"
                        "    for (char c; read(ends[0], &c, 1) == 1;) ++letters;\n"
                        "    int status; waitpid(child, &status, 0);\n"
                        "    printf(\"%d %d\\n\", letters, WIFSIGNALED(status));\n"
                        "    int* x; cudaMalloc(&x, 4); one<<<1, 1>>>(x); cudaFree(x);\n"
                        "}\n");
    EXPECT_EQ(ran.printed, "0 1\n");
}

TEST_F(HostProgram, CopiesRowsAndFills)
{
    const Ran ran =
        run("__global__ void add(int* x, size_t pitch) { x[threadIdx.y * pitch / 4 + threadIdx.x] += 100; }\n"
            "int main() {\n"
            "    int host[4][6], back[4][6] = {}, *x, *y; size_t pitch;\n"
            "    for (int i = 0; i < 24; ++i) host[i / 6][i % 6] = i;\n"
            "    cudaMallocPitch(&x, &pitch, 24, 4);\n"
            "    cudaMemset2D(x, pitch, 0xff, pitch, 4);\n"
            "    cudaMemcpy2D(x, pitch, host, 24, 16, 4, cudaMemcpyHostToDevice);\n"
            "    add<<<1, dim3(6, 4)>>>(x, pitch);\n"
            "    cudaMalloc(&y, 96);\n"
            "    cudaMemcpy2D(y, 24, x, pitch, 24, 4, cudaMemcpyDeviceToDevice);\n"
            "    cudaMemcpy(back, y, 96, cudaMemcpyDefault);\n"
            "    printf(\"%zu %d %d %d %d\\n\", pitch, back[0][0], back[3][3], back[3][4], back[1][5]);\n"
            "    cudaMemset(y, 1, 8); cudaMemcpy(back, y, 96, cudaMemcpyDeviceToHost);\n"
            "    printf(\"%x %d\\n\", back[0][1], back[0][2]);\n"
            "    cudaMemcpy3DParms p = {};\n"
            "    p.srcPtr = make_cudaPitchedPtr(host, 24, 6, 4); p.dstPtr = make_cudaPitchedPtr(x, pitch, 24, 4);\n"
            "    p.extent = make_cudaExtent(24, 4, 1); p.kind = cudaMemcpyHostToDevice;\n"
            "    int error = cudaMemcpy3D(&p); cudaMemcpy(back, (char*)x + pitch, 24, cudaMemcpyDeviceToHost);\n"
            "    printf(\"%d %d\\n\", error, back[0][5]);\n"
            "    printf(\"%d\\n\", cudaMemcpy(y, host, 97, cudaMemcpyHostToDevice));\n"
            "    printf(\"%d\\n\", cudaMemcpy(host, host, 4, cudaMemcpyDeviceToHost));\n"
            "}\n");
    EXPECT_EQ(ran.printed, "512 100 121 99 99\n1010101 102\n0 11\n1\n1\n");
}

TEST_F(HostProgram, SymbolsAreWhatTheHostSets)
{
    const Ran ran = run("__constant__ float weights[4];\n"
                        "__device__ int counter = 5;\n"
                        "__managed__ int shared_by_both = 1;\n"
                        "__global__ void apply(const float* x, float* o) {\n"
                        "    o[threadIdx.x] = x[threadIdx.x] * weights[threadIdx.x % 4];\n"
                        "    if (threadIdx.x == 0) { counter += 2; shared_by_both += 10; }\n"
                        "}\n"
                        "int main() {\n"
                        "    float w[4] = {1, 2, 3, 4}, h[32], *x, *o; int c = 0; void* at; size_t bytes;\n"
                        "    for (int i = 0; i < 32; ++i) h[i] = 1;\n"
                        "    cudaMalloc(&x, 128); cudaMalloc(&o, 128);\n"
                        "    cudaMemcpyToSymbol(weights, w, sizeof w);\n"
                        "    float five = 5; cudaMemcpyToSymbol(weights, &five, 4, 8);\n"
                        "    cudaMemcpy(x, h, 128, cudaMemcpyHostToDevice);\n"
                        "    shared_by_both = 7;\n"
                        "    apply<<<1, 32>>>(x, o);\n"
                        "    cudaDeviceSynchronize();\n"
                        "    cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost);\n"
                        "    cudaMemcpyFromSymbol(&c, counter, sizeof c);\n"
                        "    printf(\"%g %g %g %d %d\\n\", h[1], h[2], h[31], c, shared_by_both);\n"
                        "    cudaGetSymbolAddress(&at, counter); cudaGetSymbolSize(&bytes, weights);\n"
                        "    cudaMemset(at, 0, 4); cudaMemcpyFromSymbol(&c, counter, 4);\n"
                        "    printf(\"%d %zu\\n\", c, bytes);\n"
                        "}\n");
    EXPECT_EQ(ran.printed, "2 5 4 7 17\n0 16\n");
    EXPECT_NE(ran.array("counter"), nullptr) << "a variable that the kernel uses";
}

TEST_F(HostProgram, HostAndKernelShareManagedAndPinnedMemory)
{
    const Ran ran =
        run("__global__ void square(float* x, float* y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }\n"
            "int main() {\n"
            "    float *x, *y;\n"
            "    cudaMallocManaged(&x, 64 * 4); cudaMallocHost(&y, 64 * 4);\n"
            "    for (int i = 0; i < 64; ++i) x[i] = i;\n"
            "    cudaMemPrefetchAsync(x, 256, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0);\n"
            "    square<<<1, 64>>>(x, y);\n"
            "    cudaDeviceSynchronize();\n"
            "    cudaPointerAttributes a, b; cudaPointerGetAttributes(&a, x); cudaPointerGetAttributes(&b, &x);\n"
            "    printf(\"%g %g %d %d\\n\", y[63], y[2], a.type, b.type);\n"
            "    cudaFree(x); cudaFreeHost(y);\n"
            "}\n");
    EXPECT_EQ(ran.printed, "3969 4 3 0\n");
}

TEST_F(HostProgram, StreamsEventsAndGraphs)
{
    const Ran ran = run("__global__ void add(int* x, int n) { x[threadIdx.x] += n; }\n"
                        "int main() {\n"
                        "    int *x, host[32] = {}; cudaStream_t s, t; cudaEvent_t a, b; float ms = 5;\n"
                        "    cudaStreamCreate(&s); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);\n"
                        "    cudaEventCreate(&a); cudaEventCreateWithFlags(&b, cudaEventDisableTiming);\n"
                        "    cudaMallocAsync(&x, 128, s); cudaMemsetAsync(x, 0, 128, s);\n"
                        "    printf(\"%d\\n\", cudaEventElapsedTime(&ms, a, b));\n"
                        "    cudaEventRecord(a, s); add<<<1, 32, 0, s>>>(x, 1); cudaEventRecord(b, s);\n"
                        "    cudaEventElapsedTime(&ms, a, b); printf(\"%d\\n\", ms != ms);\n"
                        "    cudaGraph_t graph; cudaGraphExec_t exec; cudaEvent_t fork, join;\n"
                        "    cudaEventCreate(&fork); cudaEventCreate(&join);\n"
                        "    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
                        "    add<<<1, 32, 0, s>>>(x, 10);\n"
                        "    cudaEventRecord(fork, s); cudaStreamWaitEvent(t, fork, 0);\n"
                        "    add<<<1, 32, 0, t>>>(x, 100); cudaEventRecord(join, t); cudaStreamWaitEvent(s, join, 0);\n"
                        "    cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0);\n"
                        "    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost); printf(\"%d\\n\", host[5]);\n"
                        "    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, s);\n"
                        "    cudaStreamSynchronize(s);\n"
                        "    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, t); printf(\"%d\\n\", host[31]);\n"
                        "}\n",
                        kernel("add", 7));
    EXPECT_EQ(ran.printed, "400\n1\n1\n331\n");
    EXPECT_EQ(ran.result.end.recorded->number, 7u) << "launches of a graph count";
    ASSERT_EQ(ran.result.end.launches.size(), 1u);
    EXPECT_EQ(ran.result.end.launches[0].count, 7u);
    EXPECT_EQ(ran.said.size(), 1u) << "that events have no time, once";
}

TEST_F(HostProgram, GraphsOfNodes)
{
    const Ran ran =
        run("__global__ void add(int* x, int n) { x[threadIdx.x] += n; }\n"
            "int main() {\n"
            "    int *x, host[32] = {}, by = 5; cudaMalloc(&x, 128);\n"
            "    cudaGraph_t graph; cudaGraphExec_t exec; cudaGraphNode_t a, b, c; cudaGraphCreate(&graph, 0);\n"
            "    cudaMemsetParams m = {}; m.dst = x; m.value = 3; m.elementSize = 4; m.width = 32; m.height = 1;\n"
            "    cudaGraphAddMemsetNode(&a, graph, nullptr, 0, &m);\n"
            "    void* arguments[] = {&x, &by}; cudaKernelNodeParams k = {};\n"
            "    k.func = (void*)add; k.gridDim = 1; k.blockDim = 32; k.kernelParams = arguments;\n"
            "    cudaGraphAddKernelNode(&b, graph, &a, 1, &k);\n"
            "    by = 1000;\n"
            "    cudaGraphAddMemcpyNode1D(&c, graph, &b, 1, host, x, 128, cudaMemcpyDeviceToHost);\n"
            "    cudaGraphInstantiate(&exec, graph, 0); printf(\"%d\\n\", host[9]);\n"
            "    cudaGraphLaunch(exec, 0); cudaGraphLaunch(exec, 0); printf(\"%d\\n\", host[9]);\n"
            "}\n");
    EXPECT_EQ(ran.printed, "0\n8\n");
    EXPECT_EQ(ran.result.end.launches[0].count, 2u);
}

TEST_F(HostProgram, ErrorsAreThoseOfCuda)
{
    const Ran ran = run("__global__ void store(int* x, int i) { x[i] = 1; }\n"
                        "int main() {\n"
                        "    int* x; cudaMalloc(&x, 128);\n"
                        "    store<<<1, 2000>>>(x, 0);\n"
                        "    printf(\"%s\\n\", cudaGetErrorName(cudaPeekAtLastError()));\n"
                        "    printf(\"%s\\n\", cudaGetErrorString(cudaGetLastError()));\n"
                        "    printf(\"%d\\n\", cudaGetLastError());\n"
                        "    printf(\"%d\\n\", cudaFree(x + 1)); cudaGetLastError();\n"
                        "    store<<<1, 1>>>(x, 0); printf(\"%d\\n\", cudaDeviceSynchronize());\n"
                        "    store<<<1, 1>>>(x, 32);\n"
                        "    printf(\"%s\\n\", cudaGetErrorString(cudaDeviceSynchronize()));\n"
                        "    cudaGetLastError(); printf(\"%d\\n\", cudaGetLastError());\n"
                        "    printf(\"%d\\n\", cudaMalloc(&x, 4));\n"
                        "    return 3;\n"
                        "}\n",
                        kernel("store"));
    EXPECT_EQ(ran.printed, "cudaErrorInvalidConfiguration\ninvalid configuration argument\n0\n1\n0\n"
                           "an illegal memory access was encountered\n700\n700\n");
    EXPECT_EQ(ran.result.end.status, 3);
    EXPECT_EQ(ran.result.end.recorded->number, 2u) << "the first that a GPU takes";
    ASSERT_EQ(ran.result.end.failures.size(), 2u);
    EXPECT_TRUE(says(ran.result.end.failures[0], "2000"));
    EXPECT_TRUE(says(ran.result.end.failures[1], "Line 2")) << ran.result.end.failures[1];
    EXPECT_TRUE(says(ran.result.end.failures[1], "launch 3")) << ran.result.end.failures[1];
    EXPECT_EQ(ran.said, ran.result.end.failures);
}

TEST_F(HostProgram, SharedMemoryAndLaunchBoundsHaveTheirLimits)
{
    const Ran ran = run(
        "__global__ void __launch_bounds__(128) few(int* x) { x[threadIdx.x] = 1; }\n"
        "extern __shared__ float tile[];\n"
        "__global__ void wide(float* x) {\n"
        "    tile[threadIdx.x * 33] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = tile[(threadIdx.x ^ 1) * 33];\n"
        "}\n"
        "int main() {\n"
        "    float* x; cudaMalloc(&x, 4096);\n"
        "    few<<<1, 256>>>((int*)x); printf(\"%d\\n\", cudaGetLastError());\n"
        "    wide<<<1, 32, 60000>>>(x); printf(\"%d\\n\", cudaGetLastError());\n"
        "    printf(\"%d\\n\", cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));\n"
        "    cudaGetLastError();\n"
        "    cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);\n"
        "    wide<<<1, 32, 60000>>>(x); printf(\"%d\\n\", cudaDeviceSynchronize());\n"
        "}\n",
        kernel("wide"));
    EXPECT_EQ(ran.printed, "1\n1\n1\n0\n");
    EXPECT_EQ(ran.recording().totals().shared_store.wavefronts, 1u);
    EXPECT_EQ(ran.recording().resources->shared_bytes_per_block, 60000u);
}

TEST_F(HostProgram, PropertiesOfAGpuAreNeverZero)
{
    const Ran ran = run(
        "__global__ void k(float* x) { __shared__ float s[1024]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
        "    x[threadIdx.x] = s[1023 - threadIdx.x]; }\n"
        "int main() {\n"
        "    cudaDeviceProp p; int count, sms, blocks, grid, block; cudaFuncAttributes a;\n"
        "    cudaGetDeviceCount(&count); cudaGetDeviceProperties(&p, 0);\n"
        "    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n"
        "    printf(\"%d %s %d.%d %d %d\\n\", count, p.name, p.major, p.minor, p.multiProcessorCount, sms);\n"
        "    printf(\"%d %zu %zu %d %d\\n\", p.warpSize, p.sharedMemPerBlock, p.sharedMemPerBlockOptin,\n"
        "           p.maxThreadsPerMultiProcessor, p.clusterLaunch);\n"
        "    printf(\"%d\\n\", p.totalGlobalMem > 0 && p.l2CacheSize > 0 && p.memoryBusWidth > 0 && p.maxGridSize[0] > "
        "0);\n"
        "    cudaFuncGetAttributes(&a, k);\n"
        "    printf(\"%zu %d %d\\n\", a.sharedSizeBytes, a.numRegs > 0, a.maxThreadsPerBlock);\n"
        "    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 1024, 0);\n"
        "    cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0);\n"
        "    printf(\"%d %d %d\\n\", blocks, grid, block);\n"
        "    printf(\"%d\\n\", cudaSetDevice(1));\n"
        "    float* x; cudaMalloc(&x, 4096); k<<<1, 1024>>>(x);\n"
        "}\n");
    EXPECT_EQ(ran.printed, "1 NVIDIA H200 9.0 132 132\n32 49152 232448 2048 1\n1\n4096 1 1024\n2 264 1024\n101\n");
}

TEST_F(HostProgram, ClustersByAttributeAndStructsByValue)
{
    const Ran ran =
        run("struct View { const float* data; int n; float* result; };\n"
            "template <typename T> __global__ void scale(View v, T by) {\n"
            "    unsigned rank; asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < v.n) v.result[i] = v.data[i] * by + rank;\n"
            "}\n"
            "int main() {\n"
            "    float h[128], *in, *out; for (int i = 0; i < 128; ++i) h[i] = i;\n"
            "    cudaMalloc(&in, 512); cudaMalloc(&out, 512); cudaMemcpy(in, h, 512, cudaMemcpyHostToDevice);\n"
            "    cudaLaunchConfig_t c = {}; c.gridDim = 4; c.blockDim = 32;\n"
            "    cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeClusterDimension;\n"
            "    a[0].val.clusterDim.x = 2; a[0].val.clusterDim.y = 1; a[0].val.clusterDim.z = 1;\n"
            "    c.attrs = a; c.numAttrs = 1;\n"
            "    printf(\"%d\\n\", cudaLaunchKernelEx(&c, scale<float>, View{in, 100, out}, 2.0f));\n"
            "    cudaMemcpy(h, out, 512, cudaMemcpyDeviceToHost); printf(\"%g %g %g\\n\", h[31], h[32], h[99]);\n"
            "}\n",
            kernel("scale<float>"));
    EXPECT_EQ(ran.printed, "0\n62 65 199\n");
    EXPECT_EQ(ran.result.end.launches[0].cluster.x, 2u);
    EXPECT_NE(ran.array("v.data"), nullptr);
    EXPECT_EQ(ran.recording().arrays[2].name, "v.result");
}

TEST_F(HostProgram, WhatIsNotServedFailsByItsName)
{
    const Ran ran = run("#include <cufft.h>\n"
                        "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
                        "int main() {\n"
                        "    int* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x);\n"
                        "    cudaMipmappedArray_t array; cudaChannelFormatDesc d = {}; cufftHandle plan;\n"
                        "    printf(\"%d\\n\", cudaMallocMipmappedArray(&array, &d, make_cudaExtent(8, 8, 0), 2));\n"
                        "    printf(\"%d\\n\", cufftPlan1d(&plan, 256, CUFFT_C2C, 1) != CUFFT_SUCCESS);\n"
                        "}\n");
    EXPECT_EQ(ran.printed, "801\n1\n");
    ASSERT_EQ(ran.said.size(), 2u);
    EXPECT_TRUE(says(ran.said[0], "cudaMallocMipmappedArray"));
    EXPECT_TRUE(says(ran.said[1], "cufftPlan1d"));
}

TEST_F(HostProgram, ProductsOfCublasAreRight)
{
    const Ran ran = run(
        "#include <cublas_v2.h>\n#include <cuda_fp16.h>\n"
        "__global__ void matmul(const float* A, const float* B, float* C, int N) {\n"
        "    int row = threadIdx.y, col = threadIdx.x; float sum = 0;\n"
        "    for (int k = 0; k < N; ++k) sum += A[row * N + k] * B[k * N + col];\n"
        "    C[row * N + col] = sum;\n"
        "}\n"
        "int main() {\n"
        "    const int n = 8; float a[64], b[64], c[64], d[64], *A, *B, *C; __half h[64], *H;\n"
        "    for (int i = 0; i < 64; ++i) a[i] = i % 7 - 3, b[i] = i % 5, h[i] = __float2half(a[i]);\n"
        "    cudaMalloc(&A, 256); cudaMalloc(&B, 256); cudaMalloc(&C, 256); cudaMalloc(&H, 128);\n"
        "    cudaMemcpy(A, a, 256, cudaMemcpyHostToDevice); cudaMemcpy(B, b, 256, cudaMemcpyHostToDevice);\n"
        "    cudaMemcpy(H, h, 128, cudaMemcpyHostToDevice);\n"
        "    matmul<<<1, dim3(8, 8)>>>(A, B, C, n); cudaMemcpy(c, C, 256, cudaMemcpyDeviceToHost);\n"
        "    cublasHandle_t handle; cublasCreate(&handle); float one = 1, zero = 0; int wrong = 0;\n"
        "    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n, &zero, C, n);\n"
        "    cudaMemcpy(d, C, 256, cudaMemcpyDeviceToHost); for (int i = 0; i < 64; ++i) wrong += c[i] != d[i];\n"
        "    cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, H, CUDA_R_16F, n, H, CUDA_R_16F, n, &zero,\n"
        "                 C, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);\n"
        "    cudaMemcpy(d, C, 256, cudaMemcpyDeviceToHost); float sum = 0;\n"
        "    for (int k = 0; k < n; ++k) sum += a[1 * n + k] * a[2 * n + k];\n"
        "    printf(\"%d %d\\n\", wrong, d[2 * n + 1] == sum);\n"
        "}\n");
    EXPECT_EQ(ran.printed, "0 1\n");
    EXPECT_TRUE(ran.recording().executed->multiplies) << "its name, its matrices and its N say so";
    EXPECT_EQ(ran.recording().problem.K, 8u);
    EXPECT_EQ(ran.recording().inputs, recording::Inputs::unknown);
}

TEST_F(HostProgram, KernelsPrint)
{
    const Ran ran =
        run("__global__ void hello(const char* who, double x) {\n"
            "    if (threadIdx.x < 2) printf(\"%s %d of %u: %5.2f %lld%%\\n\", who, threadIdx.x, blockIdx.x, x, 1ll << "
            "40);\n"
            "}\n"
            "int main() {\n"
            "    char* who; cudaMallocManaged(&who, 8); who[0] = 'h'; who[1] = 'i';\n"
            "    printf(\"first\\n\"); hello<<<2, 32>>>(who, 2.5); cudaDeviceSynchronize(); printf(\"last\\n\");\n"
            "}\n");
    EXPECT_EQ(ran.printed, "first\nhi 0 of 0:  2.50 1099511627776%\nhi 1 of 0:  2.50 1099511627776%\n"
                           "hi 0 of 1:  2.50 1099511627776%\nhi 1 of 1:  2.50 1099511627776%\nlast\n");
}

TEST_F(HostProgram, TheSameLaunchAgainTakesNoTime)
{
    app::HostProgramTask task;
    task.list = true;
    const Ran ran =
        run("__global__ void total(const int* in, int* out) {\n"
            "    __shared__ int sums[256]; int t = threadIdx.x; sums[t] = in[blockIdx.x * 256 + t]; __syncthreads();\n"
            "    for (int s = 128; s > 0; s /= 2) { if (t < s) sums[t] += sums[t + s]; __syncthreads(); }\n"
            "    if (t == 0) out[blockIdx.x] = sums[0];\n"
            "}\n"
            "int main() {\n"
            "    int *in, *out, h[1024], o[4]; for (int i = 0; i < 1024; ++i) h[i] = 1;\n"
            "    cudaMalloc(&in, 4096); cudaMalloc(&out, 16); cudaMemcpy(in, h, 4096, cudaMemcpyHostToDevice);\n"
            "    for (int i = 0; i < 500; ++i) total<<<4, 256>>>(in, out);\n"
            "    h[0] = 2; cudaMemcpy(in, h, 4096, cudaMemcpyHostToDevice);\n"
            "    total<<<4, 256>>>(in, out); cudaMemcpy(o, out, 16, cudaMemcpyDeviceToHost); printf(\"%d %d\\n\", "
            "o[0], o[3]);\n"
            "}\n",
            task);
    EXPECT_EQ(ran.printed, "257 256\n");
    ASSERT_EQ(ran.result.end.launches.size(), 1u);
    EXPECT_EQ(ran.result.end.launches[0].count, 501u);
    EXPECT_EQ(ran.result.end.launches[0].executed, 3u)
        << "the first, the one that changes nothing, and with other data";
    EXPECT_EQ(ran.result.end.launches[0].steps % 501, 0u) << "each counts as if it had run";
    EXPECT_FALSE(ran.result.recorded);
}

TEST_F(HostProgram, ArgumentsMacrosAndBlocksAreTheCallers)
{
    app::HostProgramTask task;
    task.command = {"3", "two words"};
    task.request.defines = {"COUNT=7"};
    task.request.blocks = {{1, 0, 0}, {2, 0, 0}};
    const Ran ran = run("__global__ void k(int* x) { x[blockIdx.x * 32 + threadIdx.x] = COUNT; }\n"
                        "int main(int argc, char** argv) {\n"
                        "    int* x; cudaMalloc(&x, 128 * 3); k<<<3, 32>>>(x); int h[96];\n"
                        "    cudaMemcpy(h, x, 384, cudaMemcpyDeviceToHost); printf(\"%d %s %s %d\\n\", argc, argv[1], "
                        "argv[2], h[95]);\n"
                        "}\n",
                        task);
    EXPECT_EQ(ran.printed, "3 3 two words 7\n");
    ASSERT_EQ(ran.recording().blocks.size(), 2u);
    EXPECT_EQ(ran.recording().blocks[0].block.x, 1u);
}

TEST_F(HostProgram, SaysWhatItLaunchedWhereNothingMatches)
{
    const std::string text = "__global__ void k(int* x) { x[0] = 1; }\n"
                             "int main() { int* x; cudaMalloc(&x, 4); k<<<1, 1>>>(x); return 0; }\n";
    try {
        run(text, kernel("other"));
        FAIL();
    } catch (const kernels::Error& error) {
        EXPECT_TRUE(says(error.what(), "--list")) << error.what();
        EXPECT_TRUE(says(error.what(), "other")) << error.what();
    }
    EXPECT_THROW(run("void elsewhere(); int main() { elsewhere(); }\n"), kernels::Error);
    EXPECT_THROW(run("int main() { return 1; }\n"), kernels::Error) << "no kernel";
    EXPECT_THROW(run("int main() { return wrong; }\n"), kernels::Error) << "does not compile";
}

TEST_F(HostProgram, OtherSourcesOfTheProgramAreBesideIt)
{
    std::ofstream(folder_ / "gold.cpp") << "extern \"C\" int gold(int);\nint gold(int n) { return 3 * n; }\n";
    std::ofstream(folder_ / "other.cpp") << "int gold(int);\nint main() { return gold(1); }\n";
    std::ofstream(folder_ / "second.cpp") << "extern \"C\" int gold(int n) { return n; }\n"; // after gold.cpp
    std::ofstream(folder_ / "launch.cu") << "__global__ void three(int* x) { x[threadIdx.x] = 3 * threadIdx.x; }\n"
                                            "void launch(int* x) { three<<<1, 32>>>(x); }\n";
    const Ran ran = run("extern \"C\" int gold(int);\nvoid launch(int* x);\n"
                        "int main() { int *x, h[32]; cudaMalloc(&x, 128); launch(x);\n"
                        "    cudaMemcpy(h, x, 128, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[7] == gold(7)); }\n");
    EXPECT_EQ(ran.printed, "1\n");
    EXPECT_EQ(ran.recording().stage, "three");
    EXPECT_TRUE(says(ran.recording().source().text, "void launch"));
}

// Also one that was compiled for a default stream per thread.
TEST_F(HostProgram, AProgramWithTheSharedRuntimeRunsOnOursInstead)
{
    const std::filesystem::path file = folder_ / "shared.cu";
    std::ofstream(file) << "#include <cstdio>\n"
                           "__global__ void negate(int* x) { x[threadIdx.x] = -x[threadIdx.x]; }\n"
                           "int main() { int *x, h[32]; for (int i = 0; i < 32; ++i) h[i] = i; cudaMalloc(&x, 128);\n"
                           "    cudaMemcpy(x, h, 128, cudaMemcpyHostToDevice); negate<<<1, 32>>>(x);\n"
                           "    cudaMemcpy(h, x, 128, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[31]); }\n";
    const kernels::ProgramOutput built = kernels::run_program(
        {.words = {"/usr/local/cuda/bin/nvcc", "-cudart", "shared", "--no-compress", "--default-stream", "per-thread",
                   "-gencode", "arch=compute_90,code=compute_90", "-o", folder_ / "shared", file}});
    if (!built.found)
        GTEST_SKIP() << "nvcc lies elsewhere";
    ASSERT_TRUE(built.good) << built.text;
    app::HostProgramTask task;
    task.command = {folder_ / "shared"};
    const Ran ran = run_command(task);
    EXPECT_EQ(ran.printed, "-31\n");
    EXPECT_EQ(ran.recording().totals().global_load.requests, 1u);
    EXPECT_TRUE(says(ran.recording().source().text, ".entry")) << "without -lineinfo the PTX is its source";
}

TEST(HostProgramFile, IsWhatHasAMain)
{
    EXPECT_FALSE(app::why_no_host_program("__global__ void k() {} // int main()").empty());
    EXPECT_FALSE(app::why_no_host_program("int domain(int);").empty());
    EXPECT_EQ(app::why_no_host_program("__global__ void k() {}\nint\nmain (void) {}").empty(),
              traced::can_build_host_programs());
}

} // namespace
