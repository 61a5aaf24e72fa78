// Signs of life of what takes long and cannot tell how far it is: a compiler.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace kernels {

// While one lives, `sign` is called: at once and then every `interval`, from a thread of its own. But no more often than makes
// `longest`: what has not ended by then hangs, and should be taken for it. An empty function is not called.
class Heartbeat {
public:
    using Duration = std::chrono::steady_clock::duration;
    explicit Heartbeat(std::function<void()> sign, Duration interval = std::chrono::seconds(1),
                       Duration longest = std::chrono::minutes(10));

private:
    std::jthread thread_;
};

// A backend some of whose calls take long and cannot tell how far they are.
class GivesSigns {
public:
    virtual ~GivesSigns() = default;
    // Between two calls. In those that follow `sign` is called now and then, from other threads as well; empty: nothing is.
    virtual void give_signs(std::function<void()> sign) = 0;
};

} // namespace kernels
