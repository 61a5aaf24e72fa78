// Implements 'gemmscope record', 'gemmscope info' and 'gemmscope diff' for recordings and their content.
#include "app/cli/job.h"
#include "app/data/fields_json.h"
#include "app/engine/files.h"
#include "app/engine/record.h"

#include "viz/analysis/access.h"
#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"
#include "recording/file.h"
#include "recording/format.h"
#include "recording/recording.h"
#include "recording/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace app {

namespace {

using nlohmann::json;

recording::Index3 block_in(const recording::Index3& grid, const std::string& text)
{
    const std::optional<recording::Index3> block = parse_block(text);
    if (!block || block->x >= grid.x || block->y >= grid.y || block->z >= grid.z)
        throw kernels::Error(
            grid.z > 1
                ? fmt::format("'{}' is no block of this launch; give X,Y,Z with X below {}, Y below {} and Z below {}.",
                              text, grid.x, grid.y, grid.z)
                : fmt::format("'{}' is no block of this launch; give X,Y with X below {} and Y below {}.", text, grid.x,
                              grid.y));
    return *block;
}

struct RecordOptions : JobOptions {
    std::vector<std::string> blocks; // "X,Y" or "X,Y,Z"; empty: "0,0"
    // Omits full blocks and the owners of C's elements, so that the file is small at any size.
    bool bare = false;
    std::filesystem::path output;
};

void fields(OptionList& option, RecordOptions& options)
{
    stage_option(option, options).required();
    job_options(option, options);
    inputs_option(option, options.inputs);
    option("--block", options.blocks, "a block to keep in full, default 0,0", typed("X,Y"));
    option("--bare", options.bare, "keep no block in full and no owners: totals and placements only");
    option("-o,--output", options.output, "the recording file to write", required);
}

// Returns no block for a bare recording, because a block that is recorded in full takes longer and also delays blocks
// that run at the same time.
std::vector<recording::Index3> blocks_in_full(const RecordOptions& options, const recording::Index3& grid)
{
    std::vector<recording::Index3> blocks;
    for (const std::string& block : options.blocks)
        blocks.push_back(block_in(grid, block));
    if (options.bare)
        return {};
    return blocks.empty() ? std::vector{recording::Index3{0, 0, 0}} : blocks;
}

int record_stage(const RecordOptions& options, Output& out)
{
    OneJob one(options, options.backend, "A recording has one size; give one --size.");
    const recording::Index3 grid = one.stage().launch(one.job.parameters, one.job.problem).grid;
    const RecordResult result =
        one.engine.run(RecordTask{named(one.job), blocks_in_full(options, grid), !options.bare});
    SaveTask{options.output, result.recorded.recording}.write();
    const recording::Device& device = one.engine.device();
    out.say("{} at {} on {}: recorded in {:.0f} ms, {} of {} blocks in full -> {}\n", one.stage().slug, one.size(),
            device.name, result.milliseconds, result.recorded.recording->blocks.size(), grid.volume(),
            options.output.string());
    out.end_with({{"stage", one.stage().slug},
                  {"size", one.size()},
                  {"backend", device.backend},
                  {"milliseconds", std::round(1e3 * result.milliseconds) / 1e3},
                  {"origin", "measured here"}},
                 -1);
    return 0;
}

// Returns the number of steps of each kind in the full blocks, in the order of the kinds.
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
    if (!r.executed)
        return "the source says";
    return recording::is_as_executed(r) ? "its machine code executes" : "its PTX says";
}

// Returns null if no driver reported the resources.
json resources(const recording::Recording& r)
{
    if (!r.resources)
        return nullptr;
    json result = to_named_json(*r.resources);
    result["blocks_per_sm"] = given(viz::blocks_per_sm(r).value());
    return result;
}

// Returns null if the launch that recorded the placement also recorded other data. The member "times" says whether the
// times of the placements apply to the timed kernel.
json placed_launch(const recording::Recording& r)
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
        blocks.push_back(to_named_json(block.block));
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
                   {"launch", {{"grid", to_named_json(r.launch.grid)}, {"block", to_named_json(r.launch.block)}}},
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
                   {"copy_writes", to_named_json(model::copy_writes(
                                       r))}, // writes of asynchronous copies; null: not all blocks are in full
                   {"lines", lines},
                   {"resources", resources(r)},
                   {"placed", placed_launch(r)}};
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

// Returns the table of the lines in --json, and a row with their sum.
Table lines_of(const recording::Recording& r, const json& lines)
{
    Table table("lines", "line", lines);
    std::ranges::move(totals_columns(r.totals()), std::back_inserter(table.columns));
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
    if (Table rarer = rarer_totals(r.totals()); !rarer.rows.empty())
        out.print(std::move(rarer));
    if (r.executed)
        for (const std::string& note : r.executed->notes)
            out.say("- {}\n", note);
}

std::string array_name(const recording::Recording& r, const recording::Access& access)
{
    const bool has = viz::is_global(access.op) || viz::touches_shared(access.op) || viz::is_atomic(access.op);
    return has && access.array < r.arrays.size() ? r.arrays[access.array].name : "";
}

// Returns each access of the full blocks and its cost.
Table steps_of(const recording::Recording& r)
{
    Table table("steps", "block:< | warp | step | line | operation:< | array:< | bytes_per_lane | lanes | wavefronts | "
                         "conflicts | requests | sectors");
    for (const recording::BlockTrace& block : r.blocks)
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
            const std::vector<recording::Access>& accesses = block.warps[warp].accesses;
            for (std::size_t i = 0; i < accesses.size(); ++i) {
                const recording::Access& access = accesses[i];
                const recording::Access* next = i + 1 < accesses.size() ? &accesses[i + 1] : nullptr;
                const model::SharedCost shared = viz::shared_cost(access);
                const model::GlobalCost global = viz::global_cost(access, next);
                const bool is_shared = viz::has_shared_cost(access), is_global = global.requests > 0;
                table.add({fmt::format("{},{},{}", block.block.x, block.block.y, block.block.z), warp, i, access.line,
                           std::string(recording::name(access.op)), array_name(r, access), access.width,
                           std::popcount(access.mask), is_shared ? json(shared.wavefronts) : json(),
                           is_shared ? json(shared.conflicts) : json(), is_global ? json(global.requests) : json(),
                           is_global ? json(global.sectors) : json()});
            }
        }
    return table;
}

// Returns a number as JSON: a float with the fewest digits that identify it, NaN and infinity as their names.
json number_json(const std::optional<double>& value, const std::string& type)
{
    using recording::Scalar;
    if (!value)
        return nullptr;
    if (!std::isfinite(*value))
        return fmt::format("{}", *value);
    const Scalar scalar = recording::scalar_of(type);
    if (scalar == Scalar::whole && *value < 0)
        return static_cast<int64_t>(*value);
    if (scalar == Scalar::whole)
        return static_cast<uint64_t>(*value);
    return scalar == Scalar::twofold ? *value : std::stod(fmt::format("{}", static_cast<float>(*value)));
}

// An array with its values as a sequence of numbers in the order of its elements. An element of a vector type has a
// number for each component.
class KeptArray {
public:
    KeptArray(const recording::Recording& r, const recording::Values& values)
        : recording_(r), values_(values), array_(r.arrays[values.array]),
          components_(array_.element_bytes / recording::scalar_bytes(values.type, array_.element_bytes))
    {
    }

    const recording::Array& array() const { return array_; }
    bool ran_again() const { return values_.ran_again; }
    uint64_t numbers() const { return uint64_t{array_.rows} * array_.cols * components_; }
    bool is_kept(uint64_t number) const { return at(number, recording::Moment::before).has_value(); }
    bool changed(uint64_t number) const { return differs(number, recording::Moment::before); }
    bool depends_on_order(uint64_t number) const
    {
        return values_.ran_again && differs(number, recording::Moment::again);
    }

    json row(uint64_t number) const
    {
        using recording::Moment;
        const uint64_t element = number / components_;
        json row = {{"row", element / array_.cols},
                    {"col", element % array_.cols},
                    {"before", number_json(at(number, Moment::before), values_.type)},
                    {"after", number_json(at(number, Moment::after), values_.type)},
                    {"changed", changed(number)},
                    {"second_run", number_json(at(number, Moment::again), values_.type)}};
        if (components_ > 1)
            row["component"] = number % components_;
        return row;
    }

    // Returns how many numbers are kept, changed, NaN, or different in a second run, and the range of the values.
    json summary() const
    {
        uint64_t kept = 0, changes = 0, nan = 0, others = 0;
        std::optional<double> least, most;
        for (uint64_t number = 0; number < numbers(); ++number) {
            const auto after = at(number, recording::Moment::after);
            if (!after)
                continue;
            ++kept;
            changes += changed(number) ? 1 : 0;
            others += depends_on_order(number) ? 1 : 0;
            nan += std::isnan(*after) ? 1 : 0;
            if (std::isnan(*after))
                continue;
            least = std::min(least.value_or(*after), *after);
            most = std::max(most.value_or(*after), *after);
        }
        return {{"array", array_.name},
                {"type", values_.type.empty() ? "not known" : values_.type},
                {"rows", array_.rows},
                {"cols", array_.cols},
                {"kept", kept},
                {"changed", changes},
                {"nan", nan},
                {"least", number_json(least, values_.type)},
                {"most", number_json(most, values_.type)},
                {"differ_in_second_run", values_.ran_again ? json(others) : json()}};
    }

private:
    uint64_t offset(uint64_t number) const
    {
        const uint64_t element = number / components_;
        return array_.offset_of(static_cast<uint32_t>(element / array_.cols),
                                static_cast<uint32_t>(element % array_.cols)) +
               number % components_ * (array_.element_bytes / components_);
    }
    std::optional<double> at(uint64_t number, recording::Moment moment) const
    {
        return recording::value_at(recording_, values_, moment, offset(number));
    }
    bool differs(uint64_t number, recording::Moment moment) const // compares the bits with those after the launch
    {
        const uint64_t bytes = array_.element_bytes / components_, first = offset(number);
        const std::span<const uint8_t> after = recording::bytes_at(values_, recording::Moment::after),
                                       other = recording::bytes_at(values_, moment);
        return first + bytes <= after.size() &&
               !std::ranges::equal(after.subspan(first, bytes), other.subspan(first, bytes));
    }

    const recording::Recording& recording_;
    const recording::Values& values_;
    const recording::Array& array_;
    uint32_t components_;
};

std::vector<KeptArray> kept_arrays(const recording::Recording& r, const std::string& name)
{
    std::vector<KeptArray> kept;
    std::string names;
    if (r.executed)
        for (const recording::Values& values : r.executed->values) {
            const std::string& one = r.arrays[values.array].name;
            names += fmt::format("{}{}", names.empty() ? "" : ", ", one);
            if (name == "all" || name == one)
                kept.emplace_back(r, values);
        }
    if (names.empty())
        throw kernels::Error(
            "This recording keeps no values: 'gemmscope trace' keeps them. Its notes say why, where it could not.");
    if (kept.empty())
        throw kernels::Error(fmt::format("This recording keeps no values of '{}', but of {}.", name, names));
    return kept;
}

// Returns a row for each value that the recording keeps. Without `whole` a long array has only its first and last rows.
Table table_of_values(const KeptArray& kept, bool whole)
{
    Table table("values",
                fmt::format("row | col{} | before | after | changed:?yes:-{}",
                            kept.numbers() > uint64_t{kept.array().rows} * kept.array().cols ? " | component" : "",
                            kept.ran_again() ? " | second_run" : ""));
    constexpr uint64_t few = 8, short_enough = 32;
    for (uint64_t number = 0; number < kept.numbers(); ++number) {
        if (!whole && kept.numbers() > short_enough && number == few)
            number = kept.numbers() - few;
        if (kept.is_kept(number))
            table.rows.push_back(kept.row(number));
    }
    return table;
}

} // namespace

json print_values(const recording::Recording& recording, const std::string& name, Output& out)
{
    Table arrays("arrays", "array:< | type:< | rows | cols | kept | changed | nan=NaN | least | most | "
                           "differ_in_second_run=differ in a second run");
    const std::vector<KeptArray> kept = kept_arrays(recording, name);
    for (const KeptArray& one : kept)
        arrays.rows.push_back(one.summary());
    json result = {{"arrays", arrays.rows}};
    out.print(std::move(arrays));
    out.say("Kept are the first {} bytes of an array at most; least and most are of the values after the launch.\n",
            recording::most_value_bytes);
    if (name == "all")
        return result;
    Table values = table_of_values(kept.front(), !out.is_text());
    result["values"] = values.rows;
    if (values.rows.size() < kept.front().numbers())
        out.say("The first and the last of {} values; --csv and --json have all that are kept.\n",
                kept.front().numbers());
    out.print(std::move(values));
    return result;
}

namespace {

struct InfoOptions {
    std::filesystem::path file; // a recording; empty: describe this machine's GPU
    bool measure = false, steps = false;
    std::string values; // the name of an array, or "all"; empty: none
    WorkerChoice worker;
};

void fields(OptionList& option, InfoOptions& options)
{
    option("file", options.file, "a recording");
    option("--measure", options.measure, "measure the GPU's latencies, bandwidths and arithmetic peaks");
    option("--steps", options.steps, "each access of the blocks recorded in full, and what it costs");
    option("--values", options.values, "what a buffer held before and after the launch: its name, or all",
           typed("NAME"));
    worker_options(option, options.worker);
}

int info(const InfoOptions& options, Output& out)
{
    if (options.measure && !options.file.empty())
        throw kernels::Error("--measure is for this machine's GPU; leave out the recording.");
    if (options.file.empty() && (options.steps || !options.values.empty()))
        throw kernels::Error("--steps and --values are for a recording; name its file.");
    if (options.file.empty())
        return show_gpu(options.worker, options.measure, out);
    const recording::Recording recording = recording::read(options.file);
    if (options.steps) {
        Table steps = steps_of(recording);
        if (steps.rows.empty())
            throw kernels::Error("This recording has no block in full, and so no single steps.");
        out.print(std::move(steps));
        return 0;
    }
    if (!options.values.empty()) {
        out.end(print_values(recording, options.values, out));
        return 0;
    }
    const json whole = to_json(recording);
    print(recording, whole, out);
    out.end(whole);
    return 0;
}

struct DiffOptions {
    std::filesystem::path file, other;
};

void fields(OptionList& option, DiffOptions& options)
{
    option("file", options.file, "a recording", required);
    option("other", options.other, "another", required);
}

int diff(const DiffOptions& options, Output& out)
{
    const std::vector<std::string> differences =
        recording::differences(recording::read(options.file), recording::read(options.other));
    Table table("differences", "difference=:<");
    for (const std::string& difference : differences)
        table.add({difference});
    if (differences.empty())
        out.say("equal, access by access\n");
    out.print(std::move(table));
    out.end(json{{"equal", differences.empty()}, {"differences", differences}});
    return differences.empty() ? 0 : 1;
}

} // namespace

const Subcommand record_command = {"record", "run a stage instrumented and keep what it did", declare<record_stage>};
const Subcommand info_command = {
    "info",
    "what a recording holds: launch, resources, totals per line; without one, what this machine's GPU is made of",
    declare<info>};
const Subcommand diff_command = {"diff", "compare two recordings, access by access", declare<diff>};

} // namespace app
