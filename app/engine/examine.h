// Task that examines the machine code of a stage, and functions for what is known about a stage's parameters before the
// stage is compiled.
#pragma once

#include "app/engine/context.h"

#include "machine_code/executed_lines.h"
#include "recording/measured.h"
#include "stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

// Task that examines the machine code of a stage and what that code executes.
struct ExamineResult;

struct ExamineTask {
    RecordingPtr recording;  // recording of the stage, with one block in full
    uint32_t capability = 0; // compute capability to compile for; 0: that of the recording
    StageJob job;            // used if there is no recording: only the machine code is examined

    using Result = ExamineResult;
    // Throws nothing but Cancelled.
    ExamineResult run(const TaskContext& context) const;
    std::string name() const { return at_size("examining", recording != nullptr ? job_of(*recording) : job); }
    double seconds_allowed(const MachineFacts&) const
    {
        return seconds_to_follow(recording != nullptr ? job_of(*recording) : job);
    }
    static constexpr std::size_t most_kept = 4;
    friend bool operator==(const ExamineTask&, const ExamineTask&) = default;
};

struct ExamineResult {
    kernels::MachineCode code;                 // without kernels if there is none
    std::vector<kernels::LineExecution> lines; // empty if the machine code could not be followed
    std::optional<recording::Totals> executed; // absent if the machine code could not be followed
    std::string opaque;                        // see kernels::Executed
    recording::Reasons missing;                // why one of the above is missing
};

// Compute capability to compile for without a GPU: Hopper, which the shipped recordings come from.
inline constexpr uint32_t without_gpu = 90;

// Result of following a stage's machine code. If it cannot be followed, `executed` is empty and `why` is a sentence.
struct Followed {
    kernels::MachineCode code;
    std::optional<kernels::Executed> executed;
    std::string why;
    std::optional<recording::Totals> totals() const;
};

// Compiles the job and follows its machine code. Throws Cancelled.
Followed follow(const kernels::Job& job, uint32_t capability, std::stop_token stop);

// Returns the job of a recording whose machine code can be examined. Otherwise throws kernels::Error with what to do.
kernels::Job examinable(const TaskContext& context, const recording::Recording& recording);

// Effects of a stage's parameters that are known before anything is compiled.
struct TileFacts {
    std::string name; // "As"
    uint32_t rows = 0, cols = 0;
    uint64_t bytes = 0; // padding included
};

struct ParameterFacts {
    recording::Launch launch;
    std::vector<TileFacts> tiles; // tiles in shared memory
    uint64_t shared_bytes = 0;    // shared memory of a block
};

// Computes the facts. `values` must be parameters that the stage accepts.
ParameterFacts parameter_facts(const kernels::Stage& stage, const kernels::ParameterValues& values,
                               const recording::Problem& problem);

} // namespace app
