// What is known of one stage of the ladder, in the words and figures that the window shows. Pure.
#pragma once

#include "app/session/measurements.h"

#include "viz/shown_stage.h"

#include <optional>
#include <string>

namespace app {

enum class Verdict { unknown, right, wrong, failed, absent }; // absent: this machine cannot run it

struct StageStatus {
    kernels::ParameterValues parameters;
    Verdict verdict = Verdict::unknown;
    std::string verdict_words; // a sentence
    viz::Speed speed;
    bool timed = false; // `speed` is measured, or says what there is to say without arithmetic
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // in the same run
    std::string cublas_missing;          // why cuBLAS was not timed beside it, as a sentence
    bool refuted() const { return verdict == Verdict::wrong || verdict == Verdict::failed; }
};

// `measurement` null: nothing is known yet; `machine` null: still being looked for.
StageStatus describe(const kernels::Job& job, const Measurement* measurement, const MachineFacts* machine);

} // namespace app
