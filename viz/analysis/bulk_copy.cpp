#include "viz/analysis/bulk_copy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;

namespace {

constexpr uint32_t group_k_bytes = 32; // bytes of k that one wgmma covers

// Returns the smallest distance between the positions in `starts`, or `extent` if there is only one.
uint32_t box_side(const std::set<uint32_t>& starts, uint32_t extent)
{
    uint32_t side = extent;
    for (auto at = starts.begin(); at != starts.end(); ++at)
        side = std::min(side, (std::next(at) == starts.end() ? extent : *std::next(at)) - *at);
    return side;
}

// What the text of a wgmma instruction reveals: the number of columns of B, and which operands are transposed, with k
// down the rows of their tile. For kernels outside the ladder.
struct WrittenProduct {
    uint32_t columns = 0;
    bool a_turned = false, b_turned = false;
};

std::optional<WrittenProduct> written_product(const Recording& recording, const Access& access)
{
    if (!recording.executed || access.instruction == 0 || access.instruction > recording.executed->instructions.size())
        return {};
    const std::string& text = recording.executed->instructions[access.instruction - 1].text;
    const std::size_t shape = text.find(".m64n"), b = text.find_last_of(','), a = text.find_last_of(',', b - 1);
    if (shape == std::string::npos || b == std::string::npos || a == std::string::npos)
        return {};
    WrittenProduct result;
    std::from_chars(text.data() + shape + 5, text.data() + text.size(), result.columns);
    // For FP16 and BF16 the last two operands of the instruction select the transposition. Other types are never
    // transposed.
    const bool may_turn = text.find(".f16.f16") != std::string::npos || text.find(".bf16.bf16") != std::string::npos;
    result.a_turned = may_turn && text.find('1', a) < b;
    result.b_turned = may_turn && text.find('1', b) != std::string::npos;
    return result;
}

void add_box(std::vector<Cell>& cells, const CellRect& box, const recording::Array& array)
{
    for (uint32_t row = box.row; row < std::min(box.row + box.rows, array.rows); ++row)
        for (uint32_t col = box.col; col < std::min(box.col + box.cols, array.cols); ++col)
            cells.push_back({row, col});
}

} // namespace

std::vector<BulkCopy> bulk_copies(const Recording& recording, const recording::WarpTrace& warp)
{
    std::vector<BulkCopy> copies;
    if (!has_op(warp, Op::bulk_load))
        return copies;
    const std::vector<Elements> elements = elements_of(recording);
    // The first rows and columns of copies, by tile and direction.
    std::map<std::pair<uint8_t, bool>, std::array<std::set<uint32_t>, 2>> starts;
    for (std::size_t step = 1; step < warp.accesses.size(); ++step) {
        const Access &load = warp.accesses[step - 1], &store = warp.accesses[step];
        if (load.op != Op::bulk_load || store.op != Op::bulk_store || load.array >= elements.size() ||
            store.array >= elements.size() || load.mask == 0)
            continue;
        const bool back = recording.arrays[load.array].space == recording::Space::shared;
        const Access &in_tile = back ? load : store, &in_memory = back ? store : load;
        const auto tile = elements[in_tile.array].at(lowest_lane_offset(in_tile)),
                   memory = elements[in_memory.array].at(lowest_lane_offset(in_memory));
        if (!tile)
            continue;
        BulkCopy copy{.step = step, .from = load.array, .to = store.array, .source = {}, .target = {}};
        const CellRect box{tile->row, tile->col, 1, 1};
        std::optional<CellRect> there;
        if (memory)
            there = {memory->row, memory->col, 1, 1};
        // A copy that starts beyond the end of a row has the offset of the next row. So only the first copy to a tile
        // has a reliable start.
        if (!copies.empty() && copies.back().to == copy.to && copies.back().from == copy.from &&
            copies.back().step + 2 == step) {
            const CellRect &box_before = back ? copies.back().source : copies.back().target,
                           &there_before = back ? copies.back().target : copies.back().source;
            if (box.row >= box_before.row && box.col >= box_before.col)
                there = {there_before.row + box.row - box_before.row, there_before.col + box.col - box_before.col, 1,
                         1};
        }
        if (!there)
            continue;
        (back ? copy.source : copy.target) = box;
        (back ? copy.target : copy.source) = *there;
        std::array<std::set<uint32_t>, 2>& of_tile = starts[{in_tile.array, back}];
        of_tile[0].insert(box.row);
        of_tile[1].insert(box.col);
        copies.push_back(copy);
    }
    for (BulkCopy& copy : copies) {
        const bool back = recording.arrays[copy.from].space == recording::Space::shared;
        const uint8_t array = back ? copy.from : copy.to;
        const recording::Array& tile = recording.arrays[array];
        const std::array<std::set<uint32_t>, 2>& of_tile = starts[{array, back}];
        copy.source.rows = copy.target.rows = box_side(of_tile[0], tile.rows);
        copy.source.cols = copy.target.cols = box_side(of_tile[1], tile.cols);
    }
    return copies;
}

std::optional<GroupOperands> group_operands(const Recording& recording, const recording::WarpTrace& warp,
                                            std::size_t step)
{
    const auto reads = [&](std::size_t i) {
        return i < warp.accesses.size() && reads_tile_itself(warp.accesses[i]) &&
               warp.accesses[i].array < recording.arrays.size();
    };
    if (!reads(step))
        return {};
    std::size_t first = step; // of a sequence of wgmma instructions, two steps each
    while (first > 0 && reads(first - 1))
        --first;
    const std::size_t a_step = first + (step - first) / 2 * 2;
    if (!reads(a_step + 1))
        return {};
    const Access &a = warp.accesses[a_step], &b = warp.accesses[a_step + 1];
    const recording::Array &a_tile = recording.arrays[a.array], &b_tile = recording.arrays[b.array];
    const auto from_a = Elements(a_tile).at(lowest_lane_offset(a)), from_b = Elements(b_tile).at(lowest_lane_offset(b));
    if (!from_a || !from_b || a_tile.element_bytes == 0)
        return {};
    constexpr uint32_t rows = GroupOperands::group_rows;
    const uint32_t depth = group_k_bytes / a_tile.element_bytes;
    GroupOperands result{.a = a.array, .b = b.array, .a_cells = {}, .b_cells = {}, .depth = depth};
    if (const std::optional<WrittenProduct> written = written_product(recording, b)) {
        result.columns = written->columns;
        result.a_cells = written->a_turned ? CellRect{from_a->row, from_a->col, depth, rows}
                                           : CellRect{from_a->row, from_a->col, rows, depth};
        result.b_cells = written->b_turned ? CellRect{from_b->row, from_b->col, depth, written->columns}
                                           : CellRect{from_b->row, from_b->col, written->columns, depth};
    } else if (a.array > b.array) {
        result.turned = true;
        result.columns = b_tile.rows;
        result.a_cells = {from_a->row, from_a->col, depth, rows};
        result.b_cells = {0, from_a->row, b_tile.rows, depth};
    } else {
        result.columns = b_tile.cols;
        result.a_cells = {from_a->row, from_b->row, rows, depth};
        result.b_cells = {from_b->row, 0, depth, b_tile.cols};
    }
    return result;
}

std::vector<Cell> cells_of_step(const Recording& recording, const recording::WarpTrace& warp, std::size_t step,
                                const Elements& elements, const std::vector<BulkCopy>& bulk)
{
    const Access& access = warp.accesses[step];
    std::vector<Cell> cells;
    if (access.op == Op::bulk_load || access.op == Op::bulk_store) {
        const bool load = access.op == Op::bulk_load;
        for (const BulkCopy& copy : bulk)
            if (copy.step == step + (load ? 1 : 0))
                add_box(cells, load ? copy.source : copy.target, recording.arrays[access.array]);
        return cells;
    }
    if (access.op == Op::matrix_multiply) {
        if (const auto operands = group_operands(recording, warp, step))
            add_box(cells, access.array == operands->a ? operands->a_cells : operands->b_cells,
                    recording.arrays[access.array]);
        return cells;
    }
    return cells_of_access(access, elements, recording.arrays[access.array].element_bytes);
}

} // namespace viz
