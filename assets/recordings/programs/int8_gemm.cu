// A small product of 8-bit whole numbers on the tensor cores: C = A B, with sums of 32 bits, so nothing is rounded.
//
// Each warp computes 16 x 8 elements of C. One mma takes 32 columns of A and 32 rows of B at once, since a register holds
// four elements: twice as many as with FP16, four times as many as with TF32, from registers of the same size.
// gemmscope: kernel=int8_gemm grid=N/16,M/32 block=128 args=A,BT,C,N,K size=64x64x64 check=gemm

__device__ void multiply(int (&d)[4], const int (&a)[4], const int (&b)[2])
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Four neighbouring elements, which one register holds.
__device__ int four(const signed char* matrix, int row, int col, int cols)
{
    return *reinterpret_cast<const int*>(matrix + row * cols + col);
}

__global__ void int8_gemm(const signed char* A, const signed char* B_transposed, int* C, int N, int K)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int group = lane / 4, col_of_lane = lane % 4;
    const int row = blockIdx.y * 32 + warp / 2 * 16 + group, col = blockIdx.x * 16 + warp % 2 * 8;

    int sum[4] = {};
    for (int k = 0; k < K; k += 32) {
        const int first = k + 4 * col_of_lane, second = first + 16;
        const int a[4] = {four(A, row, first, K), four(A, row + 8, first, K), four(A, row, second, K),
                          four(A, row + 8, second, K)};
        const int b[2] = {four(B_transposed, col + group, first, K), four(B_transposed, col + group, second, K)};
        multiply(sum, a, b);
    }
    for (int i = 0; i < 4; ++i)
        C[(row + i / 2 * 8) * N + col + 2 * col_of_lane + i % 2] = sum[i];
}
