// gemmscope: grid=M block=128 args=in,out,N size=9x200x1 buffer=in=4*M*N:random buffer=out=4*M*N
__device__ float of_block(float value, float* shared, bool largest)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(~0u, value, distance);
        value = largest ? fmaxf(value, other) : value + other;
    }
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = shared[0];
    for (int warp = 1; warp < blockDim.x / 32; ++warp)
        value = largest ? fmaxf(value, shared[warp]) : value + shared[warp];
    __syncthreads();
    return value;
}

__global__ void softmax(const float* in, float* out, int cols)
{
    __shared__ float shared[32];
    const float* row = in + blockIdx.x * cols;
    float most = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        most = fmaxf(most, row[i]);
    most = of_block(most, shared, true);
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        sum += expf(row[i] - most);
    sum = of_block(sum, shared, false);
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[blockIdx.x * cols + i] = expf(row[i] - most) / sum;
}
