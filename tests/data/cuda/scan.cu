// gemmscope: grid=1 block=256 args=data,N size=256 buffer=data=4*N:iota
// An inclusive scan of one block, after Hillis and Steele, in two buffers.
__global__ void scan(int* data, int n)
{
    __shared__ int buffers[2][256];
    int from = 0;
    buffers[0][threadIdx.x] = threadIdx.x < n ? data[threadIdx.x] : 0;
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        const int before = threadIdx.x >= distance ? buffers[from][threadIdx.x - distance] : 0;
        buffers[1 - from][threadIdx.x] = buffers[from][threadIdx.x] + before;
        from = 1 - from;
        __syncthreads();
    }
    if (threadIdx.x < n)
        data[threadIdx.x] = buffers[from][threadIdx.x];
}
