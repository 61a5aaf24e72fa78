#include "viz/analysis/hierarchy.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <ranges>

namespace viz {

using recording::Index3;
using recording::warp_size;

namespace {

constexpr double window_aspect = 1.6; // aspect ratio of the area in which plans are usually drawn

// Returns the number of blocks per row at which the picture of `count` blocks is largest.
uint32_t best_wrap(uint32_t count, double width, double height)
{
    const double ideal = std::sqrt(count * height * window_aspect / width);
    uint32_t best = 1;
    double best_scale = 0;
    const auto around = static_cast<uint32_t>(std::clamp(ideal, 1.0, static_cast<double>(count)));
    for (uint32_t cols = std::max(1u, around > 2 ? around - 2 : 1); cols <= std::min(count, around + 2); ++cols) {
        const double rows = std::ceil(static_cast<double>(count) / cols);
        const double scale = std::min(window_aspect / (cols * width), 1 / (rows * height));
        if (scale > best_scale) {
            best_scale = scale;
            best = cols;
        }
    }
    return best;
}

std::optional<std::vector<uint32_t>> numbers_in(std::string_view text)
{
    std::vector<uint32_t> numbers;
    std::size_t i = 0;
    const auto separates = [&](char c) { return c == ' ' || c == ',' || c == 'x' || c == 'X' || c == '*'; };
    while (i < text.size()) {
        if (separates(text[i])) {
            ++i;
            continue;
        }
        uint32_t value = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
        if (error != std::errc{})
            return {};
        numbers.push_back(value);
        i = static_cast<std::size_t>(end - text.data());
    }
    return numbers;
}

std::optional<Index3> extent_in(std::string_view text)
{
    const auto numbers = numbers_in(text);
    if (!numbers || numbers->empty() || numbers->size() > 3 || std::ranges::find(*numbers, 0u) != numbers->end())
        return {};
    const auto number = [&](std::size_t i) { return i < numbers->size() ? (*numbers)[i] : 1; };
    return Index3{number(0), number(1), number(2)};
}

} // namespace

Plan plan_of(const recording::Launch& launch, bool swapped, Wrapping wrapping)
{
    Plan plan{.launch = launch, .swapped = swapped};
    const Index3 &block = launch.block, &grid = launch.grid;
    const bool one_row = block.y == 1 && block.z == 1;
    const bool wraps = !swapped && wrapping == Wrapping::when_one_row;
    if (wraps && one_row && block.x > warp_size)
        plan.block_wrap = warp_size;
    plan.cols = plan.block_wrap ? plan.block_wrap : (swapped ? block.y : block.x);
    plan.rows = plan.block_wrap ? (block.x + warp_size - 1) / warp_size
                                : (swapped ? block.x : block.y) * block.z + (block.z - 1);
    plan.gap = std::max(1u, std::min(plan.cols, plan.rows) / 12);
    // All blocks are along x, or all along z.
    const uint32_t in_line = std::max(grid.x, grid.z);
    if (wraps && one_row && grid.volume() == in_line && in_line > 1)
        plan.grid_wrap = best_wrap(in_line, plan.cols + plan.gap, plan.rows + plan.gap);
    const uint32_t across = swapped ? grid.y : grid.x, down = swapped ? grid.x : grid.y;
    plan.grid_cols = plan.grid_wrap ? plan.grid_wrap : across * grid.z + (grid.z - 1);
    plan.grid_rows = plan.grid_wrap ? (in_line + plan.grid_wrap - 1) / plan.grid_wrap : down;
    return plan;
}

PlanPoint size_of(const Plan& plan)
{
    return {static_cast<double>(plan.grid_cols) * (plan.cols + plan.gap) - plan.gap,
            static_cast<double>(plan.grid_rows) * (plan.rows + plan.gap) - plan.gap};
}

PlanPoint corner_of(const Plan& plan, uint64_t block)
{
    const Index3& grid = plan.launch.grid;
    const uint64_t x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
    const uint64_t across = plan.swapped ? y : x, width = plan.swapped ? grid.y : grid.x;
    const uint64_t col = plan.grid_wrap ? block % plan.grid_wrap : z * (width + 1) + across;
    const uint64_t row = plan.grid_wrap ? block / plan.grid_wrap : (plan.swapped ? x : y);
    return {static_cast<double>(col) * (plan.cols + plan.gap), static_cast<double>(row) * (plan.rows + plan.gap)};
}

Cell cell_of_thread(const Plan& plan, uint32_t thread)
{
    if (plan.block_wrap)
        return {thread / plan.block_wrap, thread % plan.block_wrap};
    const Index3 index = index_of(thread, plan.launch.block);
    const uint32_t slice = index.z * ((plan.swapped ? plan.launch.block.x : plan.launch.block.y) + 1);
    return plan.swapped ? Cell{slice + index.x, index.y} : Cell{slice + index.y, index.x};
}

std::optional<uint32_t> thread_at(const Plan& plan, Cell cell)
{
    const Index3& block = plan.launch.block;
    if (cell.col >= plan.cols || cell.row >= plan.rows)
        return {};
    if (plan.block_wrap) {
        const uint32_t thread = cell.row * plan.block_wrap + cell.col;
        return thread < plan.launch.threads_per_block() ? std::optional(thread) : std::nullopt;
    }
    const uint32_t height = plan.swapped ? block.x : block.y;
    const uint32_t down = cell.row % (height + 1), z = cell.row / (height + 1);
    if (down == height)
        return {};
    return linear_of(plan.swapped ? Index3{down, cell.col, z} : Index3{cell.col, down, z}, block);
}

std::optional<uint64_t> block_at(const Plan& plan, int64_t row, int64_t col)
{
    const Index3& grid = plan.launch.grid;
    if (row < 0 || col < 0 || row >= plan.grid_rows || col >= plan.grid_cols)
        return {};
    const auto down = static_cast<uint64_t>(row), right = static_cast<uint64_t>(col);
    if (plan.grid_wrap) {
        const uint64_t block = down * plan.grid_wrap + right;
        return block < grid.volume() ? std::optional(block) : std::nullopt;
    }
    const uint64_t width = plan.swapped ? grid.y : grid.x;
    const uint64_t across = right % (width + 1), z = right / (width + 1);
    if (across == width)
        return {};
    const uint64_t x = plan.swapped ? down : across, y = plan.swapped ? across : down;
    return (z * grid.y + y) * grid.x + x;
}

std::vector<CellRect> rects_of_warp(const Plan& plan, uint32_t warp)
{
    const uint32_t first = warp * warp_size, end = std::min(first + warp_size, plan.launch.threads_per_block());
    std::vector<Cell> cells;
    for (uint32_t thread = first; thread < end; ++thread)
        cells.push_back(cell_of_thread(plan, thread));
    return cover(std::move(cells));
}

const IdleSet* IdleThreads::of(uint64_t block) const
{
    const auto found = set_of_block.find(block);
    if (found != set_of_block.end())
        return found->second ? &sets[*found->second] : nullptr;
    return of_others.count > 0 ? &of_others : nullptr;
}

namespace {

// Returns whether threads may work for others. Warps that signal to each other have roles. In a product, a global
// matrix besides A, B and C receives partial sums. In other kernels such matrices are inputs. With atomic additions,
// only the last thread that added to an element is its owner.
bool has_helpers(const recording::Recording& recording)
{
    if (!multiplies(recording))
        return adds_atomically(recording) || has_op(recording, recording::Op::arrive);
    const auto beside = recording.arrays | std::views::drop(3);
    return std::ranges::find(beside, recording::Space::global, &recording::Array::space) != beside.end() ||
           has_op(recording, recording::Op::arrive);
}

} // namespace

IdleThreads idle_threads(const recording::Recording& recording)
{
    IdleThreads result;
    result.known = owners_known(recording);
    result.work_for_others = has_helpers(recording);
    if (result.work_for_others || result.known == OwnersKnown::none)
        return result;
    const uint32_t threads = recording.launch.threads_per_block();
    std::map<std::vector<bool>, uint32_t> known;
    auto owners = owners_by_block(recording);
    result.total = recording.launch.grid.volume() * threads;
    if (result.known == OwnersKnown::of_recorded_blocks) {
        result.total = recording.blocks.size() * threads;
        for (const recording::BlockTrace& block : recording.blocks)
            owners[linear_of(block.block, recording.launch.grid)].resize(threads);
    }
    for (auto& [block, owns] : owners) {
        const auto count = static_cast<uint32_t>(std::ranges::count(owns, false));
        result.total -= threads - count;
        result.set_of_block[block] = std::nullopt;
        if (count == 0)
            continue;
        owns.flip();
        const auto [place, added] = known.try_emplace(owns, static_cast<uint32_t>(result.sets.size()));
        if (added)
            result.sets.push_back({count, owns});
        result.set_of_block[block] = place->second;
    }
    if (result.known == OwnersKnown::all)
        result.of_others = {threads, std::vector<bool>(threads, true)};
    return result;
}

TypedLaunch typed_launch(std::string_view block_text, std::string_view grid_text)
{
    const auto block = extent_in(block_text), grid = extent_in(grid_text);
    if (!block)
        return {{}, rich("The block is one to three whole numbers of at least 1, such as 128, 16x16 or 8x8x4.")};
    if (!grid)
        return {{}, rich("The grid is one to three whole numbers of at least 1, such as 8 or 2x3.")};
    if (block->x > 1024 || block->y > 1024 || block->z > 64)
        return {{}, rich("A block may be 1024 x 1024 x 64 threads at the most along x, y and z.")};
    if (block->volume() > 1024)
        return {{}, rich("{} threads are more than a block can have: 1,024.", block->volume())};
    if (grid->x > 0x7fffffffu || grid->y > 0xffffu || grid->z > 0xffffu)
        return {{}, rich("A grid may be 2147483647 x 65535 x 65535 blocks at the most along x, y and z.")};
    return {recording::Launch{*grid, *block}, {}};
}

std::string typed_text(const Index3& extent)
{
    if (extent.z > 1)
        return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
    return extent.y > 1 ? fmt::format("{}x{}", extent.x, extent.y) : fmt::format("{}", extent.x);
}

Covered covered_by(const recording::Launch& launch, uint64_t block, uint32_t thread, bool swapped)
{
    const Index3 in_block = index_of(thread, launch.block);
    const uint64_t x = block % launch.grid.x * launch.block.x + in_block.x;
    const uint64_t y = block / launch.grid.x % launch.grid.y * launch.block.y + in_block.y;
    return swapped ? Covered{x, y} : Covered{y, x};
}

Covered covered_extent(const recording::Launch& launch, bool swapped)
{
    const uint64_t x = uint64_t{launch.grid.x} * launch.block.x, y = uint64_t{launch.grid.y} * launch.block.y;
    return swapped ? Covered{x, y} : Covered{y, x};
}

namespace {

// Returns whether every `step`-th element is where the mapping puts its owner, and at least one of them has an owner.
bool is_mapped(const recording::Recording& recording, bool swapped, std::size_t step)
{
    const uint64_t cols = recording.arrays[2].cols, threads = recording.launch.threads_per_block();
    bool any = false;
    for (std::size_t i = 0; i < recording.owner.size(); i += step)
        if (const uint32_t owner = recording.owner[i]; owner != recording::no_owner) {
            const Covered at =
                covered_by(recording.launch, owner / threads, static_cast<uint32_t>(owner % threads), swapped);
            if (at.row != i / cols || at.col != i % cols)
                return false;
            any = true;
        }
    return any;
}

} // namespace

std::optional<bool> usual_mapping(const recording::Recording& recording)
{
    for (const bool swapped : {false, true})
        if (is_mapped(recording, swapped, 1))
            return swapped;
    return {};
}

bool counts_rows_by_x(const recording::Recording& recording)
{
    constexpr std::size_t sample = 4096;
    const std::size_t step = recording.owner.size() / sample + 1;
    return !is_mapped(recording, false, step) && is_mapped(recording, true, step);
}

int sectors_of_warp(const recording::Launch& launch, uint64_t block, uint32_t warp, bool swapped)
{
    model::Pattern pattern;
    pattern.mask = 0;
    const uint64_t cols = covered_extent(launch, swapped).col;
    for (uint32_t lane = 0; lane < warp_size; ++lane) {
        const uint32_t thread = warp * warp_size + lane;
        if (thread >= launch.threads_per_block())
            break;
        const Covered element = covered_by(launch, block, thread, swapped);
        pattern.mask |= 1u << lane;
        pattern.offset[lane] = (element.row * cols + element.col) * sizeof(float);
    }
    return model::global_access(pattern).sectors;
}

std::string index_text(const Index3& index, const Index3& extent)
{
    if (extent.z > 1)
        return fmt::format("({},{},{})", index.x, index.y, index.z);
    return fmt::format("({},{})", index.x, index.y);
}

std::string linear_text(const Index3& index, const Index3& extent)
{
    const uint64_t linear = index.x + uint64_t{extent.x} * (index.y + uint64_t{extent.y} * index.z);
    if (extent.y == 1 && extent.z == 1)
        return fmt::format("{}", linear);
    std::string text = fmt::format("{} + {} x {}", index.x, index.y, extent.x);
    if (extent.z > 1)
        text += fmt::format(" + {} x {}", index.z, uint64_t{extent.x} * extent.y);
    return fmt::format("{} = {}", text, linear);
}

} // namespace viz
