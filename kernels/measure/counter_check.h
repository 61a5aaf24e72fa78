// What was derived from a recording beside what the GPU counted.
#pragma once

#include "measure/counters.h"

#include <vector>

namespace kernels {

enum class Agreement {
    equal,
    arbitration, // conflicts: equal, but for waits for other traffic, which the hardware counts too
    merged,      // shared loads, where it is not known what is executed: fewer instructions, and no more wavefronts
    opaque,      // the recording has no addresses of these accesses
    not_counted, // this GPU lacks the counter
    differs,
};
bool agrees(Agreement agreement);            // all but `differs` and `not_counted`
std::string_view words(Agreement agreement); // a sentence

struct CheckedFigure {
    std::string_view group, figure;   // "shared_load", "wavefronts": the words of `gemmscope info --json`
    uint64_t written = 0;             // by the source, as recorded
    std::optional<uint64_t> executed; // by the machine code, where it could be followed
    std::optional<uint64_t> counted;
    uint64_t derived() const { return executed.value_or(written); } // what must have been counted
    Agreement agreement = Agreement::differs;
};

struct CounterCheck {
    std::vector<CheckedFigure> figures;
    bool ok() const;
};

// `executed`: of the machine code, where it could be followed. The recording needs a block in full.
CounterCheck check(const recording::Recording& recording, const std::optional<recording::Totals>& executed,
                   const Counters& counters);

} // namespace kernels
