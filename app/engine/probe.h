// Tasks that measure the GPU itself: its microbenchmarks, access patterns, and the warps of one of its SMs.
#pragma once

#include "app/engine/context.h"

#include "model/pattern_file.h"
#include "recording/warp_times.h"

#include <fmt/format.h>

#include <vector>

namespace app {

// Task that measures properties of the GPU itself.
struct ProbeResult;

struct ProbeTask {
    using Result = ProbeResult;
    // Continues with the next step if one fails. Returns the results so far when a stop is requested.
    ProbeResult run(const TaskContext& context) const;
    std::string name() const { return "measuring the GPU"; }
    double seconds_allowed(const MachineFacts&) const { return 20; }
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

// Task that counts the cost of access patterns on a GPU and times them.
struct MeasurePatternsResult;

struct MeasurePatternsTask {
    std::vector<model::PatternRow> rows;
    bool times = false; // also time the patterns; the task then succeeds even if no counters can be read

    using Result = MeasurePatternsResult;
    static constexpr bool of_device = true;
    // Throws Unavailable if there is no GPU or if its counters cannot be read.
    MeasurePatternsResult run(const TaskContext& context) const;
    std::string name() const { return fmt::format("counting {} access patterns", rows.size()); }
    double seconds_allowed(const MachineFacts&) const { return 60 + 0.1 * static_cast<double>(rows.size()); }
    friend bool operator==(const MeasurePatternsTask&, const MeasurePatternsTask&) = default;
};

struct MeasurePatternsResult {
    std::vector<model::PatternRow> rows; // the task's rows with their counts and times
    std::string not_counted = {};        // why only times were measured; empty: counters were read too
};

// Task that records when the warps of one SM take each step of a stage.
struct WarpsResult;

struct WarpsTask {
    StageJob job;
    kernels::WatchedWarps watched;
    using Result = WarpsResult;
    // Throws Unavailable if there is no GPU.
    WarpsResult run(const TaskContext& context) const;
    std::string name() const { return at_size("watching the warps of", job); }
    double seconds_allowed(const MachineFacts& machine) const
    {
        return 30 + seconds_of(job.problem, machine); // two forms of the kernel are compiled
    }
    friend bool operator==(const WarpsTask&, const WarpsTask&) = default;
};

struct WarpsResult {
    recording::WarpTimes times;
};

} // namespace app
