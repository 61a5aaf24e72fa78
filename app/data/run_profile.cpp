#include "app/data/run_profile.h"

#include "app/data/checksum.h"
#include "app/data/fields_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace app {

namespace {

using nlohmann::json;
using recording::RunInstruction;
using recording::RunProfile;
using recording::WarpSample;
using recording::WarpSamples;

constexpr uint32_t most_instructions = 1'000'000; // of all kernels of a stage together
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
    std::vector<std::size_t> kernel;           // of each instruction; empty: all belong to kernel 0
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
