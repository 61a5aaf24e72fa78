// gemmscope: kernel=sgemm_vectorized<128,128,8,8,8> grid=N/128,M/128 block=256 args=M,N,K,alpha,A,B,beta,C alpha=0.5 beta=3 check=gemm

// Each thread has TM x TN results, and loads four neighbours at once.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm_vectorized(int M, int N, int K, float alpha, float* A, float* B, float beta, float* C)
{
    __shared__ float As[BK * BM];
    __shared__ float Bs[BK * BN];
    const int trow = threadIdx.x / (BN / TN), tcol = threadIdx.x % (BN / TN);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int arow = threadIdx.x / (BK / 4), acol = threadIdx.x % (BK / 4);
    const int brow = threadIdx.x / (BN / 4), bcol = threadIdx.x % (BN / 4);
    float sum[TM * TN] = {0}, m[TM], n[TN];
    for (int k = 0; k < K; k += BK) {
        const float4 a = *reinterpret_cast<float4*>(&A[arow * K + acol * 4]);
        As[(acol * 4 + 0) * BM + arow] = a.x;
        As[(acol * 4 + 1) * BM + arow] = a.y;
        As[(acol * 4 + 2) * BM + arow] = a.z;
        As[(acol * 4 + 3) * BM + arow] = a.w;
        *reinterpret_cast<float4*>(&Bs[brow * BN + bcol * 4]) = *reinterpret_cast<float4*>(&B[brow * N + bcol * 4]);
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int d = 0; d < BK; ++d) {
            for (int i = 0; i < TM; ++i)
                m[i] = As[d * BM + trow * TM + i];
            for (int i = 0; i < TN; ++i)
                n[i] = Bs[d * BN + tcol * TN + i];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i * TN + j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; j += 4) {
            float4* at = reinterpret_cast<float4*>(&C[(trow * TM + i) * N + tcol * TN + j]);
            float4 c = *at;
            c.x = alpha * sum[i * TN + j] + beta * c.x;
            c.y = alpha * sum[i * TN + j + 1] + beta * c.y;
            c.z = alpha * sum[i * TN + j + 2] + beta * c.z;
            c.w = alpha * sum[i * TN + j + 3] + beta * c.w;
            *at = c;
        }
}
