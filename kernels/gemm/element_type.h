// Properties of the element types that A, B and C can have, for the host.
#pragma once

#include "device/type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace kernels {

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

} // namespace kernels
