#include "app/catalogue/run_profile.h"

#include "app/catalogue/crc32.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace app {

namespace {

using nlohmann::json;
using recording::RunInstruction;
using recording::RunProfile;
using recording::WarpSample;
using recording::WarpSamples;

constexpr uint64_t most_instructions = 1'000'000;             // of all kernels of a stage
constexpr uint64_t most_kernels = 2, largest_line = 1u << 20; // of a stage; of a source
constexpr uint32_t instruction_bytes = 16;

// "executed": [[times, value], ...] of neighbours that are alike.
json runs_of(const std::vector<RunInstruction>& all)
{
    json runs = json::array();
    for (const RunInstruction& one : all)
        if (!runs.empty() && runs.back()[1] == one.executed)
            runs.back()[0] = runs.back()[0].get<uint64_t>() + 1;
        else
            runs.push_back({1, one.executed});
    return runs;
}

json samples_json(const RunProfile& run)
{
    const WarpSamples& samples = *run.samples;
    json at = json::array(); // [instruction, state, warps, state, warps, ...]
    const RunInstruction* before = nullptr;
    for (const WarpSample& one : samples.samples) {
        const RunInstruction* const instruction = run.at(one.kernel, one.address);
        if (instruction == nullptr)
            continue; // run_profile() has them all
        if (instruction != before)
            at.push_back({instruction - run.instructions.data()});
        before = instruction;
        at.back().push_back(one.state);
        at.back().push_back(one.warps);
    }
    return {{"states", samples.states}, {"cycles", samples.cycles},   {"launches", samples.launches},
            {"taken", samples.taken},   {"dropped", samples.dropped}, {"elsewhere", samples.elsewhere},
            {"at", std::move(at)}};
}

std::vector<std::string> texts(const Fields& fields, const char* name)
{
    std::vector<std::string> result;
    for (const json& one : fields.list(name)) {
        if (!one.is_string())
            throw kernels::Error(fmt::format("{} has an entry that is no text", name));
        result.push_back(one.get<std::string>());
    }
    return result;
}

std::vector<uint64_t> column(const Fields& run, const char* name, std::size_t length, uint64_t most)
{
    std::vector<uint64_t> result;
    for (const json& one : run.list(name))
        result.push_back(Fields::whole_of(one, name, 0, most));
    if (result.size() != length)
        throw kernels::Error(fmt::format("{} has {} entries instead of {}", name, result.size(), length));
    return result;
}

std::vector<uint64_t> executed_from(const Fields& run, std::size_t length)
{
    std::vector<uint64_t> result;
    for (const json& one : run.list("executed")) {
        if (!one.is_array() || one.size() != 2)
            throw kernels::Error("executed has an entry that is no pair");
        const uint64_t times = Fields::whole_of(one[0], "executed", 1, most_instructions);
        const uint64_t value = Fields::whole_of(one[1], "executed", 0, largest_count);
        if (times > length - result.size())
            throw kernels::Error("executed is of more instructions than there are");
        result.insert(result.end(), times, value);
    }
    if (result.size() != length)
        throw kernels::Error("executed is of fewer instructions than there are");
    return result;
}

WarpSamples samples_from(const Fields& fields, const std::vector<RunInstruction>& instructions)
{
    WarpSamples result{.states = texts(fields, "states"),
                       .samples = {},
                       .cycles = fields.whole<uint32_t>("cycles", 1),
                       .launches = fields.whole<int>("launches", 1),
                       .taken = fields.whole<uint64_t>("taken", 0, largest_count),
                       .dropped = fields.whole<uint64_t>("dropped", 0, largest_count),
                       .elsewhere = fields.whole<uint64_t>("elsewhere", 0, largest_count)};
    for (const json& row : fields.list("at")) {
        if (!row.is_array() || row.size() % 2 == 0 || instructions.empty())
            throw kernels::Error("at has an entry that is of no instruction");
        const RunInstruction& one = instructions[Fields::whole_of(row[0], "at", 0, instructions.size() - 1)];
        for (std::size_t i = 1; i + 1 < row.size(); i += 2) {
            const uint64_t state =
                Fields::whole_of(row[i], "at", 0, std::max<std::size_t>(result.states.size(), 1) - 1);
            result.samples.push_back({one.kernel, one.address, static_cast<uint32_t>(state),
                                      Fields::whole_of(row[i + 1], "at", 1, largest_count)});
        }
    }
    return result;
}

} // namespace

uint32_t source_checksum(const recording::Recording& recording)
{
    return crc32(recording.source().text);
}

json to_json(const RunProfile& run)
{
    std::map<std::string, std::size_t> places;
    json names = json::array(), kernel = json::array(), address = json::array(), name = json::array(),
         line = json::array();
    for (const RunInstruction& one : run.instructions) {
        const auto [place, added] = places.try_emplace(one.name, names.size());
        if (added)
            names.push_back(one.name);
        kernel.push_back(one.kernel);
        address.push_back(one.address / instruction_bytes);
        name.push_back(place->second);
        line.push_back(one.line);
    }
    json result = {{"source", run.source}, {"names", names}, {"address", address},
                   {"name", name},         {"line", line},   {"executed", runs_of(run.instructions)}};
    if (!run.instructions.empty() && run.instructions.back().kernel > 0)
        result["kernel"] = kernel; // without it all are of the first
    if (run.samples)
        result["samples"] = samples_json(run);
    return result;
}

RunProfile run_profile_from(const Fields& fields)
{
    RunProfile run{.instructions = {}, .samples = {}, .source = fields.whole<uint32_t>("source")};
    const std::vector<std::string> names = texts(fields, "names");
    const std::size_t count = fields.list("address").size();
    if (count > most_instructions)
        throw kernels::Error(fmt::format("address has {} entries, more than {}", count, most_instructions));
    const auto address = column(fields, "address", count, most_instructions),
               line = column(fields, "line", count, largest_line);
    const auto name = column(fields, "name", count, names.empty() ? 0 : names.size() - 1);
    const auto kernel =
        fields.has("kernel") ? column(fields, "kernel", count, most_kernels - 1) : std::vector<uint64_t>(count);
    const auto executed = executed_from(fields, count);
    if (count > 0 && names.empty())
        throw kernels::Error("names is empty");
    for (std::size_t i = 0; i < count; ++i)
        run.instructions.push_back({.kernel = kernel[i],
                                    .address = static_cast<uint32_t>(address[i]) * instruction_bytes,
                                    .name = names[name[i]],
                                    .line = static_cast<uint32_t>(line[i]),
                                    .executed = executed[i]});
    if (fields.has("samples"))
        run.samples = samples_from(Fields(fields.at("samples")), run.instructions);
    check(run);
    return run;
}

} // namespace app
