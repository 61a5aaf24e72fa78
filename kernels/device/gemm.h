// The arguments of the ladder's kernels, as the host passes them.
#pragma once

#include "device/views.h"

// C[M x N] = alpha * A[M x K] * B[K x N] + beta * C. As in BLAS, C is not read where beta is 0.
struct Gemm {
    int M, N, K;
    float alpha, beta;
    const float *a, *b;
    float* c;

    template <class Probe>
    __device__ Matrix<Probe> A(Block<Probe>& block) const
    {
        return {a, M, K, array_A, block};
    }
    template <class Probe>
    __device__ Matrix<Probe> B(Block<Probe>& block) const
    {
        return {b, K, N, array_B, block};
    }
    template <class Probe>
    __device__ OutputMatrix<Probe> C(Block<Probe>& block) const
    {
        return {c, M, N, array_C, block};
    }
};

// c[i] = a[i] + b[i], 0 <= i < n; seen as matrices of one row.
struct Vectors {
    int n;
    const float *a, *b;
    float* c;

    template <class Probe>
    __device__ Matrix<Probe> A(Block<Probe>& block) const
    {
        return {a, 1, n, array_A, block};
    }
    template <class Probe>
    __device__ Matrix<Probe> B(Block<Probe>& block) const
    {
        return {b, 1, n, array_B, block};
    }
    template <class Probe>
    __device__ OutputMatrix<Probe> C(Block<Probe>& block) const
    {
        return {c, 1, n, array_C, block};
    }
};

__host__ __device__ constexpr int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}
