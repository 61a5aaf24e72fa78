// Time limits of a worker process: the clock, and when the process was last heard of.
#pragma once

#include "app/engine/lane.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace app {

// The clock of time limits as a function. Tests pass a clock that they advance themselves.
using SteadyNow = std::function<std::chrono::steady_clock::time_point()>;

// Records when a worker process was heard from and decides whether that is often enough. It reads no clock: callers
// pass the time.
class SignsOfLife {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    // `patience` limits the time until the first output; absent: unlimited, because a batch queue may delay it.
    explicit SignsOfLife(Time started, std::optional<Milliseconds> patience = {})
        : started_(started), heard_(started), patience_(patience)
    {
    }

    Time started() const { return started_; }
    bool greeted() const { return greeted_.has_value(); }

    void hear(Time now); // any output on standard output
    void greet(Time now) { greeted_ = now; }
    void tell_machine() { ready_ = true; }
    void pulse(std::span<const std::byte> body, Time now); // see MessageKind

    // Returns why the process is no longer usable, for example "it gave no sign of life for 25 s".
    std::optional<std::string> overdue(Time now) const;

    // Returns the time since the last sign of life of the lane's task according to the last pulse. Returns nothing if
    // no task runs in the lane.
    std::optional<Milliseconds> quiet(Lane lane) const;
    bool has_pulse() const { return quiet_.has_value(); }
    void forget_pulse() { quiet_.reset(); } // a pulse is valid only at the moment it arrives

    // Returns how long no lane has run a task since a task was sent, if that is too long. A task that waits for its
    // turn on the device does not count as running, but then another task runs.
    std::optional<std::string> idle(Time sent, Time now) const;

private:
    Time started_, heard_;
    std::optional<Milliseconds> patience_;
    std::optional<Time> first_heard_, greeted_;
    bool ready_ = false;
    std::optional<std::array<int32_t, lane_count>> quiet_;
    std::optional<Time> idle_since_; // every pulse since then reported no running task
};

// "400 ms" for 0.4 s, so that it never rounds to zero
std::string time_text(std::chrono::steady_clock::duration time);

} // namespace app
