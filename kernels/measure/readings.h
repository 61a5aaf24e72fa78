// Repeated readings of counters whose values can differ between readings.
#pragma once

#include "measure/counter_check.h"
#include "measure/counters.h"

#include <functional>

namespace kernels {

// On an H200 the counters of the sectors that asynchronous copies read vary between readings of the same machine code.
// For mma_ldmatrix at 128^3 they were 2,048, 2,032, 2,024 and 1,536, and for autotuned two values in one run. A stage
// with such copies is therefore read again if a reading differs from the derived figures. A wrong derived figure
// differs from every reading.
inline constexpr int most_readings = 12;

// The last reading, and its comparison with the derived figures.
struct CounterReading {
    Counters counters;
    CounterCheck check;
    int readings = 1; // number of readings, including this one
};

struct InstructionReading {
    InstructionCounters counters;
    std::vector<CountedAccesses> accesses;
    int readings = 1;
};

// `executed` has the totals of the machine code, if its addresses could be computed. `again` takes another reading. It
// is empty if that is not possible.
CounterReading settle(Counters first, const recording::Recording& recording,
                      const std::optional<recording::Totals>& executed, const std::function<Counters()>& again);

// Does the same for CUPTI's counters per instruction. `executed` is null if the addresses could not be computed.
InstructionReading settle(InstructionCounters first, const MachineCode& code, const Executed* executed,
                          const std::function<InstructionCounters()>& again);

// Returns a sentence if there were several readings, otherwise "". `equal` says whether the last reading agreed.
std::string readings_words(int readings, bool equal);

} // namespace kernels
