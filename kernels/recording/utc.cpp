#include "recording/utc.h"

#include <fmt/chrono.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

namespace recording {

std::string utc_now()
{
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    // The usual variable for output that is the same whenever it is made: seconds since 1970.
    if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view text = fixed;
        std::from_chars(text.data(), text.data() + text.size(), seconds);
    }
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

} // namespace recording
