// Task that compiles a user's CUDA file, runs it, and keeps its recording. A stage file runs like the ladder's stages.
// Any other kernel runs as its comment says (docs/any-kernel.md).
#pragma once

#include "app/engine/examine.h"
#include "app/engine/main_program.h"
#include "app/engine/record.h"

#include "measure/speed.h"
#include "own/own_stage.h"
#include "traced/request.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct RunFileResult;

struct RunFileTask {
    std::filesystem::path file;           // path; gives the name and resolves includes
    std::optional<std::string> text = {}; // source; absent: the file's content, read when the task is handed over
    recording::Problem problem = {};      // size for a stage; another kernel's comment gives its own
    recording::Inputs inputs = recording::Inputs::random;
    std::vector<recording::Index3> blocks = {};        // in full; empty: the first
    std::vector<recording::Parameter> parameters = {}; // of a stage: those that are not the standard ones
    std::optional<ChosenLaunch> main = {};             // its own main is run; none: its kernel alone
    std::optional<traced::Request> launch = {};        // how that is launched; none: as its text says
    bool as_written = false; // for another kernel: the accesses that its PTX asks for, not those of its machine code

    using Result = RunFileResult;
    // Throws kernels::Error with the compiler's output, or with what went wrong during the run.
    RunFileResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    bool of_user() const { return true; }
    static constexpr std::size_t most_kept = 8;
    friend bool operator==(const RunFileTask&, const RunFileTask&) = default;
};

// A possible value of one parameter while the other parameters keep their values.
struct FileChoice {
    int value = 0;
    std::string why_not;                 // empty if the value is possible
    std::optional<ParameterFacts> facts; // present if the value is possible
};

struct FileParameter {
    std::string name, meaning;
    int value = 0;
    std::vector<FileChoice> choices; // ascending
};

struct RunFileResult {
    Recorded recorded;
    std::string text; // content of the file
    std::optional<kernels::Verification> check;
    std::optional<double> gflops;
    std::vector<std::string> warnings;
    std::string how; // "NVRTC, NVIDIA H200"
    double compiling_milliseconds = 0, milliseconds = 0;
    std::vector<FileParameter> parameters; // of a stage
    std::optional<MainRun> main;           // where its own main ran
};

} // namespace app
