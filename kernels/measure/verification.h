// Whether a stage computes what it should.
#pragma once

#include "backend.h"

namespace kernels {

struct Verification {
    bool ok = false;        // false for NaN
    double error = 0;       // relative_error against the operands as the kernel gets them: what `ok` rests on
    double total_error = 0; // against the FP32 operands: what the kernel's type costs in all; `error` where it is FP32
    double tolerance = 0;
};

// Runs the stage with the output poisoned (NaN where beta is 0) on operands as the job says, against float64. A and B are rounded
// to the kernel's type first, so that only the kernel's own error counts.
Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop);

} // namespace kernels
