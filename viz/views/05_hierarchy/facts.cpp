#include "viz/views/05_hierarchy/facts.h"

#include "viz/analysis/values.h"
#include "viz/draw/matrix_picture.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace viz {

using recording::Index3;
using recording::warp_size;

namespace {

std::string extent(const Index3& index)
{
    if (index.z > 1)
        return fmt::format("{} x {} x {}", index.x, index.y, index.z);
    return index.y > 1 ? fmt::format("{} x {}", index.x, index.y) : fmt::format("{}", index.x);
}

std::string blocks_of(const recording::Launch& launch)
{
    return counted(launch.grid.volume(), "block");
}
std::string threads_of(const recording::Launch& launch)
{
    return counted(launch.threads_per_block(), "thread");
}

bool is_vectors(const recording::Recording& recording)
{
    return extent_of_c(recording).row == 1 && !recording.executed; // the indexing of other kernels is not known
}

// Returns whether it is known that the thread has no work. A thread that stores nothing may still work for others.
bool has_no_work(const LaunchSide& side, ThreadRef ref)
{
    return multiplies(*side.recording) && side.is_surplus(ref);
}

// Returns the elements of C that the thread writes: "C(3,5)", "64 of C". For a typed launch, returns the element by the
// usual mapping.
std::string element_words(const LaunchSide& side, ThreadRef ref)
{
    const Plan& plan = side.plan;
    if (!side.recording) {
        const Covered at = covered_by(plan.launch, ref.block, ref.thread, plan.swapped);
        return plan.block_wrap || plan.grid_wrap ? fmt::format("i = {}", at.col)
                                                 : fmt::format("({}, {})", at.row, at.col);
    }
    const std::vector<Cell> cells = ref == side.selected ? side.written : side.owned(ref);
    if (cells.empty())
        return side.is_unknown(ref.block)         ? "not recorded"
               : has_no_work(side, ref)           ? "surplus"
               : adds_atomically(*side.recording) ? "last at no element"
                                                  : "stores nothing";
    const std::string& output = side.recording->arrays[array_C].name;
    return cells.size() == 1 ? fmt::format("{}({},{})", output, cells[0].row, cells[0].col)
                             : fmt::format("{} of {}", cells.size(), output);
}

// If the kernel uses the usual mapping: returns how a thread's only element follows from its ids, "C(1·2+1, 1·4+3) =
// C(3,7)".
std::string element_by_arithmetic(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    std::string element = element_words(side, side.selected);
    const std::vector<Cell>& cells = side.written;
    if (cells.size() != 1 || !side.usual)
        return element;
    const Index3& threads = side.plan.launch.block;
    const std::string along_x = fmt::format("{}·{}+{}", block.x, threads.x, in_block.x);
    const std::string along_y = fmt::format("{}·{}+{}", block.y, threads.y, in_block.y);
    const std::string& name = side.recording->arrays[array_C].name;
    if (extent_of_c(*side.recording).row == 1) // the launch counts along x alone
        return fmt::format("{}({}) = {}({})", name, along_x, name, cells[0].col);
    return fmt::format("{}({}, {}) = {}", name, *side.usual ? along_x : along_y, *side.usual ? along_y : along_x,
                       element);
}

// Joins the parts with wide spaces.
Rich with_gaps(const std::vector<Rich>& parts)
{
    Rich all;
    for (const Rich& part : parts) {
        if (!all.empty())
            all.push_back({.kind = Run::Kind::gap});
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

// Describes the element of a thread in a typed launch.
Rich typed_element(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    const recording::Launch& launch = side.plan.launch;
    const bool swapped = side.plan.swapped;
    const Covered at = covered_by(launch, side.selected.block, side.selected.thread, swapped);
    const auto sum = [](uint64_t factor, uint64_t by, uint64_t rest) {
        return fmt::format("{} x {} + {} =", factor, by, rest);
    };
    const std::string along_x = sum(block.x, launch.block.x, in_block.x);
    const std::string along_y = sum(block.y, launch.block.y, in_block.y);
    if (launch.grid.y == 1 && launch.block.y == 1 && !swapped)
        return rich("element `{}`\u00a0**{}**", along_x, index(at.col));
    const uint64_t cols = covered_extent(launch, swapped).col;
    return with_gaps({rich("row `{}`\u00a0**{}**", swapped ? along_x : along_y, index(at.row)),
                      rich("column `{}`\u00a0**{}**", swapped ? along_y : along_x, index(at.col)),
                      rich("place in the matrix `{}`\u00a0**{}**", sum(at.row, cols, at.col), at.row * cols + at.col)});
}

Rich written_elements(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    const std::vector<Cell>& cells = side.written;
    const std::string& output = side.recording->arrays[array_C].name;
    if (cells.size() == 1)
        return rich("writes **{}**", element_name(output, cells));
    if (!cells.empty()) {
        const CellRect all = *bounds(cells);
        return rich("writes **{}** of {}, in rows {}-{} and columns {}-{}", counted(cells.size(), "element"), output,
                    index(all.row), index(all.row + all.rows - 1), index(all.col), index(all.col + all.cols - 1));
    }
    if (side.is_unknown(side.selected.block))
        return rich("what it stores was not recorded");
    if (!has_no_work(side, side.selected))
        return adds_atomically(*side.recording) ? rich("is the last one at no element of {}", output)
                                                : rich("stores no element of {}", output);
    // That the bounds check fails is known only for vectors with the usual mapping.
    if (!is_vectors(*side.recording) || side.usual != std::optional(false))
        return rich("**surplus**: no element of {} is left for it", output);
    const uint32_t threads = side.plan.launch.block.x;
    return rich(
        "**surplus**, as `{}` is not below {}",
        fmt::format("{} x {} + {} = {}", block.x, threads, in_block.x, uint64_t{block.x} * threads + in_block.x),
        side.recording->problem.N);
}

Plan recorded_plan(const recording::Recording& recording)
{
    return plan_of(recording.launch, counts_rows_by_x(recording), Wrapping::when_one_row);
}

struct Owners { // facts about the launch from its owners
    IdleThreads idle;
    std::optional<bool> usual;
};
Owners owners_of(const recording::Recording& recording)
{
    return {idle_threads(recording), usual_mapping(recording)};
}

Rich surplus_words(const Theme& theme, const LaunchSide& side)
{
    const std::string& output = side.recording->arrays[array_C].name;
    if (!side.idle)
        return rich("Looking for surplus threads ...");
    const uint64_t total = side.idle->total, recorded = side.recording->blocks.size();
    if (side.idle->known == OwnersKnown::none)
        return rich("Which thread stores an element of {} is not known: this trace has no stores by TMA.", output);
    if (side.idle->known == OwnersKnown::of_recorded_blocks)
        return rich("{}**{}** not recorded: what they store is not known.", Swatch{unknown_colour(theme)},
                    counted(side.plan.launch.grid.volume() - recorded, "block"));
    if (side.idle->work_for_others && adds_atomically(*side.recording))
        return rich("Several threads can add to one element of {} by atomic operations; shown is the last one.",
                    output);
    if (side.idle->work_for_others)
        return rich("Not all of them store elements of {}: some copy for others{}.", output,
                    multiplies(*side.recording) ? ", or add up a slice of K" : "");
    if (total == 0)
        return rich("Every thread has an element: none is surplus.");
    if (!multiplies(*side.recording))
        return rich("**{}** {} no element of {}: they work for others, or a guard holds them back.",
                    counted(total, "thread"), total == 1 ? "stores" : "store", output);
    return rich("{}**{}** {} surplus: outside C the guard holds them back, and they only wait for their warp.",
                Swatch{mix(theme.background, theme.warning, 0.25f)}, Value(total).as(Meaning::conflict),
                total == 1 ? "thread is" : "threads are");
}

// Describes the launch and its surplus threads.
Rich launch_words(const Theme& theme, const LaunchSide& side)
{
    const recording::Launch& launch = side.plan.launch;
    const uint32_t threads = launch.threads_per_block();
    Rich all = rich("**{}** of **{}**, together **{}**.", blocks_of(launch), threads_of(launch),
                    counted(launch.grid.volume() * threads, "thread"));
    if (!side.recording)
        return joined({std::move(all), rich("Typed by hand: computed, not recorded.")});
    const recording::Problem& problem = side.recording->problem;
    Rich covered = is_vectors(*side.recording)
                       ? rich("Each adds one of {} elements: {} / {} is {}, so {} {} needed.", problem.N, problem.N,
                              threads, with_decimals(static_cast<double>(problem.N) / threads, 2), blocks_of(launch),
                              launch.grid.volume() == 1 ? "is" : "are")
                       : rich("They compute the {} x {} elements of {}{}.", problem.M, problem.N,
                              side.recording->arrays[array_C].name,
                              is_guessed(*side.recording, side.recording->arrays[array_C]) ? ", a guessed shape" : "");
    return joined({std::move(all), std::move(covered),
                   side.plan.swapped ? rich("Here x counts *rows* of C: it runs downwards.") : Rich(),
                   surplus_words(theme, side)});
}

// Describes whether a block fills its warps.
Rich warp_words(const LaunchSide& side)
{
    const uint32_t rest = side.plan.launch.threads_per_block() % warp_size;
    std::vector<Rich> all = {rich("32 threads with neighbouring numbers (x counts first, then y, then z) are a warp "
                                  "and run together. A block here has **{}**.",
                                  counted(side.plan.launch.warps_per_block(), "warp"))};
    if (rest > 0)
        all.push_back(rich("Its last warp has **{}**: the other lanes are empty, and no other block can use them.",
                           Value(counted(rest, "thread")).as(Meaning::conflict)));
    if (side.plan.block_wrap != 0)
        all.push_back(rich("A block is one row of threads, drawn as one row for each warp."));
    return joined(std::move(all));
}

// For a typed launch: describes what a warp touches with x along the columns, and with x along the rows.
Rich swap_words(const LaunchSide& side)
{
    const recording::Launch& launch = side.plan.launch;
    const bool swapped = side.plan.swapped;
    const uint32_t warp = side.warp(), end = std::min((warp + 1) * warp_size, launch.threads_per_block());
    std::vector<Cell> places;
    for (uint32_t thread = warp * warp_size; thread < end; ++thread) {
        const Covered at = covered_by(launch, side.selected.block, thread, swapped);
        places.push_back({static_cast<uint32_t>(at.row), static_cast<uint32_t>(at.col)});
    }
    const CellRect rect = bounds(places).value_or(CellRect{});
    const Covered all = covered_extent(launch, swapped);
    const int now = sectors_of_warp(launch, side.selected.block, warp, swapped);
    const int other = sectors_of_warp(launch, side.selected.block, warp, !swapped);
    return joined({rich("Warp {} covers **{}** by **{}** of a matrix of {} x {}, row after row in memory.", index(warp),
                        counted(rect.rows, "row"), counted(rect.cols, "column"), all.row, all.col),
                   rich("If each thread reads its float, that is **{}** of 32 bytes; with x and y swapped **{}**{}.",
                        counted(static_cast<uint64_t>(now), "sector"), other, now == other ? ", the same" : ""),
                   now == other ? Rich() : rich("A warp should run along a row.")});
}

Rich not_recorded()
{
    return rich(
        "> Not recorded in full: its ids follow by arithmetic, and the other views stay at the recorded block.");
}

} // namespace

Plan typed_plan(const recording::Launch& launch, bool swapped)
{
    const bool one_row = launch.grid.y == 1 && launch.grid.z == 1;
    return plan_of(launch, swapped, one_row ? Wrapping::when_one_row : Wrapping::never);
}

LaunchSide::LaunchSide(const Plan& typed, LaunchPlace& place)
    : plan(typed), camera(place.camera), selected(place.selected)
{
    selected = {std::min<uint64_t>(selected.block, plan.launch.grid.volume() - 1),
                std::min(selected.thread, plan.launch.threads_per_block() - 1)};
}

LaunchSide::LaunchSide(const StageColumn& stage, LaunchPlace& place) : LaunchSide(stage.memo<recorded_plan>(), place)
{
    column = &stage;
    recording = stage.recording.get();
    written = owned(selected);
    if (const auto* owners = stage.memo_later<owners_of>(recording->owner.size() <= elements_in_frame)) {
        idle = &owners->idle;
        usual = owners->usual;
    }
}

bool LaunchSide::is_surplus(ThreadRef ref) const
{
    const IdleSet* const set = idle_in(ref.block);
    return set != nullptr && set->idle[ref.thread];
}

bool LaunchSide::is_unknown(uint64_t block) const
{
    return idle != nullptr &&
           (idle->known == OwnersKnown::none || (idle->known == OwnersKnown::of_recorded_blocks &&
                                                 !recorded_block(*recording, static_cast<uint32_t>(block))));
}

std::string LaunchSide::name(const std::string& thing) const
{
    return column == nullptr ? thing : column->named(thing);
}

std::vector<Cell> LaunchSide::owned(ThreadRef ref) const
{
    if (!recording)
        return {};
    return cells_of_threads(column->memo<cells_of_block>(static_cast<uint32_t>(ref.block)), ref.thread, ref.thread + 1);
}

uint32_t products_of(const recording::Recording& recording)
{
    const bool vectors = recording.arrays.size() > 2 && recording.arrays[array_C].rows == 1;
    return multiplies(recording) && !vectors ? recording.arrays[array_A].cols : 0;
}

std::string result_name(const LaunchSide& side, const Cell& element)
{
    return element_name(side.recording->arrays[array_C].name, {element});
}

std::string result_value(const LaunchSide& side, const Cell& element, std::size_t elements)
{
    constexpr uint64_t few_products = 65'536; // largest number of products that are summed within a frame
    const uint32_t K = products_of(*side.recording);
    const auto sum = K > 0 && (elements == 1 || K * uint64_t{elements} <= few_products)
                         ? partial_sum(*side.recording, element, 0, K)
                         : std::nullopt;
    return sum ? short_value(*side.recording, *sum) : std::string();
}

Colour unknown_colour(const Theme& theme)
{
    return mix(theme.background, theme.ink, 0.12f);
}

Rich headline(const LaunchSide& side)
{
    const recording::Launch& launch = side.plan.launch;
    if (side.idle && side.idle->known == OwnersKnown::of_recorded_blocks)
        return rich("{} of {}, **{}** recorded", blocks_of(launch), threads_of(launch), side.recording->blocks.size());
    // In other kernels, a thread without a result may still work.
    const bool guarded = side.recording && multiplies(*side.recording);
    if (guarded && side.idle && !side.idle->work_for_others && side.idle->total > 0)
        return rich("{} of {}, {} surplus", blocks_of(launch), threads_of(launch),
                    Value(side.idle->total).as(Meaning::conflict));
    return rich("{} of {}, {}", blocks_of(launch), threads_of(launch),
                Value(counted(launch.warps_per_block(), "warp")).as(Meaning::strong));
}

std::array<PathStep, 5> path_steps(const LaunchSide& side)
{
    const recording::Launch& launch = side.plan.launch;
    const Index3 block_at = index_of(side.selected.block, launch.grid),
                 thread_at = index_of(side.selected.thread, launch.block);
    const std::string block = index_text(block_at, launch.grid), thread = index_text(thread_at, launch.block);
    const std::string element = element_words(side, side.selected), warp = fmt::format("warp {}", side.warp());
    return {{{"grid " + extent(launch.grid), extent(launch.grid)},
             {"block " + block, block},
             {warp, warp},
             {fmt::format("thread {}, lane {}", thread, side.lane()), thread},
             {side.recording ? element_by_arithmetic(side, block_at, thread_at) : element, element}}};
}

std::vector<std::string> thread_lines(const LaunchSide& side, ThreadRef ref, bool all)
{
    const recording::Launch& launch = side.plan.launch;
    const uint32_t thread = ref.thread, warp = thread / warp_size, lane = thread % warp_size;
    const std::string index = index_text(index_of(thread, launch.block), launch.block);
    if (!all)
        return {index, fmt::format("{}", thread), fmt::format("w{} l{}", warp, lane)};
    std::vector<std::string> lines = {"thread " + index, fmt::format("number {}", thread), fmt::format("warp {}", warp),
                                      fmt::format("lane {}", lane)};
    if (!side.recording || ref.block == side.selected.block) // elements of other blocks are not looked up
        lines.push_back(element_words(side, ref));
    return lines;
}

Rich path_words(const LaunchSide& side)
{
    const recording::Launch& launch = side.plan.launch;
    const uint32_t thread = side.selected.thread;
    const Index3 block = index_of(side.selected.block, launch.grid), in_block = index_of(thread, launch.block);
    Rich all = with_gaps(
        {rich("*Selected:* block **{}** = number `{}`", index_text(block, launch.grid),
              linear_text(block, launch.grid)),
         rich("thread **{}** = number `{}`", index_text(in_block, launch.block), linear_text(in_block, launch.block)),
         rich("warp `{} / 32 =`\u00a0**{}**", index(thread), side.warp()),
         rich("lane `{} mod 32 =`\u00a0**{}**", index(thread), side.lane()),
         side.recording ? written_elements(side, block, in_block) : typed_element(side, block, in_block)});
    for (Run& run : all)
        for (std::size_t i = 0; run.style == Style::code && (i = run.words.find(' ')) != std::string::npos;)
            run.words.replace(i, 1, "\u00a0"); // keeps a sum on one line
    return all;
}

std::vector<Rich> paragraphs(const Theme& theme, const LaunchSide& side)
{
    std::vector<Rich> all = {path_words(side), launch_words(theme, side), warp_words(side)};
    if (!side.recording)
        all.push_back(swap_words(side));
    else if (!recorded_block(*side.recording, static_cast<uint32_t>(side.selected.block)))
        all.push_back(not_recorded());
    return all;
}

Rich point_words(const LaunchSide& side, uint64_t block, std::optional<uint32_t> thread)
{
    const recording::Launch& launch = side.plan.launch;
    std::vector<Rich> all = {rich("Block {} is number {} of the grid.",
                                  index_text(index_of(block, launch.grid), launch.grid), index(block))};
    if (thread)
        all.push_back(rich("Its thread {} is number {}, warp {}, lane {}{}.",
                           index_text(index_of(*thread, launch.block), launch.block), index(*thread),
                           *thread / warp_size, *thread % warp_size,
                           side.is_surplus({block, *thread}) ? ", surplus" : ""));
    if (!side.recording || recorded_block(*side.recording, static_cast<uint32_t>(block)))
        return joined(std::move(all));
    return in_lines({joined(std::move(all)), not_recorded()});
}

Rich lane_words(const LaunchSide& side, uint32_t lane)
{
    const uint32_t thread = side.warp() * warp_size + lane;
    if (thread >= side.plan.launch.threads_per_block())
        return rich("lane {} of warp {} has no thread: the block ends before it", lane, side.warp());
    return rich("lane {} of warp {} is thread {}{}", lane, side.warp(), index(thread),
                side.is_surplus({side.selected.block, thread}) ? ", which is surplus" : "");
}

Rich result_words(const LaunchSide& side, const Cell& element)
{
    const std::string name = result_name(side, element);
    const uint32_t terms = products_of(*side.recording);
    return terms > 0 ? rich("{}, a sum of {}. Click to select it; z zooms to its sum.", name, counted(terms, "product"))
                     : rich("{}. Click to select it.", name);
}

PanZoom::Rect rect_of_cells(const Plan& plan, uint64_t block, const CellRect& cells)
{
    const PlanPoint corner = corner_of(plan, block);
    return {corner.x + cells.col, corner.y + cells.row, static_cast<double>(cells.cols),
            static_cast<double>(cells.rows)};
}

PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block)
{
    return rect_of_cells(plan, block, {0, 0, plan.rows, plan.cols});
}

PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef ref)
{
    std::optional<CellRect> all;
    for (const CellRect& rect : rects_of_warp(plan, ref.thread / warp_size)) {
        grow(all, {rect.row, rect.col});
        grow(all, {rect.row + rect.rows - 1, rect.col + rect.cols - 1});
    }
    return rect_of_cells(plan, ref.block, all.value_or(CellRect{}));
}

PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef ref)
{
    const Cell cell = cell_of_thread(plan, ref.thread);
    return rect_of_cells(plan, ref.block, {cell.row, cell.col});
}

namespace {

using HostDoing = HostInterval::Doing;

// Returns a name such as "copy in". The call that waits has its own name, "cudaDeviceSynchronize", because users must
// know it.
std::string step_name(const HostCall& call)
{
    if (call.step != HostStep::synchronize)
        return std::string(name(call.step));
    const std::string before = call.code.substr(0, call.code.find('('));
    const std::size_t space = before.find_last_of(" =:");
    return space == std::string::npos ? before : before.substr(space + 1);
}

Colour host_colour(const Theme& theme, HostDoing doing, HostStep step)
{
    switch (doing) {
    case HostDoing::waits: return theme.warning;
    case HostDoing::computes: return theme.compute;
    case HostDoing::copies: return step == HostStep::copy_in ? theme.load : theme.store;
    case HostDoing::works: break;
    }
    return mix(theme.panel, theme.ink, 0.45f);
}

Rich host_tip(const HostCall& call, const HostInterval& one, bool of_host)
{
    const char* const doing = one.doing == HostDoing::waits      ? "waits"
                              : one.doing == HostDoing::computes ? "runs the kernel"
                              : one.doing == HostDoing::copies   ? "copies"
                                                                 : "works";
    return rich("The {} {}. Line {}: `{}`{}", of_host ? "host" : "device", doing, index(call.line), call.code,
                call.calls > 1 ? fmt::format(", {} calls", call.calls) : "");
}

} // namespace

Panel host_panel(const Theme& theme, const std::string& slug, const std::vector<HostCall>& calls, const draw::Box& box)
{
    struct Shown {
        std::vector<HostCall> calls;
        HostTimes times;
    };
    const auto shown = std::make_shared<const Shown>(Shown{calls, host_times(calls)});
    LaneLayer lanes{.time = {.least = 0, .most = shown->times.end, .logarithmic = false},
                    .with_axis = false,
                    .name = "host and device",
                    .apart = true};
    for (const bool of_host : {true, false}) {
        const std::vector<HostInterval>& all = of_host ? shown->times.host : shown->times.device;
        LaneLayer::Row row{.name = of_host ? "host" : "device", .count = all.size()};
        row.at = [shown, &theme, &all](std::size_t i) {
            return LaneLayer::Interval{all[i].from, all[i].until,
                                       host_colour(theme, all[i].doing, shown->calls[all[i].call].step)};
        };
        row.words = [shown, &all, of_host](std::size_t i) {
            const HostInterval& one = all[i];
            if (of_host)
                return fmt::format("{} {}", one.call + 1, step_name(shown->calls[one.call]));
            return std::string(one.doing == HostDoing::computes ? "kernel" : "copy");
        };
        row.shorter = [&all, of_host](std::size_t i) {
            return of_host ? std::to_string(all[i].call + 1) : std::string();
        };
        row.tip = [shown, &all, of_host](std::size_t i) {
            return host_tip(shown->calls[all[i].call], all[i], of_host);
        };
        row.mark = [&all, shown, of_host](std::size_t i) {
            return fmt::format("{}: {}", of_host ? "host" : "device", name(shown->calls[all[i].call].step));
        };
        lanes.rows.push_back(std::move(row));
    }
    if (const auto kernel = std::ranges::find(shown->times.device, HostDoing::computes, &HostInterval::doing);
        kernel != shown->times.device.end())
        lanes.bracket = {kernel->from, kernel->until, "the launch has returned", "kernel alone"};
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < shown->calls.size(); ++i)
        legend.push_back({0, fmt::format("{} {}", i + 1, step_name(shown->calls[i]))});
    return {.id = "host of " + slug,
            .box = box,
            .title = "host and device in the order of main(), lengths not measured",
            .shorter = {"host and device in order, not measured", "host and device"},
            .legend = std::move(legend),
            .layers = {std::move(lanes)}};
}

} // namespace viz
