#include "app/catalogue/warps.h"

#include "app/catalogue/fields_json.h"

#include "gemm/size.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace app {

namespace {

using nlohmann::json;
using recording::Op;
using recording::TimedStep;
using recording::TimedWarp;
using recording::WarpTimes;

constexpr uint32_t most_blocks = 64; // of an SM

// What steps do where, each pair of them once: thousands of steps are of a few kinds.
class Kinds {
public:
    std::size_t of(const TimedStep& step)
    {
        const auto [found, added] = numbers_.try_emplace({step.op, step.array, step.line}, numbers_.size());
        if (added)
            list_.push_back({static_cast<int>(step.op), step.array, step.line});
        return found->second;
    }
    const json& list() const { return list_; }

private:
    std::map<std::tuple<Op, uint8_t, uint32_t>, std::size_t> numbers_;
    json list_ = json::array();
};

TimedStep kind_from(const json& kind)
{
    if (!kind.is_array() || kind.size() != 3)
        throw kernels::Error("a kind of step has not three numbers");
    return {.op = static_cast<Op>(Fields::whole_of(kind[0], "an operation", 0, recording::op_count - 1)),
            .array = static_cast<uint8_t>(Fields::whole_of(kind[1], "an array", 0, 0xff)),
            .line = static_cast<uint32_t>(Fields::whole_of(kind[2], "a line", 0, 0xffffff))};
}

// Of each step: its kind, the cycles from the step before (or from the warp's begin), those of them that are the kernel's own.
json steps_json(const TimedWarp& warp, Kinds& kinds)
{
    json steps = json::array();
    uint64_t before = warp.begin;
    for (const TimedStep& step : warp.steps) {
        steps.push_back(kinds.of(step));
        steps.push_back(step.at - before);
        steps.push_back(step.since);
        before = step.at;
    }
    return steps;
}

void read_steps(const json::array_t& list, const std::vector<TimedStep>& kinds, TimedWarp& warp)
{
    if (list.size() % 3 != 0)
        throw kernels::Error("steps has not three numbers for each");
    uint64_t now = warp.begin;
    for (std::size_t i = 0; i < list.size(); i += 3) {
        const uint64_t kind = Fields::whole_of(list[i], "a step", 0, kinds.size() - 1);
        const uint64_t passed = Fields::whole_of(list[i + 1], "a step's cycles", 0, recording::any_time.most);
        TimedStep step = kinds[kind];
        step.at = now += passed;
        step.since = static_cast<uint32_t>(Fields::whole_of(list[i + 2], "a step's own cycles", 0, passed));
        warp.steps.push_back(step);
    }
    if (now + warp.after > warp.end)
        throw kernels::Error("a warp ends before its last step");
}

TimedWarp warp_from(const Fields& row, const std::vector<TimedStep>& kinds)
{
    TimedWarp warp;
    FieldReader visit(row.json());
    fields_without_steps(visit, warp);
    if (kinds.empty() && !row.list("steps").empty())
        throw kernels::Error("kinds is empty");
    read_steps(row.list("steps"), kinds, warp);
    return warp;
}

// Nothing where the ladder has no such stage, or not with these parameters. Throws kernels::Error where something is missing, or
// where times cannot be so.
std::optional<WarpTimes> warp_times_from(const Fields& row, const Ladder& ladder)
{
    const kernels::Stage* stage = stage_named(ladder, row.text("stage"));
    const auto parameters = stage == nullptr ? std::nullopt : parameters_in(row, *stage);
    if (!parameters)
        return std::nullopt;
    WarpTimes result;
    FieldReader visit(row.json());
    fields_of_launch(visit, result);
    for (const recording::Resources* launched : {&result.plain, &result.probed})
        if (launched->blocks_per_sm < 1 || launched->blocks_per_sm > most_blocks)
            throw kernels::Error(fmt::format("blocks_per_sm is not a whole number from 1 to {}", most_blocks));
    result.stage = stage->slug;
    result.parameters = kernels::named(*stage, *parameters);
    result.problem = problem_in(row, stage->operation);
    std::vector<TimedStep> kinds;
    for (const json& kind : row.list("kinds"))
        kinds.push_back(kind_from(kind));
    for (const json& warp : row.list("warps"))
        result.warps.push_back(warp_from(Fields(warp), kinds));
    if (result.warps.empty())
        throw kernels::Error("warps is empty");
    return result;
}

} // namespace

json to_json(const WarpTimes& times, const kernels::Stage& stage)
{
    Kinds kinds;
    json warps = json::array();
    for (const TimedWarp& warp : times.warps) {
        json& row = warps.emplace_back(json::object());
        FieldWriter visit(row);
        fields_without_steps(visit, warp);
        row["steps"] = steps_json(warp, kinds);
    }
    kernels::ParameterValues values;
    for (const recording::Parameter& parameter : times.parameters)
        values.push_back(parameter.value);
    json result = json::object();
    FieldWriter visit(result);
    fields_of_launch(visit, times);
    result.update({{"stage", times.stage},
                   {"parameters", parameters_json(stage, values)},
                   {"size", kernels::size_name(times.problem, stage.operation)},
                   {"kinds", kinds.list()},
                   {"warps", std::move(warps)}});
    return result;
}

viz::WatchedStages read_warps(const std::filesystem::path& folder, const Ladder& ladder)
{
    viz::WatchedStages result;
    result.missing = read_shipped(
        {.folder = folder, .name = "warps.json", .how = recording::How::recorded},
        [&](const Fields&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const Fields& row) {
            if (std::optional<WarpTimes> times = warp_times_from(row, ladder))
                result.rows.push_back(std::move(*times));
        });
    return result;
}

} // namespace app
