// The text of a new stage file, copied from one of the ladder's, and the parts of it that a description needs.
#pragma once

#include "stage.h"

#include <span>
#include <string>
#include <string_view>

namespace kernels {

// Creates the text of a new stage file: a copy of one of the ladder's stages under another name, in a single file.

// Returns a sentence that says why a stage cannot have this name; empty if it can. It must be a C++ identifier that no
// stage of the ladder uses.
std::string why_no_name(const std::vector<Stage>& ladder, std::string_view name);

// Returns the copy, with a comment that says what can be changed and how to run it. It contains the body's file.
std::string copied_stage(const Stage& stage, const std::string& name);

} // namespace kernels

namespace own {

// Empties the bodies of __global__ and __device__ functions and keeps the lines. Functions that the host also calls
// stay unchanged, and so does code that cannot be classified. The description then need not be compiled again after a
// change to a kernel.
std::string without_device_bodies(std::string_view text);

} // namespace own

// Small CUDA files to start from. Each contains the comment that describes its launch: see docs/any-kernel.md.
namespace kernels {

struct Sample {
    std::string_view name;  // "transpose"
    std::string_view title; // "transpose through shared memory"
    std::string_view text;
};

std::span<const Sample> samples();

} // namespace kernels
