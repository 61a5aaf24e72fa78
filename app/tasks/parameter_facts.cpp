#include "app/tasks/parameter_facts.h"

#include <algorithm>

namespace app {

ParameterFacts parameter_facts(const kernels::Stage& stage, const kernels::ParameterValues& values,
                               const recording::Problem& problem)
{
    ParameterFacts facts{.launch = stage.launch(values, problem), .tiles = {}};
    for (const recording::Array& array : kernels::arrays(stage, values, problem))
        if (array.space == recording::Space::shared) {
            facts.tiles.push_back({array.name, array.rows, array.cols, array.bytes});
            facts.shared_bytes += array.bytes;
        }
    facts.shared_bytes = std::max<uint64_t>(facts.shared_bytes, stage.dynamic_shared(values));
    return facts;
}

} // namespace app
