#include "app/data/counters.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"
#include "app/data/metrics.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace app {

namespace {

using nlohmann::json;

struct InstructionsRow {
    std::vector<NamedCount> instructions;
    int readings = 1;
};
void fields(auto& visit, kernels::Like<InstructionsRow> auto& row)
{
    visit("instructions", row.instructions);
    visit("readings", row.readings, kernels::may_be_missing);
}

} // namespace

std::vector<NamedCount> with_names(const kernels::InstructionCounters& counters, const kernels::MachineCode& code)
{
    std::vector<NamedCount> result;
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (const kernels::InstructionCount* count = counters.at(kernel, one.address); count && one.op)
                result.push_back({*count, one.name, one.line});
    return result;
}

bool CountedRow::fits(const kernels::MachineCode& code) const
{
    const kernels::InstructionCounters counters = instructions();
    std::size_t accesses = 0;
    for (const kernels::KernelCode& kernel : code.kernels)
        accesses += static_cast<std::size_t>(
            std::ranges::count_if(kernel.instructions, [](const auto& one) { return one.op.has_value(); }));
    const std::vector<NamedCount> found = with_names(counters, code);
    return found.size() == accesses && std::ranges::equal(found, each, {}, &NamedCount::name, &NamedCount::name);
}

kernels::InstructionCounters CountedRow::instructions() const
{
    kernels::InstructionCounters result{.device = counters.device};
    for (const NamedCount& one : each)
        result.instructions.push_back(one.count);
    return result;
}

json to_json(const CountedLibrary& row)
{
    json result = to_named_json(row);
    result["size"] = kernels::size_name(row.problem, kernels::Operation::gemm);
    return result;
}

json to_json(const CountedRow& row, const kernels::Stage& stage)
{
    json result = to_named_json(CountedRowInFile{row});
    write_job(result, {&stage, row.parameters, row.problem});
    if (row.run != nullptr)
        result["run"] = to_json(*row.run);
    if (!row.each.empty())
        result["per_instruction"] = to_named_json(InstructionsRow{row.each, row.instruction_readings});
    return result;
}

std::optional<CountedRow> counted_row_from(const json& json, const Ladder& ladder)
{
    const std::optional<kernels::Job> job = job_in(json, ladder);
    if (!job)
        return std::nullopt;
    CountedRow row = from_named_json<CountedRowInFile>(json);
    const float alpha = row.problem.alpha, beta = row.problem.beta;
    row.slug = job->stage->slug;
    row.parameters = job->parameters;
    row.problem = job->problem;
    if (kernels::facts(job->stage->operation).is_scaled) { // other operations have no scales
        row.problem.alpha = alpha;
        row.problem.beta = beta;
    }
    if (const auto run = json.find("run"); run != json.end() && !run->is_null())
        row.run = std::make_shared<const recording::RunProfile>(run_profile_from(*run));
    if (auto each = field_of<std::optional<InstructionsRow>>(json, "per_instruction")) {
        row.each = std::move(each->instructions);
        row.instruction_readings = each->readings;
    }
    std::ranges::sort(row.each, {}, // look-ups need this order
                      [](const NamedCount& one) { return std::pair(one.count.kernel, one.count.address); });
    return row;
}

std::optional<CountedLibrary> counted_library_from(const json& json)
{
    const auto slug = field_of<std::string>(json, "stage");
    const kernels::Baseline* baseline = kernels::find_baseline(slug);
    if (baseline == nullptr || !baseline->needs_gpu())
        return std::nullopt;
    auto row = from_named_json<CountedLibrary>(json);
    const recording::Problem size = problem_in(json, kernels::Operation::gemm);
    row.problem = {.M = size.M, .N = size.N, .K = size.K, .alpha = row.problem.alpha, .beta = row.problem.beta};
    return row;
}

double least_dram_bytes(const kernels::Job& job)
{
    const kernels::OperandShapes shapes =
        kernels::device_shapes(job.stage->operation, kernels::types_of(job), job.problem);
    const bool reads_C = kernels::facts(job.stage->operation).is_scaled && job.problem.beta != 0;
    return static_cast<double>(shapes.A.bytes() + shapes.B.bytes() + (reads_C ? shapes.C.bytes() : 0));
}

viz::HardwareFigures hardware_figures(const kernels::Job& job, const kernels::Counters& counters)
{
    const LaunchFacts facts = facts_of(counters);
    const auto of = [&facts](std::string_view id) { return metric(id).of(facts).value(); };
    viz::HardwareFigures result{.problem = job.problem,
                                .l1_hits = of("l1_hit_rate"),
                                .l2_hits = of("l2_hit_rate"),
                                .dram_read = of("dram_read_bytes"),
                                .dram_written = of("dram_write_bytes"),
                                .occupancy = of("occupancy"),
                                .issued = of("instructions"),
                                .issued_per_cycle = of("issued_per_cycle"),
                                .load_sectors = of("global_load_sectors"),
                                .l2_sectors = of("l2_sectors"),
                                .shared_wavefronts = of("shared_load_wavefronts"),
                                .shared_store_wavefronts = of("shared_store_wavefronts"),
                                .memory_throughput = of("memory_throughput"),
                                .dram_throughput = of("dram_throughput"),
                                .nanoseconds = of("duration"),
                                .least_read = least_dram_bytes(job),
                                .executed = facts.figures.executed};
    for (const kernels::PipeCount& one : facts.figures.pipes)
        result.pipes.push_back({std::string(one.pipe), one.executed});
    return result;
}

const CountedRow* ShippedCounters::find(const kernels::Job& job) const
{
    const auto found = std::ranges::find_if(rows, [&](const CountedRow& row) {
        return row.slug == job.stage->slug && row.parameters == job.parameters && row.problem == job.problem;
    });
    return found == rows.end() ? nullptr : &*found;
}

recording::Reasons ShippedCounters::why_none() const
{
    return !missing.empty() ? missing : recording::Reasons{{recording::Missing::other_launch}};
}

recording::Provenance ShippedCounters::from_of(const kernels::Counters& counters, const std::string& date) const
{
    return {.how = recording::How::counted,
            .shipped = true,
            .device = counters.device.name,
            .date = date.empty() ? from.date : date};
}

recording::Provenance ShippedCounters::from_of(const CountedRow& row) const
{
    return from_of(row.counters, row.date);
}

recording::Provenance ShippedCounters::from_of(const CountedLibrary& row) const
{
    return from_of(row.counters, row.date);
}

std::vector<viz::HardwareFigures> ShippedCounters::of(const kernels::Stage& stage,
                                                      const kernels::ParameterValues& parameters) const
{
    std::vector<viz::HardwareFigures> found;
    for (const CountedRow& row : rows)
        if (row.slug == stage.slug && row.parameters == parameters) {
            found.push_back(hardware_figures({&stage, parameters, row.problem}, row.counters));
            found.back().from = from_of(row);
        }
    std::ranges::sort(found, {}, &viz::HardwareFigures::least_read);
    return found;
}

std::optional<viz::CountedRun> ShippedCounters::run_of(const kernels::Stage& stage,
                                                       const kernels::ParameterValues& parameters) const
{
    std::optional<viz::CountedRun> largest;
    for (const CountedRow& row : rows)
        if (row.run != nullptr && row.slug == stage.slug && row.parameters == parameters &&
            (!largest || least_dram_bytes({&stage, parameters, row.problem}) >
                             least_dram_bytes({&stage, parameters, largest->problem})))
            largest = {row.run, row.problem, from_of(row)};
    return largest;
}

ShippedCounters read_counters(const std::filesystem::path& folder, const Ladder& ladder)
{
    ShippedCounters result;
    result.missing = read_shipped(
        {.folder = folder, .name = "counters.json", .how = recording::How::counted},
        [&](const json&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const json& row) {
            if (std::optional<CountedRow> counted = counted_row_from(row, ladder))
                result.rows.push_back(std::move(*counted));
            else if (std::optional<CountedLibrary> library = counted_library_from(row))
                result.libraries.push_back(std::move(*library));
        });
    return result;
}

namespace {

using nlohmann::json;
using recording::RunInstruction;
using recording::RunProfile;
using recording::WarpSample;
using recording::WarpSamples;

constexpr uint32_t most_instructions = 1'000'000; // in all kernels of a stage together
constexpr std::size_t most_kernels = 2;           // per stage
constexpr uint32_t largest_line = 1u << 20;       // in a source
constexpr uint32_t instruction_bytes = 16;

// The following structs are the form of a profile in the file: columns with one entry per instruction.
struct Repeated { // run-length encoding of equal neighbors
    uint64_t times = 0, value = 0;
    static constexpr bool is_listed = true;
};

struct SampleColumns {
    WarpSamples samples;                   // without the individual samples
    std::vector<std::vector<uint64_t>> at; // [instruction, state, warps, state, warps, ...]
};
void fields(auto& visit, kernels::Like<SampleColumns> auto& columns)
{
    auto& samples = columns.samples;
    visit("states", samples.states);
    visit("cycles", samples.cycles, kernels::between(1u, std::numeric_limits<uint32_t>::max()));
    visit("launches", samples.launches, kernels::between(1, std::numeric_limits<int>::max()));
    visit("taken", samples.taken, kernels::any_count);
    visit("dropped", samples.dropped, kernels::any_count);
    visit("elsewhere", samples.elsewhere, kernels::any_count);
    visit("at", columns.at, kernels::any_count);
}

struct RunColumns {
    uint32_t source = 0;
    std::vector<std::string> names;            // each name once
    std::vector<uint32_t> address, name, line; // address and line of each instruction; name: index in names
    std::vector<std::size_t> kernel;           // kernel of each instruction; empty: all belong to kernel 0
    std::vector<Repeated> executed;
    std::optional<SampleColumns> samples;
};
void fields(auto& visit, kernels::Like<RunColumns> auto& columns)
{
    visit("source", columns.source);
    visit("names", columns.names);
    visit("address", columns.address, kernels::between(0u, most_instructions));
    visit("name", columns.name);
    visit("line", columns.line, kernels::between(0u, largest_line));
    visit("kernel", columns.kernel, kernels::between(std::size_t{0}, most_kernels - 1), kernels::unless_empty);
    visit("executed", columns.executed, kernels::any_count);
    visit("samples", columns.samples, kernels::unless_empty);
}

SampleColumns columns_of(const RunProfile& run)
{
    SampleColumns columns{.samples = *run.samples, .at = {}};
    const RunInstruction* before = nullptr;
    for (const WarpSample& one : run.samples->samples) {
        const RunInstruction* const instruction = run.at(one.kernel, one.address);
        if (instruction == nullptr)
            continue; // run_profile() contains all of them
        if (instruction != before)
            columns.at.push_back({static_cast<uint64_t>(instruction - run.instructions.data())});
        before = instruction;
        columns.at.back().insert(columns.at.back().end(), {one.state, one.warps});
    }
    return columns;
}

std::vector<uint64_t> executed_of(const std::vector<Repeated>& column, std::size_t length)
{
    std::vector<uint64_t> result;
    for (const Repeated& one : column) {
        if (one.times == 0 || one.times > length - result.size())
            throw kernels::Error("executed is of none, or of more instructions than there are");
        result.insert(result.end(), one.times, one.value);
    }
    if (result.size() != length)
        throw kernels::Error("executed is of fewer instructions than there are");
    return result;
}

WarpSamples samples_of(const SampleColumns& columns, const std::vector<RunInstruction>& instructions)
{
    using kernels::between, kernels::check_limits;
    WarpSamples result = columns.samples;
    for (const std::vector<uint64_t>& row : columns.at) {
        if (row.size() % 2 == 0 || row[0] >= instructions.size())
            throw kernels::Error("at has an entry that is of no instruction");
        const RunInstruction& one = instructions[row[0]];
        for (std::size_t i = 1; i + 1 < row.size(); i += 2) {
            check_limits("at", row[i], between(uint64_t{0}, std::max<std::size_t>(result.states.size(), 1) - 1));
            check_limits("at", row[i + 1], between(uint64_t{1}, kernels::largest_count));
            result.samples.push_back({one.kernel, one.address, static_cast<uint32_t>(row[i]), row[i + 1]});
        }
    }
    return result;
}

void require_length(const char* name, std::size_t length, std::size_t expected)
{
    if (length != expected)
        throw kernels::Error(fmt::format("{} has {} entries instead of {}", name, length, expected));
}

} // namespace

uint32_t source_checksum(const recording::Recording& recording)
{
    return crc32(recording.source().text);
}

json to_json(const RunProfile& run)
{
    RunColumns columns{.source = run.source};
    std::map<std::string, uint32_t> places;
    for (const RunInstruction& one : run.instructions) {
        const auto [place, added] = places.try_emplace(one.name, static_cast<uint32_t>(places.size()));
        if (added)
            columns.names.push_back(one.name);
        columns.kernel.push_back(one.kernel);
        columns.address.push_back(one.address / instruction_bytes);
        columns.name.push_back(place->second);
        columns.line.push_back(one.line);
        if (!columns.executed.empty() && columns.executed.back().value == one.executed)
            ++columns.executed.back().times;
        else
            columns.executed.push_back({1, one.executed});
    }
    if (run.instructions.empty() || run.instructions.back().kernel == 0)
        columns.kernel.clear();
    if (run.samples)
        columns.samples = columns_of(run);
    return to_named_json(columns);
}

RunProfile run_profile_from(const json& json)
{
    auto columns = from_named_json<RunColumns>(json);
    const std::size_t count = columns.address.size();
    if (count > most_instructions)
        throw kernels::Error(fmt::format("address has {} entries, more than {}", count, most_instructions));
    if (columns.kernel.empty())
        columns.kernel.resize(count);
    require_length("line", columns.line.size(), count);
    require_length("name", columns.name.size(), count);
    require_length("kernel", columns.kernel.size(), count);
    if (count > 0 && columns.names.empty())
        throw kernels::Error("names is empty");
    const std::vector<uint64_t> executed = executed_of(columns.executed, count);
    RunProfile run{.instructions = {}, .samples = {}, .source = columns.source};
    for (std::size_t i = 0; i < count; ++i) {
        kernels::check_limits("name", columns.name[i], kernels::between(std::size_t{0}, columns.names.size() - 1));
        run.instructions.push_back({.kernel = columns.kernel[i],
                                    .address = columns.address[i] * instruction_bytes,
                                    .name = columns.names[columns.name[i]],
                                    .line = columns.line[i],
                                    .executed = executed[i]});
    }
    if (columns.samples)
        run.samples = samples_of(*columns.samples, run.instructions);
    check(run);
    return run;
}

} // namespace app
