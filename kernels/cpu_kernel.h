// A kernel compiled for the CPU, untraced and traced from the same body, and its launch.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace traced {
class Recorder;
}

namespace cpu {

// Runs one CUDA thread: the kernel's first argument is given as bytes.
using ThreadBody = void (*)(const std::byte* arguments);

class Kernel {
public:
    ThreadBody plain = nullptr;  // NoProbe
    ThreadBody traced = nullptr; // TraceProbe
};

// Runs all blocks, on all cores. With a recorder the traced form runs and reports to it. Throws Cancelled, or an Error
// that names the source line when the lanes of a warp part ways.
void launch(const Kernel& kernel, const recording::Launch& extent, std::span<const std::byte> arguments,
            traced::Recorder* recorder, std::stop_token stop);

} // namespace cpu
