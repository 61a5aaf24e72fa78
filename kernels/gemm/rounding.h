// From FP32 to the types that tensor cores multiply, and back.
#pragma once

#include "device/element.h"

namespace kernels {

// To the nearest, of two equally near ones to the even one, as cvt.rn does. Too large becomes infinity, NaN stays NaN.
Half to_half(float value);
Bfloat16 to_bfloat16(float value);
// To the nearest, of two equally near ones to the one away from zero, as cvt.rna.tf32 does, the only form that sm_80 has.
Tf32 to_tf32(float value);

float to_float(Half value); // exact, and so are the others
float to_float(Bfloat16 value);
float to_float(Tf32 value);

} // namespace kernels
