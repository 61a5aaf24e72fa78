#include "app/cli/counted.h"

#include "app/catalogue/counters.h"
#include "app/catalogue/fields_json.h"

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

namespace app {

namespace {

using nlohmann::json;
using Figures = kernels::CountedAccesses::Figures;

bool differs(const kernels::CountedAccesses& line)
{
    return line.derived && !line.agrees();
}

// "64 executed, 128 wavefronts"
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

// "52.1% long scoreboard  20.3% barrier" of the states in which most warps wait.
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
        table.add({fmt::format("  {}", one.state), one.warps, all.share(one), viz::plain(viz::state_words(one.state))});
    return table;
}

// The lines at which most warps wait.
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

// What ran by kind, and what warps waited for.
void print(const recording::RunProfile& run, const Output& out)
{
    const viz::InstructionMix mix = viz::mix_of(run);
    out.say("warp instructions executed: {}\n{}", mix.total(), text_of(executed_by_class(mix)));
    if (!run.samples)
        return;
    const viz::Waits all = viz::waits_of(run);
    out.say("{}\nfound issuing: {}\n{}", viz::plain(viz::sample_messages(*run.samples)), all.issued,
            text_of(waits_by_state(all)));
    out.say("of all waits:\n{}", text_of(waits_by_line(run, all)));
}

// The rows of --json that are of this kernel.
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
        if (const std::string why = line.agrees() ? kernels::why_counted_otherwise(line) : ""; !why.empty())
            text += fmt::format("; {} {}: as executed {}, counted {}: {}", line_name(line.line), line.name,
                                words(*line.derived), words(line.counted), why);
        if (differs(line))
            text += fmt::format("; {} {}: as executed {}, counted {}", line_name(line.line), line.name,
                                words(*line.derived), words(line.counted));
    }
    if (const std::string words = kernels::readings_words(counted.readings, counted.ok()); !words.empty())
        text += "; " + words;
    return fmt::format("{} of {} lines' accesses equal per instruction{}", equal, derived, text);
}

} // namespace app
