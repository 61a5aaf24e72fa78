// A kernel compiled for the CPU, plain and traced from the same body, and the function that launches it.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace traced {
class Recorder;
}

namespace cpu {

// Runs one CUDA thread; the bytes are the kernel's first argument.
using ThreadBody = void (*)(const std::byte* arguments);

class Kernel {
public:
    ThreadBody plain = nullptr;  // NoProbe
    ThreadBody traced = nullptr; // TraceProbe
};

// Runs all blocks on all cores. With a recorder it runs the traced form, which reports to the recorder. Throws
// Cancelled, or an Error that names the source line if the lanes of a warp diverge.
void launch(const Kernel& kernel, const recording::Launch& extent, std::span<const std::byte> arguments,
            traced::Recorder* recorder, std::stop_token stop);

} // namespace cpu
