#include "own/samples.h"

#include <array>

namespace kernels {

namespace {

constexpr std::string_view transpose =
    R"(// A transpose through shared memory. Change COLUMNS to 33,
// save, and see what becomes of its reads.
//
// The next lines say how it is launched: grid and block
// (expressions of M, N, K and of constants below), what each
// parameter gets, and the buffers with their bytes and what
// they are filled with: zeros, random or iota (0, 1, 2, ...).
// gemmscope: kernel=transpose grid=N/32,M/32 block=32,8
// gemmscope: args=in,out,M,N size=64
// gemmscope: buffer=in=4*M*N:iota buffer=out=4*M*N

constexpr int COLUMNS = 32;

__global__ void transpose(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[32][COLUMNS];
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        tile[i][threadIdx.x] = in[(row + i) * cols + col + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        const float value = tile[threadIdx.x][i];
        out[(col + i) * rows + row + threadIdx.x] = value;
    }
}
)";

constexpr std::string_view reduction =
    R"(// The sum of an array: each block adds up 512 numbers in
// shared memory, half as many threads in every round. Try it
// the other way round: step = 128, 64, ..., and thread < step.
//
// The next lines say how it is launched: grid and block, what
// each parameter gets, and the buffers with their bytes and
// what they are filled with: zeros, random or iota (0, 1, ...).
// gemmscope: kernel=reduction grid=8 block=256 args=in,sums
// gemmscope: buffer=in=4*8*512:iota buffer=sums=4*8

__global__ void reduction(const float* in, float* sums)
{
    __shared__ float part[256];
    const int first = blockIdx.x * 512 + threadIdx.x;
    part[threadIdx.x] = in[first] + in[first + 256];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int i = 2 * step * threadIdx.x;
        if (i < 256)
            part[i] += part[i + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
)";

constexpr std::string_view product = R"(// A matrix product, C = A B, with a tile of A and of B in
// shared memory.
//
// The next lines say how it is launched: grid and block
// (expressions of M, N, K and of constants below) and what
// each parameter gets. A, B and C are there already;
// check=gemm compares C with float64.
// gemmscope: kernel=product grid=N/TILE,M/TILE
// gemmscope: block=TILE,TILE args=A,B,C,N,K check=gemm

constexpr int TILE = 16;

__global__ void product(const float* A, const float* B, float* C, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < K; k += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * K + k + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + col];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
)";

constexpr std::array all = {Sample{"transpose", "a transpose through shared memory", transpose},
                            Sample{"reduction", "a sum in shared memory", reduction},
                            Sample{"product", "a matrix product in plain CUDA", product}};

} // namespace

std::span<const Sample> samples()
{
    return all;
}

} // namespace kernels
