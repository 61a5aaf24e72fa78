// The part of RunFileTask for a CUDA file whose own main is run: on this machine's GPU, or without one on the PTX machine. What runs is
// native code of the file's author, so it is asked for only after the user of the window said yes to that file.
#pragma once

#include "app/engine/record.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

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
    std::vector<ProgramLaunch>
        launches;          // launches that are alike count as one; sorted by the number of the first of them
    uint64_t recorded = 0; // in launches: which one was recorded
    std::string printed;   // by the program; of very much its end
    std::vector<std::string> failures; // sentences: launches and functions that failed
    int status = 0;                    // as a shell gives it: 128 and more: ended by a signal
    bool cut_short = false;            // it was ended after the recording, since what followed took too long
};

struct MainRecorded {
    MainRun run;
    Recorded recorded;
    double compiling_milliseconds = 0, milliseconds = 0;
};

// `text` of the file. Throws kernels::Error: it does not compile, launches nothing, the GPU's tools are missing.
MainRecorded run_main(const std::filesystem::path& file, const std::string& text, const ChosenLaunch& chosen,
                      const TaskContext& context);

} // namespace app
