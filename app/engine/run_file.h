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

// The part of RunFileTask for a CUDA file whose own main is run: on this machine's GPU, or without one on the PTX
// machine. What runs is native code of the file's author, so it is asked for only after the user of the window said yes
// to that file.

// Which of its launches is recorded.
struct ChosenLaunch {
    std::string kernel;   // its whole name, demangled; empty: the launch that tells most (traced/host_text.h)
    uint64_t launch = 1;  // the how-many-th of this kernel
    bool on_gpu = true;   // where there is one
    std::string gpu = {}; // its UUID where one of several was chosen
    friend bool operator==(const ChosenLaunch&, const ChosenLaunch&) = default;
};

struct ProgramLaunch {        // and those like it
    std::string name, kernel; // "void scale<float>(float*, int)", "scale<float>"
    recording::Launch launch;
    uint64_t shared_bytes = 0; // of a block
    uint64_t count = 1;        // how often, all else being the same
    uint64_t first = 0,
             first_of_kernel = 0; // the how-many-th of the program, and among those of the kernel's name, from 1
    double work = 0;              // of all of them: nanoseconds on a GPU, else instructions of warps
};

struct MainRun {
    bool on_gpu = false;
    std::vector<ProgramLaunch> launches; // one entry for all equal launches; sorted by the first launch of each entry
    uint64_t recorded = 0;               // in launches: which one was recorded
    std::string printed;                 // by the program; of very much its end
    std::vector<std::string> failures;   // sentences: launches and functions that failed
    int status = 0;                      // as a shell gives it: 128 and more: ended by a signal
    bool cut_short = false;              // it was ended after the recording, since what followed took too long
};

struct MainRecorded {
    MainRun run;
    Recorded recorded;
    double compiling_milliseconds = 0, milliseconds = 0;
};

// `text` of the file. Throws kernels::Error: it does not compile, launches nothing, the GPU's tools are missing.
MainRecorded run_main(const std::filesystem::path& file, const std::string& text, const ChosenLaunch& chosen,
                      const TaskContext& context);

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
    std::optional<MainRun> main;           // where its own main ran
};

} // namespace app
