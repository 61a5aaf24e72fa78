// Task: what an NVIDIA GPU counts of a stage, beside what is derived.
#pragma once

#include "app/catalogue/counters.h"
#include "app/tasks/examine.h"

#include "measure/counter_check.h"
#include "measure/instruction_counters.h"

namespace app {

// What another GPU counted of the same launch.
struct CountedElsewhere {
    std::optional<CountedRow> row;
    recording::Provenance from;
    recording::Reasons missing; // where there is no row
};

CountedElsewhere counted_elsewhere(const ShippedCounters& shipped, const std::optional<kernels::Job>& job);

struct CountResult;

struct CountTask {
    StageJob job;
    RecordingPtr recording;    // of the job, with a block in full; null: nothing is derived beside the counters
    bool launch = true;        // count the launch as a whole
    bool instructions = false; // count each machine instruction too
    CountedElsewhere shipped;  // taken where the machine has no GPU

    using Result = CountResult;
    // What cannot be counted is missing with its reason: throws nothing but Cancelled.
    CountResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 4;
    friend bool operator==(const CountTask& a, const CountTask& b) // what is shipped follows from the job
    {
        return a.job == b.job && a.recording == b.recording && a.launch == b.launch && a.instructions == b.instructions;
    }
};

// Of the launch.
struct CountedLaunch {
    std::optional<kernels::Counters> counters;
    kernels::CounterCheck check;
    double least_dram_bytes = 0;             // that must be read: each operand once
    std::optional<uint64_t> copy_wavefronts; // of the writes of asynchronous copies, as executed; absent: not known
    recording::Reasons missing;              // why there are no counters
    std::string not_executed;                // a sentence: why it is not known what was executed; empty where it is
    std::optional<recording::Provenance> shipped;      // counted there; none: counted here
    int readings = 1;                                  // of which the last one is here: see readings.h
    bool ok() const { return counters && check.ok(); } // what could be derived is what was counted
};

// Of each machine instruction.
struct CountedInstructions {
    std::optional<kernels::InstructionCounters> counters;
    std::vector<kernels::CountedAccesses> accesses; // beside what is derived, by source line
    std::optional<recording::Provenance> shipped;   // as above
    recording::Reasons missing;                     // why there are none
    int readings = 1;                               // as above
    recording::RunProfilePtr run;                   // all that ran; null where nothing was counted
    std::string not_sampled; // a sentence: why it is not known what warps waited for; empty where it is
    bool ok() const;         // as above
};

struct CountResult {
    std::optional<CountedLaunch> launch; // where it was asked for
    std::optional<CountedInstructions> instructions;
    kernels::MachineCode code; // of the instructions
};

} // namespace app
