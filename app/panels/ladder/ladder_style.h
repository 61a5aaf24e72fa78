// How the rows of the ladder's panel look, and where the speeds in them come from.
#pragma once

#include "app/catalogue/speeds.h"

#include "viz/theme.h"

#include <cstddef>
#include <optional>

namespace app {

inline constexpr float other_line = 17; // height at scale 1

struct LadderStyle {
    const viz::Theme& theme;
    bool gpu;                     // speeds are measured, so rows have bars
    const ShippedSpeeds* shipped; // where none are measured; null: none are shipped either
    double peak;                  // GFLOPS; 0: not known
    std::optional<double> cublas;
    float left, right;      // of what stands in a row
    std::size_t others = 0; // machines beside this one: a line of each row is theirs

    bool has_speeds() const { return gpu || shipped != nullptr || others > 0; }
    float lines_of_others() const { return static_cast<float>(others) * other_line; }
};

// At scale 1.
inline constexpr float name_indent = 10;
inline constexpr float first_line = 3, second_line = 21, row_height = 41, row_height_without_speed = 26;

} // namespace app
