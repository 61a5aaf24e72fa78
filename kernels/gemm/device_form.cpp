#include "gemm/device_form.h"

#include "gemm/rounding.h"

#include <cstring>

namespace kernels {

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
