// Reads DWARF's line program, which says which line each address came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// A row of a line table. It covers the addresses from its own up to the next row's. In a table with files it has a
// file. For inlined code it also has the row of the call.
struct SourceRow {
    uint64_t address = 0;
    std::size_t file = 0;        // in SourceRows::files
    uint32_t line = 0;           // counted from 1
    std::size_t called_from = 0; // number of the row of the call, counted from 1; 0 if not inlined
    friend bool operator==(const SourceRow&, const SourceRow&) = default;
};

struct SourceRows {
    std::vector<std::string> files; // with folders, if the table has them
    std::vector<SourceRow> rows;    // in the table's order, with ascending addresses
};

// The tables of a cubin that was compiled with -lineinfo. One has lines of the source, the other has lines of the PTX
// that the assembler was given.
inline constexpr std::string_view source_table = ".debug_line", ptx_table = ".nv_debug_line_sass";

// Returns the rows of one kernel (by its lowered name) of a cubin. The result is empty if the cubin has none. Throws
// kernels::Error if the cubin is damaged.
SourceRows source_rows(std::string_view cubin, std::string_view kernel, std::string_view table = source_table);

// Returns the line of that file that the address came from. For inlined code of another file, returns the line of the
// call. Returns 0 if there is no such line.
uint32_t line_at(const SourceRows& rows, uint64_t address, std::size_t file);

// The rows of one function in a table.
struct LinePart {
    SourceRows rows;
    uint64_t place_of_address = 0; // place of its start in the section, where the linker writes it
};

// Returns the rows of each function, in the order of the section. Reads versions 2 to 4 as NVIDIA's tools write them.
// Throws kernels::Error if the section is damaged.
std::vector<LinePart> line_parts(std::string_view section);

// Returns the line of the row that covers the address, or 0.
uint32_t line_at(const std::vector<SourceRow>& rows, uint64_t address);

// Functions for the .loc directives of PTX, which say where it came from.

std::vector<std::string> lines_of(std::string_view text);

// Returns for each line of PTX the line of `file` that it came from, also through a function that was inlined there.
// The line is 0 if the PTX line did not come from `file`.
std::vector<uint32_t> source_lines(const std::vector<std::string>& ptx, std::string_view file);

} // namespace cuda
