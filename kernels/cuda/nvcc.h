// nvcc, where the toolkit's own compiler is installed: for files whose host code NVRTC does not take.
#pragma once

#include "traced/user_kernel.h"

#include <string>

namespace cuda {

class Nvcc {
public:
    Nvcc();
    bool found() const { return !program_.empty(); }

    struct Output {
        bool good = false;
        std::string ptx, log;
    };
    // The whole file's PTX for sm_90, with the kernel's template instantiated.
    Output compile(const traced::UserKernel& kernel) const;

private:
    std::string program_;
};

} // namespace cuda
