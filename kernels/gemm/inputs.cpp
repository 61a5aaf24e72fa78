#include "gemm/inputs.h"

#include "error.h"
#include "gemm/rounding.h"

#include <fmt/format.h>

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

} // namespace kernels
