// What is known of one stage of the ladder. Pure.
#pragma once

#include "app/session/measurements.h"

#include "viz/stage_column.h"

#include <optional>
#include <string>

namespace app {

enum class Verdict { unknown, right, wrong, failed, absent }; // absent: this machine cannot run it

struct StageStatus {
    kernels::ParameterValues parameters;
    Verdict verdict = Verdict::unknown;
    std::string said; // of the verdict
    viz::Speed speed;
    bool timed = false; // `speed` is measured, or says what there is to say without arithmetic
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // in the same run
    std::string cublas_missing;          // why cuBLAS was not timed beside it, as a sentence
    bool refuted() const { return verdict == Verdict::wrong || verdict == Verdict::failed; }
};

// Of a timed run; without arithmetic it has a time and no speed.
viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from);

// `measurement` empty: nothing is known yet; `machine` null: still being looked for.
StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine);

} // namespace app
