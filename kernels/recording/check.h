// Checks whether a recording is valid: before the launch, access by access, and as a whole.
#pragma once

#include "error.h"
#include "recording/format.h"
#include "recording/recording.h"

#include <fmt/format.h>

#include <cstdint>

namespace recording {

// Position of an access in the recording, for messages.
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

inline void require_at_most(uint64_t most, uint64_t value, fmt::format_string<uint64_t, uint64_t> otherwise)
{
    require(value <= most, otherwise, value, most);
}

template <class T>
void check_count(size_t count)
{
    constexpr ListLimit limit = limit_of<T>;
    require(count <= limit.most, "it has {} {}, more than the {} that are allowed", count, limit.what, limit.most);
}

// Checks an access, except for its line and its mask, which are checked elsewhere.
void check_access(const Access& access, const std::vector<Array>& arrays, const Place& at);

// Decides before any work begins whether a launch can be recorded.

inline constexpr uint64_t most_accesses = 7'600'000; // in all traces: the most that fit in a file's 1 GiB of content

// Throws kernels::Error, with the reason as half a sentence, if no valid recording of this launch could be written.
// `planned` describes the launch before it runs.
void check_planned(const Recording& planned);

} // namespace recording
