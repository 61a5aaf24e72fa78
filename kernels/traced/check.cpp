#include "traced/check.h"

#include "gemm/operation.h"
#include "gemm/reference.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace traced {

namespace {

std::vector<float> values_of(const Buffer& buffer) // row by row
{
    std::vector<float> values;
    for (uint64_t row = 0; row < buffer.rows; ++row)
        for (uint64_t col = 0; col < buffer.cols; ++col)
            values.push_back(static_cast<float>(element(buffer, row, col)));
    return values;
}

Type type_of(const Buffer& buffer)
{
    switch (scalar_of(buffer.type)) {
    case Scalar::half: return type_fp16;
    case Scalar::bfloat: return type_bf16;
    default: return type_fp32;
    }
}

} // namespace

Check check_gemm(const Request& request, const PreparedLaunch& launch, std::span<const Buffer> all_after,
                 const std::stop_token& stop)
{
    std::vector<float> matrices[3];
    const Buffer* result = nullptr;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
        const Buffer& buffer = launch.buffers[i];
        if (buffer.role == '\0')
            continue;
        matrices[buffer.role - 'A'] = values_of(buffer);
        if (buffer.role == 'C')
            result = &buffer;
    }
    const Buffer& after = all_after[static_cast<std::size_t>(result - launch.buffers.data())];
    const std::vector<float> values = values_of(after);
    recording::Problem problem = launch.problem;
    const auto given = [&](const char* name) {
        return std::ranges::find(request.arguments, name) != request.arguments.end();
    };
    if (!request.arguments.empty() && !given("alpha"))
        problem.alpha = 1;
    if (!request.arguments.empty() && !given("beta"))
        problem.beta = 0;
    const kernels::Operands operands{std::move(matrices[0]), std::move(matrices[1]), std::move(matrices[2])};
    const std::vector<double> reference = kernels::cpu_reference(kernels::Operation::gemm, problem, operands, stop);
    const Type type = type_of(after);
    Check check{.error = kernels::relative_error(std::span<const float>(values), reference)};
    check.tolerance = kernels::tolerance(kernels::Operation::gemm, problem, type);
    if (type != type_fp32) // the result itself is rounded
        check.tolerance = std::max(check.tolerance, type == type_fp16 ? 0x1p-10 : 0x1p-7);
    check.ok = check.error <= check.tolerance;
    return check;
}

} // namespace traced
