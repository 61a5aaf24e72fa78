// nvcc, where the toolkit's own compiler is installed: for files whose host code NVRTC does not take.
#pragma once

#include "run_program.h"
#include "traced/host_build.h"
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
        std::string entry; // the kernel's name in the PTX, where it is a template
    };
    // The whole file's PTX for sm_90, with the kernel's template instantiated. `files`: the texts to compile instead of those
    // that lie on the disk, the first of which includes the others; empty: none.
    Output compile(const traced::UserKernel& kernel, std::span<const traced::OwnFile> files) const;

    // The program that the file is, at `build.program`. Throws kernels::Error with the compiler's words.
    void build(const traced::HostBuild& build) const;

private:
    void check_path() const;
    kernels::ProgramOutput run(const std::filesystem::path& folder, std::vector<std::string> words) const;

    std::string program_;
};

} // namespace cuda
