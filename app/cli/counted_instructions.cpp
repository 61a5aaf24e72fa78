#include "app/cli/counted_instructions.h"

#include "app/catalogue/counters.h"
#include "app/catalogue/fields_json.h"
#include "app/text/tell.h"

#include "measure/readings.h"

#include "viz/analysis/instruction_mix.h"
#include "viz/analysis/waits.h"
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

void print_waits(const std::string& of, const viz::Waits& here, const viz::Waits& all)
{
    constexpr std::size_t shown = 3;
    std::string reasons;
    for (std::size_t i = 0; i < std::min(shown, here.waits.size()); ++i)
        reasons += fmt::format("  {:>5.1f} % {}", 100 * here.share(here.waits[i]), here.waits[i].state);
    write_out("  {:<26}{:>16} {:>5.1f} % of all waits{}\n", of, here.waiting(),
              all.waiting() == 0 ? 0 : 100 * static_cast<double>(here.waiting()) / static_cast<double>(all.waiting()),
              reasons);
}

// What ran by kind, and what warps waited for: in all, and at the lines where most of them do.
void print(const recording::RunProfile& run)
{
    const viz::InstructionMix mix = viz::mix_of(run);
    write_out("  {:<54}{:>16}\n", "warp instructions executed", mix.total());
    for (std::size_t i = 0; i < viz::class_count; ++i)
        if (mix.executed[i] > 0)
            write_out("    {:<24}{:>16} {:>5.1f} %\n", viz::class_name(static_cast<viz::InstructionClass>(i)),
                      mix.executed[i], 100 * mix.share(static_cast<viz::InstructionClass>(i)));
    if (!run.samples)
        return;
    const viz::Waits all = viz::waits_of(run);
    write_out("  {}\n", viz::plain(viz::sample_messages(*run.samples)));
    write_out("  {:<26}{:>16}\n", "found issuing", all.issued);
    for (const viz::WaitCount& one : all.waits)
        write_out("    {:<24}{:>16} {:>5.1f} %  {}\n", one.state, one.warps, 100 * all.share(one),
                  viz::plain(viz::state_words(one.state)));
    constexpr double least = 0.01;
    for (const auto& [line, waits] : viz::waits_by_line(run))
        if (static_cast<double>(waits.waiting()) >= least * static_cast<double>(all.waiting()))
            print_waits(line_name(line), waits, all);
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

void print(const CountedInstructions& counted, const kernels::MachineCode& code)
{
    write_out("  per instruction, counted by the GPU\n");
    if (!counted.missing.empty()) {
        write_out("  {}\n", viz::plain(viz::in_sentences(counted.missing)));
        return;
    }
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel) {
        write_out("  {}\n  {:>8}  {:<18}{:>8}{:>14}{:>14}{:>14}\n", code.kernels[kernel].kernel, "address", "", "line",
                  "executed", "wavefronts", "sectors");
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (const kernels::InstructionCount* count = counted.counters->at(kernel, one.address); count && one.op)
                write_out("  {:>8x}  {:<18}{:>8}{:>14}{:>14}{:>14}\n", one.address, one.name,
                          one.line == 0 ? "-" : std::to_string(one.line), count->executed, count->shared_wavefronts,
                          count->global_sectors);
    }
    write_out("  by source line: {}\n", in_one_line(counted));
    if (counted.run != nullptr)
        print(*counted.run);
    if (!counted.not_sampled.empty())
        write_out("  {}\n", counted.not_sampled);
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
