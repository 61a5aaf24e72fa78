// Task that compiles a user's CUDA file, runs it, and keeps its recording. A stage file runs like the ladder's stages.
// Any other kernel runs as its comment says (docs/any-kernel.md).
#pragma once

#include "app/engine/examine.h"
#include "app/engine/record.h"

#include "measure/speed.h"
#include "own/own_stage.h"
#include "traced/request.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

// RunFileTask can also run the main function of a CUDA file, on this machine's GPU or, without one, on the PTX machine.
// Main is native code of the file's author, so the window asks its user before it requests this.

// The launch of the program that is recorded.
struct ChosenLaunch {
    std::string kernel;   // full demangled name; empty: the launch that default_launch() chooses (traced/host_text.h)
    uint64_t launch = 1;  // position among the launches of this kernel, from 1
    bool on_gpu = true;   // run on the GPU if there is one
    std::string gpu = {}; // UUID of the GPU; empty: none was chosen
    friend bool operator==(const ChosenLaunch&, const ChosenLaunch&) = default;
};

struct ProgramLaunch {        // all equal launches of a program
    std::string name, kernel; // "void scale<float>(float*, int)", "scale<float>"
    recording::Launch launch;
    uint64_t shared_bytes = 0; // per block
    uint64_t count = 1;        // number of these launches
    // Number of the first of them, from 1: among all launches of the program, and among those of this kernel.
    uint64_t first = 0, first_of_kernel = 0;
    double work = 0; // total of these launches: nanoseconds on a GPU, otherwise warp instructions
};

struct MainRun {
    bool on_gpu = false;
    std::vector<ProgramLaunch> launches; // one entry for all equal launches; sorted by the first launch of each entry
    uint64_t recorded = 0;               // index in `launches` of the recorded one
    std::string printed;                 // output of the program; only the end if it is long
    std::vector<std::string> failures;   // sentences: launches and functions that failed
    int status = 0;                      // exit status as in a shell; at least 128 if a signal ended the program
    bool cut_short = false;              // the program was ended, because it ran too long after the recording
};

struct MainRecorded {
    MainRun run;
    Recorded recorded;
    double compiling_milliseconds = 0, milliseconds = 0;
};

// Compiles `text`, the content of `file`, and runs its main. Throws kernels::Error if it does not compile or launches
// no kernel, or if the tools that record on a GPU are missing.
MainRecorded run_main(const std::filesystem::path& file, const std::string& text, const ChosenLaunch& chosen,
                      const TaskContext& context);

struct RunFileResult;

struct RunFileTask {
    std::filesystem::path file;           // path; gives the name and resolves includes
    std::optional<std::string> text = {}; // source; absent: the file's content, read when the task is handed over
    recording::Problem problem = {};      // size for a stage; another kernel's comment gives its own
    recording::Inputs inputs = recording::Inputs::random;
    std::vector<recording::Index3> blocks = {};        // blocks to record in full; empty: the first
    std::vector<recording::Parameter> parameters = {}; // of a stage: values that differ from the defaults
    std::optional<ChosenLaunch> main = {};             // run the file's main; absent: only run its kernel
    std::optional<traced::Request> launch = {};        // the kernel's launch; absent: as the file's text says
    bool as_written = false; // not for a stage: record the accesses of the PTX instead of those of the machine code

    using Result = RunFileResult;
    // Throws kernels::Error with the compiler's output, or with what went wrong during the run.
    RunFileResult run(const TaskContext& context) const;
    std::string name() const { return "running " + file.filename().string(); }
    double seconds_allowed(const MachineFacts& machine) const
    {
        return main ? any_program : seconds_of_user + seconds_of(problem, machine);
    }
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
    std::optional<MainRun> main;           // present if the file's main ran
};

} // namespace app
