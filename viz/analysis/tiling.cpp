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

} // namespace

BlockTiling::BlockTiling(std::shared_ptr<const Recording> recording, const recording::BlockTrace& block)
    : recording_(std::move(recording)), block_(block), elements_(elements_of(*recording_)),
      owned_(cells_of_block(*recording_, linear_of(block.block, recording_->launch.grid))),
      contents_(*recording_, block)
{
    tile_ = cover(owned_by(0, recording_->launch.threads_per_block()));
    for (const recording::WarpTrace& warp : block.warps)
        for (const Access& access : warp.accesses) {
            const bool reads_global = is_global(access.op) && !is_store(access.op);
            uses_shared_ = uses_shared_ || touches_shared(access.op);
            shuffles_ = shuffles_ || access.op == recording::Op::shuffle;
            if (reads_global && access.array < bands_.size() && access.array < elements_.size())
                add_to_band(bands_[access.array], access, elements_[access.array],
                            recording_->arrays[access.array].element_bytes);
        }
}

std::vector<Cell> BlockTiling::owned_by(uint32_t first, uint32_t end) const
{
    std::vector<Cell> cells;
    for (const OwnedCell& owned : owned_)
        if (owned.thread >= first && owned.thread < end)
            cells.push_back(owned.cell);
    return cells;
}

Lit lit_by(BlockTiling& tiling, const Access& access, uint32_t lane)
{
    const std::size_t count = tiling.recording().arrays.size();
    Lit lit{std::vector<std::vector<Cell>>(count), std::vector<std::vector<Cell>>(count)};
    if (!has_addresses(access) || access.array >= count)
        return lit;
    const recording::Array& array = tiling.recording().arrays[access.array];
    for (uint32_t l = 0; l < recording::warp_size; ++l)
        for (const Cell& cell : cells_of_lane(access, tiling.elements()[access.array], array.element_bytes, l)) {
            const auto light = [&](std::size_t where, Cell what) {
                lit.all[where].push_back(what);
                if (l == lane)
                    lit.lane[where].push_back(what);
            };
            light(access.array, cell);
            const Origin origin = tiling.contents().at(access.array, cell);
            if (origin.kind == Origin::Kind::element) // of a cell of a shared tile only
                light(origin.array, origin.cell);
        }
    return lit;
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

std::optional<std::size_t> load_phase_of(const std::vector<Phase>& phases, std::size_t phase)
{
    for (std::size_t i = std::min(phase + 1, phases.size()); i-- > 0;)
        if (phases[i].kind == PhaseKind::load)
            return i;
    return {};
}

int k_tiles_of(const std::vector<Phase>& phases)
{
    return static_cast<int>(std::count_if(phases.begin(), phases.end(),
                                          [](const Phase& phase) { return phase.kind == PhaseKind::compute; }));
}

std::string extent_text(const CellRect& rect)
{
    return fmt::format("{} x {}", rect.rows, rect.cols);
}

} // namespace viz
