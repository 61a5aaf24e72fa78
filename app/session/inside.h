// What can be had beside a recording: what the compiler made of its stage, and what the GPU counted of it.
#pragma once

#include "app/catalogue/counters.h"
#include "app/session/by_recording.h"
#include "app/session/machine.h"

#include "machine_code/executed_lines.h"
#include "measure/counter_check.h"
#include "measure/instruction_counters.h"

#include <filesystem>
#include <optional>
#include <string>

namespace app {

// With the recording's parameters and size.
struct CodeOf {
    RecordingPtr recording;
    kernels::MachineCode code;                 // without kernels where there is none
    std::vector<kernels::LineExecution> lines; // empty where the machine code could not be followed
    std::optional<recording::Totals> executed; // likewise
    std::string opaque;                        // see kernels::Executed
    std::string missing;                       // a sentence: why one of them is not there; else empty
};
using CodePtr = std::shared_ptr<const CodeOf>;

struct CountersOf {
    RecordingPtr recording;
    std::optional<kernels::Counters> counters;
    kernels::CounterCheck check;
    double least_dram_bytes = 0; // that must be read: the operands once
    std::string missing;         // a sentence: why there are no counters
    std::string not_executed;    // a sentence: why it is not known what was executed; empty where it is
    std::string shipped;         // "NVIDIA H200, 2026-11-21": counted there; empty: counted here
    int readings = 1;            // of which the last one is here: see readings.h
};
using CountersPtr = std::shared_ptr<const CountersOf>;

struct InstructionsOf {
    RecordingPtr recording;
    std::optional<kernels::InstructionCounters> counters;
    std::vector<kernels::CountedAccesses> accesses; // beside what is derived, by source line
    std::string shipped;                            // as above
    std::string missing;                            // a sentence: why there are none
    int readings = 1;                               // as above
};
using InstructionsPtr = std::shared_ptr<const InstructionsOf>;

// Where counters come from: the machine's GPU, else what is shipped.
struct CounterSource {
    const Machine& machine;
    const ShippedCounters& shipped;
};

// The stage of the recording with its parameters and problem; none where the ladder has no such stage, or in another form,
// or refuses the parameters.
std::optional<kernels::Job> job_of(const std::vector<kernels::Stage>& ladder, const recording::Recording& recording);

// All throw nothing but kernels::Cancelled.
CodeOf examine(const std::vector<kernels::Stage>& ladder, RecordingPtr recording, std::stop_token stop);
CountersOf count(const CounterSource& source, const std::vector<kernels::Stage>& ladder, RecordingPtr recording,
                 std::stop_token stop);
InstructionsOf count_instructions(const CounterSource& source, const std::vector<kernels::Stage>& ladder,
                                  RecordingPtr recording, std::stop_token stop);

} // namespace app
