// What a single access of a recording must fulfil; for check().
#pragma once

#include "error.h"
#include "recording/recording.h"

#include <fmt/format.h>

namespace recording {

// Where an access stands, for messages.
struct Place {
    const Index3& block;
    size_t warp = 0, access = 0;
};

template <class... Values>
void require(bool holds, fmt::format_string<Values...> otherwise, const Values&... values)
{
    if (!holds)
        throw kernels::Error(fmt::vformat(otherwise, fmt::make_format_args(values...)));
}

template <class... Values>
void require(bool holds, const Place& at, fmt::format_string<Values...> otherwise, const Values&... values)
{
    if (!holds)
        throw kernels::Error(fmt::format("in block ({},{},{}), warp {}, access {} {}", at.block.x, at.block.y,
                                         at.block.z, at.warp, at.access,
                                         fmt::vformat(otherwise, fmt::make_format_args(values...))));
}

// Its line and the lanes of its mask are checked elsewhere.
void check_access(const Access& access, const std::vector<Array>& arrays, const Place& at);

} // namespace recording
