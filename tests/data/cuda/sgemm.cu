// gemmscope: kernel=sgemm<64,64,8,8> grid=N/64,M/64 block=512 args=M,N,K,alpha,A,B,beta,C alpha=0.5 beta=3 check=gemm
#include <cstdlib>
#include <iostream>
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

// Each thread has TM results of one column.
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const int col = threadIdx.x % BN, row = threadIdx.x / BN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM] = {0};
    for (int k = 0; k < K; k += BK) {
        As[threadIdx.x] = A[threadIdx.x / BK * K + threadIdx.x % BK];
        Bs[threadIdx.x] = B[row * N + col];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int i = 0; i < BK; ++i) {
            const float b = Bs[i * BN + col];
            for (int j = 0; j < TM; ++j)
                sums[j] += As[(row * TM + j) * BK + i] * b;
        }
        __syncthreads();
    }
    for (int j = 0; j < TM; ++j)
        C[(row * TM + j) * N + col] = alpha * sums[j] + beta * C[(row * TM + j) * N + col];
}
