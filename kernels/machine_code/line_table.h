// DWARF's line program: which line each address came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// Holds from its address up to the next row's. Of a table that names files: its file, and of code that was inlined the row of
// its call.
struct SourceRow {
    uint64_t address = 0;
    std::size_t file = 0;        // in SourceRows::files
    uint32_t line = 0;           // counted from 1
    std::size_t called_from = 0; // place of the row of the call, counted from 1; 0: not inlined
    friend bool operator==(const SourceRow&, const SourceRow&) = default;
};

struct SourceRows {
    std::vector<std::string> files; // with their folders, where the table tells them
    std::vector<SourceRow> rows;    // in the table's order: addresses ascend
};

// Of one kernel (its lowered name) of a cubin that was compiled with -lineinfo; empty where the cubin tells nothing of it.
// Throws kernels::Error where it is damaged.
SourceRows source_rows(std::string_view cubin, std::string_view kernel);

// The line of that file that the address came from: where code of another file was inlined, the line of the call. 0: of none.
uint32_t line_at(const SourceRows& rows, uint64_t address, std::size_t file);

// Of the section's first function, ascending; of several rows at one address the last holds. Versions 2 to 4, as NVIDIA's
// tools write them. Throws kernels::Error where the section is damaged.
std::vector<SourceRow> line_rows(std::string_view section);

// 0 where no row holds.
uint32_t line_at(const std::vector<SourceRow>& rows, uint64_t address);

} // namespace cuda
