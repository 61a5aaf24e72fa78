// What can be done with a stage on a backend: inputs, verification, and figures derived from a bench.
#pragma once

#include "backend.h"

#include <cstdint>

namespace kernels {

inline constexpr uint32_t recording_seed = 1; // of the operands that a recording is made with

std::string utc_now(); // ISO 8601: "2026-11-21T09:00:00Z"

// Throws Error where the computer has not so much memory free; `what` begins the sentence.
void require_memory(std::string_view what, uint64_t bytes);

// Uniform in [-1, 1), the same on every machine for a seed. C is random too, so that beta != 0 is tested.
// Throws Error when they and a float64 reference do not fit the free memory.
Operands random_operands(Operation operation, const recording::Problem& problem, uint32_t seed);

// The larger of || C - reference || / || reference || and 1/16 of the largest error of one element in units of the
// reference's root mean square, so that one wrong element among millions counts; in float64. NaN if C has a NaN;
// absolute where the reference is zero.
double relative_error(std::span<const float> C, std::span<const double> reference);
double relative_error(std::span<const double> C, std::span<const double> reference);

struct Verification {
    bool ok = false;        // false for NaN
    double error = 0;       // relative_error against the operands as the kernel gets them: what `ok` rests on
    double total_error = 0; // against the FP32 operands: what the kernel's type costs in all; `error` where it is FP32
    double tolerance = 0;
};

Type type_of(const Job& job);

// Largest relative_error of the job's result that counts as right.
double tolerance(const Job& job);

// What a recording says before anything has run: stage, parameters, problem, launch, source, arrays, device, time.
// Throws Error for matrices that a recording cannot address (over 4 GiB).
recording::Recording describe_launch(const Job& job, const recording::Device& device);

// Runs the stage with the output poisoned (NaN where beta is 0) on random operands, against float64. A and B are rounded
// to the kernel's type first, so that only the kernel's own error counts.
Verification verify(Backend& backend, const Job& job, ProbeKind probe, std::stop_token stop);

// The CPU's float64 reference, blocked and on all cores. Both backends can use it.
std::vector<double> cpu_reference(Operation operation, const recording::Problem& problem, const Operands& operands,
                                  std::stop_token stop);

} // namespace kernels
