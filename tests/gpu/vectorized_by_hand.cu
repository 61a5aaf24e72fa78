// The kernel of kernels/stages/11_vectorized.cu with its default parameters, written by hand without views, layouts and
// probes. Tests compare the machine code of both, to show that views cost nothing.

struct HandGemm {
    int M, N, K;
    float alpha, beta;
    const float *a, *b;
    float* c;
};

constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, threads = 256;

// Returns four neighbouring elements of a row, which are 0 outside of the matrix. One access suffices if rows begin at
// 16-byte boundaries and all four elements are inside. With `inside` this is known, and nothing is checked.
template <bool inside>
__device__ float4 fetch(const float* matrix, int rows, int cols, int row, int col)
{
    const float* from = matrix + size_t(row) * cols + col;
    if (inside)
        return *reinterpret_cast<const float4*>(from);
    if (cols % 4 != 0)
        return {row < rows && col < cols ? from[0] : 0.0f, row < rows && col + 1 < cols ? from[1] : 0.0f,
                row < rows && col + 2 < cols ? from[2] : 0.0f, row < rows && col + 3 < cols ? from[3] : 0.0f};
    return row < rows && col < cols ? *reinterpret_cast<const float4*>(from) : float4{0, 0, 0, 0};
}

template <bool inside>
__device__ void put(float* matrix, int rows, int cols, int row, int col, float4 value)
{
    float* to = matrix + size_t(row) * cols + col;
    if (inside) {
        *reinterpret_cast<float4*>(to) = value;
        return;
    }
    if (cols % 4 != 0) {
        if (row < rows && col < cols)
            to[0] = value.x;
        if (row < rows && col + 1 < cols)
            to[1] = value.y;
        if (row < rows && col + 2 < cols)
            to[2] = value.z;
        if (row < rows && col + 3 < cols)
            to[3] = value.w;
        return;
    }
    if (row < rows && col < cols)
        *reinterpret_cast<float4*>(to) = value;
}

template <bool inside>
__device__ void multiply_block(const HandGemm& gemm, float (*As)[BM], float (*Bs)[BN])
{
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;
    const int thread_row = thread / 16 * TM, thread_col = thread % 16 * TN;

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < gemm.K; k0 += BK) {
        const int a_row = thread / 2, a_k = thread % 2 * 4;
        const int b_k = thread / 32, b_col = thread % 32 * 4;
        const float4 a4 = fetch<inside>(gemm.a, gemm.M, gemm.K, block_row + a_row, k0 + a_k);
        const float4 b4 = fetch<inside>(gemm.b, gemm.K, gemm.N, k0 + b_k, block_col + b_col);
        As[a_k][a_row] = a4.x;
        As[a_k + 1][a_row] = a4.y;
        As[a_k + 2][a_row] = a4.z;
        As[a_k + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&Bs[b_k][b_col]) = b4;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 a0 = *reinterpret_cast<const float4*>(&As[k][thread_row]);
            const float4 a1 = *reinterpret_cast<const float4*>(&As[k][thread_row + 4]);
            const float4 b0 = *reinterpret_cast<const float4*>(&Bs[k][thread_col]);
            const float4 b1 = *reinterpret_cast<const float4*>(&Bs[k][thread_col + 4]);
            const float a[TM] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float b[TN] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            const int row = block_row + thread_row + i, col = block_col + thread_col + j;
            const float* s = &sum[i][j];
            const float4 old = gemm.beta != 0 ? fetch<inside>(gemm.c, gemm.M, gemm.N, row, col) : float4{0, 0, 0, 0};
            const float4 result = {gemm.alpha * s[0] + gemm.beta * old.x, gemm.alpha * s[1] + gemm.beta * old.y,
                                   gemm.alpha * s[2] + gemm.beta * old.z, gemm.alpha * s[3] + gemm.beta * old.w};
            put<inside>(gemm.c, gemm.M, gemm.N, row, col, result);
        }
    }
}

extern "C" __global__ void __launch_bounds__(threads) vectorized_by_hand(HandGemm gemm)
{
    __shared__ alignas(128) float As[BK][BM]; // transposed
    __shared__ alignas(128) float Bs[BK][BN];
    const bool inside = blockIdx.y * BM + BM <= gemm.M && blockIdx.x * BN + BN <= gemm.N && gemm.K % BK == 0 &&
                        gemm.K % 4 == 0 && gemm.N % 4 == 0;
    if (inside)
        multiply_block<true>(gemm, As, Bs);
    else
        multiply_block<false>(gemm, As, Bs);
}
