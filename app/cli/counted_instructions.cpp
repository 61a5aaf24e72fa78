#include "app/cli/counted_instructions.h"

#include "app/catalogue/counters.h"

#include "measure/readings.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using nlohmann::json;
using Figures = kernels::CountedAccesses::Figures;

bool differs(const kernels::CountedAccesses& line)
{
    return line.derived && !line.agrees();
}

json to_json(const Figures& figures)
{
    return {
        {"executed", figures.executed}, {"shared_wavefronts", figures.wavefronts}, {"global_sectors", figures.sectors}};
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

} // namespace

json to_json(const CountedInstructions& counted, const kernels::MachineCode& code)
{
    json lines = json::array();
    for (const kernels::CountedAccesses& line : counted.accesses)
        lines.push_back({{"kernel", line.kernel},
                         {"line", line.line},
                         {"name", line.name},
                         {"as_executed", line.derived ? to_json(*line.derived) : json(nullptr)},
                         {"counter", to_json(line.counted)},
                         {"agrees", line.derived ? json(line.agrees()) : json(nullptr)},
                         {"why", line.agrees() ? kernels::why_counted_otherwise(line) : ""}});
    return {{"origin", "counter: CUPTI's SASS metrics of " + counted.counters->device.name},
            {"instructions", app::to_json(with_names(*counted.counters, code))},
            {"lines", lines},
            {"why_missing", viz::plain(viz::in_sentences(counted.missing))},
            {"readings", counted.readings},
            {"ok", counted.ok()}};
}

void print(const CountedInstructions& counted, const kernels::MachineCode& code)
{
    fmt::print("  per instruction, counted by the GPU\n");
    if (!counted.missing.empty()) {
        fmt::print("  {}\n", viz::plain(viz::in_sentences(counted.missing)));
        return;
    }
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel) {
        fmt::print("  {}\n  {:>8}  {:<18}{:>8}{:>14}{:>14}{:>14}\n", code.kernels[kernel].kernel, "address", "", "line",
                   "executed", "wavefronts", "sectors");
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (const kernels::InstructionCount* count = counted.counters->at(kernel, one.address); count && one.op)
                fmt::print("  {:>8x}  {:<18}{:>8}{:>14}{:>14}{:>14}\n", one.address, one.name,
                           one.line == 0 ? "-" : std::to_string(one.line), count->executed, count->shared_wavefronts,
                           count->global_sectors);
    }
    fmt::print("  by source line: {}\n", in_one_line(counted));
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
