#include "viz/analysis/access.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <bit>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

constexpr uint32_t no_element = 0xffffffff;

} // namespace

model::Pattern pattern_of(const Access& access)
{
    model::Pattern pattern{.width = access.width, .mask = access.mask};
    std::ranges::copy(access.offset, pattern.offset.begin());
    pattern.atomic = access.atomic;
    return pattern;
}

bool touches_shared(Op op)
{
    return is_shared(op) || op == Op::async_store;
}

bool is_shared(Op op)
{
    const std::optional<Op> kind = recording::counted_as(op);
    return kind == Op::shared_load || kind == Op::shared_store;
}

bool is_global(Op op)
{
    const std::optional<Op> kind = recording::counted_as(op);
    return kind == Op::global_load || kind == Op::global_store;
}

bool is_atomic(Op op)
{
    return op == Op::shared_atomic || op == Op::global_atomic;
}

const char* verb_of(Op op)
{
    return is_atomic(op) ? "updates" : is_store(op) ? "writes" : "reads";
}

bool is_store(Op op)
{
    const std::optional<Op> kind = recording::counted_as(op);
    return kind == Op::global_store || kind == Op::shared_store || op == Op::async_store || op == Op::tile_store ||
           op == Op::bulk_store;
}

bool takes_both_sides(const recording::WarpTrace& warp)
{
    const auto apart = [](const recording::Access& one, const recording::Access& next) {
        return one.mask != 0 && next.mask != 0 && (one.mask & next.mask) == 0;
    };
    return std::ranges::adjacent_find(warp.accesses, apart) != warp.accesses.end();
}

bool has_op(const recording::WarpTrace& warp, Op op)
{
    return std::ranges::find(warp.accesses, op, &Access::op) != warp.accesses.end();
}

bool has_op(const recording::Recording& recording, Op op)
{
    return std::ranges::any_of(recording.blocks, [op](const recording::BlockTrace& block) {
        return std::ranges::any_of(block.warps, [op](const recording::WarpTrace& warp) { return has_op(warp, op); });
    });
}

bool reads_global(Op op)
{
    return is_global(op) && !is_store(op);
}

bool reads_tile_itself(const Access& access)
{
    return access.op == Op::matrix_multiply && recording::has_addresses(access);
}

bool in_shared(std::span<const recording::Array> arrays, const Access& access)
{
    return recording::has_addresses(access) && access.array < arrays.size() &&
           arrays[access.array].space == recording::Space::shared;
}

bool has_shared_tile(std::span<const recording::Array> arrays)
{
    return std::ranges::find(arrays, recording::Space::shared, &recording::Array::space) != arrays.end();
}

uint64_t shared_tile_bytes(std::span<const recording::Array> arrays)
{
    uint64_t bytes = 0;
    for (const recording::Array& array : arrays)
        bytes += array.space == recording::Space::shared ? array.bytes : 0;
    return bytes;
}

bool is_bulk_fill(std::span<const recording::Array> arrays, const Access& access)
{
    const bool known = access.array < arrays.size();
    const bool shared = known && arrays[access.array].space == recording::Space::shared;
    return (access.op == Op::bulk_load && !shared) || (access.op == Op::bulk_store && (shared || !known));
}

model::SharedCost shared_cost(const Access& access)
{
    if (access.op == Op::shared_atomic)
        return model::shared_atomic(pattern_of(access)).value_or(model::SharedCost{});
    return is_shared(access.op) ? model::shared_access(access.op, pattern_of(access)) : model::SharedCost{};
}

bool has_shared_cost(const Access& access)
{
    return is_shared(access.op) ||
           (access.op == Op::shared_atomic && model::shared_atomic(pattern_of(access)).has_value());
}

bool has_global_cost(const Access& access)
{
    return is_global(access.op) ||
           (access.op == Op::global_atomic && model::global_atomic(pattern_of(access)).has_value());
}

const char* why_no_cost(recording::AtomicRule rule)
{
    using recording::AtomicRule;
    switch (rule) {
    case AtomicRule::either: return "PTX does not say whether the lanes of one word are counted together";
    case AtomicRule::loop: return "the assembler makes a loop of it, and other warps decide how often it turns";
    case AtomicRule::not_measured: return "no rule is known for this operation";
    default: return "the recording does not have its instruction";
    }
}

std::string atomic_cost_words(const Access& access)
{
    const auto some = [](int count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    if (access.op == Op::shared_atomic && has_shared_cost(access))
        return some(shared_cost(access).wavefronts, "wavefront");
    if (access.op == Op::global_atomic && has_global_cost(access))
        return some(global_cost(access).sectors, "sector");
    return fmt::format("cost not known: {}", why_no_cost(access.atomic));
}

model::GlobalCost global_cost(const Access& access, const Access* write)
{
    if (access.op == Op::async_load && write != nullptr && write->op == Op::async_store)
        return model::copy_read(model::copy_of(access, *write));
    if (access.op == Op::global_atomic)
        return model::global_atomic(pattern_of(access)).value_or(model::GlobalCost{});
    return is_global(access.op) ? model::global_access(pattern_of(access)) : model::GlobalCost{};
}

model::SharedCost SharedCosts::of(const Access& access)
{
    if (!is_shared(access.op) && access.op != Op::shared_atomic)
        return {};
    constexpr uint32_t row = model::banks * model::bank_bytes;
    Key key{access.op, access.width, access.atomic, access.mask, {}};
    uint32_t least = 0xffffffff;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane))
            least = std::min(least, access.offset[lane] / row * row);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane))
            key.offset[lane] = access.offset[lane] - least;
    const auto [known, is_new] = known_.try_emplace(key);
    if (is_new)
        known->second = shared_cost(access);
    return known->second;
}

std::size_t SharedCosts::Hash::operator()(const Key& key) const
{
    uint64_t value = key.mask ^ uint64_t { key.width } << 32 ^ static_cast<uint64_t>(key.op) << 48;
    for (const uint32_t offset : key.offset)
        value = (value ^ offset) * 0x9e3779b97f4a7c15u;
    return value;
}

std::size_t access_count(const recording::BlockTrace& block)
{
    std::size_t count = 0;
    for (const recording::WarpTrace& warp : block.warps)
        count += warp.accesses.size();
    return count;
}

Elements::Elements(const recording::Array& array)
    : cols(array.cols), element_bytes(array.element_bytes), row_bytes(array.row_bytes()), rows(array.rows),
      row_major(array.layout.empty())
{
    if (row_major || element_bytes == 0)
        return;
    element_of.assign(array.bytes / element_bytes, no_element);
    for (std::size_t i = 0; i < array.layout.size(); ++i)
        if (const std::size_t place = array.layout[i] / element_bytes; place < element_of.size())
            element_of[place] = static_cast<uint32_t>(i);
}

std::optional<Cell> Elements::at(uint64_t offset) const
{
    if (cols == 0 || element_bytes == 0)
        return {};
    if (row_major) {
        const uint64_t row = offset / row_bytes, col = offset % row_bytes / element_bytes;
        if (row >= rows || col >= cols)
            return {};
        return Cell{static_cast<uint32_t>(row), static_cast<uint32_t>(col)};
    }
    const uint64_t place = offset / element_bytes;
    if (place >= element_of.size() || element_of[place] == no_element)
        return {};
    const uint32_t index = element_of[place];
    return Cell{index / cols, index % cols};
}

std::vector<Elements> elements_of(const recording::Recording& recording)
{
    std::vector<Elements> result;
    for (const recording::Array& array : recording.arrays)
        result.emplace_back(array);
    return result;
}

std::vector<Cell> cells_of_lane(const Access& access, const Elements& elements, uint32_t element_bytes, uint32_t lane)
{
    std::vector<Cell> cells;
    if (!takes_part(access, lane) || element_bytes == 0)
        return cells;
    for (uint32_t byte = 0; byte < access.width; byte += element_bytes)
        if (const auto cell = elements.at(uint64_t{access.offset[lane]} + byte))
            cells.push_back(*cell);
    return cells;
}

std::vector<Cell> cells_of_access(const Access& access, const Elements& elements, uint32_t element_bytes)
{
    std::vector<Cell> cells;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        for (const Cell& cell : cells_of_lane(access, elements, element_bytes, lane))
            cells.push_back(cell);
    return cells;
}

std::string element_name(const std::string& array, const std::vector<Cell>& cells)
{
    const auto range = [](uint32_t first, uint32_t last) {
        return first == last ? std::to_string(first) : fmt::format("{}..{}", first, last);
    };
    std::string text;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t across = i + 1, down = i + 1;
        while (across < cells.size() && cells[across] == Cell{cells[i].row, cells[across - 1].col + 1})
            ++across;
        while (down < cells.size() && cells[down] == Cell{cells[down - 1].row + 1, cells[i].col})
            ++down;
        const std::size_t end = std::max(across, down);
        const Cell &first = cells[i], &last = cells[end - 1];
        text += text.empty() ? "" : ", ";
        text += fmt::format("{}({}, {})", array, range(first.row, last.row), range(first.col, last.col));
        i = end;
    }
    return text;
}

uint32_t lowest_lane_offset(const Access& access)
{
    return access.mask == 0 ? 0 : access.offset[static_cast<std::size_t>(std::countr_zero(access.mask))];
}

} // namespace viz
