// Memory of each kind, of which only that of cudaMalloc is copied, and a pool that is larger than what is copied before
// a launch. For the section values of gpu-check, on a GPU alone. Prints what the kernel leaves.
#include <cstdio>

struct Buffers {
    const int* pinned;
    int count;
    int* of_stream;
};

__device__ int variable[64];

__global__ void gather(const int* managed, Buffers buffers, int* in_pool)
{
    const int i = threadIdx.x;
    if (i >= buffers.count)
        return;
    buffers.of_stream[i] = managed[i] + buffers.pinned[i];
    in_pool[i] = 3 * managed[i];
    variable[i] = 5 * managed[i];
}

int main()
{
    constexpr int count = 64;
    constexpr size_t bytes = count * sizeof(int), pool_bytes = size_t{3} << 30, offset = (size_t{2} << 30) + 4096;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *managed, *pinned, *of_stream, host[count];
    char* pool;
    cudaMallocManaged(&managed, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaMallocAsync(&of_stream, bytes, stream);
    cudaMalloc(&pool, pool_bytes);
    cudaMemset(pool, 0, pool_bytes);
    cudaMemsetAsync(of_stream, 0, bytes, stream);
    for (int i = 0; i < count; ++i) {
        managed[i] = 100 + i;
        pinned[i] = 7 * i;
    }
    cudaDeviceSynchronize();
    int* const in_pool = reinterpret_cast<int*>(pool + offset);
    gather<<<1, 96, 0, stream>>>(managed, {pinned, count, of_stream}, in_pool);
    cudaStreamSynchronize(stream);
    cudaMemcpy(host, of_stream, bytes, cudaMemcpyDeviceToHost);
    for (const int one : host)
        std::printf("%d\n", one);
    return cudaGetLastError();
}
