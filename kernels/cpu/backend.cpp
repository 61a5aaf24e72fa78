#include "backend.h"

#include "cpu/kernel.h"
#include "cpu/recorder.h"
#include "gemm/device_form.h"
#include "gemm/engine.h"
#include "kernel_sources.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <limits>

namespace kernels {

namespace {

std::string processor_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "CPU";
}

void require_compiled(const Job& job, const recording::Device& device)
{
    if (const std::string reason = missing_on(device, *job.stage); !reason.empty())
        throw Unavailable(reason);
    if (job.stage->cpu_kernel(job.parameters))
        return;
    std::string sets;
    for (const ParameterValues& variant : job.stage->cpu_variants) {
        std::string set;
        for (const recording::Parameter& parameter : named(*job.stage, variant))
            set += fmt::format("{}{}={}", set.empty() ? "" : " ", parameter.name, parameter.value);
        sets += (sets.empty() ? "" : "; ") + set;
    }
    throw Error(fmt::format("The CPU backend was compiled for these parameters of {} only: {}. Choose one of them, or "
                            "use an NVIDIA GPU, where every valid set is compiled on demand.",
                            job.stage->slug, sets));
}

class CpuBackend final : public Backend {
public:
    CpuBackend()
    {
        device_.backend = "cpu";
        device_.name = processor_name();
    }

    const recording::Device& device() const override { return device_; }

    void run(const Job& job, ProbeKind probe, Operands& operands, std::stop_token stop) override
    {
        if (probe == ProbeKind::none) {
            launch(job, operands, nullptr, stop);
            return;
        }
        cpu::Recorder recorder(extent(job), arrays(*job.stage, job.parameters, job.problem)[2], {});
        launch(job, operands, &recorder, stop);
    }

    recording::Recording record(const Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        Operands operands = random_operands(job.stage->operation, job.problem, recording_seed);
        recording::Recording result = describe_launch(job, device_);
        cpu::Recorder recorder(result.launch, result.arrays[2], blocks);
        launch(job, operands, &recorder, stop);
        recorder.finish(result);
        return result;
    }

    BenchResult bench(const Job&, const BenchOptions&, std::stop_token) override
    {
        throw Unavailable("Speed is measured on an NVIDIA GPU only: how fast a CPU imitates a GPU says nothing about "
                          "the kernel.");
    }

    std::vector<double> reference(const Job& job, const Operands& operands, std::stop_token stop) override
    {
        return cpu_reference(job.stage->operation, job.problem, operands, stop);
    }

    void prepare(std::span<const Job>, std::span<const ProbeKind>, std::stop_token) override {}

private:
    static recording::Launch extent(const Job& job) { return job.stage->launch(job.parameters, job.problem); }

    void launch(const Job& job, Operands& operands, cpu::Recorder* recorder, std::stop_token stop) const
    {
        require_compiled(job, device_);
        const Stage& stage = *job.stage;
        const DeviceForm form(job, operands);
        std::vector<float> workspace = make_workspace(job);
        const Pointers pointers{
            .A = form.A().data(), .B = form.B().data(), .C = operands.C.data(), .workspace = workspace.data()};
        const std::vector<std::byte> arguments = stage.arguments(job.parameters, job.problem, pointers);
        cpu::launch(*stage.cpu_kernel(job.parameters), extent(job), arguments, recorder, stop);
        if (!stage.second)
            return;
        if (recorder)
            recorder->begin_second();
        cpu::launch(*stage.second->cpu_kernel(job.parameters), stage.second->launch(job.parameters, job.problem),
                    arguments, recorder, stop);
    }

    // Not a number wherever the first kernel writes nothing.
    static std::vector<float> make_workspace(const Job& job)
    {
        const uint64_t bytes = workspace_bytes(*job.stage, job.parameters, job.problem);
        require_memory(fmt::format("The workspace of {}", job.stage->slug), bytes);
        return std::vector<float>(bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
    }

    recording::Device device_;
};

} // namespace

std::unique_ptr<Backend> make_cpu_backend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace kernels
