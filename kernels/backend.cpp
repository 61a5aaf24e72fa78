#include "backend.h"

namespace kernels {

namespace {

constexpr const char* no_counters = "Counters are in NVIDIA GPUs only: a CPU's say nothing about the kernel. What the "
                                    "addresses cost is derived from the "
                                    "recording, which needs no GPU.";

} // namespace

Counters Backend::counters(const Job&, std::stop_token)
{
    throw Unavailable(no_counters);
}

InstructionCounters Backend::instruction_counters(const Job&, std::stop_token)
{
    throw Unavailable(no_counters);
}

LibraryRun Backend::cublas(Precision, const recording::Problem&, const Operands&, const BenchOptions&, std::stop_token)
{
    throw Unavailable("cuBLAS runs on an NVIDIA GPU only.");
}

std::vector<recording::LaunchedKernel> Backend::cublas_kernels(Precision, const recording::Problem&, std::stop_token)
{
    throw Unavailable("cuBLAS runs on an NVIDIA GPU only.");
}

namespace {

constexpr const char* no_gpu = "There is no GPU here to describe or to measure.";

} // namespace

recording::GpuProperties Backend::gpu() const
{
    throw Unavailable(no_gpu);
}

std::vector<std::string> Backend::gpu_steps()
{
    throw Unavailable(no_gpu);
}

void Backend::measure_gpu(std::size_t, recording::GpuMeasurement&, std::stop_token)
{
    throw Unavailable(no_gpu);
}

} // namespace kernels
