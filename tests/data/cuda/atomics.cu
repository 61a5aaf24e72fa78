// gemmscope: grid=ceil(N/256) block=256 args=numbers,bins,out,N size=5000 buffer=numbers=N:random buffer=bins=4*256 buffer=out=4*N
// Each kind of atomic operation whose cost is known, with lanes that meet in words and in banks.
__global__ void atomics(const unsigned char* numbers, unsigned* bins, unsigned* out, int n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned number = numbers[i];
        atomicAdd(&own[number % 32], 1u);
        atomicAdd(&own[number % 16 * 16], 1u);
        atomicAdd(&own[number % 64], number);
        atomicMax(&own[number % 8 * 32], number);
        const unsigned before = atomicExch(&own[number], number + 1);
        out[i] = before + atomicAdd(&bins[number % 64], number);
    }
    __syncthreads();
    if (threadIdx.x % 3 != 0)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
