// DWARF's line program: which line each address came from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cuda {

struct LineRow {
    uint64_t address = 0; // the row holds from here up to the next row's address
    uint32_t line = 0;    // counted from 1
    friend bool operator==(const LineRow&, const LineRow&) = default;
};

// Of the section's first function, ascending; of several rows at one address the last holds. Versions 2 to 4, as NVIDIA's
// tools write them. Throws kernels::Error where the section is damaged.
std::vector<LineRow> line_rows(std::string_view section);

// 0 where no row holds.
uint32_t line_at(const std::vector<LineRow>& rows, uint64_t address);

} // namespace cuda
