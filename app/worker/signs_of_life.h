// When a worker process was heard of, and whether that is often enough. It asks no clock: who uses it says what time it is.
#pragma once

#include "app/worker/lane.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace app {

class SignsOfLife {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    // `patience`: for its first words; none: a queue may make it wait.
    explicit SignsOfLife(Time started, std::optional<Milliseconds> patience = {})
        : started_(started), heard_(started), patience_(patience)
    {
    }

    Time started() const { return started_; }
    bool greeted() const { return greeted_.has_value(); }

    void hear(Time now); // anything on its standard output
    void greet(Time now) { greeted_ = now; }
    void tell_machine() { ready_ = true; }
    void pulse(std::span<const std::byte> body, Time now); // see MessageKind

    // Why it is of no use any more: "it gave no sign of life for 25 s".
    std::optional<std::string> overdue(Time now) const;

    // What the last pulse told of a lane: how long its task has given no sign of life; none: no task runs there.
    std::optional<Milliseconds> quiet(Lane lane) const;
    bool has_pulse() const { return quiet_.has_value(); }
    void forget_pulse() { quiet_.reset(); } // it is of the moment when it came

    // Of a task that it has had for so long: how long no task has run in any lane, where that is too long. One that waits for
    // its turn at the device does not run, but then another one does.
    std::optional<std::string> idle(Time sent, Time now) const;

private:
    Time started_, heard_;
    std::optional<Milliseconds> patience_;
    std::optional<Time> first_heard_, greeted_;
    bool ready_ = false;
    std::optional<std::array<int32_t, lane_count>> quiet_;
    std::optional<Time> idle_since_; // each pulse since then said that no task runs
};

std::string time_text(std::chrono::steady_clock::duration time); // "0.4 s" as "400 ms": never nothing

} // namespace app
