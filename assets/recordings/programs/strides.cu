// Reads of shared memory by one warp: neighbouring lanes step by one word, by two, by three, by thirty-two.
// gemmscope: kernel=strides grid=1 block=32 args=in,out
// gemmscope: buffer=in=4*1024:iota buffer=out=4*128

__global__ void strides(const float* in, float* out)
{
    __shared__ float tile[1024];
    const int lane = threadIdx.x;
    for (int i = lane; i < 1024; i += 32)
        tile[i] = in[i];
    __syncthreads();
    out[lane] = tile[lane];
    out[32 + lane] = tile[2 * lane];
    out[64 + lane] = tile[3 * lane];
    out[96 + lane] = tile[32 * lane];
}
