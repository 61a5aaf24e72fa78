// Computes statistics and speeds from times, verifies results, and measures energy.
#pragma once

#include "backend.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace kernels {

// `samples` has the time of each run in milliseconds. Without samples, all members of the result are zero.
Timing timing_of(std::vector<double> samples);

// Figures computed from a time: arithmetic per second, and fractions of achievable speed.
struct SpeedFigures {
    std::optional<double> gflops;    // absent for a kernel without arithmetic
    std::optional<double> of_cublas; // 1 means as fast as cuBLAS; absent if cuBLAS was not timed
    std::optional<double> of_best;   // relative to the fastest of cuBLAS's algorithms; absent if it was not timed
    // Fraction of the FP32 units' peak; absent for other types, and if the peak is unknown.
    std::optional<double> of_peak;
    std::optional<double> cublas_gflops; // cuBLAS in FP32
};

SpeedFigures speed_figures(const Job& job, const BenchResult& bench, const recording::Device& device);

// Verifies that a stage computes the right result.
struct Verification {
    bool ok = false;  // false for NaN
    double error = 0; // relative_error against the operands as the kernel receives them; determines `ok`
    // Against the FP32 operands: includes the error of converting to the kernel's type; equals `error` for FP32.
    double total_error = 0;
    double tolerance = 0;
};

// Runs the stage on the job's inputs with a poisoned output (NaN if beta is 0), and compares with float64. A and B are
// rounded to the kernel's type first, so that only the kernel's own error counts.
Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop);

// Measures the energy of a launch with a counter of the GPU's total energy.

// The driver updates the counter only at intervals. Launches therefore run back to back for much longer than an
// interval, and only the time between two changes of the counter is evaluated.
struct EnergyWork {
    std::function<uint64_t()> millijoules;    // the counter: total energy that the GPU has used
    std::function<double()> seconds;          // a clock
    std::function<void(int launches)> launch; // runs this many launches and waits for them
    std::function<void()> check_stop;         // throws if the measurement must stop
};

// `ms` is the measured time of a launch. `seconds` is the minimum time between the two changes of the counter. If the
// counter does not change, Energy::missing says so.
Energy energy_of_launch(const EnergyWork& work, double ms, double seconds);

} // namespace kernels
