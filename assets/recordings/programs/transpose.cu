// A transpose through shared memory. Change the number of columns of `tile` to 33, save, and see what becomes of its reads.
//
// The next lines say how it is launched: block and grid (expressions of M, N, K and of constants below), what each parameter
// gets, and the buffers with their bytes and what they are filled with: zeros, random or iota (0, 1, 2, ...).
// gemmscope: kernel=transpose grid=N/32,M/32 block=32,8 args=in,out,M,N size=64
// gemmscope: buffer=in=4*M*N:iota buffer=out=4*M*N

constexpr int COLUMNS = 32;

__global__ void transpose(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[32][COLUMNS];
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        tile[i][threadIdx.x] = in[(row + i) * cols + col + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
        out[(col + i) * rows + row + threadIdx.x] = tile[threadIdx.x][i];
}
