// A stage with parameters, at a size.
#pragma once

#include "stage.h"

namespace kernels {

struct Job {
    const Stage* stage = nullptr; // outlives the call
    ParameterValues parameters;
    recording::Problem problem;
    recording::Inputs inputs =
        recording::Inputs::random; // of a recording and a verification; what is timed gets random ones
};

Type type_of(const Job& job); // of A and B
Types types_of(const Job& job);

// Of a file that the stage is made of; empty where there is no such file.
std::string_view source_text(const Stage& stage, std::string_view file);

// Largest relative_error of the job's result that counts as right.
double tolerance(const Job& job);

// What a recording says before anything has run: stage, parameters, problem, launch, sources, arrays, device, time.
// Throws Error where what would be recorded cannot be: a launch that CUDA does not allow, matrices that a recording cannot
// address (over 4 GiB), or an owner map that no recording file can hold.
recording::Recording describe_launch(const Job& job, const recording::Device& device);

} // namespace kernels
