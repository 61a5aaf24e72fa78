// Base class of the GPUs that tests simulate.
#pragma once

#include "backend.h"
#include "gemm/element_type.h"
#include "gemm/inputs.h"

#include <stop_token>
#include <utility>
#include <vector>

namespace test {

inline kernels::Timing timing(double ms)
{
    return {.median_ms = ms, .low_ms = ms, .high_ms = ms, .samples = 5};
}

// Computes correct results on the CPU, records nothing, and reports no time.
class PlayedGpu : public kernels::Backend {
public:
    explicit PlayedGpu(recording::Device device) : device_(std::move(device)) {}
    const recording::Device& device() const override { return device_; }
    void run(const kernels::Job& job, kernels::ProbeKind, kernels::Operands& operands, std::stop_token stop) override
    {
        const std::vector<double> right = PlayedGpu::reference(job, operands, stop);
        operands.C.assign(right.begin(), right.end());
    }
    recording::Recording record(const kernels::Job&, std::span<const recording::Index3>, std::stop_token) override
    {
        return {};
    }
    kernels::BenchResult bench(const kernels::Job&, const kernels::BenchOptions&, std::stop_token) override
    {
        return {};
    }
    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override
    {
        return kernels::cpu_reference(job.stage->operation, job.problem, operands, stop);
    }
    void prepare(std::span<const kernels::Job>, std::span<const kernels::ProbeKind>, std::stop_token) override {}

private:
    recording::Device device_;
};

// Returns the correct result with a time of 2 ms, as if from cuBLAS.
inline kernels::LibraryRun played_cublas(kernels::Precision precision, const recording::Problem& problem,
                                         kernels::Operands operands, const std::stop_token& stop)
{
    kernels::round_all(operands.A, precision.type);
    kernels::round_all(operands.B, precision.type);
    return {.timing = timing(2),
            .C = kernels::cpu_reference(kernels::Operation::gemm, problem, operands, stop),
            .rows = problem.M};
}

} // namespace test
