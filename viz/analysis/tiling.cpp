#include "viz/analysis/tiling.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::Access;
using recording::Recording;

namespace {

void grow(std::optional<CellRect>& box, Cell cell)
{
    if (!box) {
        box = CellRect{cell.row, cell.col, 1, 1};
        return;
    }
    const uint32_t row = std::min(box->row, cell.row), col = std::min(box->col, cell.col);
    box->rows = std::max(box->row + box->rows, cell.row + 1) - row;
    box->cols = std::max(box->col + box->cols, cell.col + 1) - col;
    box->row = row;
    box->col = col;
}

void add_to_band(Band& band, const Access& access, const Elements& elements, uint32_t element_bytes)
{
    const uint32_t count = access.width / std::max(1u, element_bytes);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane) || count == 0)
            continue;
        band.reads += count;
        for (const uint32_t i : {0u, count - 1})
            if (const auto cell = elements.at(uint64_t{access.offset[lane]} + uint64_t{i} * element_bytes))
                grow(band.bounds, *cell);
    }
}

std::optional<CellRect> tile_of_first_block(const Recording& recording)
{
    std::optional<CellRect> tile;
    std::size_t cells = 0;
    for (const OwnedCell& owned : cells_of_block(recording, 0)) {
        grow(tile, owned.cell);
        ++cells;
    }
    return tile && cells == std::size_t{tile->rows} * tile->cols ? tile : std::nullopt;
}

} // namespace

BlockTiling::BlockTiling(std::shared_ptr<const Recording> recording, const recording::BlockTrace& block)
    : recording_(std::move(recording)), block_(block), elements_(elements_of(*recording_)),
      owned_(cells_of_block(*recording_, linear_of(block.block, recording_->launch.grid))),
      contents_(*recording_, block)
{
    tile_ = cover(owned_by(0, recording_->launch.threads_per_block()));
    whole_tile_ = tile_of_first_block(*recording_);
    for (const recording::WarpTrace& warp : block.warps)
        for (const Access& access : warp.accesses) {
            const bool reads_global = is_global(access.op) && !is_store(access.op);
            uses_shared_ = uses_shared_ || touches_shared(access.op) || access.op == recording::Op::bulk_store;
            shuffles_ = shuffles_ || access.op == recording::Op::shuffle;
            if (reads_global && access.array < bands_.size() && access.array < elements_.size())
                add_to_band(bands_[access.array], access, elements_[access.array],
                            recording_->arrays[access.array].element_bytes);
        }
    for (const recording::WarpTrace& warp : block.warps) {
        phases_.push_back(viz::phases(*recording_, warp));
        bulk_.push_back(bulk_copies(*recording_, warp));
        for (const BulkCopy& copy : bulk_.back())
            add_box_to_band(copy);
    }
}

void BlockTiling::add_box_to_band(const BulkCopy& copy)
{
    const recording::Array& from = recording_->arrays[copy.from];
    if (copy.from >= bands_.size() || copy.source.row >= from.rows || copy.source.col >= from.cols)
        return;
    const uint32_t rows = std::min(copy.source.rows, from.rows - copy.source.row);
    const uint32_t cols = std::min(copy.source.cols, from.cols - copy.source.col);
    Band& band = bands_[copy.from];
    band.reads += uint64_t{rows} * cols;
    grow(band.bounds, {copy.source.row, copy.source.col});
    grow(band.bounds, {copy.source.row + rows - 1, copy.source.col + cols - 1});
}

std::vector<Cell> BlockTiling::owned_by(uint32_t first, uint32_t end) const
{
    return cells_of_threads(owned_, first, end);
}

Lit lit_by(BlockTiling& tiling, std::size_t warp, std::size_t step, uint32_t lane)
{
    const recording::WarpTrace& trace = tiling.block().warps[warp];
    const Access& access = trace.accesses[step];
    const std::size_t count = tiling.recording().arrays.size();
    Lit lit{std::vector<std::vector<Cell>>(count), std::vector<std::vector<Cell>>(count)};
    if (!has_addresses(access) || access.array >= count)
        return lit;
    const recording::Array& array = tiling.recording().arrays[access.array];
    const auto light = [&](std::vector<std::vector<Cell>>& what, Cell cell) {
        what[access.array].push_back(cell);
        const Origin origin = tiling.contents().at(access.array, cell);
        if (origin.kind == Origin::Kind::element) // of a cell of a shared tile only
            what[origin.array].push_back(origin.cell);
    };
    const Elements& elements = tiling.elements()[access.array];
    for (const Cell& cell : cells_of_step(tiling.recording(), trace, step, elements, tiling.bulk(warp)))
        light(lit.all, cell);
    if (access.width > 0) // else no lane carries it out
        for (const Cell& cell : cells_of_lane(access, elements, array.element_bytes, lane))
            light(lit.lane, cell);
    return lit;
}

// The elements that cells of the shared tiles hold now, per global matrix.
std::vector<std::vector<Cell>> held_by(const BlockTiling& tiling, const PhaseTouch& touch)
{
    std::vector<std::vector<Cell>> held(tiling.recording().arrays.size());
    for (std::size_t i = 0; i < touch.arrays.size(); ++i)
        for (const CellRect& rect : touch.arrays[i].read)
            for (uint32_t row = rect.row; row < rect.row + rect.rows; ++row)
                for (uint32_t col = rect.col; col < rect.col + rect.cols; ++col) {
                    const Origin origin = tiling.contents().at(static_cast<uint8_t>(i), {row, col});
                    if (origin.kind == Origin::Kind::element)
                        held[origin.array].push_back(origin.cell);
                }
    return held;
}

std::optional<std::size_t> compute_phase_of(const std::vector<Phase>& phases, std::size_t phase)
{
    for (std::size_t i = phase; i < phases.size(); ++i)
        if (phases[i].kind == PhaseKind::compute)
            return i;
    for (std::size_t i = std::min(phase, phases.size()); i-- > 0;)
        if (phases[i].kind == PhaseKind::compute)
            return i;
    return {};
}

std::vector<Cell> walked(const BlockTiling& tiling, const recording::WarpTrace& warp, std::size_t step, uint32_t lane,
                         uint8_t array)
{
    std::vector<Cell> cells;
    if (array >= tiling.elements().size())
        return cells;
    const uint32_t bytes = tiling.recording().arrays[array].element_bytes;
    for (std::size_t i = 0; i <= step && i < warp.accesses.size(); ++i)
        if (const Access& access = warp.accesses[i];
            is_global(access.op) && !is_store(access.op) && access.array == array)
            for (const Cell& cell : cells_of_lane(access, tiling.elements()[array], bytes, lane))
                cells.push_back(cell);
    return cells;
}

std::string extent_text(const CellRect& rect)
{
    return fmt::format("{} x {}", rect.rows, rect.cols);
}

} // namespace viz
