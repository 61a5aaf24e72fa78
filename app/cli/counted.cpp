#include "app/cli/counted.h"

#include "app/data/fields_json.h"
#include "app/data/metrics.h"
#include "app/engine/measure.h"

#include "gemm/size.h"
#include "measure/counters.h"
#include "measure/readings.h"

#include "viz/analysis/instruction_mix.h"
#include "viz/analysis/waits.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace app {

namespace {

using nlohmann::json;

bool is_whole(const Metric& metric) // false for a share or a mean
{
    return metric.format == "count" || metric.format == "bytes" || metric.format == "time";
}

json value_of(const Metric& metric, const LaunchFacts& facts)
{
    const recording::Measured<double> value = metric.of(facts);
    if (value && is_whole(metric))
        return static_cast<uint64_t>(*value);
    return given(value.value());
}

// Formats a value with all its digits.
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

LibraryCall count_library(const kernels::Baseline& library, const recording::Problem& problem, CommandWorker& engine)
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

namespace {

using Figures = kernels::CountedAccesses::Figures;

// Returns for example "64 executed, 128 wavefronts".
std::string words(const Figures& figures)
{
    std::string text = fmt::format("{} executed", figures.executed);
    if (figures.wavefronts > 0)
        text += fmt::format(", {} wavefronts", figures.wavefronts);
    if (figures.sectors > 0)
        text += fmt::format(", {} sectors", figures.sectors);
    return text;
}

std::string line_name(uint32_t line)
{
    return line == 0 ? "no line" : fmt::format("line {}", line);
}

// Returns the most frequent stall reasons: "52.1% long scoreboard  20.3% barrier".
std::string most_waited_for(const viz::Waits& waits)
{
    constexpr std::size_t shown = 3;
    std::string reasons;
    for (std::size_t i = 0; i < std::min(shown, waits.waits.size()); ++i)
        reasons += fmt::format("{}{} {}", reasons.empty() ? "" : "  ", viz::percent(waits.share(waits.waits[i])),
                               waits.waits[i].state);
    return reasons;
}

Table count_table(std::string name)
{
    return {std::move(name), "of=:< | count= | share=:% | words=:<"};
}

Table executed_by_class(const viz::InstructionMix& mix)
{
    Table table = count_table("executed");
    for (std::size_t i = 0; i < viz::class_count; ++i) {
        const auto kind = static_cast<viz::InstructionClass>(i);
        if (mix.executed[i] > 0)
            table.add({fmt::format("  {}", viz::class_name(kind)), mix.executed[i], mix.share(kind), ""});
    }
    return table;
}

Table waits_by_state(const viz::Waits& all)
{
    Table table = count_table("waits");
    for (const viz::WaitCount& one : all.waits)
        table.add({fmt::format("  {}", one.state), one.warps, all.share(one), viz::state_words(one.state)});
    return table;
}

// Returns the lines with the most stalls.
Table waits_by_line(const recording::RunProfile& run, const viz::Waits& all)
{
    constexpr double least = 0.01;
    Table table = count_table("waits by line");
    for (const auto& [line, waits] : viz::waits_by_line(run)) {
        const auto here = static_cast<double>(waits.waiting()), whole = static_cast<double>(all.waiting());
        if (here >= least * whole)
            table.add({line_name(line), waits.waiting(), whole == 0 ? 0 : here / whole, most_waited_for(waits)});
    }
    return table;
}

// Prints the executed instructions by class, and the stall reasons.
void print(const recording::RunProfile& run, const Output& out)
{
    const viz::InstructionMix mix = viz::mix_of(run);
    out.say("warp instructions executed: {}\n{}", mix.total(), text_of(executed_by_class(mix)));
    if (!run.samples)
        return;
    const viz::Waits all = viz::waits_of(run);
    out.say("{}\nfound issuing: {}\n{}", viz::plain(viz::sample_words(*run.samples)), all.issued,
            text_of(waits_by_state(all)));
    out.say("of all waits:\n{}", text_of(waits_by_line(run, all)));
}

// Returns the rows of --json that belong to this kernel.
Table instructions_of(const json& rows, std::size_t kernel)
{
    Table table("instructions",
                "hexadecimal=address | name=:< | source_line=line | executed | shared_wavefronts=wavefronts | "
                "global_sectors=sectors");
    table.derive("hexadecimal", [](const json& row) { return fmt::format("{:x}", row.at("address").get<uint64_t>()); });
    table.derive("source_line", [](const json& row) { return row.at("line") == 0 ? json() : row.at("line"); });
    std::ranges::copy_if(rows, std::back_inserter(table.rows),
                         [kernel](const json& row) { return row.at("kernel").get<std::size_t>() == kernel; });
    return table;
}

} // namespace

json to_json(const CountedInstructions& counted, const kernels::MachineCode& code)
{
    const std::string missing = viz::plain(viz::in_sentences(counted.missing));
    if (!counted.counters)
        return {{"why_missing", missing}, {"why_not_sampled", counted.not_sampled}, {"ok", false}};
    json lines = json::array();
    for (const kernels::CountedAccesses& line : counted.accesses)
        lines.push_back({{"kernel", line.kernel},
                         {"line", line.line},
                         {"name", line.name},
                         {"as_executed", to_named_json(line.derived)},
                         {"counter", to_named_json(line.counted)},
                         {"agrees", line.derived ? json(line.agrees()) : json(nullptr)},
                         {"why", line.agrees() ? kernels::why_counted_otherwise(line) : ""}});
    return {{"origin", "counter: CUPTI's SASS metrics of " + counted.counters->device.name},
            {"instructions", to_named_json(with_names(*counted.counters, code))},
            {"lines", lines},
            {"why_missing", missing},
            {"why_not_sampled", counted.not_sampled},
            {"readings", counted.readings},
            {"ok", counted.ok()}};
}

void print(const CountedInstructions& counted, const kernels::MachineCode& code, const Output& out)
{
    out.say("per instruction, counted by the GPU\n");
    if (!counted.missing.empty()) {
        out.say("{}\n", viz::plain(viz::in_sentences(counted.missing)));
        return;
    }
    const json rows = to_named_json(with_names(*counted.counters, code));
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        out.say("{}\n{}", code.kernels[kernel].kernel, text_of(instructions_of(rows, kernel)));
    out.say("by source line: {}\n", in_one_line(counted));
    if (counted.run != nullptr)
        print(*counted.run, out);
    if (!counted.not_sampled.empty())
        out.say("{}\n", counted.not_sampled);
}

std::string in_one_line(const CountedInstructions& counted)
{
    if (!counted.missing.empty())
        return "per instruction: " + viz::plain(viz::in_sentences(counted.missing));
    std::string text;
    std::size_t derived = 0, equal = 0;
    for (const kernels::CountedAccesses& line : counted.accesses) {
        derived += line.derived.has_value();
        equal += line.derived && line.agrees();
        const std::string why = line.derived && line.agrees() ? kernels::why_counted_otherwise(line) : "";
        if (line.derived && (!line.agrees() || !why.empty()))
            text += fmt::format("; {} {}: as executed {}, counted {}{}{}", line_name(line.line), line.name,
                                words(*line.derived), words(line.counted), why.empty() ? "" : ": ", why);
    }
    if (const std::string words = kernels::readings_words(counted.readings, counted.ok()); !words.empty())
        text += "; " + words;
    return fmt::format("{} of {} lines' accesses equal per instruction{}", equal, derived, text);
}

} // namespace app
