// A first CUDA program: what the host does, in seven steps, so that the device adds two vectors.

#include <cstdio>
#include <cstdlib>

__global__ void add(const float* a, const float* b, float* sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

int main()
{
    const int n = 1000, threads = 128;
    const size_t bytes = n * sizeof(float);

    // 1. Memory of the host, and its values.
    float* a = static_cast<float*>(malloc(bytes));
    float* b = static_cast<float*>(malloc(bytes));
    float* sum = static_cast<float*>(malloc(bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }

    // 2. Memory of the device.
    float *device_a, *device_b, *device_sum;
    cudaMalloc(&device_a, bytes);
    cudaMalloc(&device_b, bytes);
    cudaMalloc(&device_sum, bytes);

    // 3. The inputs go to the device.
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);

    // 4. The launch returns at once, while the kernel runs.
    add<<<(n + threads - 1) / threads, threads>>>(device_a, device_b, device_sum, n);

    // 5. The host waits until the kernel has ended, and asks whether anything failed.
    const cudaError_t failed = cudaDeviceSynchronize();
    if (failed != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(failed));
        return 1;
    }

    // 6. The result comes back.
    cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += sum[i] != 3 * i;
    std::printf("%d wrong\n", wrong);

    // 7. What was allocated is freed.
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_sum);
    free(a);
    free(b);
    free(sum);
    return wrong;
}
