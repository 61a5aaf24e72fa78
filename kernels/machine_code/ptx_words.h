// PTX's text cut into statements, and what their names mean. See ptx_program.h.
#pragma once

#include "machine_code/ptx_program.h"

#include <optional>

namespace cuda {

struct PtxText {
    std::string name;                  // "ld.shared.v4.f32"; of a label its own
    std::string predicate;             // "%p1", "!%p1"
    std::vector<std::string> operands; // "{%f1, %f2}", "[%rd4+16]", "%r1"
    uint32_t line = 0;                 // where it begins, counted from 1
    bool is_label = false;
};

// Those of the kernel's body; directives and declarations are left out.
std::vector<PtxText> split_ptx(const std::vector<std::string>& lines);

// At the commas outside of braces and brackets.
std::vector<std::string> split_operands(std::string_view text);

struct PtxSharedArray {
    std::string name;
    uint32_t bytes = 0, alignment = 1;
};

// The array that a line declares in shared memory, if it does.
std::optional<PtxSharedArray> shared_array(std::string_view line);

// Code, space, types, comparison and width of a statement of that name.
PtxStatement classify_ptx(const std::string& name);

} // namespace cuda
