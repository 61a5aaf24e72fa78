// Adds up the numbers of each block and counts the negative ones, for the section values of gpu-check. Prints the sums.
#include <cstdio>

template <class T>
__global__ void sum(const T* numbers, T* sums, unsigned* negative)
{
    __shared__ T part[256];
    const T own = numbers[blockIdx.x * 256 + threadIdx.x];
    part[threadIdx.x] = own;
    __syncthreads();
    for (unsigned apart = 128; apart > 0; apart /= 2) {
        if (threadIdx.x < apart)
            part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (own < 0)
        atomicAdd(negative, 1u);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

int main()
{
    constexpr int blocks = 24, count = 256 * blocks;
    static double host[count], result[blocks];
    for (int i = 0; i < count; ++i)
        host[i] = (i * 37 % 101 - 50) / 3.0;
    double *numbers, *sums;
    unsigned* negative;
    cudaMalloc(&numbers, sizeof host);
    cudaMalloc(&sums, sizeof result);
    cudaMalloc(&negative, sizeof(unsigned));
    cudaMemset(sums, 0xff, sizeof result);
    cudaMemset(negative, 0, sizeof(unsigned));
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<blocks, 256>>>(numbers, sums, negative);
    cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
    for (const double one : result)
        std::printf("%.17g\n", one);
    return cudaGetLastError();
}
