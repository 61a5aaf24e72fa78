// Verifies that a stage computes the right result.
#pragma once

#include "backend.h"

namespace kernels {

struct Verification {
    bool ok = false;  // false for NaN
    double error = 0; // relative_error against the operands as the kernel receives them; determines `ok`
    // Against the FP32 operands: includes the error of converting to the kernel's type; equals `error` for FP32.
    double total_error = 0;
    double tolerance = 0;
};

// Runs the stage on the job's inputs with a poisoned output (NaN if beta is 0), and compares with float64. A and B are
// rounded to the kernel's type first, so that only the kernel's own error counts.
Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop);

} // namespace kernels
