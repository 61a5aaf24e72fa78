#include "viz/analysis/comparison_messages.h"

#include "viz/analysis/access.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/timeline.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

constexpr double worth_naming = 0.05;
constexpr std::size_t most_named = 2; // the bars show them all

struct Moved {
    Measure measure = Measure::conflicts;
    double from = 0, to = 0;
    double size() const // of the change, alike for halves and doubles; what appears or vanishes comes first
    {
        return from == 0 || to == 0 ? 1e9 + std::abs(to - from) : std::abs(std::log(to / from));
    }
};

// Costs that changed in one direction, the largest change first.
std::vector<Moved> moved(const ComparedRung& first, const ComparedRung& second, bool up)
{
    std::vector<Moved> list;
    for (std::size_t i = 0; i < measure_count; ++i) {
        const auto measure = static_cast<Measure>(i);
        const auto from = second.figures[measure], to = first.figures[measure];
        if (!info(measure).cost || is_ratio(measure) || !from || !to || (*to > *from) != up)
            continue;
        if (std::abs(*to - *from) > worth_naming * std::max(*from, *to))
            list.push_back({measure, *from, *to});
    }
    std::stable_sort(list.begin(), list.end(), [](const Moved& a, const Moved& b) { return a.size() > b.size(); });
    list.resize(std::min(list.size(), most_named));
    return list;
}

Value as_value(double figure)
{
    return figure == 0 ? Value(0) : Value(number(figure));
}

// "bank conflicts from 4.15 to 0, shared wavefronts from 10.5 to 6.35 (-40%)"
Value::List list_of(const std::vector<Moved>& all)
{
    Value::List list;
    for (const Moved& one : all) {
        Messages change;
        if (one.from != 0 && one.to != 0)
            change.push_back({"faster.change", {{"change", change_of(one.from, one.to)}}});
        list.emplace_back(Message{"faster.figure",
                                  {{"what", info(one.measure).unit},
                                   {"from", as_value(one.from)},
                                   {"to", as_value(one.to)},
                                   {"change", change}}});
    }
    return list;
}

Message speed_of(const ComparedRung& rung)
{
    Messages of_cublas;
    if (rung.speed.of_cublas)
        of_cublas.push_back({"faster.of_cublas", {{"share", share(*rung.speed.of_cublas)}}});
    return {"faster.speed", {{"stage", rung.slug}, {"gflops", number(*rung.speed.gflops)}, {"of_cublas", of_cublas}}};
}

Message verdict_on(double ratio)
{
    if (std::abs(ratio - 1) <= same_speed)
        return {"faster.as_fast"};
    if (ratio > 1)
        return {"faster.times_as_fast", {{"times", with_decimals(ratio, 2)}}};
    return {"faster.slower", {{"share", share(1 - ratio)}}};
}

Message work_of(const ComparedRung& rung)
{
    switch (computes(rung.recording)) {
    case Computes::products: return {"faster.products"};
    case Computes::sums: return {"faster.sums"};
    case Computes::unknown: return {"faster.trace"};
    case Computes::neither: break;
    }
    return {"faster.neither"};
}

Messages different_work(const ComparedRung& first, const ComparedRung& second)
{
    const bool unknown =
        computes(first.recording) == Computes::unknown || computes(second.recording) == Computes::unknown;
    Messages messages{{"faster.different_work",
                       {{"unknown", unknown},
                        {"first", first.slug},
                        {"first_work", work_of(first)},
                        {"second", second.slug},
                        {"second_work", work_of(second)}}}};
    for (const ComparedRung* rung : {&first, &second})
        if (rung->speed.gflops)
            messages.push_back(
                {"faster.speed_alone", {{"speed", speed_of(*rung)}, {"origin", how_had(rung->speed.gflops.from())}}});
    return messages;
}

Message speeds(const ComparedRung& first, const ComparedRung& second)
{
    if (!first.speed.gflops || !second.speed.gflops) {
        const ComparedRung& unknown = first.speed.gflops ? second : first;
        return {"faster.unknown_speed", {{"stage", unknown.slug}, {"why", in_short(unknown.speed.gflops.missing())}}};
    }
    if (first.speed.here() != second.speed.here())
        return {"faster.different_places",
                {{"first", first.slug},
                 {"first_origin", how_had(first.speed.gflops.from())},
                 {"second", second.slug},
                 {"second_origin", how_had(second.speed.gflops.from())}}};
    return {"faster.speeds",
            {{"first", speed_of(first)},
             {"second", speed_of(second)},
             {"verdict", verdict_on(*first.speed.gflops / *second.speed.gflops)},
             {"origin", how_had(first.speed.gflops.from())}}};
}

// `faster`: 1, -1 for slower, 0 for as fast or not known.
void add_costs(Messages& messages, const ComparedRung& first, const ComparedRung& second, int faster)
{
    const std::vector<Moved> fell = moved(first, second, false), grew = moved(first, second, true);
    const bool launch = compared_per(first.recording, second.recording) == Per::launch;
    if (launch && fell.empty() && grew.empty())
        return;
    if (fell.empty() && grew.empty()) {
        messages.push_back({"faster.no_change"});
        if (faster != 0)
            messages.push_back({"faster.reason_elsewhere"});
        return;
    }
    if (!fell.empty()) {
        messages.push_back({launch ? "faster.launch_fell" : "faster.fell", {{"figures", list_of(fell)}}});
        if (faster < 0)
            messages.push_back({"faster.yet_slower"});
    }
    if (!grew.empty()) {
        messages.push_back({launch ? "faster.launch_grew" : "faster.grew", {{"figures", list_of(grew)}}});
    } else if (faster < 0) {
        messages.push_back({"faster.nothing_grew"});
        messages.push_back({"faster.reason_elsewhere"});
    }
}

// Nothing where both tell of their kernels.
Messages mostly_edge(const ComparedRung& first, const ComparedRung& second)
{
    Messages messages;
    for (const ComparedRung* rung : {&first, &second})
        if (rung->figures.work.mostly_edge())
            messages.push_back({"faster.mostly_edge",
                                {{"stage", rung->slug},
                                 {"size", size_words(rung->recording.problem)},
                                 {"share", share(1 - rung->figures.work.share)},
                                 {"whole", size_words(recording::whole_problem(rung->figures.work.tiles))}}});
    return messages;
}

void add_occupancy(Messages& messages, const ComparedRung& first, const ComparedRung& second, int faster)
{
    const auto from = second.figures[Measure::occupancy], to = first.figures[Measure::occupancy];
    if (!from || !to || *from == *to || faster == 0)
        return;
    const bool rose = *to > *from;
    if (rose == (faster > 0)) {
        messages.push_back({"faster.occupancy", {{"rose", rose}, {"from", share(*from)}, {"to", share(*to)}}});
        return;
    }
    messages.push_back({"faster.occupancy_is_not_speed",
                        {{"rose", rose}, {"from", share(*from)}, {"to", share(*to)}, {"faster", faster > 0}}});
    const auto before = second.figures[Measure::results_per_thread], now = first.figures[Measure::results_per_thread];
    if (!rose && before && now && *now > *before)
        messages.push_back({"faster.results_in_registers", {{"now", as_value(*now)}, {"before", as_value(*before)}}});
}

// What a rung moves that no lane's addresses say, and that so is in none of its wavefronts, requests and sectors.
Value::List uncounted(const Recording& recording)
{
    bool operands = false;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            operands = operands || std::ranges::any_of(warp.accesses, reads_tile_itself);
    Value::List list;
    if (has_op(recording, Op::bulk_load))
        list.emplace_back(Message{"faster.bulk_copies"});
    if (operands)
        list.emplace_back(Message{"faster.operands"});
    if (has_op(recording, Op::tile_load))
        list.emplace_back(Message{"faster.fragments"});
    // Of a launch whose blocks are all recorded they are in the wavefronts.
    if (has_op(recording, Op::async_store) && recording.blocks.size() != recording.launch.grid.volume())
        list.emplace_back(Message{"faster.copies"});
    return list;
}

void add_reservations(Messages& messages, const ComparedRung& rung)
{
    const recording::Problem& p = rung.recording.problem;
    for (const bool rows : {true, false})
        if (const int extent = parameter_of(rung.recording.parameters, rows ? "BM" : "BN").value_or(0);
            extent > 0 && (rows ? p.M : p.N) % static_cast<uint32_t>(extent) != 0)
            messages.push_back({"faster.tile_beyond_c",
                                {{"size", size_words(p)}, {"stage", rung.slug}, {"extent", extent}, {"rows", rows}}});
    if (const Value::List missing = uncounted(rung.recording); !missing.empty())
        messages.push_back({"faster.not_counted", {{"stage", rung.slug}, {"what", missing}}});
    if (const auto writes = model::copy_writes(rung.recording); writes && writes->instructions > 0)
        messages.push_back({"faster.copies_counted", {{"stage", rung.slug}}});
}

void add_layout_changes(Messages& messages, const recording::Array& old, const recording::Array& now)
{
    const std::string_view name = ring_name(now);
    if (old.rows != now.rows || old.cols != now.cols) {
        messages.push_back({"faster.extent",
                            {{"array", name},
                             {"rows", now.rows},
                             {"cols", now.cols},
                             {"old_rows", old.rows},
                             {"old_cols", old.cols}}});
        return;
    }
    uint64_t moved = 0;
    for (uint32_t row = 0; row < now.rows; ++row)
        for (uint32_t col = 0; col < now.cols; ++col)
            moved += now.offset_of(row, col) != old.offset_of(row, col) ? 1 : 0;
    if (moved > 0)
        messages.push_back(
            {"faster.moved", {{"moved", moved}, {"elements", uint64_t{now.rows} * now.cols}, {"array", name}}});
    if (now.bytes != old.bytes)
        messages.push_back({"faster.tile_bytes", {{"array", name}, {"bytes", now.bytes}, {"before", old.bytes}}});
}

} // namespace

Messages what_it_bought(const ComparedRung& first, const ComparedRung& second)
{
    if (computes(first.recording) != computes(second.recording))
        return different_work(first, second);
    Messages messages{speeds(first, second)};
    const double ratio = speed_ratio(first, second).value_or(1);
    const int faster = ratio > 1 + same_speed ? 1 : ratio < 1 - same_speed ? -1 : 0;
    const Messages edge = mostly_edge(first, second);
    messages.insert(messages.end(), edge.begin(), edge.end());
    if ((first.multiplies() && edge.empty()) || compared_per(first.recording, second.recording) == Per::launch)
        add_costs(messages, first, second, faster);
    add_occupancy(messages, first, second, faster);
    return messages;
}

std::optional<Message> no_costs(const ComparedRung& first, const ComparedRung& second)
{
    for (const ComparedRung* rung : {&first, &second})
        if (computes(rung->recording) == Computes::unknown)
            return Message{"faster.work_not_said"};
    if (!first.multiplies() || !second.multiplies())
        return Message{"faster.no_costs",
                       {{"first", first.slug},
                        {"first_work", work_of(first)},
                        {"second", second.slug},
                        {"second_work", work_of(second)}}};
    const Messages edge = mostly_edge(first, second);
    return edge.empty() ? std::nullopt : std::optional(edge.front());
}

Messages reservations(const ComparedRung& first, const ComparedRung& second)
{
    Messages messages;
    const auto bytes = [](const ComparedRung& rung) {
        return rung.recording.arrays.empty() ? 0 : rung.recording.arrays[0].element_bytes;
    };
    if (first.multiplies() && second.multiplies() && bytes(first) != bytes(second))
        messages.push_back({"faster.element_sizes",
                            {{"bytes", bytes(first)},
                             {"first", first.slug},
                             {"other_bytes", bytes(second)},
                             {"second", second.slug}}});
    add_reservations(messages, first);
    add_reservations(messages, second);
    return messages;
}

Messages setting_changes(const Recording& before, const Recording& after)
{
    Messages changes;
    for (const recording::Parameter& now : after.parameters) {
        if (now.name == "TYPE") // a number that says nothing; the sizes of the elements do
            continue;
        if (const auto old = parameter_of(before.parameters, now.name); old && *old != now.value)
            changes.push_back(
                {"faster.setting", {{"name", now.name}, {"now", index(now.value)}, {"before", index(*old)}}});
    }
    return changes;
}

Messages layout_changes(const Recording& before, const Recording& after)
{
    Messages changes;
    std::set<std::string_view> done; // the stages of a ring are alike
    for (const recording::Array& now : after.arrays) {
        const auto old = std::ranges::find_if(before.arrays, [&](const recording::Array& array) {
            return array.name == now.name && array.space == now.space;
        });
        if (now.space == recording::Space::shared && old != before.arrays.end() && done.insert(ring_name(now)).second)
            add_layout_changes(changes, *old, now);
    }
    return changes;
}

} // namespace viz
