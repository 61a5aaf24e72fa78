// The steps of a well-known ladder, for square matrices whose side is a multiple of the tiles. Counted without a GPU by what
// their machine code does; see tests/kernels/traced/as_executed_kernels_test.cpp.
// gemmscope: kernel=naive grid=ceil(N/32),ceil(M/32) block=32,32 args=M,N,K,alpha,A,B,beta,C alpha=0.5 beta=3 check=gemm

// Neighbouring threads have neighbouring rows.
__global__ void naive(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// Neighbouring threads have neighbouring columns.
__global__ void coalesced(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    const int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

__global__ void shared_tile(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    constexpr int side = 32;
    __shared__ float As[side * side], Bs[side * side];
    const int row = threadIdx.x / side, col = threadIdx.x % side;
    A += blockIdx.x * side * K;
    B += blockIdx.y * side;
    C += blockIdx.x * side * N + blockIdx.y * side;
    float sum = 0;
    for (int k = 0; k < K; k += side) {
        As[row * side + col] = A[row * K + col];
        Bs[row * side + col] = B[row * N + col];
        __syncthreads();
        A += side;
        B += side * N;
        for (int i = 0; i < side; ++i)
            sum += As[row * side + i] * Bs[i * side + col];
        __syncthreads();
    }
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// How the tile of B lies in shared memory.
enum Order { rows, dealt, padded };

// Where the four floats of B from column `col` on go; `step` floats lie between them.
template <Order order, int BN, int TN>
__device__ int place_in_b(int row, int col, int& step)
{
    if (order == dealt) { // a thread's columns lie 16 apart
        step = 16;
        return (row * TN + col % TN) * 16 + col / TN;
    }
    step = 1;
    return row * (BN + (order == padded ? 5 : 0)) + col;
}

// Each thread has TM x TN results. A lies transposed in shared memory; both are loaded four floats at once.
template <Order order, int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__(BM* BN / (TM * TN)) thread_tile(int M, int N, int K, float alpha, float* A, float* B,
                                                                  float beta, float* C)
{
    __shared__ float As[BM * BK], Bs[BK * (BN + (order == padded ? 5 : 0))];
    constexpr int threads = BM * BN / (TM * TN);
    const int thread_row = threadIdx.x / (BN / TN), thread_col = threadIdx.x % (BN / TN);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM * TN] = {}, a[TM], b[TN];
    for (int k = 0; k < K; k += BK) {
        for (int i = threadIdx.x; i < BM * BK / 4; i += threads) {
            const int row = i / (BK / 4), col = i % (BK / 4) * 4;
            const float4 four = *reinterpret_cast<float4*>(&A[row * K + col]);
            As[(col + 0) * BM + row] = four.x;
            As[(col + 1) * BM + row] = four.y;
            As[(col + 2) * BM + row] = four.z;
            As[(col + 3) * BM + row] = four.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += threads) {
            const int row = i / (BN / 4), col = i % (BN / 4) * 4;
            const float4 four = *reinterpret_cast<float4*>(&B[row * N + col]);
            int step;
            float* const to = &Bs[place_in_b<order, BN, TN>(row, col, step)];
            if (order == rows) {
                *reinterpret_cast<float4*>(to) = four;
            } else {
                to[0] = four.x;
                to[step] = four.y;
                to[2 * step] = four.z;
                to[3 * step] = four.w;
            }
        }
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int d = 0; d < BK; ++d) {
            for (int i = 0; i < TM; ++i)
                a[i] = As[d * BM + thread_row * TM + i];
            for (int i = 0; i < TN; ++i) {
                int step;
                b[i] = Bs[place_in_b<order, BN, TN>(d, thread_col * TN + i, step)];
            }
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sums[i * TN + j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            float& c = C[(thread_row * TM + i) * N + thread_col * TN + j];
            c = alpha * sums[i * TN + j] + beta * c;
        }
}

// Each thread has TM results of one column; nothing is loaded together.
template <int BM, int BN, int BK, int TM>
__global__ void column_tile(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int col = threadIdx.x % BN, row = threadIdx.x / BN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM] = {};
    for (int k = 0; k < K; k += BK) {
        As[threadIdx.x] = A[threadIdx.x / BK * K + threadIdx.x % BK];
        Bs[threadIdx.x] = B[threadIdx.x / BN * N + col];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int d = 0; d < BK; ++d) {
            const float b = Bs[d * BN + col];
            for (int i = 0; i < TM; ++i)
                sums[i] += As[(row * TM + i) * BK + d] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        C[(row * TM + i) * N + col] = alpha * sums[i] + beta * C[(row * TM + i) * N + col];
}

// Two tiles of each matrix: the next one is loaded while this one is used. A warp has WM x WN results, its threads 8 x 4 of them
// in each of its parts of 64 x 16.
template <int BM, int BN, int BK, int WM, int WN>
__global__ void __launch_bounds__(BM / WM * (BN / WN) * 32) warp_tile(int M, int N, int K, float alpha, float* A,
                                                                      float* B, float beta, float* C)
{
    constexpr int threads = BM / WM * (BN / WN) * 32, TM = 8, TN = 4, parts = WN / 16;
    __shared__ float As[2][BK * BM], Bs[2][BK * BN];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / (BN / WN) * WM + lane / 4 * TM, col = warp % (BN / WN) * WN + lane % 4 * TN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const auto load = [&](int buffer, int k) {
        for (int i = threadIdx.x; i < BM * BK / 4; i += threads) {
            const int r = i / (BK / 4), c = i % (BK / 4) * 4;
            const float4 four = *reinterpret_cast<float4*>(&A[r * K + k + c]);
            As[buffer][(c + 0) * BM + r] = four.x;
            As[buffer][(c + 1) * BM + r] = four.y;
            As[buffer][(c + 2) * BM + r] = four.z;
            As[buffer][(c + 3) * BM + r] = four.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += threads)
            *reinterpret_cast<float4*>(&Bs[buffer][i * 4]) =
                *reinterpret_cast<float4*>(&B[(k + i / (BN / 4)) * N + i % (BN / 4) * 4]);
    };
    float sums[parts][TM * TN] = {};
    load(0, 0);
    __syncthreads();
    for (int k = 0, buffer = 0; k < K; k += BK, buffer ^= 1) {
        if (k + BK < K)
            load(buffer ^ 1, k + BK);
        for (int d = 0; d < BK; ++d) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i)
                a[i] = As[buffer][d * BM + row + i];
            for (int part = 0; part < parts; ++part) {
                for (int j = 0; j < TN; ++j)
                    b[j] = Bs[buffer][d * BN + col + part * 16 + j];
                for (int i = 0; i < TM; ++i)
                    for (int j = 0; j < TN; ++j)
                        sums[part][i * TN + j] += a[i] * b[j];
            }
        }
        __syncthreads();
    }
    for (int part = 0; part < parts; ++part)
        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; ++j) {
                float& c = C[(row + i) * N + col + part * 16 + j];
                c = alpha * sums[part][i * TN + j] + beta * c;
            }
}
