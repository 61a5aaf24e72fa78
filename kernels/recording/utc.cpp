#include "recording/utc.h"

#include "error.h"

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
    // The standard variable for reproducible output: seconds since 1970.
    if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view text = fixed;
        constexpr std::time_t end_of_9999 = 253402300799;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > end_of_9999)
            throw kernels::Error("SOURCE_DATE_EPOCH is not a number of seconds since 1970 up to the year 9999: correct "
                                 "or unset it.");
    }
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

} // namespace recording
