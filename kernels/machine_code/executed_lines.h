// As written, as executed: what each source line asks for beside what the machine code does for it.
#pragma once

#include "machine_code/machine_code.h"

namespace kernels {

struct LineExecution {
    uint32_t line = 0;
    recording::Totals written, executed; // of the whole launch
    std::vector<SassAccessCounts> instructions;
    std::string why; // where the two differ, one sentence; else empty

    bool differs() const { return !(written == executed); }
};

// Ascending by line; lines that access no memory are absent. The compiler drops the line of an instruction that it
// moves; it is found again by the array that is accessed, where one line alone accesses it so. `recording` has a block
// in full.
std::vector<LineExecution> compare_lines(const recording::Recording& recording, const Executed& executed);

} // namespace kernels
