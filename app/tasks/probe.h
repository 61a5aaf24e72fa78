// Task that measures properties of the GPU itself.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct ProbeResult;

struct ProbeTask {
    using Result = ProbeResult;
    // Continues with the next step if one fails. Returns the results so far when a stop is requested.
    ProbeResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const ProbeTask&, const ProbeTask&) = default;
};

struct ProbeResult {
    recording::GpuMeasurement measured; // results of the steps that succeeded
    struct Failed {
        std::string step, why; // why: a sentence
    };
    std::vector<Failed> failed;
    bool whole = false; // every step succeeded
};

} // namespace app
