// Compares what each source line asks for ("as written") with what the machine code does for it ("as executed").
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

// Returns the lines in ascending order, without those that access no memory. The compiler drops the line of an
// instruction that it moves. The line is found again by the array that is accessed, if only one line accesses the array
// in that way. `recording` must have a block in full.
std::vector<LineExecution> compare_lines(const recording::Recording& recording, const Executed& executed);

} // namespace kernels
