#include "app/catalogue/fields_json.h"
#include "app/cli/commands.h"
#include "app/cli/gpu.h"
#include "app/cli/job.h"
#include "app/cli/options.h"

#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"
#include "recording/file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

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

// Of the members of --json, and all lines together.
Table lines_of(const recording::Recording& r, const json& lines)
{
    Table table("lines", "line", lines);
    std::ranges::move(totals_columns(), std::back_inserter(table.columns));
    table.columns.push_back({"source", "", "<"});
    table.rows.push_back(to_named_json(r.totals()));
    table.rows.back()["line"] = "all";
    return table;
}

void print(const recording::Recording& r, const json& whole, Output& out)
{
    const recording::Problem& p = r.problem;
    std::string parameters;
    for (const recording::Parameter& parameter : r.parameters)
        parameters += fmt::format(" {}={}", parameter.name, kernels::value_text(parameter.name, parameter.value));
    if (r.executed && !r.executed->multiplies)
        out.say("{} · writes {}\n", r.stage, r.arrays[2].name);
    else
        out.say("{}{} · M={} N={} K={} alpha={} beta={} · inputs {}\n", r.stage, parameters, p.M, p.N, p.K, p.alpha,
                p.beta, recording::name(r.inputs));
    const std::string slices = r.launch.grid.z > 1 ? fmt::format("x{}", r.launch.grid.z) : "";
    out.say("grid {}x{}{}, block {}x{} ({} threads)\n", r.launch.grid.x, r.launch.grid.y, slices, r.launch.block.x,
            r.launch.block.y, r.launch.threads_per_block());
    out.say("recorded {} on {} {}\n", r.recorded_at, r.device.name, r.device.toolkit);
    const auto blocks = viz::blocks_per_sm(r).value();
    if (r.resources)
        out.say("{} registers per thread, {} bytes of shared memory per block, {} bytes of local memory per thread{}\n",
                r.resources->registers_per_thread, r.resources->shared_bytes_per_block,
                r.resources->local_bytes_per_thread, blocks ? fmt::format(", {} blocks per SM", *blocks) : "");
    else
        out.say("registers and occupancy: known only of a recording made on an NVIDIA GPU\n");
    std::string steps;
    for (const auto& [kind, count] : steps_by_kind(r))
        steps += fmt::format("{}{} x {}", steps.empty() ? "" : ", ", count, kind);
    out.say("steps of the {} block{} recorded in full: {}\n", r.blocks.size(), r.blocks.size() == 1 ? "" : "s",
            steps.empty() ? "none" : steps);
    out.say("\n");
    out.print(lines_of(r, whole.at("lines")));
    if (r.executed)
        for (const std::string& note : r.executed->notes)
            out.say("- {}\n", note);
}

struct InfoOptions {
    std::filesystem::path file; // a recording; empty: this machine's GPU is asked
    bool measure = false;
    Form form = Form::text;
    WorkerChoice worker;
};

int info(const InfoOptions& options)
{
    if (options.measure && !options.file.empty())
        throw kernels::Error("--measure is for this machine's GPU; leave out the recording.");
    if (options.file.empty())
        return show_gpu(options.worker, options.form, options.measure);
    const recording::Recording recording = recording::read(options.file);
    const json whole = to_json(recording);
    Output out(options.form);
    print(recording, whole, out);
    out.end(whole);
    return 0;
}

struct DiffOptions {
    std::filesystem::path file, other;
    Form form = Form::text;
};

int diff(const DiffOptions& options)
{
    const std::vector<std::string> differences =
        recording::differences(recording::read(options.file), recording::read(options.other));
    Table table("differences", "difference=:<");
    for (const std::string& difference : differences)
        table.add({difference});
    Output out(options.form);
    if (differences.empty())
        out.say("equal, access by access\n");
    out.print(std::move(table));
    out.end(json{{"equal", differences.empty()}, {"differences", differences}});
    return differences.empty() ? 0 : 1;
}

} // namespace

void add_info_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<InfoOptions>(
        program, status, "info",
        "what a recording holds: launch, resources, totals per line; without one, what this machine's GPU is made of",
        info);
    command->add_option("file", options->file, "a recording");
    command->add_flag("--measure", options->measure, "measure the GPU's latencies, bandwidths and arithmetic peaks");
    add_worker(*command, options->worker);
    add_form(*command, options->form);
}

void add_diff_command(CLI::App& program, int& status)
{
    const auto [command, options] =
        add_command<DiffOptions>(program, status, "diff", "compare two recordings, access by access", diff);
    command->add_option("file", options->file, "a recording")->required();
    command->add_option("other", options->other, "another")->required();
    add_form(*command, options->form);
}

} // namespace app
