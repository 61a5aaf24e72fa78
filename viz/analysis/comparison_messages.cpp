#include "viz/analysis/comparison_messages.h"

#include "viz/analysis/access.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/timeline.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

constexpr double worth_naming = 0.05;
constexpr std::size_t most_named = 2; // the bars show all of them

struct Moved {
    Measure measure = Measure::conflicts;
    double from = 0, to = 0;
    double size() const // size of the change: equal for halving and doubling; values that appear or vanish rank first
    {
        return from == 0 || to == 0 ? 1e9 + std::abs(to - from) : std::abs(std::log(to / from));
    }
};

// Returns the costs that changed in one direction, the largest change first.
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

// Returns "bank conflicts from 4.15 to 0, shared wavefronts from 10.5 to 6.35 (-40%)".
Rich list_of(const std::vector<Moved>& all)
{
    std::vector<Rich> list;
    for (const Moved& one : all)
        list.push_back(rich("{} from **{}** to **{}**{}", info(one.measure).unit, as_value(one.from), as_value(one.to),
                            one.from != 0 && one.to != 0 ? rich(" ({})", change_of(one.from, one.to)) : Rich()));
    return listed(std::move(list));
}

Rich speed_of(const ComparedRung& rung)
{
    const auto& of_cublas = rung.speed.of_cublas;
    return rich("{} **{}** GFLOPS{}", rung.slug, number(*rung.speed.gflops),
                of_cublas ? rich(" ({} of cuBLAS in the same run)", share(*of_cublas)) : Rich());
}

Rich verdict_on(double ratio)
{
    if (std::abs(ratio - 1) <= same_speed)
        return rich("**as fast**");
    return ratio > 1 ? rich("**{} times as fast**", with_decimals(ratio, 2))
                     : rich("takes **{} times as long**", with_decimals(1 / ratio, 2));
}

std::string_view work_of(const ComparedRung& rung)
{
    switch (computes(rung.recording)) {
    case Computes::products: return "multiplies matrices";
    case Computes::sums: return "adds vectors";
    case Computes::unknown: return "is traced, and its trace does not say what it computes";
    case Computes::neither: break;
    }
    return "reads no A and B";
}

Rich different_work(const ComparedRung& first, const ComparedRung& second)
{
    const bool unknown =
        computes(first.recording) == Computes::unknown || computes(second.recording) == Computes::unknown;
    std::vector<Rich> said{
        rich("{}: {} {}, {} {}.",
             unknown ? "Whether they compute the same is not known" : "They compute different things", first.slug,
             work_of(first), second.slug, work_of(second)),
        rich("So neither their speeds nor what they do per multiplication is compared.")};
    for (const ComparedRung* rung : {&first, &second})
        if (rung->speed.gflops)
            said.push_back(rich("{} ({}).", speed_of(*rung), how_had(rung->speed.gflops.from())));
    return joined(std::move(said));
}

Rich speeds(const ComparedRung& first, const ComparedRung& second)
{
    if (!first.speed.gflops || !second.speed.gflops) {
        const ComparedRung& unknown = first.speed.gflops ? second : first;
        return rich("How fast {} is, is not known: {}.", unknown.slug, in_short(unknown.speed.gflops.missing()));
    }
    const Rich origin = how_had(first.speed.gflops.from());
    if (first.speed.here() != second.speed.here())
        return rich("Their speeds are not from one place, so they are not compared: {} for {}, {} for {}.", origin,
                    first.slug, how_had(second.speed.gflops.from()), second.slug);
    return rich("{}, {}: {} ({}).", speed_of(first), speed_of(second),
                verdict_on(*first.speed.gflops / *second.speed.gflops), origin);
}

// `faster` is 1, -1 for slower, and 0 for equal or unknown.
Rich costs(const ComparedRung& first, const ComparedRung& second, int faster)
{
    const std::vector<Moved> fell = moved(first, second, false), grew = moved(first, second, true);
    const bool launch = compared_per(first.recording, second.recording) == Per::launch;
    const char* const scale = launch ? "in the whole launch" : "per 1,000 multiplications";
    std::vector<Rich> said;
    if (!fell.empty())
        said.push_back(rich("What fell, {}: {}.", scale, list_of(fell)));
    if (!fell.empty() && faster < 0)
        said.push_back(rich("Yet it is slower."));
    if (!grew.empty())
        said.push_back(rich("What grew, {}: {}.", scale, list_of(grew)));
    else if (fell.empty() && !launch)
        said.push_back(rich("Per multiplication, no counted figure changed by more than {}.", share(worth_naming)));
    else if (!fell.empty() && faster < 0)
        said.push_back(rich("No counted figure grew."));
    if (grew.empty() && (fell.empty() ? faster != 0 && !launch : faster < 0))
        said.push_back(rich("The reason lies elsewhere: in the order of the steps, or in the compiler's code."));
    return joined(std::move(said));
}

// Returns nothing if both recordings are representative of their kernels.
std::vector<Rich> mostly_edge(const ComparedRung& first, const ComparedRung& second)
{
    std::vector<Rich> said;
    for (const ComparedRung* rung : {&first, &second})
        if (const UsefulWork& work = rung->figures.work; work.mostly_edge())
            said.push_back(rich("> At {} **{}** of what the tiles of {} compute lies outside C. So no cost is compared "
                                "per multiplication. At {} all of it lies inside.",
                                size_words(rung->recording.problem), share(1 - work.share), rung->slug,
                                size_words(recording::whole_problem(work.tiles))));
    return said;
}

Rich occupancy(const ComparedRung& first, const ComparedRung& second, int faster)
{
    const auto from = second.figures[Measure::occupancy], to = first.figures[Measure::occupancy];
    if (!from || !to || *from == *to || faster == 0)
        return {};
    const bool rose = *to > *from;
    const Rich change = rich("Occupancy {} from **{}** to **{}**", rose ? "rose" : "fell", share(*from), share(*to));
    if (rose == (faster > 0))
        return rich("{}.", change);
    const auto before = second.figures[Measure::results_per_thread], now = first.figures[Measure::results_per_thread];
    return joined(
        {rich("{}, and it is {} all the same: occupancy is not speed.", change, faster > 0 ? "faster" : "slower"),
         !rose && before && now && *now > *before
             ? rich("Each thread now keeps **{}** results in registers instead of **{}**.", as_value(*now),
                    as_value(*before))
             : Rich()});
}

// Returns what a rung moves that is in no lane's addresses, and therefore not in its wavefronts, requests and sectors.
Value::List uncounted(const Recording& recording)
{
    bool operands = false;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            operands = operands || std::ranges::any_of(warp.accesses, reads_tile_itself);
    Value::List list;
    if (has_op(recording, Op::bulk_load))
        list.emplace_back("what TMA copies");
    if (operands)
        list.emplace_back("what the tensor cores read from shared memory themselves");
    if (has_op(recording, Op::tile_load))
        list.emplace_back("WMMA's loads and stores of fragments");
    // If all blocks of the launch are recorded, the wavefronts include these writes.
    if (has_op(recording, Op::async_store) && recording.blocks.size() != recording.launch.grid.volume())
        list.emplace_back("what asynchronous copies write to shared memory");
    return list;
}

void add_reservations(std::vector<Rich>& said, const ComparedRung& rung)
{
    const recording::Problem& p = rung.recording.problem;
    for (const bool rows : {true, false})
        if (const int extent = parameter_of(rung.recording.parameters, rows ? "BM" : "BN").value_or(0);
            extent > 0 && (rows ? p.M : p.N) % static_cast<uint32_t>(extent) != 0)
            said.push_back(
                rich("> At {} the tiles of {}, {} {}, reach out of C. Their work there is counted too, but is "
                     "no multiplication.",
                     size_words(p), rung.slug, extent, rows ? "rows high" : "columns wide"));
    if (const Value::List missing = uncounted(rung.recording); !missing.empty())
        said.push_back(rich("> Not counted for {}: {}.", rung.slug, missing));
    if (const auto writes = model::copy_writes(rung.recording); writes && writes->instructions > 0)
        said.push_back(
            rich("> Wavefronts and bank conflicts of {} include those of its asynchronous copies, when these "
                 "write to shared memory.",
                 rung.slug));
}

void add_layout_changes(std::vector<Rich>& changes, const recording::Array& old, const recording::Array& now)
{
    const std::string_view name = ring_name(now);
    if (old.rows != now.rows || old.cols != now.cols) {
        changes.push_back(rich("{} has {} × {} elements, not {} × {}", name, now.rows, now.cols, old.rows, old.cols));
        return;
    }
    uint64_t moved = 0;
    for (uint32_t row = 0; row < now.rows; ++row)
        for (uint32_t col = 0; col < now.cols; ++col)
            moved += now.offset_of(row, col) != old.offset_of(row, col) ? 1 : 0;
    if (moved > 0)
        changes.push_back(
            rich("{} of the {} elements of {} lie in another place", moved, uint64_t{now.rows} * now.cols, name));
    if (now.bytes != old.bytes)
        changes.push_back(rich("{} takes {} bytes instead of {}", name, now.bytes, old.bytes));
}

} // namespace

Rich what_it_bought(const ComparedRung& first, const ComparedRung& second)
{
    if (computes(first.recording) != computes(second.recording))
        return different_work(first, second);
    const double ratio = speed_ratio(first, second).value_or(1);
    const int faster = ratio > 1 + same_speed ? 1 : ratio < 1 - same_speed ? -1 : 0;
    const std::vector<Rich> edge = mostly_edge(first, second);
    std::vector<Rich> said{speeds(first, second), joined(edge)};
    if ((first.multiplies() && edge.empty()) || compared_per(first.recording, second.recording) == Per::launch)
        said.push_back(costs(first, second, faster));
    said.push_back(occupancy(first, second, faster));
    return joined(std::move(said));
}

std::optional<Rich> no_costs(const ComparedRung& first, const ComparedRung& second)
{
    for (const ComparedRung* rung : {&first, &second})
        if (computes(rung->recording) == Computes::unknown)
            return rich("A trace does not say what its kernel computes: nothing is compared per multiplication.");
    if (!first.multiplies() || !second.multiplies())
        return rich("{} {}, {} {}: nothing is compared per multiplication.", first.slug, work_of(first), second.slug,
                    work_of(second));
    const std::vector<Rich> edge = mostly_edge(first, second);
    return edge.empty() ? std::nullopt : std::optional(edge.front());
}

Rich reservations(const ComparedRung& first, const ComparedRung& second)
{
    std::vector<Rich> said;
    const auto bytes = [](const ComparedRung& rung) {
        return rung.recording.arrays.empty() ? 0 : rung.recording.arrays[0].element_bytes;
    };
    if (first.multiplies() && second.multiplies() && bytes(first) != bytes(second))
        said.push_back(
            rich("> They do not multiply the same numbers: elements of A and B have {} bytes in {}, {} in {}.",
                 bytes(first), first.slug, bytes(second), second.slug));
    add_reservations(said, first);
    add_reservations(said, second);
    return joined(std::move(said));
}

std::vector<Rich> setting_changes(const Recording& before, const Recording& after)
{
    std::vector<Rich> changes;
    for (const recording::Parameter& now : after.parameters) {
        if (now.name == "TYPE") // a number without meaning to the reader; element sizes show the type
            continue;
        if (const auto old = parameter_of(before.parameters, now.name); old && *old != now.value)
            changes.push_back(rich("{} {} instead of {}", now.name, index(now.value), index(*old)));
    }
    return changes;
}

std::vector<Rich> layout_changes(const Recording& before, const Recording& after)
{
    std::vector<Rich> changes;
    std::set<std::string_view> done; // the stages of a ring are equal
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
