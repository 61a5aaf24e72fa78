#include "app/cli/counted_library.h"

#include "app/catalogue/fields_json.h"
#include "app/cli/counter_figures.h"
#include "app/tasks/baseline.h"
#include "app/text/tell.h"

#include "gemm/size.h"
#include "measure/counters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace app {

LibraryCall count_library(const kernels::Baseline& library, const recording::Problem& problem, Engine& engine)
{
    BaselineResult result = engine.run(BaselineTask{
        .baseline = std::string(library.slug), .problem = problem, .seconds = 0, .traced = true, .counted = true});
    if (!result.counters)
        throw kernels::Unavailable(result.counters_missing);
    LibraryCall call{.library = &library,
                     .counted = {.slug = std::string(library.slug),
                                 .problem = problem,
                                 .counters = std::move(*result.counters),
                                 .date = {}},
                     .kernels = std::move(result.kernels),
                     .kernels_missing = std::move(result.kernels_missing)};
    if (!call.kernels.empty())
        call.counted.counters.resources = call.kernels.front().resources;
    return call;
}

nlohmann::json to_json(const LibraryCall& call)
{
    nlohmann::json result = to_json(call.counted);
    result["origins"] = {{"counters", "counter: of " + call.counted.counters.device.name + ", from a cold L2 cache"},
                         {"registers_per_thread", "as CUPTI traced the first kernel"}};
    result["only_counted"] = to_json(kernels::figures(call.counted.counters));
    result["kernels"] = to_named_json(call.kernels);
    if (!call.kernels_missing.empty())
        result["kernels_missing"] = call.kernels_missing;
    return result;
}

void print(const std::vector<recording::LaunchedKernel>& kernels)
{
    const auto extent = [](const recording::Index3& index) {
        return fmt::format("{} x {} x {}", index.x, index.y, index.z);
    };
    for (const recording::LaunchedKernel& kernel : kernels)
        write_out("    {}\n      grid {}, block {}, cluster {}; {} registers, {} bytes of shared memory, {} of local "
                  "memory; {:.0f} ns\n",
                  kernel.name, extent(kernel.launch.grid), extent(kernel.launch.block), extent(kernel.cluster),
                  kernel.resources.registers_per_thread, kernel.resources.shared_bytes_per_block,
                  kernel.resources.local_bytes_per_thread, kernel.time_ns);
}

void print(const LibraryCall& call)
{
    const kernels::Counters& counters = call.counted.counters;
    write_out("{} at {} on {}: ran {} times to be counted, each time from a cold L2 cache; {} kernels\n",
              call.counted.slug, kernels::size_name(call.counted.problem, kernels::Operation::gemm),
              counters.device.name, counters.passes, counters.launches);
    print(kernels::figures(counters));
    if (call.kernels.empty())
        write_out("  nobody could trace which: {}\n", call.kernels_missing);
    print(call.kernels);
}

} // namespace app
