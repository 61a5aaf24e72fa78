// gemmscope: grid=ceil(N/14),ceil(M/14),2 block=16,16,1 args=in,out,M,N size=50x60x1 buffer=in=8*M*N*2:random buffer=out=8*M*N*2
// Each plane's five-point mean, in double precision, with a rim around the tile.
__global__ void stencil(const double* in, double* out, int rows, int cols)
{
    __shared__ double tile[16][16];
    const int col = blockIdx.x * 14 + threadIdx.x - 1, row = blockIdx.y * 14 + threadIdx.y - 1;
    const long plane = long(blockIdx.z) * rows * cols;
    const bool inside = col >= 0 && col < cols && row >= 0 && row < rows;
    tile[threadIdx.y][threadIdx.x] = inside ? in[plane + row * cols + col] : 0.0;
    __syncthreads();
    if (!inside || threadIdx.x == 0 || threadIdx.x == 15 || threadIdx.y == 0 || threadIdx.y == 15)
        return;
    const int x = threadIdx.x, y = threadIdx.y;
    out[plane + row * cols + col] =
        (tile[y][x] + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]) / 5.0;
}
