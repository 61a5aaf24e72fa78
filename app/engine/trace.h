// Task that runs a kernel of any CUDA file without a GPU and keeps its recording.
#pragma once

#include "app/engine/record.h"

#include "ptx/trace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct TraceResult;

// The process that runs the task reads the file, and it runs on this machine: see is_of_user in task.h.
struct TraceTask {
    traced::Request request; // without what the comment in the file specifies

    using Result = TraceResult;
    // Throws kernels::Error with a sentence for the author of the file or of the request.
    TraceResult run(const TaskContext& context) const;
    std::string name() const { return "running a kernel of " + request.file.filename().string(); }
    double seconds_allowed(const MachineFacts&) const { return seconds_of_user; }
    bool of_user() const { return true; }
    friend bool operator==(const TraceTask&, const TraceTask&) = default;
};

struct TraceResult {
    Recorded recorded;
    std::optional<traced::Check> check; // present if requested
    std::vector<std::string> warnings;
    double compiling_milliseconds = 0, milliseconds = 0; // compiling, and running alone
    uint64_t steps = 0;                                  // instructions of warps
    // The totals of the accesses in the PTX, if the recording holds those of the machine code.
    std::optional<recording::Totals> written = {};
};

// Runs the task on `text`, the content of the file.
TraceResult trace(const TraceTask& task, const std::string& text, const TaskContext& context);

// Returns the content of the file. Throws kernels::Error if it cannot be read.
std::string read_source(const std::filesystem::path& file);

bool is_cuda_source(const std::filesystem::path& file); // decides by the file name

} // namespace app
