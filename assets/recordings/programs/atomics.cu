// Lanes of one warp that add to words in memory: to one word, to a few, to a word each, and as a warp first.
// gemmscope: kernel=atomics grid=2 block=64 args=in,sums,out
// gemmscope: buffer=in=4*128:iota buffer=sums=4*64 buffer=out=4*64

__global__ void atomics(const int* in, int* sums, int* out)
{
    __shared__ int bins[64];
    bins[threadIdx.x] = 0;
    __syncthreads();
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&bins[value / 32], value);
    atomicAdd(&bins[value % 8], value);
    atomicAdd(&bins[value % 32], value);
    atomicAdd(&bins[value / 32], 1);
    atomicAdd(&sums[value / 32], value);
    atomicAdd(&sums[value % 32], value);
    int sum = value;
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sums[value / 32], sum);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
