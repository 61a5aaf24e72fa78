// Formats figures and sizes for the window, and parses sizes that the user types. Pure functions.
#pragma once

#include "gemm/size.h"
#include "stage.h"

#include "viz/text/figures.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace app {

using viz::thousands; // 8192 -> "8,192"
using viz::percent;   // 0.618 -> "61.8%"

// Returns "128³" for a cube, otherwise "128 × 64 × 256" (M × N × K), "1,000 elements" for vectors, or "6 × 4" without
// K.
std::string size_text(const recording::Problem& problem, kernels::Operation operation);

// Returns "BM=64 BN=128", or "BM 64 · BN 128" with other separators.
std::string parameters_text(const kernels::Stage& stage, const kernels::ParameterValues& values,
                            std::string_view equals = "=", std::string_view between = " ");

// Returns the values in `now` that differ from `before`, except parameter `except`: "BK 16, TM 4".
std::string changed_text(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::optional<std::size_t> except = {});

// Returns a notice about the other parameters that changed because parameter `index` was set. Empty if none did.
std::string also_changed(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::size_t index);

// Formats a number without trailing zeros: 1.5 -> "1.5", 0 -> "0".
std::string factor(float value);

// Returns "just now", "3 min ago", "2 h ago" or "5 days ago". Negative ages count as zero.
std::string age(std::chrono::seconds passed);

// Parses "2026-11-21T09:00:00Z". Returns nothing if the text is no such time.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view iso);

// Parses "128" (a cube) or "128x64x256" (M x N x K, separated by 'x', '×', '*' or blanks). Throws kernels::Error with
// the expected form if the text is something else, or if a side is not between 1 and `largest`.
recording::Problem parse_extent(std::string_view text, uint32_t largest);

// Parses "6x4" (M x N) with the same separators and errors.
recording::Problem parse_sides(std::string_view text, uint32_t largest);

// Parses a count such as "1,000" between 1 and `largest`. Throws kernels::Error.
uint32_t parse_count(std::string_view text, uint32_t largest);

// Parses "0.5" as 0.5. Throws kernels::Error unless the whole text is one finite number.
float parse_factor(std::string_view text);

std::string block_text(const recording::Index3& block); // for example "(0,0)"; z only if it is not 0

} // namespace app
