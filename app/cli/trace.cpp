#include "app/tasks/trace.h"

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/tell.h"
#include "app/tasks/save.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace app {

namespace {

recording::Index3 block_of(const std::string& text)
{
    recording::Index3 block{0, 0, 0};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (uint32_t* const part : {&block.x, &block.y, &block.z}) {
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc())
            break;
        at = next;
        if (at == end)
            return block;
        if (*at++ != ',')
            break;
    }
    throw kernels::Error(fmt::format("'{}' is no block; give X,Y or X,Y,Z.", text));
}

void print(const TraceOptions& options, const TraceResult& result)
{
    const recording::Recording& recording = *result.recorded.recording;
    const auto& [grid, block] = recording.launch;
    fmt::print(
        "{}: grid ({},{},{}), block ({},{},{}), compiled in {:.0f} ms, {} instructions of warps run in {:.0f} ms{}\n",
        recording.stage, grid.x, grid.y, grid.z, block.x, block.y, block.z, result.compiling_milliseconds, result.steps,
        result.milliseconds, options.output.empty() ? "" : fmt::format(" -> {}", options.output.string()));
    const recording::Totals totals = recording.totals();
    fmt::print("shared loads: {} instructions, {} wavefronts, {} conflicts; stores: {}, {}, {}\n",
               totals.shared_load.instructions, totals.shared_load.wavefronts, totals.shared_load.conflicts,
               totals.shared_store.instructions, totals.shared_store.wavefronts, totals.shared_store.conflicts);
    fmt::print("global loads: {} requests, {} sectors; stores: {}, {}\n", totals.global_load.requests,
               totals.global_load.sectors, totals.global_store.requests, totals.global_store.sectors);
    if (result.check)
        fmt::print("{}: error {:.1e} against float64, {:.1e} allowed\n", result.check->ok ? "right" : "WRONG",
                   result.check->error, result.check->tolerance);
    for (const std::string& note : recording.executed->notes)
        fmt::print("- {}\n", note);
}

void print_json(const TraceResult& result)
{
    const recording::Recording& recording = *result.recorded.recording;
    nlohmann::json json = {{"kernel", recording.stage},
                           {"compiling_milliseconds", result.compiling_milliseconds},
                           {"milliseconds", result.milliseconds},
                           {"instructions_of_warps", result.steps},
                           {"notes", recording.executed->notes}};
    if (result.check)
        json["check"] = {
            {"ok", result.check->ok}, {"error", result.check->error}, {"tolerance", result.check->tolerance}};
    fmt::print("{}\n", json.dump(2));
}

} // namespace

int trace_file(const TraceOptions& options)
{
    TraceTask task{options.request};
    for (const std::string& block : options.blocks)
        task.request.blocks.push_back(block_of(block));
    const Interrupt interrupt;
    Engine engine(options.worker, "cpu");
    const TraceResult result = engine.run(task, interrupt.token());
    if (!options.output.empty())
        save({options.output, result.recorded.recording});
    if (options.json)
        print_json(result);
    else
        print(options, result);
    return result.check && !result.check->ok ? 1 : 0;
}

} // namespace app
