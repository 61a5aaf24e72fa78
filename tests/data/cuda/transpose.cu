// gemmscope: kernel=transpose<32> grid=N/32,M/32 block=32,32 args=in,out,M,N buffer=in=4*M*N:iota buffer=out=4*M*N
// A matrix turned around by way of shared memory. With PITCH 32 a column lies in one bank.
template <int PITCH>
__global__ void transpose(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[32][PITCH];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
