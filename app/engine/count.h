// Task that reads what an NVIDIA GPU counted for a stage and compares it with the derived figures.
#pragma once

#include "app/data/counters.h"
#include "app/engine/examine.h"

#include "measure/counter_check.h"
#include "measure/counters.h"

namespace app {

// Counters of the same launch on another GPU.
struct CountedElsewhere {
    std::optional<CountedRow> row;
    recording::Provenance from;
    recording::Reasons missing; // reason if there is no row
};

CountedElsewhere counted_elsewhere(const ShippedCounters& shipped, const std::optional<kernels::Job>& job);

struct CountResult;

struct CountTask {
    StageJob job;
    RecordingPtr recording;    // recording of the job with one block in full; null: nothing is derived to compare with
    bool launch = true;        // count the launch as a whole
    bool instructions = false; // count each machine instruction too
    CountedElsewhere shipped;  // used if the machine has no GPU

    using Result = CountResult;
    // Reports the reason for everything that cannot be counted. Throws nothing but Cancelled.
    CountResult run(const TaskContext& context) const;
    std::string name() const { return at_size("counting", recording != nullptr ? job_of(*recording) : job); }
    double seconds_allowed(const MachineFacts&) const
    {
        return seconds_to_follow(recording != nullptr ? job_of(*recording) : job);
    }
    static constexpr std::size_t most_kept = 4;
    friend bool operator==(const CountTask& a, const CountTask& b) // ignores `shipped`, which follows from the job
    {
        return a.job == b.job && a.recording == b.recording && a.launch == b.launch && a.instructions == b.instructions;
    }
};

// Counters of a whole launch.
struct CountedLaunch {
    std::optional<kernels::Counters> counters;
    kernels::CounterCheck check;
    double least_dram_bytes = 0; // minimum that must be read: each operand once
    // Wavefronts of the shared-memory writes of asynchronous copies, as executed. Absent: unknown.
    std::optional<uint64_t> copy_wavefronts;
    recording::Reasons missing; // why there are no counters
    std::string not_executed;   // sentence that says why the executed instructions are unknown; empty if they are known
    std::optional<recording::Provenance> shipped; // where the shipped counters were read; empty: read on this machine
    int readings = 1;                             // number of readings taken; this is the last one: see readings.h
    bool ok() const { return counters && check.ok(); } // all derived figures match the counters
};

// Counters of each machine instruction.
struct CountedInstructions {
    std::optional<kernels::InstructionCounters> counters;
    std::vector<kernels::CountedAccesses> accesses; // compared with the derived accesses, by source line
    std::optional<recording::Provenance> shipped;   // where the shipped counters were read; empty: read on this machine
    recording::Reasons missing;                     // why there are no counters
    int readings = 1;                               // number of readings taken; this is the last one
    recording::RunProfilePtr run;                   // profile of everything that ran; null if nothing was counted
    std::string not_sampled; // sentence that says why the warps' stall reasons are unknown; empty if they are known
    bool ok() const;         // all derived figures match the counters
};

struct CountResult {
    std::optional<CountedLaunch> launch; // present if requested
    std::optional<CountedInstructions> instructions;
    kernels::MachineCode code; // code that `instructions` refers to
};

} // namespace app
