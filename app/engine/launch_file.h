// Launches a kernel of any CUDA file once on this machine's GPU, either in this process or in a traced process whose
// recording holds what the GPU executed. These functions are not Tasks: neither is handed to a worker.
#pragma once

#include "app/engine/trace.h"

#include "recording/recording.h"
#include "traced/request.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct LaunchedBuffer {
    std::string name;
    uint64_t address = 0; // on the GPU
    // The number of bytes that differ between the GPU's result and the PTX machine's. Empty if they were not compared.
    // `first_differing` is the offset of the first differing byte.
    std::optional<uint64_t> differing;
    uint64_t first_differing = 0;
};

struct LaunchFileResult {
    std::vector<LaunchedBuffer> buffers;
    std::optional<traced::Check> check; // present if requested
    // Instructions whose last bits PTX leaves undefined, if both results were compared. With such instructions a
    // difference alone is no error.
    std::vector<std::string> open_bits = {};
};

// Launches the kernel in this process. A fault in the kernel leaves this process without a GPU. `compare` also runs the
// kernel on the PTX machine. Throws kernels::Unavailable and kernels::Error.
LaunchFileResult launch_file(const TraceTask& task, bool compare, const std::stop_token& stop);

// Pass the result to the process that started this one. read_launched() throws kernels::Error if there is no such file.
void write_launched(const std::filesystem::path& file, const LaunchFileResult& result);
LaunchFileResult read_launched(const std::filesystem::path& file);

// Traces a launch by `gemmscope launch`, which runs beside the task. Throws the same errors as launch_file() and
// injection::trace_launch().
TraceResult trace_on_gpu(const TraceTask& task, const TaskContext& context);

// Completes the request with the file's comment and with launches in its text (traced/launch_from_text.h). Throws
// kernels::Error that names everything missing, with a complete command that contains examples for it.
traced::Request completed_request(const traced::Request& request, const std::string& text);

// Returns the arguments of `gemmscope launch` for the request.
std::vector<std::string> words_of(const traced::Request& request);

// The launch of a CUDA file's kernel as a form for the user. Known values are filled in. Pure functions.

struct FormParameter {
    std::string type, name;  // "const float*", "in"
    bool is_buffer = false;  // a pointer to its own buffer; otherwise `value` is a number, A, B, C or null
    std::string value;       // "N", "2.5"
    std::string bytes, fill; // for a buffer: "4*N", "auto"; "zeros", "random", "iota", a number or a file
    friend bool operator==(const FormParameter&, const FormParameter&) = default;
};

struct LaunchForm {
    std::vector<std::string> kernels; // the kernels to choose from
    std::string kernel, grid, block, shared;
    std::vector<FormParameter> parameters;
    std::vector<std::string>
        missing; // values that are only examples: parts of sentences, as in traced::CompletedLaunch
    friend bool operator==(const LaunchForm&, const LaunchForm&) = default;
};

// Returns the form for this text. `asked` is the request so far; for another kernel it must contain only its name.
LaunchForm form_of(const traced::Request& asked, const std::string& text);

// Returns the form as a request. Members without a field are those of `asked`.
traced::Request request_of(const LaunchForm& form, const traced::Request& asked);

} // namespace app
