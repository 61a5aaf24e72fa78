#include "gemm/engine.h"

#include "gemm/element_type.h"
#include "kernel_sources.h"
#include "parallel.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>

namespace kernels {

namespace {

// A counter-based generator (the finalizer of splitmix64): value i of a stream does not depend on the others.
float uniform(uint64_t stream, uint64_t index)
{
    uint64_t bits = (stream << 56) + index * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f; // 24 bits: exact in a float
}

std::vector<float> random_matrix(uint64_t elements, uint64_t stream)
{
    std::vector<float> result(elements);
    for (uint64_t i = 0; i < elements; ++i)
        result[i] = uniform(stream, i);
    return result;
}

// One row of C: beta * C first, then row i of A times B, B's rows taken one after another so that the inner loop runs
// along memory.
void reference_row(const recording::Problem& p, const Operands& operands, uint64_t row, double* result)
{
    std::vector<double> sum(p.N);
    for (uint64_t k = 0; k < p.K; ++k) {
        const double a = operands.A[row * p.K + k];
        const float* b = &operands.B[k * p.N];
        for (uint64_t col = 0; col < p.N; ++col)
            sum[col] += a * b[col];
    }
    for (uint64_t col = 0; col < p.N; ++col) {
        result[col] = p.alpha * sum[col];
        if (p.beta != 0)
            result[col] += double{p.beta} * operands.C[row * p.N + col];
    }
}

// The same with B stored column after column.
void reference_row_by_columns(const recording::Problem& p, const Operands& operands, uint64_t row, double* result)
{
    const float* a = &operands.A[row * p.K];
    for (uint64_t col = 0; col < p.N; ++col) {
        const float* b = &operands.B[col * p.K];
        double sum = 0;
        for (uint64_t k = 0; k < p.K; ++k)
            sum += double{a[k]} * b[k];
        result[col] = p.alpha * sum;
        if (p.beta != 0)
            result[col] += double{p.beta} * operands.C[row * p.N + col];
    }
}

// Free memory as Linux sees it; 0 where it does not say.
uint64_t available_bytes()
{
    std::ifstream info("/proc/meminfo");
    for (std::string name, unit; info >> name;) {
        uint64_t kib = 0;
        info >> kib;
        std::getline(info, unit);
        if (name == "MemAvailable:")
            return kib * 1024;
    }
    return 0;
}

// As the kernel writes them: floats.
std::vector<double> thread_coordinates(const recording::Problem& problem)
{
    std::vector<double> result;
    result.reserve(2 * uint64_t{problem.M} * problem.N);
    for (uint32_t row = 0; row < problem.M; ++row)
        for (uint32_t col = 0; col < problem.N; ++col) {
            result.push_back(static_cast<float>(col));
            result.push_back(static_cast<float>(row));
        }
    return result;
}

template <class T>
double error_of(std::span<const T> C, std::span<const double> reference)
{
    double sum = 0, norm = 0, largest = 0; // squares
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double square = (C[i] - reference[i]) * (C[i] - reference[i]);
        sum += square;
        largest = std::max(largest, square);
        norm += reference[i] * reference[i];
    }
    if (std::isnan(sum))
        return sum;
    const double one_element = largest * static_cast<double>(reference.size()) / (16.0 * 16.0);
    return std::sqrt(std::max(sum, one_element) / (norm > 0 ? norm : 1.0));
}

} // namespace

std::string utc_now()
{
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

// Better a sentence now than the kernel's out-of-memory killer later.
void require_memory(std::string_view what, uint64_t bytes)
{
    const auto needed = static_cast<double>(bytes), available = static_cast<double>(available_bytes());
    if (available != 0 && needed > 0.9 * available)
        throw Error(fmt::format("{} needs {:.1f} GiB of memory and {:.1f} GiB are free; choose a smaller size.", what,
                                needed * 0x1p-30, available * 0x1p-30));
}

Operands random_operands(Operation operation, const recording::Problem& problem, uint32_t seed)
{
    const OperandShapes size = shapes(operation, problem);
    // The float64 reference is twice as large as C.
    require_memory(fmt::format("M={} N={} K={}", problem.M, problem.N, problem.K), size.bytes() + 2 * size.C.bytes());
    const auto random = [seed](const OperandShape& shape, uint64_t number) {
        return random_matrix(shape.bytes() / sizeof(float), seed * 3 + number);
    };
    return {random(size.A, 0), random(size.B, 1), random(size.C, 2)};
}

double relative_error(std::span<const float> C, std::span<const double> reference)
{
    return error_of(C, reference);
}

double relative_error(std::span<const double> C, std::span<const double> reference)
{
    return error_of(C, reference);
}

Type type_of(const Job& job)
{
    return job.stage->type(job.parameters);
}

double tolerance(const Job& job)
{
    return tolerance(job.stage->operation, job.problem, type_of(job));
}

recording::Recording describe_launch(const Job& job, const recording::Device& device)
{
    const Stage& stage = *job.stage;
    recording::Recording result;
    result.arrays = arrays(stage, job.parameters, job.problem);
    for (const recording::Array& array : result.arrays)
        if (array.bytes > std::numeric_limits<uint32_t>::max())
            throw Error(fmt::format("{} is larger than 4 GiB, the most that a recording can address; record a smaller "
                                    "size: the pattern repeats.",
                                    array.name));
    result.stage = stage.slug;
    result.parameters = named(stage, job.parameters);
    result.problem = job.problem;
    result.launch = stage.launch(job.parameters, job.problem);
    const std::vector<std::string_view> files = source_files(stage);
    result.sources.clear();
    for (const std::string_view file : files)
        result.sources.push_back({std::string(file), std::string(kernel_sources::file(file))});
    result.body = static_cast<uint32_t>(std::find(files.begin(), files.end(), stage.body_file) - files.begin());
    result.device = device;
    result.recorded_at = utc_now();
    return result;
}

Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop)
{
    constexpr uint32_t seed = 7;
    Operands operands = random_operands(job.stage->operation, job.problem, seed);
    if (job.problem.beta == 0 || !facts(job.stage->operation).is_scaled)
        std::fill(operands.C.begin(), operands.C.end(), std::numeric_limits<float>::quiet_NaN());
    const Type type = type_of(job);
    std::vector<double> exact;
    if (type != type_fp32)
        exact = backend.reference(job, operands, stop);
    round_all(operands.A, type);
    round_all(operands.B, type);
    const std::vector<double> reference = backend.reference(job, operands, stop);
    backend.run(job, probe, operands, stop);
    Verification result;
    result.error = relative_error(operands.C, reference);
    result.total_error = type == type_fp32 ? result.error : relative_error(operands.C, exact);
    result.tolerance = tolerance(job);
    result.ok = result.error <= result.tolerance; // false for NaN
    return result;
}

std::vector<double> cpu_reference(Operation operation, const recording::Problem& problem, const Operands& operands,
                                  std::stop_token stop)
{
    if (operation == Operation::thread_coords)
        return thread_coordinates(problem);
    std::vector<double> result(operands.C.size());
    if (operation == Operation::vector_add) {
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = double{operands.A[i]} + operands.B[i];
        return result;
    }
    const auto one_row = operation == Operation::gemm_columns ? reference_row_by_columns : reference_row;
    in_parallel(problem.M, [&](uint64_t row) {
        if (stop.stop_requested())
            throw Cancelled();
        one_row(problem, operands, row, &result[row * problem.N]);
    });
    return result;
}

} // namespace kernels
