// A clock that stands still until a test advances it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace test {

class PlayedClock {
public:
    using Time = std::chrono::steady_clock::time_point;

    void advance(std::chrono::seconds by) { *seconds_ += by.count(); }
    Time now() const { return Time(std::chrono::seconds(*seconds_)); }

    // Returns a function that reads the clock. It may outlive this object.
    auto reader() const
    {
        return [clock = *this] { return clock.now(); };
    }
    // The same, but each reading advances the clock by `step`.
    auto running(std::chrono::seconds step) const
    {
        return [clock = *this, step]() mutable {
            clock.advance(step);
            return clock.now();
        };
    }

private:
    // Nonzero, because 0 means no time.
    std::shared_ptr<std::atomic<int64_t>> seconds_ = std::make_shared<std::atomic<int64_t>>(1'000'000);
};

} // namespace test
