#include "measure/verification.h"

#include "gemm/element_type.h"
#include "gemm/reference.h"

#include <algorithm>
#include <limits>

namespace kernels {

Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop)
{
    constexpr uint32_t seed = 7;
    Operands operands = input_operands(job.stage->operation, job.problem, seed, job.inputs);
    if (job.problem.beta == 0 || !facts(job.stage->operation).is_scaled)
        std::fill(operands.C.begin(), operands.C.end(), std::numeric_limits<float>::quiet_NaN());
    const Type type = type_of(job);
    std::vector<double> exact;
    if (type != type_fp32)
        exact = backend.reference(job, operands, stop);
    round_all(operands.A, type);
    round_all(operands.B, type);
    round_all(operands.C, types_of(job).c);
    const std::vector<double> reference = backend.reference(job, operands, stop);
    backend.run(job, probe, operands, stop);
    Verification result;
    result.error = relative_error(operands.C, reference);
    result.total_error = type == type_fp32 ? result.error : relative_error(operands.C, exact);
    result.tolerance = tolerance(job);
    result.ok = result.error <= result.tolerance; // false for NaN
    return result;
}

} // namespace kernels
