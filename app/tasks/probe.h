// Task: measure what the GPU itself is made of.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct ProbeTask {};

struct ProbeResult {
    recording::GpuMeasurement measured; // by the steps that did
    struct Failed {
        std::string step, why; // why: a sentence
    };
    std::vector<Failed> failed;
    bool whole = false; // every step did
};

// A step that fails holds up no other. Asked to stop, it returns what it has until then.
ProbeResult probe(const ProbeTask& task, const TaskContext& context);

} // namespace app
