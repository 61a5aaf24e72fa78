#include "cuda/wording.h"

#include <fmt/format.h>

namespace cuda {

std::string bytes_in_words(uint64_t bytes)
{
    const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024)
        return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 3; ++unit)
        value /= 1024;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

} // namespace cuda
