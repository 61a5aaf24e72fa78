// A thread that measures the GPU itself, step by step, while the window goes on.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/session/machine.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace app {

// How far a measurement is: a copy, to be shown.
struct GpuProgress {
    bool running = true;
    std::size_t done = 0, steps = 0;
    std::string step;                                // what is being measured
    std::optional<recording::GpuMeasurement> result; // whole, at the end
    std::string error;                               // a sentence: why there is none, or why it is not remembered
};

class GpuProber {
public:
    // `wake` is called, on the prober's thread, when there is something to take.
    GpuProber(FutureMachine machine, std::function<void()> wake);
    ~GpuProber();

    void start();                      // where one still runs: nothing
    void cancel();                     // does not wait
    std::optional<GpuProgress> take(); // where something changed

private:
    void measure(std::stop_token stop);
    void publish(const GpuProgress& progress);

    FutureMachine machine_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::optional<GpuProgress> progress_;
    bool running_ = false;
    std::jthread thread_;
};

} // namespace app
