#include "recording/utc.h"

#include <fmt/chrono.h>

#include <chrono>

namespace recording {

std::string utc_now()
{
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

} // namespace recording
