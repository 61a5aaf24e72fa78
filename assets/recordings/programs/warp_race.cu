// A block adds its numbers in pairs. Nothing but the order of the lanes says when a pair is complete.
// gemmscope: kernel=sum_in_pairs grid=2 block=64 args=in,out
// gemmscope: buffer=in=4*128:iota buffer=out=4*2

__global__ void sum_in_pairs(const int* in, int* out)
{
    __shared__ int sums[64];
    const int thread = threadIdx.x;
    sums[thread] = in[blockIdx.x * 64 + thread];
    __syncthreads();
    if (thread < 32)
        sums[thread] += sums[thread + 32];
    if (thread < 16)
        sums[thread] += sums[thread + 16];
    if (thread < 8)
        sums[thread] += sums[thread + 8];
    if (thread == 0)
        for (int i = 0; i < 8; ++i)
            out[blockIdx.x] += sums[i];
}
