// Status of one stage of the ladder, computed by pure functions.
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
    std::string said; // description of the verdict
    viz::Speed speed;
    bool timed = false; // `speed` is measured, or says what is known of a stage without arithmetic
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // of the same run
    std::string cublas_missing;          // sentence that says why cuBLAS was not timed in the same run
    bool refuted() const { return verdict == Verdict::wrong || verdict == Verdict::failed; }
};

// Returns the speed of a timed run. A run without arithmetic has a time and no speed.
viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from);

// `measurement` is empty if nothing is known yet; `machine` is null during the search for it.
StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine);

} // namespace app
