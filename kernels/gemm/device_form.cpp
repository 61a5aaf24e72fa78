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

} // namespace

DeviceForm::DeviceForm(Operation operation, Type type, const recording::Problem& problem, const Operands& operands)
{
    const OperandShapes shape = device_shapes(operation, type, problem);
    A_ = convert(type, shape.A, operands.A);
    B_ = convert(type, shape.B, operands.B);
}

DeviceForm::Matrix DeviceForm::convert(Type type, const OperandShape& shape, std::span<const float> values)
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
    const std::span<const std::byte> view = bytes; // moving a vector leaves its elements where they are
    return {.own = std::move(bytes), .bytes = view};
}

} // namespace kernels
