#include "app/catalogue/counter_file.h"

#include "app/catalogue/shipped_file.h"
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using nlohmann::json;

kernels::Counters counters_of(const json& row)
{
    kernels::Counters counters;
    for (const auto& [name, sum] : row.at("counters").items())
        counters.sums[name] = sum.get<uint64_t>();
    counters.resources.registers_per_thread = row.at("registers_per_thread").get<uint32_t>();
    counters.device.name = row.at("device").get<std::string>();
    counters.device.toolkit = row.at("toolkit").get<std::string>();
    counters.device.max_threads_per_sm = row.at("max_threads_per_sm").get<uint32_t>();
    counters.launches = row.at("launches").get<int>();
    counters.passes = row.at("passes").get<int>();
    return counters;
}

void read_instructions(const json& list, ShippedCounters& result)
{
    kernels::InstructionCounters& counters = result.instructions.emplace();
    counters.device = result.counters.device;
    for (const json& one : list) {
        const auto kernel = one.at("kernel").get<std::size_t>();
        const auto address = one.at("address").get<uint32_t>();
        counters.instructions.push_back({kernel, address, one.at("executed").get<uint64_t>(),
                                         one.at("shared_wavefronts").get<uint64_t>(),
                                         one.at("global_sectors").get<uint64_t>()});
        result.names[{kernel, address}] = one.at("name").get<std::string>();
    }
    const auto place = [](const kernels::InstructionCount& one) { return std::pair(one.kernel, one.address); };
    std::ranges::sort(counters.instructions, {}, place); // as it is looked for
}

} // namespace

json to_json(const kernels::Counters& counters)
{
    json sums = json::object();
    for (const auto& [name, sum] : counters.sums)
        sums[name] = sum;
    return {{"device", counters.device.name},
            {"toolkit", counters.device.toolkit},
            {"max_threads_per_sm", counters.device.max_threads_per_sm},
            {"launches", counters.launches},
            {"passes", counters.passes},
            {"registers_per_thread", counters.resources.registers_per_thread},
            {"counters", sums}};
}

json to_json(const kernels::InstructionCounters& counters, const kernels::MachineCode& code)
{
    json list = json::array();
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (const kernels::InstructionCount* count = counters.at(kernel, one.address); count && one.op)
                list.push_back({{"kernel", kernel},
                                {"address", one.address},
                                {"name", one.name},
                                {"line", one.line},
                                {"executed", count->executed},
                                {"shared_wavefronts", count->shared_wavefronts},
                                {"global_sectors", count->global_sectors}});
    return list;
}

json to_json_of(const kernels::Job& job)
{
    json parameters = json::object();
    for (const recording::Parameter& one : kernels::named(*job.stage, job.parameters)) {
        const std::string value = kernels::value_text(one.name, one.value); // a type has a name
        parameters[one.name] = value == std::to_string(one.value) ? json(one.value) : json(value);
    }
    return {{"stage", job.stage->slug},
            {"parameters", parameters},
            {"size", size_name(job.problem, job.stage->operation)},
            {"alpha", job.problem.alpha},
            {"beta", job.problem.beta}};
}

bool ShippedCounters::fits(const kernels::MachineCode& code) const
{
    std::size_t found = 0;
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (one.op) {
                const auto name = names.find({kernel, one.address});
                if (name == names.end() || name->second != one.name)
                    return false;
                ++found;
            }
    return found == names.size();
}

ReadCounters read_shipped_counters(const std::filesystem::path& folder, const kernels::Job& job)
{
    if (folder.empty())
        return {.counters = {}, .missing = "No counters of a GPU are shipped."};
    ReadCounters read;
    const json wanted = to_json_of(job);
    const auto take = [&](const json& file, const json& row) {
        if (!std::ranges::all_of(wanted.items(), [&](const auto& one) { return row.at(one.key()) == one.value(); }))
            return;
        ShippedCounters result{.counters = counters_of(row), .instructions = {}, .names = {}, .words = {}};
        result.words =
            fmt::format("{}, {}", result.counters.device.name, row.value("date", file.at("date").get<std::string>()));
        result.readings = row.value("readings", 1);
        if (row.contains("per_instruction") && !row.at("per_instruction").at("instructions").empty()) {
            read_instructions(row.at("per_instruction").at("instructions"), result);
            result.instruction_readings = row.at("per_instruction").value("readings", 1);
        }
        read.counters = std::move(result);
    };
    read.missing = read_shipped_rows(folder / "counters.json", {.list = "rows", .what = "counters of a GPU"}, take);
    if (!read.counters && read.missing.empty())
        read.missing =
            "The shipped counters are of other sizes, scales or parameters of this stage, or of other stages.";
    return read;
}

} // namespace app
