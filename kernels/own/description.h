// Reads the description in a user's stage file without running it natively: NVRTC compiles the description as device
// code, and one thread of the PTX machine runs it. The machine checks every access and counts every step.
#pragma once

#include "stage.h"

#include <string>

namespace own {

// Returns the stage that NAME.cu with this text describes; it has no kernel for the CPU. The stage's functions run the
// description again for values that have not been evaluated before, and throw kernels::Error if the description does
// something forbidden. Throws kernels::Unavailable, saying what to install, if there is no NVRTC, and kernels::Error
// with NVRTC's messages, which name lines of "NAME.cu".
kernels::Stage described_stage(const std::string& name, const std::string& text);

} // namespace own
