// Safe division of counts.
#pragma once

#include <cstdint>

namespace viz {

// Returns part / whole, or 0 if `whole` is 0.
constexpr double quotient(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace viz
