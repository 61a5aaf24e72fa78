#include "measure/baseline.h"

#include "gemm/element_type.h"
#include "gemm/inputs.h"
#include "measure/speed.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <dlfcn.h>

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
        // The library stays loaded because it has threads of its own.
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
    // The limit of operations. A limit is needed because a call cannot be interrupted.
    const double most = threads == BlasThreads::one ? 2e12 : 1e13;
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

namespace {

constexpr double most_checked = 1e9; // operations of the float64 reference
constexpr uint32_t least_checked_rows = 16;

// Returns some rows of C, spread evenly over the first `available` rows. The reference of a few rows takes little time.
std::vector<uint32_t> rows_to_check(const recording::Problem& problem, uint32_t available)
{
    const double affordable = most_checked / (2.0 * problem.N * problem.K);
    const auto count = static_cast<uint32_t>(std::clamp<double>(affordable, least_checked_rows, available));
    std::vector<uint32_t> rows;
    for (uint32_t i = 0; i < std::min(count, available); ++i)
        rows.push_back(static_cast<uint32_t>(uint64_t{i} * available / std::min(count, available)));
    return rows;
}

template <class T>
std::vector<T> only(const std::vector<uint32_t>& rows, const std::vector<T>& matrix, uint32_t cols)
{
    std::vector<T> result;
    result.reserve(rows.size() * cols);
    for (const uint32_t row : rows) {
        const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(uint64_t{row} * cols);
        result.insert(result.end(), first, first + cols);
    }
    return result;
}

double tolerance_of(Precision precision, const recording::Problem& problem)
{
    const double single = tolerance(Operation::gemm, problem, precision.type);
    return precision.fp64 ? single * 0x1p-53 / 0x1p-24 : single; // the same sum with smaller rounding errors
}

void check(const Baseline& baseline, const recording::Problem& problem, Operands operands, const LibraryRun& run,
           BaselineResult& result, std::stop_token stop)
{
    const std::vector<uint32_t> rows = rows_to_check(problem, run.rows);
    recording::Problem part = problem;
    part.M = static_cast<uint32_t>(rows.size());
    Operands some{only(rows, operands.A, problem.K), std::move(operands.B), only(rows, operands.C, problem.N)};
    const std::vector<double> made = only(rows, run.C, problem.N);
    result.total_error = relative_error(made, cpu_reference(Operation::gemm, part, some, stop));
    result.relative_error = result.total_error;
    if (baseline.precision.type != type_fp32) {
        round_all(some.A, baseline.precision.type);
        round_all(some.B, baseline.precision.type);
        result.relative_error = relative_error(made, cpu_reference(Operation::gemm, part, some, stop));
    }
    result.tolerance = tolerance_of(baseline.precision, problem);
    result.rows_checked = part.M;
}

LibraryRun run(Backend& backend, const Baseline& baseline, const recording::Problem& problem, const Operands& operands,
               const BenchOptions& options, std::stop_token stop)
{
    switch (baseline.runner) {
    case Baseline::Runner::cublas: return backend.cublas(baseline.precision, problem, operands, options, stop);
    case Baseline::Runner::loop: return multiply_in_loops(problem, operands, options, stop);
    case Baseline::Runner::blas: return multiply_with_blas(problem, operands, options, BlasThreads::all, stop);
    case Baseline::Runner::blas_on_one: break;
    }
    return multiply_with_blas(problem, operands, options, BlasThreads::one, stop);
}

} // namespace

std::span<const Baseline> baselines()
{
    using Runner = Baseline::Runner;
    static constexpr Baseline all[] = {
        {"cublas_sgemm", "cuBLAS SGEMM", "NVIDIA's library, true FP32", Runner::cublas, {}},
        {"cublas_tf32", "cuBLAS TF32", "NVIDIA's library on tensor cores, TF32", Runner::cublas, {type_tf32}},
        {"cublas_fp16", "cuBLAS FP16", "NVIDIA's library, FP16 in, FP32 sums", Runner::cublas, {type_fp16}},
        {"cublas_bf16", "cuBLAS BF16", "NVIDIA's library, BF16 in, FP32 sums", Runner::cublas, {type_bf16}},
        {"cublas_dgemm", "cuBLAS DGEMM", "NVIDIA's library, FP64", Runner::cublas, {type_fp32, true}},
        {"cpu_blas", "CPU BLAS", "OpenBLAS on all cores of the CPU, FP32", Runner::blas, {}},
        {"cpu_blas_one", "BLAS, one core", "OpenBLAS on one core of the CPU, FP32", Runner::blas_on_one, {}},
        {"cpu_loop", "CPU loop", "three nested loops on one core of the CPU, FP32", Runner::loop, {}}};
    return all;
}

const Baseline* find_baseline(std::string_view slug)
{
    const auto found = std::ranges::find(baselines(), slug, &Baseline::slug);
    return found == baselines().end() ? nullptr : &*found;
}

BaselineResult bench_baseline(Backend& backend, const Baseline& baseline, const recording::Problem& problem,
                              const BenchOptions& options, std::stop_token stop)
{
    if (baseline.needs_gpu() && backend.device().backend != "cuda")
        // Throws before large operands are created for nothing.
        throw Unavailable(fmt::format("{} needs an NVIDIA GPU.", baseline.title));
    if (baseline.runner == Baseline::Runner::loop)
        require_looped(problem);
    else if (!baseline.needs_gpu())
        require_blas(problem, baseline.runner == Baseline::Runner::blas ? BlasThreads::all : BlasThreads::one);
    // Needed in addition to A, B and C: the library's C, and the reference C in float64.
    const OperandShapes size = shapes(Operation::gemm, problem);
    require_memory(fmt::format("{} at M={} N={} K={}", baseline.title, problem.M, problem.N, problem.K),
                   size.bytes() + 3 * size.C.bytes());
    Operands operands = input_operands(Operation::gemm, problem, recording::input_seed);
    const LibraryRun made = run(backend, baseline, problem, operands, options, stop);
    BaselineResult result;
    result.timing = made.timing;
    result.gflops = operations(Operation::gemm, problem) / made.timing.median_ms * 1e-6;
    result.rows_timed = made.rows;
    check(baseline, problem, std::move(operands), made, result, stop);
    return result;
}

} // namespace kernels
