// Checks the result of a multiplication by a kernel of a CUDA file.
#pragma once

#include "base/fields.h"
#include "traced/launch.h"
#include "traced/request.h"

#include <span>
#include <stop_token>

namespace traced {

struct Check {
    bool ok = false; // false for NaN
    double error = 0, tolerance = 0;
};
void fields(auto& visit, kernels::Like<Check> auto& check)
{
    visit("ok", check.ok);
    visit("error", check.error, kernels::any_number);
    visit("tolerance", check.tolerance);
}

// Compares C with alpha * A * B + beta * C in float64. `launch` must be a multiplication and have the initial content
// of its buffers; `all_after` has their final content.
Check check_gemm(const Request& request, const PreparedLaunch& launch, std::span<const Buffer> all_after,
                 const std::stop_token& stop);

} // namespace traced
