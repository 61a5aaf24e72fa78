// gemmscope: grid=ceil(N/256) block=256 args=text,bins,N size=5000 buffer=text=N:random buffer=bins=4*256
__global__ void histogram(const unsigned char* text, unsigned* bins, int n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[text[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x] != 0)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
