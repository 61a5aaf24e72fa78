// Task: compile a CUDA file of a person's own, run it, and keep what it did: a stage file as the ladder's stages are, any
// other kernel as its comment says (docs/any-kernel.md).
#pragma once

#include "app/tasks/main_program.h"
#include "app/tasks/parameter_facts.h"
#include "app/tasks/record.h"

#include "measure/verification.h"
#include "own/own_stage.h"
#include "traced/request.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct RunFileResult;

struct RunFileTask {
    std::filesystem::path file;           // where it lies, for its name and for what it includes
    std::optional<std::string> text = {}; // none: as it lies there, read where the task is handed over
    recording::Problem problem = {};      // of a stage; another kernel's comment says its own
    recording::Inputs inputs = recording::Inputs::random;
    std::vector<recording::Index3> blocks = {};        // in full; empty: the first
    std::vector<recording::Parameter> parameters = {}; // of a stage: those that are not the standard ones
    std::optional<ChosenLaunch> main = {};             // its own main is run; none: its kernel alone
    std::optional<traced::Request> launch = {};        // how that is launched; none: as its text says

    using Result = RunFileResult;
    // Throws kernels::Error with the compiler's words, or what went wrong when it ran.
    RunFileResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    bool of_user() const { return true; }
    static constexpr std::size_t most_kept = 8;
    friend bool operator==(const RunFileTask&, const RunFileTask&) = default;
};

// What a parameter can be beside the others as they are.
struct FileChoice {
    int value = 0;
    std::string why_not;                 // empty: it can
    std::optional<ParameterFacts> facts; // where it can
};

struct FileParameter {
    std::string name, meaning;
    int value = 0;
    std::vector<FileChoice> choices; // ascending
};

struct RunFileResult {
    Recorded recorded;
    std::string text; // of the file
    std::optional<kernels::Verification> check;
    std::optional<double> gflops;
    std::vector<std::string> warnings;
    std::string how; // "NVRTC, NVIDIA H200"
    double compiling_milliseconds = 0, milliseconds = 0;
    std::vector<FileParameter> parameters; // of a stage
    std::optional<MainRun> main;           // where its own main ran
};

} // namespace app
