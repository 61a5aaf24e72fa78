// Compares the accesses that source lines contain ("as written") with those that their machine code makes ("as
// executed").
#pragma once

#include "machine_code/machine_code.h"

namespace kernels {

struct LineExecution {
    uint32_t line = 0;
    recording::Totals written, executed; // of the whole launch
    std::vector<SassAccessCounts> instructions;
    std::string why; // if the two differ, a sentence that says why

    bool differs() const { return !(written == executed); }
};

// Returns the lines that access memory, in ascending order. When the compiler moves an instruction, it drops the
// instruction's line. The line is found by the accessed array, if only one line accesses this array in that way.
// `recording` must have a block in full.
std::vector<LineExecution> compare_lines(const recording::Recording& recording, const Executed& executed);

} // namespace kernels
