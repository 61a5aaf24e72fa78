// What a file of a person's own says of its stage, without running anything of it as a program: NVRTC compiles the description as
// device code, and one thread of the PTX machine, which checks every access and counts every step, runs it.
#pragma once

#include "stage.h"

#include <string>

namespace own {

// The stage that NAME.cu with this text describes; it has no kernel for the CPU. Its functions run the description anew for values
// that were not asked for before, and throw kernels::Error where it does what it may not. Throws kernels::Unavailable where
// there is no NVRTC, with what to install; kernels::Error with NVRTC's words, which name lines of "NAME.cu".
kernels::Stage described_stage(const std::string& name, const std::string& text);

} // namespace own
