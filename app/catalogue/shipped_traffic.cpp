#include "app/catalogue/shipped_traffic.h"

#include "app/catalogue/shipped_file.h"
#include "app/cli/commands.h"
#include "app/session/counted_levels.h"
#include "app/session/inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

using nlohmann::json;

// Null: this GPU has no such counter.
std::optional<double> figure(const json& counted, const char* name, double most = HUGE_VAL)
{
    const json& value = counted.at(name);
    if (value.is_null())
        return std::nullopt;
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= most))
        throw kernels::Error(fmt::format("{} is {}", name, number));
    return number;
}

std::optional<ShippedCount> count_in(const json& row, const std::vector<kernels::Stage>& ladder)
{
    const auto stage = std::ranges::find(ladder, row.at("stage").get<std::string>(), &kernels::Stage::slug);
    if (stage == ladder.end())
        return std::nullopt;
    ShippedCount result{.slug = std::string(stage->slug), .parameters = {}, .figures = {}};
    try {
        result.parameters = parameters_of(row, *stage);
    } catch (const kernels::Error&) {
        return std::nullopt;
    }
    const kernels::Operation operation = stage->operation;
    const json& counted = row.at("only_counted");
    viz::HardwareFigures& figures = result.figures;
    figures.problem = kernels::used_part(operation, parse_size(row.at("size").get<std::string>(), {}, operation));
    figures.l1_hits = figure(counted, "l1_hit_rate", 1);
    figures.l2_hits = figure(counted, "l2_hit_rate", 1);
    figures.dram_read = figure(counted, "dram_read_bytes");
    figures.dram_written = figure(counted, "dram_write_bytes");
    figures.occupancy = figure(counted, "achieved_occupancy");
    figures.issued_per_cycle = figure(counted, "ipc");
    if (row.contains("counters")) {
        kernels::Counters sums;
        for (const auto& [name, value] : row.at("counters").items())
            sums.sums[name] = value.get<uint64_t>();
        add_levels(figures, sums);
    }
    figures.least_read = least_dram_bytes({&*stage, result.parameters, figures.problem});
    return result;
}

} // namespace

std::vector<viz::HardwareFigures> ShippedTraffic::of(std::string_view slug,
                                                     const kernels::ParameterValues& parameters) const
{
    std::vector<viz::HardwareFigures> found;
    for (const ShippedCount& row : rows)
        if (row.slug == slug && row.parameters == parameters)
            found.push_back(row.figures);
    std::ranges::sort(found, {}, &viz::HardwareFigures::least_read);
    return found;
}

ShippedTraffic read_shipped_traffic(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder)
{
    ShippedTraffic result;
    if (folder.empty())
        return {.rows = {}, .missing = "No counters of a GPU are shipped."};
    const auto take = [&](const json& file, const json& row) {
        const viz::Provenance from{.device = file.at("device").get<std::string>(),
                                   .date = row.value("date", file.at("date").get<std::string>())};
        if (std::optional<ShippedCount> count = count_in(row, ladder)) {
            count->figures.from = from;
            result.rows.push_back(std::move(*count));
        }
    };
    result.missing = read_shipped_rows(folder / "counters.json", {.list = "rows", .what = "counters of a GPU"}, take);
    return result;
}

} // namespace app
