// Compares figures derived from a recording with the GPU's counters.
#pragma once

#include "measure/counters.h"

#include <vector>

namespace kernels {

enum class Agreement {
    equal,
    arbitration, // conflicts are equal, except for arbitration with other traffic, which the hardware counts too
    merged,      // shared loads if the executed code is unknown: fewer instructions, and not more wavefronts
    opaque,      // the recording lacks the addresses of these accesses
    not_counted, // this GPU lacks the counter
    differs,
};
bool agrees(Agreement agreement);            // true except for `differs` and `not_counted`
std::string_view words(Agreement agreement); // a sentence

struct CheckedFigure {
    std::string_view group, figure;   // "shared_load", "wavefronts": the terms of `gemmscope info --json`
    uint64_t written = 0;             // from the source, as recorded
    std::optional<uint64_t> executed; // from the machine code, if its addresses could be computed
    std::optional<uint64_t> counted;
    uint64_t derived() const { return executed.value_or(written); } // the value that the counters should have
    Agreement agreement = Agreement::differs;
};

struct CounterCheck {
    std::vector<CheckedFigure> figures;
    bool ok() const;
};

// `executed` has the totals of the machine code, if its addresses could be computed. The recording must contain a
// complete block.
CounterCheck check(const recording::Recording& recording, const std::optional<recording::Totals>& executed,
                   const Counters& counters);

} // namespace kernels
