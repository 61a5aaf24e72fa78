// Made-up recordings for the tests of viz/analysis, small enough to be computed by hand.
#pragma once

#include "recording/recording.h"

#include <functional>

inline recording::Access access_of(recording::Op op, uint8_t array, uint8_t width, uint32_t line,
                                   const std::function<uint32_t(uint32_t)>& offset, uint32_t mask = 0xffffffffu)
{
    recording::Access access{.op = op, .array = array, .width = width, .line = line, .mask = mask, .offset = {}};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (mask >> lane & 1u)
            access.offset[lane] = offset(lane);
    return access;
}

inline recording::Access barrier_at(uint32_t line)
{
    recording::Access access;
    access.line = line;
    access.mask = 0xffffffffu;
    return access;
}

inline recording::Array array_of(const char* name, recording::Space space, uint32_t rows, uint32_t cols)
{
    recording::Array array;
    array.name = name;
    array.space = space;
    array.rows = rows;
    array.cols = cols;
    array.bytes = uint64_t{rows} * cols * 4;
    return array;
}

// An access without places.
inline recording::Access step_of(recording::Op op)
{
    return {.op = op, .line = 1, .mask = ~0u};
}
