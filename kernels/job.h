// A stage with parameters, at a size.
#pragma once

#include "stage.h"

namespace kernels {

struct Job {
    const Stage* stage = nullptr; // outlives the call
    ParameterValues parameters;
    recording::Problem problem;
    // For recording and verification; benchmarks always use random inputs.
    recording::Inputs inputs = recording::Inputs::random;
};

Type type_of(const Job& job); // of A and B
Types types_of(const Job& job);

// Returns the text of one of the stage's source files; empty if the stage has no such file.
std::string_view source_text(const Stage& stage, std::string_view file);

// Returns the largest relative_error at which the job's result still counts as correct.
double tolerance(const Job& job);

// Fills in what a recording contains before anything has run: stage, parameters, problem, launch, sources, arrays,
// device, time. Throws Error if the job cannot be recorded: CUDA does not allow the launch, a matrix is larger than a
// recording can address (4 GiB), or the owner map does not fit in a recording file.
recording::Recording describe_launch(const Job& job, const recording::Device& device);

} // namespace kernels
