// Conversions between FP32 and the types that tensor cores multiply.
#pragma once

#include "device/element.h"

namespace kernels {

// Round to nearest, ties to even, like cvt.rn. Overflow becomes infinity; NaN stays NaN.
Half to_half(float value);
Bfloat16 to_bfloat16(float value);
// Rounds to nearest, ties away from zero, like cvt.rna.tf32, the only rounding that sm_80 supports.
Tf32 to_tf32(float value);

float to_float(Half value); // these conversions are exact
float to_float(Bfloat16 value);
float to_float(Tf32 value);

} // namespace kernels
