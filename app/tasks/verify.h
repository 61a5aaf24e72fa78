// Task: compare a stage's result with float64.
#pragma once

#include "app/tasks/context.h"

#include "job.h"
#include "measure/verification.h"

namespace app {

struct Scales {
    float alpha = 1, beta = 0;
    friend bool operator==(const Scales&, const Scales&) = default;
};

struct VerifyResult;

struct VerifyTask {
    StageJob job;
    std::vector<Scales> scales = {{1, 0}, {-0.5f, 3}}; // beta 0 starts from an output of NaN; the other reads the old C
    kernels::ProbeKind probe = kernels::ProbeKind::none; // which form of the kernel runs

    using Result = VerifyResult;
    VerifyResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr bool of_device = true;
    friend bool operator==(const VerifyTask&, const VerifyTask&) = default;
};

// The worst over the scales.
struct VerifyResult {
    kernels::Verification worst;
};

// The same of a job that is at hand; of `how`, its scales and the form.
kernels::Verification worst_over_scales(kernels::Backend& backend, kernels::Job job, const VerifyTask& how,
                                        const std::stop_token& stop);

// The job at a small size that is a multiple of no tile, so that every guard is exercised also on a CPU.
StageJob at_ragged_size(const kernels::Job& job);

} // namespace app
