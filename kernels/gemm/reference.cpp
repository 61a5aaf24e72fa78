#include "gemm/reference.h"

#include "error.h"
#include "parallel.h"

#include <algorithm>
#include <cmath>

namespace kernels {

namespace {

// Computes one row of A times B. It visits B row by row so that the inner loop reads contiguous memory.
std::vector<double> product_row(const recording::Problem& p, const Operands& operands, uint64_t row)
{
    std::vector<double> sum(p.N);
    for (uint64_t k = 0; k < p.K; ++k) {
        const double a = operands.A[row * p.K + k];
        const float* b = &operands.B[k * p.N];
        for (uint64_t col = 0; col < p.N; ++col)
            sum[col] += a * b[col];
    }
    return sum;
}

// The same for B stored by columns.
std::vector<double> product_row_by_columns(const recording::Problem& p, const Operands& operands, uint64_t row)
{
    std::vector<double> sum(p.N);
    const float* a = &operands.A[row * p.K];
    for (uint64_t col = 0; col < p.N; ++col)
        for (uint64_t k = 0; k < p.K; ++k)
            sum[col] += double{a[k]} * operands.B[col * p.K + k];
    return sum;
}

// Returns coordinates in the form that the kernel writes: floats.
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
    double sum = 0, norm = 0, largest = 0; // squared
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
    const auto product_of = operation == Operation::gemm_columns ? product_row_by_columns : product_row;
    in_parallel(problem.M, [&](uint64_t row) {
        if (stop.stop_requested())
            throw Cancelled();
        const std::vector<double> product = product_of(problem, operands, row);
        for (uint64_t col = 0; col < problem.N; ++col) {
            const uint64_t at = row * problem.N + col;
            result[at] = problem.alpha * product[col];
            if (problem.beta != 0)
                result[at] += double{problem.beta} * operands.C[at];
        }
    });
    return result;
}

double relative_error(std::span<const float> C, std::span<const double> reference)
{
    return error_of(C, reference);
}

double relative_error(std::span<const double> C, std::span<const double> reference)
{
    return error_of(C, reference);
}

} // namespace kernels
