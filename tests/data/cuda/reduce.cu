// gemmscope: grid=8 block=256 args=in,out,N size=10000 shared=32 buffer=in=4*N:random buffer=out=4
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reduce(const float* in, float* out, int n)
{
    extern __shared__ float sums[]; // one of each warp
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int distance = 4; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(~0u, sum, distance, 8);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}
