// The arguments of the ladder's kernels, as the host passes them.
#pragma once

#include "device/views.h"

// C[M x N] = alpha * A[M x K] * B[K x N] + beta * C. As in BLAS, C is not read where beta is 0.
struct Gemm {
    int M, N, K;
    float alpha, beta;
    const float *a, *b;
    float* c;

    template <Edges edges = Edges::guarded, class Probe>
    __device__ Matrix<const float, Probe, edges> A(Block<Probe>& block) const
    {
        return {a, M, K, K, array_A, block};
    }
    template <Edges edges = Edges::guarded, class Probe>
    __device__ Matrix<const float, Probe, edges> B(Block<Probe>& block) const
    {
        return {b, K, N, N, array_B, block};
    }
    template <Edges edges = Edges::guarded, class Probe>
    __device__ Matrix<float, Probe, edges> C(Block<Probe>& block) const
    {
        return {c, M, N, N, array_C, block};
    }

    // Stores an element of C: alpha times the sum, plus beta times the old value.
    template <class Matrix>
    __device__ void store(const Matrix& C, int row, int col, float sum, int line = __builtin_LINE()) const
    {
        float result = alpha * sum;
        if (beta != 0)
            result += beta * C(row, col, line);
        C.store(row, col, result, line);
    }

    // The same for columns col..col+3 of a row, col a multiple of 4.
    template <class Matrix>
    __device__ void store4(const Matrix& C, int row, int col, const float* sum, int line = __builtin_LINE()) const
    {
        const float4 old = beta != 0 ? C.load4(row, col, line) : float4{0, 0, 0, 0};
        const float4 c = {alpha * sum[0] + beta * old.x, alpha * sum[1] + beta * old.y, alpha * sum[2] + beta * old.z,
                          alpha * sum[3] + beta * old.w};
        C.store4(row, col, c, line);
    }

    // Returns whether a block that computes rows x cols elements of C from (row, col) on, in slices of `depth` along K,
    // stays inside the matrices, and whether all rows start on 16-byte boundaries.
    __device__ bool fits(int row, int col, int rows, int cols, int depth) const
    {
        return row + rows <= M && col + cols <= N && K % depth == 0 && K % 4 == 0 && N % 4 == 0;
    }

    // Returns whether such a block may omit the guards. Traced forms of a kernel always return false: guards do not
    // change the accesses, and a single body compiles in half the time.
    template <class Probe>
    __device__ bool is_inside(const Block<Probe>&, int row, int col, int rows, int cols, int depth) const
    {
        return !Probe::traced && fits(row, col, rows, cols, depth);
    }

    // Runs the body of a kernel for such a block. The body is compiled twice: without guards for blocks inside the
    // matrices, and with guards for the others.
    template <int rows, int cols, int depth, class Probe, class Body>
    __device__ void by_edges(const Block<Probe>& block, int row, int col, const Body& body) const
    {
        if (is_inside(block, row, col, rows, cols, depth))
            body.template operator()<Edges::inside>();
        else
            body.template operator()<Edges::guarded>();
    }
};

// The same if K is split into slices: slice 0 writes to C, slices 1, 2, ... write to a workspace of matrices with C's
// size, one below another.
struct SplitGemm : Gemm {
    float* workspace;

    // Returns where slice `number` (1 or more) stores its sums. `array` is the workspace's number in a recording.
    template <Edges edges = Edges::guarded, class Probe>
    __device__ Matrix<float, Probe, edges> slice(Block<Probe>& block, int number, int array) const
    {
        const Matrix<float, Probe, edges> slices{workspace, number * M, N, N, array, block}; // ends with this slice
        return slices.part((number - 1) * M, 0);
    }
};

// The same with A and B in another type, for tensor cores. Rows of A and B start on 16-byte boundaries, at multiples of
// lda and ldb elements; the elements between a row's end and the next row are zero.
struct TensorGemm {
    int M, N, K;
    int lda, ldb;
    float alpha, beta;
    const void *a, *b;
    float* c;

    template <class Element, class Probe>
    __device__ Matrix<const Element, Probe> A(Block<Probe>& block) const
    {
        return {static_cast<const Element*>(a), M, K, lda, array_A, block};
    }
    template <class Element, class Probe>
    __device__ Matrix<const Element, Probe> B(Block<Probe>& block) const
    {
        return {static_cast<const Element*>(b), K, N, ldb, array_B, block};
    }
    template <class Probe>
    __device__ Matrix<float, Probe> C(Block<Probe>& block) const
    {
        return {c, M, N, N, array_C, block};
    }

    // Returns four elements of C: alpha times the sums, plus beta times the old values.
    __device__ float4 scaled(float4 sum, float4 old) const
    {
        return {alpha * sum.x + beta * old.x, alpha * sum.y + beta * old.y, alpha * sum.z + beta * old.z,
                alpha * sum.w + beta * old.w};
    }
};

// The same as Gemm with B stored by columns. In memory that is a row-major matrix of N x K, B transposed.
struct GemmColumns : Gemm {
    template <class Probe>
    __device__ Matrix<const float, Probe> B_transposed(Block<Probe>& block) const
    {
        return {b, N, K, K, array_B, block};
    }
};

// c[i] = a[i] + b[i], 0 <= i < n; represented as matrices with one row.
struct Vectors {
    int n;
    const float *a, *b;
    float* c;

    template <class Probe>
    __device__ Matrix<const float, Probe> A(Block<Probe>& block) const
    {
        return {a, 1, n, n, array_A, block};
    }
    template <class Probe>
    __device__ Matrix<const float, Probe> B(Block<Probe>& block) const
    {
        return {b, 1, n, n, array_B, block};
    }
    template <class Probe>
    __device__ Matrix<float, Probe> C(Block<Probe>& block) const
    {
        return {c, 1, n, n, array_C, block};
    }
};

// C[M x N] with a pair of floats per element; represented as a matrix of M x 2N.
struct Coordinates {
    int M, N;
    float* c;

    template <class Probe>
    __device__ Matrix<float, Probe> C(Block<Probe>& block) const
    {
        return {c, M, 2 * N, 2 * N, array_C, block};
    }
};

__host__ __device__ constexpr int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}
