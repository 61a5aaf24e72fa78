// Element types of A, B and C on the host: their sizes and names, and rounding to them.
#pragma once

#include "device/element.h"
#include "device/type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace kernels {

// Properties of the element types that A, B and C can have, for the host.

// The types of a kernel's operands.
struct Types {
    Types(Type of_a_and_b, Type of_c = type_fp32) : ab(of_a_and_b), c(of_c) {} // NOLINT(google-explicit-constructor)
    Type ab, c;
    friend bool operator==(const Types&, const Types&) = default;
};

// Rounds to the nearest value of the type; the result is FP32.
float rounded(float value, Type type);
void round_all(std::span<float> values, Type type);

uint32_t size_of(Type type);              // bytes per element
std::string_view name_of(Type type);      // "bf16", as on the command line
std::string_view full_name_of(Type type); // "BF16"

// Conversions between FP32 and the types that tensor cores multiply.

// Round to nearest, ties to even, like cvt.rn. Overflow becomes infinity; NaN stays NaN.
Half to_half(float value);
Bfloat16 to_bfloat16(float value);
// Rounds to nearest, ties away from zero, like cvt.rna.tf32, the only rounding that sm_80 supports.
Tf32 to_tf32(float value);

float to_float(Half value); // these conversions are exact
float to_float(Bfloat16 value);
float to_float(Tf32 value);

} // namespace kernels
