#include "ptx/file_launch.h"

#include "error.h"
#include "gemm/block_limits.h"
#include "ptx/arguments.h"
#include "ptx/text.h"

#include <fmt/format.h>

#include <vector>

namespace ptx {

traced::UserKernel kernel_of(const traced::Request& request, const std::string& text)
{
    traced::UserKernel kernel = traced::user_kernel(request.file, text, request.kernel, request.include_folders);
    kernel.defines = request.defines;
    return kernel;
}

FileLaunch file_launch(const traced::Request& request, const traced::UserKernel& kernel,
                       const traced::CompiledKernel& compiled)
{
    FileLaunch result{.written = traced::find_kernel(kernel.text, kernel.kernel),
                      .names = {},
                      .program = {},
                      .launch = {},
                      .arguments = {}};
    if (!request.check.empty() && request.check != "gemm")
        throw kernels::Error(fmt::format(
            "--check {} is not known; --check gemm compares C with alpha*A*B + beta*C in float64.", request.check));
    result.names = traced::names_of(request, kernel.all_text());
    const Module module = parse(compiled.ptx, compiled.source_lines);
    // The regions of variables come after those of buffers, whose number is not known before the parameters are.
    const Program first = make_program(module, compiled.lowered_name, 0);
    const std::vector<traced::KernelParameter> parameters =
        parameters_of(first, result.written, compiled.signature, kernel.all_text());
    result.launch = traced::prepare(request, result.written, parameters, result.names);
    if (request.check == "gemm" && !result.launch.multiplies)
        throw kernels::Error("--check gemm needs A, B and C among the arguments.");
    result.program = make_program(module, compiled.lowered_name, result.launch.buffers.size());
    if (result.program.shared_bytes > most_static_shared)
        throw kernels::Error(
            fmt::format("The kernel declares {} bytes of shared memory, and a GPU takes {} at most that "
                        "way; declare it as extern __shared__ and give its size with --shared.",
                        result.program.shared_bytes, most_static_shared));
    if (result.program.dynamic_first + result.launch.dynamic_shared_bytes > most_dynamic_shared)
        throw kernels::Error(
            fmt::format("A block needs {} bytes of shared memory, more than the {} that a GPU gives it.",
                        result.program.dynamic_first + result.launch.dynamic_shared_bytes, most_dynamic_shared));
    result.arguments = bytes_of_arguments(result.program, result.launch, parameters);
    return result;
}

} // namespace ptx
