// Errors that a kernel can make, one for each value of `what`. This is no stage, and includes none of our headers.
struct NoProbe {};

namespace misbehaving {

struct Parameters {
    int what; // see tests/worker/misbehaving_stage.h
};

struct Arguments {
    const float *A, *B;
    float* C;
    unsigned M, N, K;
    float alpha, beta;
};

__device__ __noinline__ float deep(float value, int level)
{
    volatile float frame[256];
    for (int i = 0; i < 256; ++i)
        frame[i] = value + static_cast<float>(i);
    return level == 0 ? frame[3] : deep(frame[level % 256], level - 1) + frame[level % 7];
}

template <Parameters p, class Probe>
__global__ void misbehaving(Arguments arguments)
{
    const unsigned col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (p.what == 1) // reads from a null pointer: M equals K, but the compiler cannot know it
        arguments.C[0] = *reinterpret_cast<const float*>(static_cast<unsigned long long>(arguments.K - arguments.M));
    if (p.what == 2) // writes far beyond C
        arguments.C[(1ull << 38) + threadIdx.x] = 1;
    if (p.what == 3) // never ends; the value is volatile, so that the compiler keeps the loop
        while (*reinterpret_cast<volatile float*>(arguments.C) != 12345.f) {
        }
    if (p.what == 4)
        arguments.C[0] = deep(arguments.alpha, 1 << 24);
    if (p.what == 5)
        __trap();
    if (row >= arguments.M || col >= arguments.N)
        return;
    float sum = 0;
    for (unsigned k = 0; k < arguments.K; ++k)
        sum += arguments.A[row * arguments.K + k] * arguments.B[k * arguments.N + col];
    float& c = arguments.C[row * arguments.N + col];
    c = arguments.alpha * sum + (arguments.beta == 0 ? 0 : arguments.beta * c);
}

} // namespace misbehaving
