#include "backend.h"

#include <fmt/format.h>

#include <charconv>

namespace kernels {

namespace {

constexpr const char* no_counters = "Counters are in NVIDIA GPUs only: a CPU's say nothing about the kernel. What the "
                                    "addresses cost is derived from the "
                                    "recording, which needs no GPU.";
constexpr const char* no_cublas = "cuBLAS runs on an NVIDIA GPU only.";
constexpr const char* no_gpu = "There is no GPU here to describe or to measure.";

} // namespace

Counters Backend::counters(const Job&, std::stop_token)
{
    throw Unavailable(no_counters);
}

InstructionCounters Backend::instruction_counters(const Job&, std::stop_token)
{
    throw Unavailable(no_counters);
}

recording::WarpTimes Backend::warp_times(const Job&, const WatchedWarps&, std::stop_token)
{
    throw Unavailable(
        "When a warp runs and when it waits only a GPU can say: on a CPU the threads of a block take turns. Run "
        "this on a machine with an NVIDIA GPU.");
}

WarpSamples Backend::warp_samples(const Job&, std::stop_token)
{
    throw Unavailable(no_counters);
}

LibraryRun Backend::cublas(Precision, const recording::Problem&, const Operands&, const BenchOptions&, std::stop_token)
{
    throw Unavailable(no_cublas);
}

std::vector<recording::LaunchedKernel> Backend::cublas_kernels(Precision, const recording::Problem&, std::stop_token)
{
    throw Unavailable(no_cublas);
}

Counters Backend::cublas_counters(Precision, const recording::Problem&, std::stop_token)
{
    throw Unavailable(no_cublas);
}

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

const ListedGpu& find_gpu(const std::vector<ListedGpu>& gpus, const std::string& wanted)
{
    int number = 0;
    const char* const end = wanted.data() + wanted.size();
    const auto [rest, error] = std::from_chars(wanted.data(), end, number);
    const bool by_number = wanted.empty() || (error == std::errc() && rest == end);
    std::string there;
    const ListedGpu* found = nullptr;
    int matching = 0;
    for (const ListedGpu& gpu : gpus) {
        there += fmt::format("{}{} is {} ({})", there.empty() ? "" : ", ", gpu.number, gpu.name, gpu.uuid);
        if (by_number ? gpu.number == number : gpu.uuid.starts_with(wanted)) {
            found = &gpu;
            ++matching;
        }
    }
    if (gpus.empty())
        throw Unavailable("There is no NVIDIA GPU on this machine.");
    if (matching > 1)
        throw Unavailable(fmt::format("More than one GPU has a UUID that begins with {}: {}.", wanted, there));
    if (found == nullptr)
        throw Unavailable(fmt::format(
            "There is no GPU {} on this machine: {}. Give --gpu one of these numbers, or a UUID.", wanted, there));
    return *found;
}

bool has_gpu()
{
    try {
        return !list_gpus().empty();
    } catch (const Unavailable&) {
        return false;
    }
}

} // namespace kernels
