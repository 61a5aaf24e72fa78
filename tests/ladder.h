// The stages, made once for all tests, and what the CPU backend records of one.
#pragma once

#include "backend.h"
#include "stage.h"

#include <string_view>
#include <vector>

namespace test {

inline const std::vector<kernels::Stage>& ladder()
{
    static const std::vector<kernels::Stage> stages = kernels::make_ladder();
    return stages;
}

// With the standard parameters.
inline recording::Recording record(std::string_view slug, recording::Problem problem,
                                   recording::Index3 block = {0, 0, 0})
{
    const kernels::Stage& stage = kernels::find_stage(ladder(), slug);
    return kernels::make_cpu_backend()->record({&stage, stage.standard_parameters(), problem}, {&block, 1}, {});
}

} // namespace test
