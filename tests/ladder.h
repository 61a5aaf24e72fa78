// The stages, created once for all tests, and recordings of them by the CPU backend.
#pragma once

#include "backend.h"
#include "stage.h"

#include <string>
#include <string_view>
#include <vector>

namespace test {

inline const std::vector<kernels::Stage>& ladder()
{
    static const std::vector<kernels::Stage> stages = kernels::make_ladder();
    return stages;
}

inline const kernels::Stage& stage(std::string_view slug)
{
    return kernels::find_stage(ladder(), slug);
}

// Returns the slugs of the stages for which `wanted` returns true, for INSTANTIATE_TEST_SUITE_P.
inline std::vector<std::string> slugs(bool (*wanted)(const kernels::Stage&) = [](const kernels::Stage&) {
    return true;
})
{
    std::vector<std::string> result;
    for (const kernels::Stage& one : ladder())
        if (wanted(one))
            result.emplace_back(one.slug);
    return result;
}

// `parameters` are assignments as on the command line; the others have their defaults.
inline kernels::Job job(std::string_view slug, const recording::Problem& problem,
                        const std::vector<std::string>& parameters = {})
{
    return {&stage(slug), kernels::parse_parameters(stage(slug), parameters), problem};
}

inline recording::Recording record(const kernels::Job& job, const std::vector<recording::Index3>& blocks = {{0, 0, 0}})
{
    return kernels::make_cpu_backend()->record(job, blocks, {});
}

// Records with the default parameters.
inline recording::Recording record(std::string_view slug, const recording::Problem& problem,
                                   const std::vector<recording::Index3>& blocks = {{0, 0, 0}})
{
    return record(job(slug, problem), blocks);
}

} // namespace test
