// The worker's side: tasks in, results out over two streams.
#pragma once

#include "app/tasks/machine.h"
#include "app/worker/steady_now.h"

#include "recording/disk.h"

#include <chrono>
#include <string>
#include <vector>

namespace app {

struct Streams {
    recording::FileDescriptor in, out;
};

// Takes standard input and output for the protocol. What this process or a library prints goes to standard error from now
// on, and who reads standard input finds it empty.
Streams take_standard_streams();

// Serves until the other side has closed its end, and then ends the process at once, whatever still runs. `gpu`: the one that
// is used where the other side names none. `now`: the clock by which it tells how quiet a task is.
[[noreturn]] void serve(const std::vector<kernels::Stage>& ladder, BackendFactories factories, Streams streams,
                        std::string gpu = {}, SteadyNow now = std::chrono::steady_clock::now);

} // namespace app
