// What is known of one stage of the ladder, in the words and figures that the window shows. Pure.
#pragma once

#include "app/session/machine.h"
#include "app/session/measurer.h"

#include "viz/view.h"

#include <optional>
#include <string>

namespace app {

enum class Verdict { unknown, right, wrong, failed, absent }; // absent: this machine cannot run it

struct Rung {
    kernels::ParameterValues parameters;
    Verdict verdict = Verdict::unknown;
    std::string verdict_words; // a sentence
    viz::Speed speed;
    bool timed = false; // `speed` is measured, or says what there is to say without arithmetic
    std::optional<kernels::Timing> timing;
    std::optional<double> cublas_gflops; // in the same run
    std::string cublas_missing;          // why cuBLAS was not timed beside it, as a sentence
};

// Before anything was measured.
Rung blank_rung(const kernels::Stage& stage, const Machine* machine);

// `machine` null: still being opened.
Rung describe(const Measurement& measurement, const Machine& machine);

} // namespace app
