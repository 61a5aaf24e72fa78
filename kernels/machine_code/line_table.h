// DWARF's line program: which line each address came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// Holds from its address up to the next row's. Of a table that names files: its file, and of code that was inlined the
// row of its call.
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

// Tables of a cubin that was compiled with -lineinfo: lines of the source, and lines of the PTX that the assembler was
// given.
inline constexpr std::string_view source_table = ".debug_line", ptx_table = ".nv_debug_line_sass";

// Of one kernel (its lowered name) of a cubin; empty where the cubin tells nothing of it. Throws kernels::Error where
// it is damaged.
SourceRows source_rows(std::string_view cubin, std::string_view kernel, std::string_view table = source_table);

// The line of that file that the address came from: where code of another file was inlined, the line of the call. 0: of
// none.
uint32_t line_at(const SourceRows& rows, uint64_t address, std::size_t file);

// What a table says of one function.
struct LinePart {
    SourceRows rows;
    uint64_t place_of_address = 0; // where in the section its start stands, which the linker fills in
};

// Of each function of the section, in its order. Versions 2 to 4, as NVIDIA's tools write them. Throws kernels::Error
// where the section is damaged.
std::vector<LinePart> line_parts(std::string_view section);

// 0 where no row holds.
uint32_t line_at(const std::vector<SourceRow>& rows, uint64_t address);

// Where PTX came from: its .loc directives.

std::vector<std::string> lines_of(std::string_view text);

// Of each line of PTX, the line in `file` that it came from: in it, or in a function that was inlined there; 0:
// neither.
std::vector<uint32_t> source_lines(const std::vector<std::string>& ptx, std::string_view file);

} // namespace cuda
