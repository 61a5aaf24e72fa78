#include "app/cli/counted.h"

#include "app/catalogue/fields_json.h"
#include "app/catalogue/metrics.h"
#include "app/tasks/baseline.h"

#include "gemm/size.h"
#include "measure/counters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace app {

namespace {

using nlohmann::json;

bool is_whole(const Metric& metric) // and not a share or a mean
{
    return metric.format == "count" || metric.format == "bytes" || metric.format == "time";
}

LaunchFacts facts_of(const kernels::Counters& counters)
{
    return {.counters = &counters, .figures = kernels::figures(counters)};
}

json value_of(const Metric& metric, const LaunchFacts& facts)
{
    const recording::Measured<double> value = metric.of(facts);
    if (value && is_whole(metric))
        return static_cast<uint64_t>(*value);
    return given(value.value());
}

// With all digits of what was counted.
json value_words(const Metric& metric, const json& value)
{
    if (value.is_number_float())
        return number_text(metric.format, value.get<double>());
    return !value.is_null() && metric.format == "time" ? json(value.dump() + " ns") : value;
}

} // namespace

json only_counted(const kernels::Counters& counters)
{
    const LaunchFacts facts = facts_of(counters);
    json result = {{"executed_by_pipe", json::object()}};
    for (const Metric& metric : metrics())
        if (!metric.counter.empty())
            result[std::string(metric.counter)] = value_of(metric, facts);
    for (const kernels::PipeCount& one : facts.figures.pipes)
        result["executed_by_pipe"][std::string(one.pipe)] = one.executed;
    return result;
}

Table table_of(const kernels::Counters& counters)
{
    const LaunchFacts facts = facts_of(counters);
    Table table("only counted", "figure=:< | value= | words=:<");
    for (const Metric& metric : metrics())
        if (!metric.counter.empty() || metric.id == "registers")
            table.add({metric.title, value_words(metric, value_of(metric, facts)), metric.about});
    for (const kernels::PipeCount& one : facts.figures.pipes)
        if (one.executed > 0)
            table.add({fmt::format("  by the pipe {}", one.pipe), one.executed,
                       number_text("%", static_cast<double>(one.executed) /
                                            static_cast<double>(facts.figures.executed.value_or(one.executed)))});
    return table;
}

std::vector<TableColumn> only_counted_columns()
{
    std::vector<TableColumn> columns;
    for (const Metric& metric : metrics())
        if (!metric.counter.empty())
            columns.push_back({fmt::format("only_counted.{}", metric.counter), std::string(metric.title), ""});
    return columns;
}

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
    result["only_counted"] = only_counted(call.counted.counters);
    result["kernels"] = to_named_json(call.kernels);
    if (!call.kernels_missing.empty())
        result["kernels_missing"] = call.kernels_missing;
    return result;
}

Table table_of(const std::vector<recording::LaunchedKernel>& kernels)
{
    return {"kernels",
            "grid | block | cluster | registers_per_thread=registers | shared_bytes_per_block=shared bytes | "
            "local_bytes_per_thread=local bytes | time_ns=ns:{:.0f} | name=kernel:<",
            to_named_json(kernels)};
}

void print(const LibraryCall& call, Output& out)
{
    const kernels::Counters& counters = call.counted.counters;
    out.say("{} at {} on {}: ran {} times to be counted, each time from a cold L2 cache; {} kernels\n",
            call.counted.slug, kernels::size_name(call.counted.problem, kernels::Operation::gemm), counters.device.name,
            counters.passes, counters.launches);
    out.say("{}", text_of(table_of(counters)));
    if (call.kernels.empty())
        out.say("which could not be traced: {}\n", call.kernels_missing);
    else
        out.say("{}", text_of(table_of(call.kernels)));
}

} // namespace app
