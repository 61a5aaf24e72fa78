// Small CUDA files to start from. Each contains the comment that describes its launch: see docs/any-kernel.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kernels {

struct Sample {
    std::string_view name;  // "transpose"
    std::string_view title; // "transpose through shared memory"
    std::string_view text;
};

std::span<const Sample> samples();

} // namespace kernels
