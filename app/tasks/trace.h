// Task: run a kernel of any CUDA file without a GPU and keep what it did.
#pragma once

#include "app/tasks/record.h"

#include "ptx/trace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct TraceResult;

// The file is read by who runs it, which is on this machine: see is_of_user in task.h.
struct TraceTask {
    traced::Request request; // with what its file's comment says left out

    using Result = TraceResult;
    // Throws kernels::Error with a sentence for whoever wrote the file or the request.
    TraceResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    bool of_user() const { return true; }
    friend bool operator==(const TraceTask&, const TraceTask&) = default;
};

struct TraceResult {
    Recorded recorded;
    std::optional<traced::Check> check; // where it was asked for
    std::vector<std::string> warnings;
    double compiling_milliseconds = 0, milliseconds = 0; // the second: of the run alone
    uint64_t steps = 0;                                  // instructions of warps
    // Of the accesses that the PTX asks for, where the recording is of those of the machine code.
    std::optional<recording::Totals> written = {};
};

TraceResult trace(const TraceTask& task, const std::string& text, const TaskContext& context); // of the file

// The file's text. Throws kernels::Error where it cannot be read.
std::string read_source(const std::filesystem::path& file);

bool is_cuda_source(const std::filesystem::path& file); // by its name

} // namespace app
