// A kernel of any CUDA file, launched once on this machine's GPU; and the same in a program of its own that is traced, so that
// the recording has what the GPU executed. No Task: neither is handed to a worker.
#pragma once

#include "app/tasks/trace.h"

#include "recording/recording.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct LaunchedBuffer {
    std::string name;
    uint64_t address = 0; // on the GPU
    // Bytes that differ from what the PTX machine left there, where both were compared, and the first of them.
    std::optional<uint64_t> differing;
    uint64_t first_differing = 0;
};

struct LaunchFileResult {
    std::vector<LaunchedBuffer> buffers;
    std::optional<traced::Check> check; // where it was asked for
    // Instructions whose last bits PTX leaves open, where both were compared: with them a difference is no fault by itself.
    std::vector<std::string> open_bits = {};
};

// In this process, which a fault of the kernel leaves without a GPU. `compare`: the PTX machine runs the kernel too. Throws
// kernels::Unavailable, kernels::Error.
LaunchFileResult launch_file(const TraceTask& task, bool compare, const std::stop_token& stop);

// For whoever started the process. Reading throws kernels::Error where there is no such file.
void write_launched(const std::filesystem::path& file, const LaunchFileResult& result);
LaunchFileResult read_launched(const std::filesystem::path& file);

// Of a launch by `gemmscope launch`, which runs beside the task. Throws likewise, and as trace_program does.
TraceResult trace_on_gpu(const TraceTask& task, const TaskContext& context);

// The request with what its file's comment says, and with what its text says of a launch (traced/launch_from_text.h). Throws
// kernels::Error that says all that is missing, with a whole command that has an example in its place.
traced::Request completed_request(const traced::Request& request, const std::string& text);

// What `gemmscope launch` takes for the request.
std::vector<std::string> words_of(const traced::Request& request);

} // namespace app
