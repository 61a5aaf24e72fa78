// Task that compares a stage's result with float64.
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
    // Beta 0 starts from an output of NaN. The other pair reads the old C.
    std::vector<Scales> scales = {{1, 0}, {-0.5f, 3}};
    kernels::ProbeKind probe = kernels::ProbeKind::none; // form of the kernel that runs

    using Result = VerifyResult;
    VerifyResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr bool of_device = true;
    friend bool operator==(const VerifyTask&, const VerifyTask&) = default;
};

// The worst result over all scales.
struct VerifyResult {
    kernels::Verification worst;
};

// Verifies a resolved job. Uses only the scales and the kernel form of `how`.
kernels::Verification worst_over_scales(kernels::Backend& backend, kernels::Job job, const VerifyTask& how,
                                        const std::stop_token& stop);

// Returns the job at a small size that is a multiple of no tile size, so that every bounds check is exercised even on a
// CPU.
StageJob at_ragged_size(const kernels::Job& job);

} // namespace app
