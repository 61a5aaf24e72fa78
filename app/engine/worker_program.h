// The worker's side of the protocol: tasks come in and results go out over two streams.
#pragma once

#include "app/engine/machine.h"
#include "app/engine/signs_of_life.h"

#include "recording/disk.h"

#include <chrono>
#include <string>
#include <vector>

namespace app {

struct Streams {
    recording::FileDescriptor in, out;
};

// Takes over standard input and output for the protocol. Afterwards, output of this process or its libraries goes to
// standard error, and reading standard input returns end of file.
Streams take_standard_streams();

// Serves until the other side closes its end. Then ends the process at once, even if tasks are running. `gpu` is used
// if the other side names no GPU. `now` is the clock for the signs of life in pulses.
[[noreturn]] void serve(const std::vector<kernels::Stage>& ladder, BackendFactories factories, Streams streams,
                        std::string gpu = {}, SteadyNow now = std::chrono::steady_clock::now);

} // namespace app
