// Task: measure what the GPU itself is made of.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct ProbeResult;

struct ProbeTask {
    using Result = ProbeResult;
    // A step that fails holds up no other. Asked to stop, it returns what it has until then.
    ProbeResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const ProbeTask&, const ProbeTask&) = default;
};

struct ProbeResult {
    recording::GpuMeasurement measured; // by the steps that did
    struct Failed {
        std::string step, why; // why: a sentence
    };
    std::vector<Failed> failed;
    bool whole = false; // every step did
};

} // namespace app
