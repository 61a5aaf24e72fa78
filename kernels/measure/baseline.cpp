#include "measure/baseline.h"

#include "gemm/element_type.h"
#include "gemm/inputs.h"
#include "gemm/reference.h"
#include "measure/cpu_gemm.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kernels {

namespace {

constexpr double most_checked = 1e9; // operations of the float64 reference
constexpr uint32_t least_checked_rows = 16;

// Returns some rows of C, spread evenly over the first `available` rows. The reference of a few rows is cheap at any
// size.
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
        throw Unavailable(
            fmt::format("{} needs an NVIDIA GPU.", baseline.title)); // throws before operands are created in vain
    if (baseline.runner == Baseline::Runner::loop)
        require_looped(problem);
    else if (!baseline.needs_gpu())
        require_blas(problem, baseline.runner == Baseline::Runner::blas ? BlasThreads::all : BlasThreads::one);
    // In addition to A, B and C: the library's C, and the reference C in float64.
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
