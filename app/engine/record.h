// Tasks that make something of a stage: record it, verify its result, compile it ahead of time.
#pragma once

#include "app/engine/context.h"

#include "viz/analysis/roofline.h"

#include "measure/speed.h"
#include "stage.h"

#include <fmt/format.h>

#include <optional>

namespace app {

// Task that runs an instrumented stage and keeps its recording.

// A recording with derived data whose cost grows with its size. The data is derived when the recording is made or read,
// so that drawing never waits for it.
struct Recorded {
    RecordingPtr recording;
    viz::Traffic traffic;
    std::optional<viz::ReuseTile> tile;
};

Recorded derive(recording::Recording recording);

struct RecordResult;

struct RecordTask {
    StageJob job;
    std::vector<recording::Index3> blocks; // blocks to record in full
    bool owners = true;                    // record which thread wrote each element of C
    using Result = RecordResult;
    RecordResult run(const TaskContext& context) const;
    std::string name() const { return at_size("recording", job); }
    double seconds_allowed(const MachineFacts& machine) const { return 10 + seconds_of(job.problem, machine); }
    friend bool operator==(const RecordTask&, const RecordTask&) = default;
};

struct RecordResult {
    Recorded recorded;
    double milliseconds = 0; // time of the recording alone, without compiling its kernels
};

// Task that compares a stage's result with float64.
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
    std::string name() const { return at_size("verifying", job); }
    double seconds_allowed(const MachineFacts& machine) const { return 10 + seconds_of(job.problem, machine); }
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

// Task that compiles what several jobs need, at once and ahead of time.
struct PrepareResult;

struct PrepareTask {
    std::vector<StageJob> jobs;
    bool recorded = false; // compile the instrumented forms too

    using Result = PrepareResult;
    // Ignores compile errors. The task that needs the kernel reports them.
    PrepareResult run(const TaskContext& context) const;
    std::string name() const { return fmt::format("compiling {} stages", jobs.size()); }
    double seconds_allowed(const MachineFacts&) const { return 10 + 10 * static_cast<double>(jobs.size()); }
    friend bool operator==(const PrepareTask&, const PrepareTask&) = default;
};

struct PrepareResult {
    std::size_t jobs = 0;
};

} // namespace app
