#include "viz/views/05_hierarchy/launch_side.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::Index3;
using recording::Launch;
using recording::warp_size;

namespace {

constexpr std::size_t at_once = 300'000; // threads and elements that are looked through within the frame

Index3 block_index(const Launch& launch, uint64_t block)
{
    return {static_cast<uint32_t>(block % launch.grid.x), static_cast<uint32_t>(block / launch.grid.x % launch.grid.y),
            static_cast<uint32_t>(block / launch.grid.x / launch.grid.y)};
}

std::string extent(const Index3& index)
{
    if (index.z > 1)
        return fmt::format("{} x {} x {}", index.x, index.y, index.z);
    return index.y > 1 ? fmt::format("{} x {}", index.x, index.y) : fmt::format("{}", index.x);
}

// Kept on one line.
std::string whole(std::string text)
{
    for (std::size_t i = text.find(' '); i != std::string::npos; i = text.find(' ', i))
        text.replace(i, 1, "\u00a0");
    return text;
}

bool is_vectors(const recording::Recording& recording)
{
    return extent_of_c(recording).row == 1;
}

} // namespace

void LaunchSide::use(const Plan& next)
{
    plan = next;
    warps = warp_rects(plan);
    owned_block.reset();
    selected = {std::min<uint64_t>(selected.block, plan.launch.grid.volume() - 1),
                std::min(selected.thread, plan.launch.threads_per_block() - 1)};
}

void LaunchSide::update(const std::shared_ptr<const recording::Recording>& wanted)
{
    if (wanted != recording) {
        recording = wanted;
        idle.reset();
        use(plan_of(recording->launch, false, Wrapping::when_one_row));
        const uint64_t threads = recording->launch.grid.volume() * recording->launch.block.volume();
        if (threads + recording->owner.size() <= at_once) {
            work.drop();
            idle = idle_threads(*recording);
        } else {
            work.start([kept = recording] { return idle_threads(*kept); });
        }
    }
    if (auto done = work.take())
        idle = std::move(*done);
}

void LaunchSide::update(const Launch& launch, bool swapped)
{
    if (!recording && plan.launch == launch && plan.swapped == swapped && plan.cols > 0)
        return;
    recording.reset();
    idle.reset();
    const bool one_row = launch.grid.y == 1 && launch.grid.z == 1;
    use(plan_of(launch, swapped, one_row ? Wrapping::when_one_row : Wrapping::never));
}

std::vector<Cell> LaunchSide::owned(ThreadRef ref) const
{
    if (!recording)
        return {};
    if (owned_block != ref.block) {
        owned_block = ref.block;
        owned_cells = cells_of_block(*recording, static_cast<uint32_t>(ref.block));
    }
    std::vector<Cell> cells;
    for (const OwnedCell& cell : owned_cells)
        if (cell.thread == ref.thread)
            cells.push_back(cell.cell);
    return cells;
}

std::string LaunchSide::element(ThreadRef ref) const
{
    if (!recording) {
        const Covered at = covered_by(plan.launch, ref.block, ref.thread, plan.swapped);
        return plan.block_wrap || plan.grid_wrap ? fmt::format("i = {}", at.col)
                                                 : fmt::format("({}, {})", at.row, at.col);
    }
    if (ref.block != selected.block)
        return {};
    const std::vector<Cell> cells = owned(ref);
    if (cells.empty())
        return "surplus";
    return cells.size() == 1 ? fmt::format("C({},{})", cells[0].row, cells[0].col)
                             : fmt::format("{} of C", cells.size());
}

Prose launch_sentence(const Theme& theme, const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint64_t blocks = launch.grid.volume(), threads = blocks * launch.threads_per_block();
    Prose prose(theme);
    prose.say("The grid: ").figure(counted(blocks, "block"));
    if (launch.grid.y > 1 || launch.grid.z > 1)
        prose.say(" (" + extent(launch.grid) + ")");
    prose.say(" of ").figure(counted(launch.threads_per_block(), "thread"));
    if (launch.block.y > 1 || launch.block.z > 1)
        prose.say(" (" + extent(launch.block) + ")");
    prose.say(", together ").figure(counted(threads, "thread")).say(". ");
    if (!side.recording) {
        prose.say("Typed by hand: computed, not recorded.");
        return prose;
    }
    const recording::Problem& problem = side.recording->problem;
    if (is_vectors(*side.recording))
        prose.say(fmt::format("Each adds one of {} elements: {} / {} is {:.2f}, so {} blocks are needed. ",
                              thousands(uint64_t{problem.N}), thousands(uint64_t{problem.N}),
                              launch.threads_per_block(), static_cast<double>(problem.N) / launch.threads_per_block(),
                              blocks));
    else
        prose.say(fmt::format("They compute the {} x {} elements of C. ", problem.M, problem.N));
    if (!side.idle)
        return prose.say("Looking for surplus threads ...");
    if (side.idle->work_for_others)
        return prose.say(
            "Not all of them store elements of C: some copy for the others, or add up a slice of K whose sums "
            "go elsewhere first.");
    if (side.idle->total == 0)
        return prose.say("Every thread has an element: none is surplus.");
    prose.swatch(draw::mix(theme.background, theme.warning, 0.25f));
    prose.figure(counted(side.idle->total, "thread"), theme.warning);
    prose.say(side.idle->total == 1 ? " is surplus: its" : " are surplus: their");
    prose.say(" place lies outside of C, the guard holds them back, and they only wait for their warp.");
    return prose;
}

Prose warp_sentence(const Theme& theme, const LaunchSide& side)
{
    const uint32_t threads = side.plan.launch.threads_per_block(), full = threads / warp_size;
    const uint32_t rest = threads % warp_size;
    Prose prose(theme);
    prose.say("32 threads with neighbouring numbers are a warp and run together; x counts first, then y, then z. ");
    prose.say("A block here is ");
    if (full > 0)
        prose.figure(counted(full, "full warp"));
    if (rest > 0) {
        prose.say(full > 0 ? " and " : "")
            .figure(fmt::format("one warp of {}", counted(rest, "thread")), theme.warning);
        prose.say(fmt::format(": lanes {}-31 of it are empty in each block, and no other block can use them", rest));
    }
    prose.say(". Each colour is a warp of its block");
    if (side.warps.size() > 9)
        prose.say("; colours repeat after nine");
    prose.say(side.plan.block_wrap ? ". A block is one row of threads, drawn as one row for each warp." : ".");
    return prose;
}

Prose path_sentence(const Theme& theme, const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint32_t thread = side.selected.thread, warp = thread / warp_size;
    const Index3 block = block_index(launch, side.selected.block), in_block = index_of(thread, launch.block);
    Prose prose(theme);
    prose.strong("Selected:").say(" block ").figure(index_text(block, launch.grid));
    prose.say(" = number ").code(whole(linear_text(block, launch.grid)));
    prose.gap().say("thread ").figure(index_text(in_block, launch.block));
    prose.say(" = number ").code(whole(linear_text(in_block, launch.block)));
    prose.gap().say("warp ").code(whole(fmt::format("{} / 32 =", thread))).say(" ").figure(fmt::format("{}", warp));
    prose.gap().say("lane ").code(whole(fmt::format("{} mod 32 =", thread))).say(" ");
    prose.figure(fmt::format("{}", thread % warp_size)).gap();
    if (!side.recording) {
        const Covered at = covered_by(launch, side.selected.block, thread, side.plan.swapped);
        const std::string along_x = whole(fmt::format("{} x {} + {} =", block.x, launch.block.x, in_block.x));
        const std::string along_y = whole(fmt::format("{} x {} + {} =", block.y, launch.block.y, in_block.y));
        const bool vectors = launch.grid.y == 1 && launch.block.y == 1 && !side.plan.swapped;
        if (vectors)
            return prose.say("element ").code(along_x).say("\u00a0").figure(fmt::format("{}", at.col));
        prose.say("row ").code(side.plan.swapped ? along_x : along_y);
        prose.say("\u00a0").figure(fmt::format("{}", at.row)).gap().say("column ");
        prose.code(side.plan.swapped ? along_y : along_x);
        prose.say("\u00a0").figure(fmt::format("{}", at.col)).gap().say("place in the matrix ");
        const uint64_t cols = covered_extent(launch, side.plan.swapped).col;
        return prose.code(whole(fmt::format("{} x {} + {} =", at.row, cols, at.col)))
            .say("\u00a0")
            .figure(thousands(at.row * cols + at.col));
    }
    const std::vector<Cell> cells = side.owned(side.selected);
    if (!cells.empty()) {
        const CellRect all = *bounds(cells);
        prose.say("writes ").figure(cells.size() == 1 ? element_name("C", cells) : counted(cells.size(), "element"));
        if (cells.size() > 1)
            prose.say(fmt::format(" of C, in rows {}-{} and columns {}-{}", all.row, all.row + all.rows - 1, all.col,
                                  all.col + all.cols - 1));
        return prose;
    }
    prose.figure("surplus", theme.warning);
    if (is_vectors(*side.recording))
        prose.say(" as ")
            .code(whole(fmt::format("{} x {} + {} = {}", block.x, launch.block.x, in_block.x,
                                    uint64_t{block.x} * launch.block.x + in_block.x)))
            .say(fmt::format(" is not below {}", thousands(uint64_t{side.recording->problem.N})));
    else
        prose.say(": no element of C is left for it");
    return prose;
}

Prose swap_sentence(const Theme& theme, const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint32_t warp = side.selected.thread / warp_size;
    std::vector<Cell> places;
    for (uint32_t thread = warp * warp_size; thread < std::min((warp + 1) * warp_size, launch.threads_per_block());
         ++thread) {
        const Covered at = covered_by(launch, side.selected.block, thread, side.plan.swapped);
        places.push_back({static_cast<uint32_t>(at.row), static_cast<uint32_t>(at.col)});
    }
    const CellRect rect = bounds(places).value_or(CellRect{});
    const int straight = sectors_of_warp(launch, side.selected.block, warp, false);
    const int crossed = sectors_of_warp(launch, side.selected.block, warp, true);
    Prose prose(theme);
    prose.say(fmt::format("Warp {} covers ", warp)).figure(counted(rect.rows, "row"));
    prose.say(" by ").figure(counted(rect.cols, "column"));
    const Covered all = covered_extent(launch, side.plan.swapped);
    prose.say(
        fmt::format(" of a matrix of {} x {}, row after row in memory. ", thousands(all.row), thousands(all.col)));
    prose.say("If each thread reads its float, that is ");
    prose.figure(counted(static_cast<uint64_t>(side.plan.swapped ? crossed : straight), "sector"));
    prose.say(" of 32 bytes; with x and y swapped ");
    prose.figure(fmt::format("{}", side.plan.swapped ? straight : crossed));
    prose.say(straight == crossed ? ", the same." : ": a warp should run along a row.");
    return prose;
}

} // namespace viz
