#include "heartbeat.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace kernels {

Heartbeat::Heartbeat(std::function<void()> sign, Duration interval, Duration longest)
{
    if (!sign)
        return;
    sign();
    thread_ = std::jthread([sign = std::move(sign), interval, longest](const std::stop_token& stop) {
        const auto end = std::chrono::steady_clock::now() + longest;
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        while (std::chrono::steady_clock::now() + interval <= end) {
            changed.wait_for(lock, stop, interval, [] { return false; });
            if (stop.stop_requested())
                return;
            sign();
        }
    });
}

} // namespace kernels
