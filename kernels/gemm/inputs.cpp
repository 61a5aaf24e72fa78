#include "gemm/inputs.h"

#include "error.h"
#include "gemm/rounding.h"
#include "processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

namespace kernels {

Operands input_operands(Operation operation, const recording::Problem& problem, uint32_t seed, recording::Inputs inputs)
{
    const OperandShapes size = shapes(operation, problem);
    // The float64 reference takes twice the memory of C.
    require_memory(fmt::format("M={} N={} K={}", problem.M, problem.N, problem.K), size.bytes() + 2 * size.C.bytes());
    const auto filled = [&](const OperandShape& shape, uint32_t operand) {
        std::vector<float> values(shape.bytes() / sizeof(float)); // an element of thread_coords is two floats
        for (uint64_t i = 0; i < values.size(); ++i)
            values[i] = recording::input_value(inputs, seed, operand, i);
        return values;
    };
    return {filled(size.A, 0), filled(size.B, 1), filled(size.C, 2)};
}

namespace {

// Returns the free memory that Linux reports; 0 if unknown.
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

} // namespace

void require_memory(std::string_view what, uint64_t bytes)
{
    const auto needed = static_cast<double>(bytes), available = static_cast<double>(available_bytes());
    if (available != 0 && needed > 0.9 * available)
        throw Error(fmt::format("{} needs {:.1f} GiB of memory and {:.1f} GiB are free; choose a smaller size.", what,
                                needed * 0x1p-30, available * 0x1p-30));
}

namespace {

template <class Element, class Round>
void convert_rows(const OperandShape& shape, const float* from, std::byte* to, Round round)
{
    std::vector<Element> row(shape.cols);
    for (uint32_t i = 0; i < shape.rows; ++i, from += shape.cols, to += shape.row_bytes()) {
        for (uint32_t col = 0; col < shape.cols; ++col)
            row[col] = round(from[col]);
        std::memcpy(to, row.data(), row.size() * sizeof(Element));
    }
}

DeviceMatrix convert(Type type, const OperandShape& shape, std::span<const float> values)
{
    if (type == type_fp32)
        return {.own = {}, .bytes = std::as_bytes(values)};
    std::vector<std::byte> bytes(shape.bytes());
    switch (type) {
    case type_tf32: convert_rows<Tf32>(shape, values.data(), bytes.data(), to_tf32); break;
    case type_fp16: convert_rows<Half>(shape, values.data(), bytes.data(), to_half); break;
    case type_bf16: convert_rows<Bfloat16>(shape, values.data(), bytes.data(), to_bfloat16); break;
    case type_fp32: break;
    }
    const std::span<const std::byte> view = bytes; // moving a vector does not move its elements
    return {.own = std::move(bytes), .bytes = view};
}

} // namespace

DeviceForm::DeviceForm(Operation operation, const Types& types, const recording::Problem& problem,
                       const Operands& operands)
{
    const OperandShapes shape = device_shapes(operation, types, problem);
    A_ = convert(types.ab, shape.A, operands.A);
    B_ = convert(types.ab, shape.B, operands.B);
    C_ = convert(types.c, shape.C, operands.C);
}

DeviceMatrix device_form(Type type, std::span<const float> values)
{
    if (type == type_fp32)
        return {.own = {}, .bytes = std::as_bytes(values)};
    return convert(type, {.rows = 1, .cols = static_cast<uint32_t>(values.size()), .element_bytes = size_of(type)},
                   values);
}

std::vector<float> to_floats(std::span<const std::byte> elements, Type type)
{
    std::vector<float> result(elements.size() / size_of(type));
    const auto widen = [&]<class Element>(Element one) {
        for (std::size_t i = 0; i < result.size(); ++i) {
            std::memcpy(&one, elements.data() + i * sizeof one, sizeof one);
            result[i] = to_float(one);
        }
    };
    switch (type) {
    case type_tf32: widen(Tf32()); break;
    case type_fp16: widen(Half()); break;
    case type_bf16: widen(Bfloat16()); break;
    case type_fp32: std::memcpy(result.data(), elements.data(), elements.size()); break;
    }
    return result;
}

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

// Does the same for B stored by columns.
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
