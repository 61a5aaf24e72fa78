// The selection, a plain value that all views share.
#pragma once

#include "viz/stage_column.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace viz {

// The selected block, warp, step, lane, line and element. A step is the index of an access of one warp. Views of a
// whole block use the same step for all of its warps.
struct Selection {
    std::size_t block = 0; // index into Recording::blocks of column 0
    uint32_t warp = 0;
    std::size_t step = 0; // of column 0
    // Steps of columns 1 and 2 while the columns race, or if the matching step has another index. Empty means `step`.
    std::array<std::optional<std::size_t>, most_columns - 1> other_steps;
    uint32_t lane = 0;
    std::optional<uint32_t> line;                   // a source line that the user marked
    std::optional<std::pair<uint32_t, uint32_t>> c; // (row, col) of an element of C
    std::size_t step_of(std::size_t column) const
    {
        return column == 0 ? step : other_steps[column - 1].value_or(step);
    }
    bool has_own_step(std::size_t column) const { return column > 0 && other_steps[column - 1].has_value(); }
    bool at_one_step() const
    {
        return std::ranges::all_of(other_steps, [&](const auto& other) { return other.value_or(step) == step; });
    }
    friend bool operator==(const Selection&, const Selection&) = default;
};

} // namespace viz
