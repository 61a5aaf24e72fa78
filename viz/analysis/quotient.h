// Shares and means of counts.
#pragma once

#include <cstdint>

namespace viz {

// 0 where there is nothing to divide by.
constexpr double quotient(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace viz
