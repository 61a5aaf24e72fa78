// Stands in for the CUDA backend where the toolkit's headers were missing when gemmscope was built.
#include "backend.h"
#include "injection/tools.h"
#include "machine_code/machine_code.h"
#include "measure/pattern_measurement.h"
#include "traced/gpu_launch.h"
#include "traced/user_kernel.h"

namespace kernels {

namespace {

[[noreturn]] void refuse_gpu()
{
    throw Unavailable("This gemmscope was built without the CUDA toolkit, so it runs on the CPU only. For a GPU "
                      "install CUDA 12 or later, package cuda-toolkit of NVIDIA's repository (the nvidia-cuda-toolkit "
                      "of Debian 12 is too old), and run ./run again.");
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
    throw Unavailable(
        "This gemmscope was built without the CUDA toolkit, so it cannot compile a stage for a GPU; install CUDA "
        "12 or later, package cuda-toolkit of NVIDIA's repository, and run ./run again.");
}

void measure_patterns(std::span<model::PatternRow>, const std::function<void(std::span<const model::PatternRow>)>&,
                      std::stop_token, int)
{
    throw Unavailable(
        "This gemmscope was built without the CUDA toolkit, so it cannot measure access patterns; install "
        "CUDA 12.6 or later, package cuda-toolkit of NVIDIA's repository, and run ./run again.");
}

} // namespace kernels

namespace traced {

CompiledKernel compile(const UserKernel&)
{
    throw kernels::Unavailable("This gemmscope was built without the CUDA toolkit, so it cannot compile a CUDA file; "
                               "install CUDA 12 or later, "
                               "package cuda-toolkit of NVIDIA's repository, and run ./run again.");
}

GpuLaunch launch_on_gpu(const CompiledKernel&, const PreparedLaunch&, ArgumentBytes)
{
    throw kernels::Unavailable(
        "This gemmscope was built without the CUDA toolkit, so it cannot launch a kernel on a GPU; "
        "install CUDA 12 or later, package cuda-toolkit of NVIDIA's repository, and run ./run "
        "again.");
}

} // namespace traced

namespace injection {

namespace {

[[noreturn]] void refuse()
{
    throw kernels::Unavailable(
        "This gemmscope was built without the CUDA toolkit, so it cannot trace programs; install CUDA "
        "12 or later, package cuda-toolkit of NVIDIA's repository, and run ./run again.");
}

} // namespace

std::filesystem::path sanitizer_library()
{
    refuse();
}

std::filesystem::path cupti_library()
{
    refuse();
}

void make_patches(const std::filesystem::path&)
{
    refuse();
}

void make_patches(const std::filesystem::path&, int)
{
    refuse();
}

KernelCode code_of(std::string_view, std::string_view)
{
    refuse();
}

} // namespace injection
