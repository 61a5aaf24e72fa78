// What was derived from a recording beside what the GPU counted.
#pragma once

#include "counters.h"

#include <vector>

namespace kernels {

enum class Agreement {
    equal,
    arbitration, // conflicts: equal, but for waits for other traffic, which the hardware counts too
    merged,      // shared loads that the compiler joined or kept: fewer instructions, and no more wavefronts
    opaque,      // the recording has no addresses of these accesses
    not_counted, // this GPU lacks the counter
    differs,
};
bool agrees(Agreement agreement); // all but `differs` and `not_counted`

struct CheckedFigure {
    std::string_view group, figure; // "shared_load", "wavefronts": the words of `gemmscope info --json`
    uint64_t derived = 0;
    std::optional<uint64_t> counted;
    Agreement agreement = Agreement::differs;
};

struct CounterCheck {
    std::vector<CheckedFigure> figures;
    bool ok() const;
};

// `derived`: of the whole launch. `recording` says which accesses are opaque; it needs a block in full.
CounterCheck check(const recording::Totals& derived, const recording::Recording& recording, const Counters& counters);

} // namespace kernels
