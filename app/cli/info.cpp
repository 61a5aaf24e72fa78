#include "app/catalogue/fields_json.h"
#include "app/cli/commands.h"
#include "app/cli/counter_figures.h"
#include "app/text/tell.h"

#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"
#include "recording/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace app {

namespace {

using nlohmann::json;

// Of asynchronous copies. Null where not all blocks are recorded in full.
json copy_writes(const recording::Recording& r)
{
    const std::optional<recording::SharedTotals> writes = model::copy_writes(r);
    return to_named_json(writes);
}

// How many steps of each kind the blocks recorded in full have, in the order of the kinds.
std::vector<std::pair<std::string_view, uint64_t>> steps_by_kind(const recording::Recording& r)
{
    std::array<uint64_t, recording::op_count> counts{};
    for (const recording::BlockTrace& block : r.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const recording::Access& access : warp.accesses)
                ++counts[static_cast<std::size_t>(access.op)];
    std::vector<std::pair<std::string_view, uint64_t>> result;
    for (std::size_t kind = 0; kind < counts.size(); ++kind)
        if (counts[kind] > 0)
            result.emplace_back(recording::name(static_cast<recording::Op>(kind)), counts[kind]);
    return result;
}

json arrays(const recording::Recording& r)
{
    json result = json::array();
    for (const recording::Array& array : r.arrays)
        result.push_back({{"name", array.name},
                          {"space", array.space == recording::Space::shared ? "shared" : "global"},
                          {"rows", array.rows},
                          {"cols", array.cols},
                          {"element_bytes", array.element_bytes},
                          {"bytes", array.bytes}});
    return result;
}

std::string said_by(const recording::Recording& r)
{
    return r.executed ? fmt::format("its {} executes", r.executed->language) : "the source says";
}

// Null: recorded where no driver tells.
json resources(const recording::Recording& r)
{
    if (!r.resources)
        return nullptr;
    const auto blocks = viz::blocks_per_sm(r);
    return {{"registers_per_thread", r.resources->registers_per_thread},
            {"shared_bytes_per_block", r.resources->shared_bytes_per_block},
            {"local_bytes_per_thread", r.resources->local_bytes_per_thread},
            {"blocks_per_sm", given(blocks.value())}};
}

// Null: placed by a launch that did more than that. `times`: whether those of the placements are the timed kernel's.
json placed(const recording::Recording& r)
{
    if (!r.placed)
        return nullptr;
    json result = to_named_json(r.placed->resources);
    result["placed_ms"] = r.placed->placed_ms;
    result["plain_ms"] = r.placed->plain_ms;
    result["times"] = !recording::why_untimed(r);
    return result;
}

json to_json(const recording::Recording& r)
{
    json parameters = json::object();
    for (const recording::Parameter& parameter : r.parameters)
        parameters[parameter.name] = parameter_json(parameter.name, parameter.value);
    json lines = json::array();
    for (const recording::LineTotals& line : r.lines) {
        json row = to_named_json(line.totals);
        row["line"] = line.line;
        row["source"] = viz::source_line(r, line.line);
        lines.push_back(std::move(row));
    }
    json blocks = json::array();
    for (const recording::BlockTrace& block : r.blocks)
        blocks.push_back({block.block.x, block.block.y, block.block.z});
    json steps = json::object();
    for (const auto& [kind, count] : steps_by_kind(r))
        steps[std::string(kind)] = count;
    json result = {{"stage", r.stage},
                   {"parameters", parameters},
                   {"problem",
                    {{"M", r.problem.M},
                     {"N", r.problem.N},
                     {"K", r.problem.K},
                     {"alpha", r.problem.alpha},
                     {"beta", r.problem.beta}}},
                   {"inputs", recording::name(r.inputs)},
                   {"launch",
                    {{"grid", {r.launch.grid.x, r.launch.grid.y, r.launch.grid.z}},
                     {"block", {r.launch.block.x, r.launch.block.y, r.launch.block.z}}}},
                   {"source", r.source().name},
                   {"backend", r.device.backend},
                   {"device", r.device.name},
                   {"toolkit", r.device.toolkit},
                   {"recorded_at", r.recorded_at},
                   {"arrays", arrays(r)},
                   {"blocks_in_full", blocks},
                   {"steps_in_full", steps},
                   {"origins",
                    {{"totals", fmt::format("recorded: {}, {}, as {} them", r.device.name, r.recorded_at, said_by(r))},
                     {"copy_writes", "derived: from the blocks in full; the totals do not have them. Null: not known"},
                     {"lines", fmt::format("recorded: {}, {}, as {} them", r.device.name, r.recorded_at, said_by(r))},
                     {"resources",
                      "measured: the driver's word on the untraced kernel; where it was not asked how many blocks fit "
                      "an SM, that is derived from the rest"}}},
                   {"totals", to_named_json(r.totals())},
                   {"copy_writes", copy_writes(r)},
                   {"lines", lines},
                   {"resources", resources(r)},
                   {"placed", placed(r)}};
    result["origins"]["placed"] =
        "measured: the kernel that reads the clock for each block, in turns with the untraced one";
    if (r.executed)
        result["executed"] = {{"kernel", r.executed->kernel},
                              {"language", r.executed->language},
                              {"instructions", r.executed->instructions.size()},
                              {"multiplies", r.executed->multiplies},
                              {"notes", r.executed->notes}};
    return result;
}

void print_row(const std::string& name, const recording::Totals& t, std::string_view text)
{
    write_out("{:>6} {:>12}{:>12}{:>12} {:>12}{:>12}{:>12} {:>12}{:>12}  {}\n", name, t.shared_load.instructions,
              t.shared_load.wavefronts, t.shared_load.conflicts, t.shared_store.instructions, t.shared_store.wavefronts,
              t.shared_store.conflicts, t.global_load.requests + t.global_store.requests,
              t.global_load.sectors + t.global_store.sectors, text);
}

void print(const recording::Recording& r)
{
    const recording::Problem& p = r.problem;
    std::string parameters;
    for (const recording::Parameter& parameter : r.parameters)
        parameters += fmt::format(" {}={}", parameter.name, kernels::value_text(parameter.name, parameter.value));
    if (r.executed && !r.executed->multiplies)
        write_out("{} · writes {}\n", r.stage, r.arrays[2].name);
    else
        write_out("{}{} · M={} N={} K={} alpha={} beta={} · inputs {}\n", r.stage, parameters, p.M, p.N, p.K, p.alpha,
                  p.beta, recording::name(r.inputs));
    const std::string slices = r.launch.grid.z > 1 ? fmt::format("x{}", r.launch.grid.z) : "";
    write_out("grid {}x{}{}, block {}x{} ({} threads)\n", r.launch.grid.x, r.launch.grid.y, slices, r.launch.block.x,
              r.launch.block.y, r.launch.threads_per_block());
    write_out("recorded {} on {} {}\n", r.recorded_at, r.device.name, r.device.toolkit);
    const auto blocks = viz::blocks_per_sm(r).value();
    if (r.resources)
        write_out(
            "{} registers per thread, {} bytes of shared memory per block, {} bytes of local memory per thread{}\n",
            r.resources->registers_per_thread, r.resources->shared_bytes_per_block, r.resources->local_bytes_per_thread,
            blocks ? fmt::format(", {} blocks per SM", *blocks) : "");
    else
        write_out("registers and occupancy: known only of a recording made on an NVIDIA GPU\n");
    std::string steps;
    for (const auto& [kind, count] : steps_by_kind(r))
        steps += fmt::format("{}{} x {}", steps.empty() ? "" : ", ", count, kind);
    write_out("steps of the {} block{} recorded in full: {}\n", r.blocks.size(), r.blocks.size() == 1 ? "" : "s",
              steps.empty() ? "none" : steps);
    write_out("\n{:>6} {:^36} {:^36} {:^24}\n", "", "shared loads", "shared stores", "global");
    write_out("{:>6} {:>12}{:>12}{:>12} {:>12}{:>12}{:>12} {:>12}{:>12}\n", "line", "instr.", "wavefronts", "conflicts",
              "instr.", "wavefronts", "conflicts", "requests", "sectors");
    for (const recording::LineTotals& line : r.lines)
        print_row(std::to_string(line.line), line.totals, viz::source_line(r, line.line));
    print_row("all", r.totals(), "");
    if (r.executed)
        for (const std::string& note : r.executed->notes)
            write_out("- {}\n", note);
}

} // namespace

int show_info(const std::filesystem::path& file, bool as_json)
{
    const recording::Recording recording = recording::read(file);
    if (as_json)
        write_json(to_json(recording));
    else
        print(recording);
    return 0;
}

int compare_files(const std::filesystem::path& a, const std::filesystem::path& b, bool as_json)
{
    const std::vector<std::string> differences = recording::differences(recording::read(a), recording::read(b));
    if (as_json)
        write_json(json{{"equal", differences.empty()}, {"differences", differences}});
    else if (differences.empty())
        write_out("equal, access by access\n");
    else
        for (const std::string& difference : differences)
            write_out("{}\n", difference);
    return differences.empty() ? 0 : 1;
}

} // namespace app
