#include "measure/cpu_gemm.h"

#include "measure/speed.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace kernels {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Computes one row of C with straightforward loops, as a beginner writes them.
void loop_row(const recording::Problem& p, const Operands& operands, uint64_t row, double* C,
              const std::stop_token& stop)
{
    const uint64_t N = p.N, K = p.K;
    for (uint64_t col = 0; col < N; ++col) {
        if (col % 256 == 0 && stop.stop_requested())
            throw Cancelled();
        float sum = 0;
        for (uint64_t k = 0; k < K; ++k)
            sum += operands.A[row * K + k] * operands.B[k * N + col];
        float result = p.alpha * sum;
        if (p.beta != 0)
            result += p.beta * operands.C[row * N + col];
        C[row * N + col] = result;
    }
}

// These declarations replace cblas.h, so that gemmscope builds without it.
constexpr int row_major = 101, not_transposed = 111;
using Sgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a,
                       int lda, const float* b, int ldb, float beta, float* c, int ldc);

struct Blas {
    Sgemm sgemm = nullptr;
    void (*set_threads)(int) = nullptr; // null if the library has no such function
    int (*threads)() = nullptr;
};

Blas find_blas(std::span<const char* const> names)
{
    for (const char* name : names)
        // The library stays loaded because it keeps its own threads.
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
            if (void* function = dlsym(library, "cblas_sgemm"))
                return {reinterpret_cast<Sgemm>(function),
                        reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads")),
                        reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"))};
    throw Unavailable("OpenBLAS is not installed, so there is no CPU library to compare with; install the "
                      "package libopenblas0 (Debian, Ubuntu) or openblas (Fedora, Arch).");
}

// Throws if the library is missing or would take too long.
Blas require_blas(const recording::Problem& problem, BlasThreads threads, std::span<const char* const> names)
{
    static constexpr const char* usual[] = {"libopenblas.so.0", "libopenblas.so"};
    const double most = threads == BlasThreads::one ? 2e12 : 1e13; // operations: a call cannot be interrupted
    const Blas blas = find_blas(names.empty() ? std::span<const char* const>(usual) : names);
    if (threads == BlasThreads::one && (blas.set_threads == nullptr || blas.threads == nullptr))
        throw Unavailable(
            "This CPU library cannot be told to take one thread; install OpenBLAS, the package libopenblas0 "
            "(Debian, Ubuntu) or openblas (Fedora, Arch).");
    const double work = operations(Operation::gemm, problem);
    if (work > most)
        throw Error(fmt::format("{:.0f} billion operations keep a CPU busy for minutes, and its library cannot "
                                "be interrupted; choose a smaller size.",
                                work * 1e-9));
    return blas;
}

class OneThread {
public:
    explicit OneThread(const Blas& blas) : blas_(blas), before_(blas.threads()) { blas_.set_threads(1); }
    ~OneThread() { blas_.set_threads(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    Blas blas_;
    int before_;
};

} // namespace

void require_looped(const recording::Problem& problem)
{
    constexpr double most_per_row = 2e10; // operations, about half a minute
    if (2.0 * problem.N * problem.K > most_per_row)
        throw Error(fmt::format("One row of C takes {:.0f} billion operations, minutes in a CPU loop; choose "
                                "a smaller size.",
                                2e-9 * problem.N * problem.K));
}

void require_blas(const recording::Problem& problem, BlasThreads threads)
{
    require_blas(problem, threads, {});
}

LibraryRun multiply_in_loops(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                             std::stop_token stop)
{
    constexpr uint32_t least_rows = 5;
    require_looped(problem);
    LibraryRun result;
    std::vector<double> samples; // one row per sample
    const Clock::time_point begin = Clock::now();
    do {
        const uint64_t row = samples.size() % problem.M;
        result.C.resize(std::max<std::size_t>(result.C.size(), (row + 1) * problem.N)); // only the computed rows
        const Clock::time_point start = Clock::now();
        loop_row(problem, operands, row, result.C.data(), stop);
        samples.push_back(milliseconds_since(start) * problem.M);
    } while (samples.size() < std::min(least_rows, problem.M) || milliseconds_since(begin) < options.seconds * 1e3);
    result.rows = static_cast<uint32_t>(std::min<uint64_t>(samples.size(), problem.M));
    result.timing = timing_of(std::move(samples));
    return result;
}

LibraryRun multiply_with_blas(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                              BlasThreads threads, std::stop_token stop, std::span<const char* const> names)
{
    const Blas blas = require_blas(problem, threads, names);
    std::optional<OneThread> alone;
    if (threads == BlasThreads::one)
        alone.emplace(blas);
    const int m = static_cast<int>(problem.M), n = static_cast<int>(problem.N), k = static_cast<int>(problem.K);
    std::vector<float> C;
    std::vector<double> samples;
    const Clock::time_point begin = Clock::now();
    do { // the first run only starts the library's threads
        if (stop.stop_requested())
            throw Cancelled();
        C = operands.C;
        const Clock::time_point start = Clock::now();
        blas.sgemm(row_major, not_transposed, not_transposed, m, n, k, problem.alpha, operands.A.data(), k,
                   operands.B.data(), n, problem.beta, C.data(), n);
        samples.push_back(milliseconds_since(start));
    } while (samples.size() < 2 || milliseconds_since(begin) < options.seconds * 1e3);
    samples.erase(samples.begin());
    return {.timing = timing_of(std::move(samples)), .C = {C.begin(), C.end()}, .rows = problem.M};
}

} // namespace kernels
