// Scales and shifts an array in place, for the section values of gpu-check. Prints what the array holds at the end.
#include <cstdio>

__global__ void scale(float* numbers, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        numbers[i] = 2 * numbers[i] + 1;
}

int main()
{
    constexpr int count = 1000;
    float host[count];
    for (int i = 0; i < count; ++i)
        host[i] = 0.25f * i - 7;
    float* numbers;
    cudaMalloc(&numbers, sizeof host);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<(count + 127) / 128, 128>>>(numbers, count);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    for (const float one : host)
        std::printf("%.9g\n", one);
    return cudaGetLastError();
}
