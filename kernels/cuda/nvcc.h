// nvcc, if it is installed, compiles files whose host code NVRTC does not accept.
#pragma once

#include "run_program.h"
#include "traced/own_files.h"
#include "traced/user_kernel.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cuda {

class Nvcc {
public:
    Nvcc();
    bool found() const { return !program_.empty(); }

    struct Output {
        bool good = false;
        std::string ptx, log;
        std::string entry; // the kernel's name in the PTX, if it is a template
    };
    // Returns the PTX of the whole file for sm_90, with the kernel's template instantiated. `files` replaces the files
    // on disk; the first one includes the others. If it is empty, the files on disk are compiled.
    Output compile(const traced::UserKernel& kernel, std::span<const traced::OwnFile> files) const;

    // Builds the program of the file; the output is `build.program`. Throws kernels::Error with the compiler's
    // messages.
    void build(const traced::HostBuild& build) const;

private:
    void check_path() const;
    kernels::ProgramOutput run(const std::filesystem::path& folder, std::vector<std::string> words) const;

    std::string program_;
};

} // namespace cuda
