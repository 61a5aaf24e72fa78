// Made-up recordings for the tests of viz/analysis, small enough to be computed by hand.
#pragma once

#include "viz/analysis/tiling.h"

#include "recording/recording.h"

#include <functional>
#include <memory>

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

// Returns an access without addresses.
inline recording::Access step_of(recording::Op op)
{
    return {.op = op, .line = 1, .mask = ~0u};
}

// Returns a product by one block in which thread i owns result i. It has no accesses yet.
inline recording::Recording product_of(recording::Problem problem)
{
    using recording::Space;
    recording::Recording r;
    r.problem = problem;
    r.launch = {{1, 1, 1}, {problem.M * problem.N, 1, 1}};
    r.arrays = {array_of("A", Space::global, problem.M, problem.K), array_of("B", Space::global, problem.K, problem.N),
                array_of("C", Space::global, problem.M, problem.N)};
    for (uint32_t i = 0; i < problem.M * problem.N; ++i)
        r.owner.push_back(i);
    return r;
}

// Returns the footprint of the first block's warps in a phase of the first of them.
inline viz::PhaseTouch touched_in(const recording::Recording& r, std::size_t phase)
{
    const std::shared_ptr<const recording::Recording> kept(&r, [](const recording::Recording*) {});
    return viz::BlockTiling(kept, r.blocks[0]).touched_in(phase, 0);
}
