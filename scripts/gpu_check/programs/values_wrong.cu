// A transpose as beginners write it: the grid is rounded down, so that the last rows and columns of the result keep
// what was there before. For the section values of gpu-check. Prints the result.
#include <cstdio>

__global__ void transpose(const int* in, int* out, int n)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    out[col * n + row] = in[row * n + col];
}

int main()
{
    constexpr int n = 50;
    int host[n * n], *in, *out;
    for (int i = 0; i < n * n; ++i)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0xff, sizeof host);
    transpose<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (const int one : host)
        std::printf("%d\n", one);
    return cudaGetLastError();
}
