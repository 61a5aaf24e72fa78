#include "processor.h"

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <utility>

namespace kernels {

std::string processor_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "CPU";
}

Heartbeat::Heartbeat(std::function<void()> sign, Duration interval, Duration longest)
{
    if (!sign)
        return;
    sign();
    thread_ = std::jthread([sign = std::move(sign), interval, longest](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        for (auto left = longest / interval; left > 0; --left) {
            changed.wait_for(lock, stop, interval, [] { return false; });
            if (stop.stop_requested())
                return;
            sign();
        }
    });
}

} // namespace kernels
