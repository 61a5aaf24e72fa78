#include "backend.h"

#include "cpu_kernel.h"
#include "gemm/inputs.h"
#include "processor.h"
#include "ptx/stage_run.h"
#include "recording/check.h"
#include "recording/inputs.h"
#include "traced/builder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace kernels {

namespace {

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

// Returns whether this is a user's own stage, for which the program has no compiled kernel.
bool runs_as_ptx(const Job& job)
{
    return job.stage->text != nullptr;
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
        if (runs_as_ptx(job)) {
            ptx::run_stage(job, operands, {}, device_, stop);
            return;
        }
        if (probe == ProbeKind::none || probe == ProbeKind::place) { // a CPU has no SMs to report placements on
            launch(job, operands, nullptr, stop);
            return;
        }
        traced::Recorder recorder(extent(job), arrays(*job.stage, job.parameters, job.problem)[2], {});
        launch(job, operands, &recorder, stop);
    }

    recording::Recording record(const Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        if (runs_as_ptx(job)) {
            Operands own = input_operands(job.stage->operation, job.problem, recording::input_seed, job.inputs);
            return ptx::run_stage(job, own, blocks, device_, stop).recording;
        }
        recording::Recording result = describe_launch(job, device_);
        require_short_trace(job, blocks.size(), stop);
        Operands operands = input_operands(job.stage->operation, job.problem, recording::input_seed, job.inputs);
        traced::Recorder recorder(result.launch, result.arrays[2], blocks);
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

    void launch(const Job& job, Operands& operands, traced::Recorder* recorder, std::stop_token stop) const
    {
        require_compiled(job, device_);
        const Stage& stage = *job.stage;
        const DeviceForm form(stage.operation, type_of(job), job.problem, operands);
        std::vector<float> workspace = make_workspace(job);
        const Pointers pointers{
            .A = form.A().data(), .B = form.B().data(), .C = operands.C.data(), .workspace = workspace.data()};
        const std::vector<std::byte> arguments = stage.arguments(job.parameters, job.problem, pointers);
        cpu::launch(*stage.cpu_kernel(job.parameters), extent(job), arguments, recorder, stop);
        const recording::Launch second = second_launch(stage, job.parameters, job.problem);
        if (second.grid.volume() == 0)
            return;
        if (recorder)
            recorder->begin_second();
        cpu::launch(*stage.second->cpu_kernel(job.parameters), second, arguments, recorder, stop);
    }

    // Returns a workspace in which every element that the first kernel does not write is NaN.
    static std::vector<float> make_workspace(const Job& job)
    {
        const uint64_t bytes = workspace_bytes(*job.stage, job.parameters, job.problem);
        require_memory(fmt::format("The workspace of {}", job.stage->slug), bytes);
        return std::vector<float>(bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
    }

    // A trace grows with K. Two short products show its growth before the long one starts.
    void require_short_trace(const Job& job, std::size_t blocks, const std::stop_token& stop) const
    {
        constexpr uint32_t little_k = 512, short_enough = 8192;
        if (!facts(job.stage->operation).uses_k || job.problem.K <= short_enough || blocks == 0)
            return;
        const auto steps_at = [&](uint32_t K) {
            Job part = job;
            part.problem = {.M = std::min(job.problem.M, 32u), .N = std::min(job.problem.N, 32u), .K = K};
            Operands operands = input_operands(part.stage->operation, part.problem, recording::input_seed);
            const recording::Index3 first{0, 0, 0};
            traced::Recorder recorder(extent(part), arrays(*part.stage, part.parameters, part.problem)[2], {&first, 1});
            launch(part, operands, &recorder, stop);
            return static_cast<double>(recorder.steps());
        };
        const double some = steps_at(little_k), per_k = (steps_at(2 * little_k) - some) / little_k;
        const double steps = (some + per_k * (job.problem.K - little_k)) * static_cast<double>(blocks);
        if (steps > static_cast<double>(recording::most_accesses))
            throw Error(
                fmt::format("The {} chosen blocks make about {:.0f} million accesses, and a recording has room for "
                            "{:.0f} million; choose fewer blocks or a smaller size.",
                            blocks, steps * 1e-6, static_cast<double>(recording::most_accesses) * 1e-6));
    }

    recording::Device device_;
};

} // namespace

std::unique_ptr<Backend> make_cpu_backend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace kernels
