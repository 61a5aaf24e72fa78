#include "gemm/element_type.h"

#include "gemm/rounding.h"

namespace kernels {

float rounded(float value, Type type)
{
    switch (type) {
    case type_tf32: return to_float(to_tf32(value));
    case type_fp16: return to_float(to_half(value));
    case type_bf16: return to_float(to_bfloat16(value));
    case type_fp32: break;
    }
    return value;
}

void round_all(std::span<float> values, Type type)
{
    if (type == type_fp32)
        return;
    for (float& value : values)
        value = rounded(value, type);
}

uint32_t size_of(Type type)
{
    return type == type_fp16 || type == type_bf16 ? 2 : 4;
}

std::string_view name_of(Type type)
{
    switch (type) {
    case type_tf32: return "tf32";
    case type_fp16: return "fp16";
    case type_bf16: return "bf16";
    case type_fp32: break;
    }
    return "fp32";
}

std::string_view full_name_of(Type type)
{
    switch (type) {
    case type_tf32: return "TF32";
    case type_fp16: return "FP16";
    case type_bf16: return "BF16";
    case type_fp32: break;
    }
    return "FP32";
}

} // namespace kernels
