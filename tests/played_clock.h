// A clock that stands still until a test moves it.
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

    // For who asks what time it is, also when this clock is gone.
    auto reader() const
    {
        return [clock = *this] { return clock.now(); };
    }
    // The same, and each time that it is asked it is so much later.
    auto running(std::chrono::seconds step) const
    {
        return [clock = *this, step]() mutable {
            clock.advance(step);
            return clock.now();
        };
    }

private:
    std::shared_ptr<std::atomic<int64_t>> seconds_ = std::make_shared<std::atomic<int64_t>>(1'000'000); // 0 is no time
};

} // namespace test
