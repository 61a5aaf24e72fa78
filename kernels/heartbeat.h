// Signs of life during long work that cannot report progress, such as compiling.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace kernels {

// Calls `sign` at once and then every `interval`, from its own thread, for as long as the object lives. Calls stop
// after `longest`: work that has not ended by then hangs, and should be seen to hang. An empty function is not called.
class Heartbeat {
public:
    using Duration = std::chrono::steady_clock::duration;
    explicit Heartbeat(std::function<void()> sign, Duration interval = std::chrono::seconds(1),
                       Duration longest = std::chrono::minutes(10));

private:
    std::jthread thread_;
};

// Interface of a backend that has long calls without progress.
class GivesSigns {
public:
    virtual ~GivesSigns() = default;
    // Sets the function that later calls invoke from time to time, possibly from other threads; empty: none. Call it
    // only between two calls to the backend.
    virtual void give_signs(std::function<void()> sign) = 0;
};

} // namespace kernels
