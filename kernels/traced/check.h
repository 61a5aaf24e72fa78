// Whether a kernel of a CUDA file multiplied as it should.
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

// Of a launch that multiplies, whose buffers were as it has them and then held what `all_after` holds: C against
// alpha * A * B + beta * C in float64.
Check check_gemm(const Request& request, const PreparedLaunch& launch, std::span<const Buffer> all_after,
                 const std::stop_token& stop);

} // namespace traced
