// gemmscope: grid=ceil(N/256) block=256 args=numbers,bins,N size=5000 buffer=numbers=N:random buffer=bins=4*320
// Each kind of atomic operation whose cost is known, with lanes that meet in words and in banks.
__global__ void atomics(const unsigned char* numbers, unsigned* bins, int n)
{
    __shared__ unsigned counts[256], added[64], largest[256], bits[64];
    counts[threadIdx.x] = largest[threadIdx.x] = 0;
    if (threadIdx.x < 64)
        added[threadIdx.x] = bits[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const unsigned number = numbers[i];
        atomicAdd(&counts[number % 32], 1u);
        atomicAdd(&counts[number % 16 * 16], 1u);
        atomicAdd(&added[number % 64], number);
        atomicMax(&largest[number % 8 * 32], number);
        atomicOr(&bits[number % 64], number);
        atomicAdd(&bins[number % 64], number);
    }
    __syncthreads();
    const unsigned all = counts[threadIdx.x] + added[threadIdx.x % 64] + largest[threadIdx.x] + bits[threadIdx.x % 64];
    if (threadIdx.x % 3 != 0)
        atomicMax(&bins[64 + threadIdx.x], all);
}
