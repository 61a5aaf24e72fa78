// Figures and sizes as the window writes them, and sizes as a person types them. Pure functions.
#pragma once

#include "gemm/operation.h"
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

// "128³" for a cube, "128 × 64 × 256" (M × N × K) otherwise, "1,000 elements" of vectors, "6 × 4" where there is no K.
std::string size_text(const recording::Problem& problem, kernels::Operation operation);

// "BM=64 BN=128", or with other words between: "BM 64 · BN 128".
std::string parameters_text(const kernels::Stage& stage, const kernels::ParameterValues& values,
                            std::string_view equals = "=", std::string_view between = " ");

// "BK 16, TM 4": those of `now` that were others before; but for `except`.
std::string changed_text(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::optional<std::size_t> except = {});

// Which others changed because parameter `index` got its value, as a notice; empty where none did.
std::string also_changed(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::size_t index);

// A number without needless zeros: 1.5 -> "1.5", 0 -> "0".
std::string factor(float value);

// "just now", "3 min ago", "2 h ago", "5 days ago". Negative ages count as none.
std::string age(std::chrono::seconds passed);

// From "2026-11-21T09:00:00Z"; none when the text is no such time.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view iso);

struct Extent {
    uint32_t M = 1, N = 1, K = 1;
    friend bool operator==(const Extent&, const Extent&) = default;
};

// "128" (a cube) or "128x64x256" (M x N x K; 'x', '×', '*' or spaces between). Throws kernels::Error, saying what is
// expected, when the text is something else or a side is not between 1 and `largest`.
Extent parse_extent(std::string_view text, uint32_t largest);

// The same for "6x4" (M x N).
Extent parse_sides(std::string_view text, uint32_t largest);

// The same for a count such as "1,000", between 1 and `largest`.
uint32_t parse_count(std::string_view text, uint32_t largest);

// "0.5" -> 0.5. Throws kernels::Error unless the whole text is one finite number.
float parse_factor(std::string_view text);

std::string block_text(const recording::Index3& block); // "(0,0)", z only when it is not 0

} // namespace app
