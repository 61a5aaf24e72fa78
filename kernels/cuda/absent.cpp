// Replaces the CUDA backend if gemmscope was built without the toolkit's headers.
#include "backend.h"
#include "injection/traced_program.h"
#include "machine_code/machine_code.h"
#include "measure/pattern_measurement.h"
#include "traced/user_kernel.h"

#include <fmt/format.h>

namespace kernels {

namespace {

[[noreturn]] void refuse_gpu()
{
    throw Unavailable("This gemmscope was built without the CUDA toolkit, so it runs on the CPU only. For a GPU "
                      "install CUDA 12 or later, package cuda-toolkit of NVIDIA's repository (the nvidia-cuda-toolkit "
                      "of Debian 12 is too old), and run ./run again.");
}

[[noreturn]] void refuse(std::string_view what, std::string_view version = "12")
{
    throw Unavailable(
        fmt::format("This gemmscope was built without the CUDA toolkit, so it cannot {}; install CUDA {} or "
                    "later, package cuda-toolkit of NVIDIA's repository, and run ./run again.",
                    what, version));
}

} // namespace

std::vector<ListedGpu> list_gpus()
{
    refuse_gpu();
}

std::unique_ptr<Backend> make_cuda_backend(int)
{
    refuse_gpu();
}

MachineCode machine_code(const Stage&, const ParameterValues&, uint32_t)
{
    refuse("compile a stage for a GPU");
}

MachineCode watched_ptx(const Stage&, const ParameterValues&)
{
    refuse("compile a stage of your own");
}

std::string ptx_of(const std::string&, std::span<const SourceText>)
{
    refuse("compile a stage of your own");
}

void measure_patterns(std::span<model::PatternRow>, const std::function<void(std::span<const model::PatternRow>)>&,
                      std::stop_token, int)
{
    refuse("measure access patterns", "12.6");
}

void time_patterns(std::span<model::PatternRow>, const std::stop_token&, int)
{
    refuse("time access patterns");
}

} // namespace kernels

namespace traced {

CompiledKernel compile(const UserKernel&)
{
    kernels::refuse("compile a CUDA file");
}

std::string assembled(const std::string&, const std::string&)
{
    return {};
}

bool can_build_host_programs()
{
    return false;
}

void build_host_program(const HostBuild&)
{
    kernels::refuse("compile a host program");
}

GpuLaunch launch_on_gpu(const CompiledKernel&, const PreparedLaunch&, ArgumentBytes)
{
    kernels::refuse("launch a kernel on a GPU");
}

} // namespace traced

namespace injection {

std::filesystem::path sanitizer_library()
{
    kernels::refuse("trace programs");
}

std::filesystem::path cupti_library()
{
    kernels::refuse("trace programs");
}

void make_patches(const std::filesystem::path&)
{
    kernels::refuse("trace programs");
}

void make_patches(const std::filesystem::path&, int)
{
    kernels::refuse("trace programs");
}

KernelCode code_of(std::string_view, std::string_view)
{
    kernels::refuse("trace programs");
}

} // namespace injection
