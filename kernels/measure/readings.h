// Counters that are read again where one reading may differ from the next.
#pragma once

#include "measure/counter_check.h"
#include "measure/instruction_counters.h"

#include <functional>

namespace kernels {

// On an H200 the counters of the sectors that asynchronous copies read are not the same in every reading: of mma_ldmatrix at
// 128^3 2,048, 2,032, 2,024 and 1,536 of the same machine code, of autotuned two in one run. So a stage that makes such copies
// is counted again where a reading differs; a figure that is derived wrongly differs in all of them.
inline constexpr int most_readings = 12;

// The last reading, beside what is derived.
struct CounterReading {
    Counters counters;
    CounterCheck check;
    int readings = 1; // of which this is the last
};

struct InstructionReading {
    InstructionCounters counters;
    std::vector<CountedAccesses> accesses;
    int readings = 1;
};

// `executed`: of the machine code, where it could be followed. `again` reads once more; empty: that cannot be done.
CounterReading settle(Counters first, const recording::Recording& recording,
                      const std::optional<recording::Totals>& executed, const std::function<Counters()>& again);

// The same of CUPTI's counters per instruction. `executed`: null where it could not be followed.
InstructionReading settle(InstructionCounters first, const MachineCode& code, const Executed* executed,
                          const std::function<InstructionCounters()>& again);

// A sentence where there was more than one reading; else empty. `equal`: whether the last one agreed.
std::string readings_words(int readings, bool equal);

} // namespace kernels
