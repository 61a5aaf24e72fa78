#include "viz/analysis/tiling.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::BlockTrace;
using recording::Recording;

namespace {

// Returns the number of k that one iteration of the kernel's loop processes. If the last k-tile is smaller, the sum
// does not determine this number, and a side of a shared tile does.
uint32_t tile_width(const Recording& recording, uint32_t read, uint32_t own)
{
    const uint32_t least = (read + own - 1) / own;
    std::optional<uint32_t> width;
    for (const recording::Array& array : recording.arrays)
        for (const uint32_t side : {array.rows, array.cols})
            if (array.space == recording::Space::shared && side >= least && uint64_t{side} * (own - 1) < read)
                width = std::min(width.value_or(side), side);
    return width.value_or(least);
}

// Returns for each k whether the block reads an element of column k of A.
std::vector<bool> read_by(const Recording& recording, const BlockTrace& block, const Elements& elements)
{
    const recording::Array& a = recording.arrays[array_A];
    std::vector<bool> read(a.cols, false);
    for (const recording::WarpTrace& warp : block.warps) {
        for (const recording::Access& access : warp.accesses)
            if (reads_global(access.op) && access.array == array_A)
                for (const Cell& cell : cells_of_access(access, elements, a.element_bytes))
                    read[cell.col] = true;
        for (const BulkCopy& copy : bulk_copies(recording, warp))
            if (copy.from == array_A)
                for (uint32_t k = copy.source.col; k < std::min(copy.source.col + copy.source.cols, a.cols); ++k)
                    read[k] = true;
    }
    return read;
}

// Extrapolates the slices. If each recorded slice takes every n-th k-tile, or one of n equal parts of K, the others do
// so too.
void go_on(std::vector<KTile>& tiles, uint32_t slices)
{
    const std::size_t part = slices == 0 ? 0 : (tiles.size() + slices - 1) / slices;
    const auto by_turns = [&](std::size_t i) { return static_cast<uint32_t>(i % slices); };
    const auto in_parts = [&](std::size_t i) { return static_cast<uint32_t>(i / part); };
    const auto fill = [&](const auto& slice_of) {
        for (std::size_t i = 0; i < tiles.size(); ++i)
            if (tiles[i].slice && tiles[i].slice != slice_of(i))
                return false;
        for (std::size_t i = 0; i < tiles.size(); ++i)
            tiles[i].slice = slice_of(i);
        return true;
    };
    if (slices > 1 && part > 0 && !fill(by_turns))
        fill(in_parts);
}

} // namespace

std::vector<KTile> tiles_along_k(const Recording& recording, const BlockTrace& block, int own)
{
    std::vector<KTile> tiles;
    if (recording.arrays.empty() || own <= 0)
        return tiles;
    const Elements elements(recording.arrays[array_A]);
    const std::vector<bool> mine = read_by(recording, block, elements);
    const auto count = static_cast<uint32_t>(std::ranges::count(mine, true));
    const uint32_t width = tile_width(recording, count, static_cast<uint32_t>(own));
    if (width == 0)
        return tiles;
    const auto size = static_cast<uint32_t>(mine.size());
    for (uint32_t k = 0; k < size; k += width)
        tiles.push_back({k, std::min(width, size - k)});
    int number = 0;
    for (const BlockTrace& other : recording.blocks) {
        if (other.block.x != block.block.x || other.block.y != block.block.y)
            continue;
        const std::vector<bool> read = &other == &block ? mine : read_by(recording, other, elements);
        for (KTile& tile : tiles)
            if (read[tile.first]) {
                tile.slice = other.block.z;
                tile.recorded = true;
                if (&other == &block)
                    tile.number = number++;
            }
    }
    go_on(tiles, recording.launch.grid.z);
    return tiles;
}

std::optional<uint64_t> Band::times_read() const
{
    const uint64_t cells = bounds ? uint64_t{bounds->rows} * bounds->cols : 0;
    return cells == 0 ? std::nullopt : std::optional((reads + cells / 2) / cells);
}

bool interrupts(const std::vector<Phase>& phases, const Phase& phase)
{
    return phase.kind == PhaseKind::load && phase.fetched > phase.k_tile &&
           std::any_of(phases.data(), &phase, [&](const Phase& before) {
               return before.kind == PhaseKind::compute && before.k_tile == phase.k_tile;
           });
}

bool is_split(const std::vector<KTile>& tiles)
{
    return std::ranges::any_of(tiles, [&](const KTile& tile) { return tile.slice != tiles.front().slice; });
}

uint32_t number_in_slice(const std::vector<KTile>& tiles, std::size_t at)
{
    return static_cast<uint32_t>(std::count_if(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                               [&](const KTile& tile) { return tile.slice == tiles[at].slice; }));
}

std::string slice_words(const std::vector<KTile>& tiles)
{
    const auto own = std::ranges::find_if(tiles, [](const KTile& tile) { return tile.number >= 0; });
    return own == tiles.end() || !own->slice || !is_split(tiles) ? "" : fmt::format(" of slice {}", *own->slice);
}

std::vector<KTile> tiles_coming(const Pipeline& pipeline, const std::vector<KTile>& tiles, std::size_t tick)
{
    std::vector<KTile> coming;
    const std::vector<TileState> states = tile_states(pipeline, tick);
    for (const KTile& tile : tiles)
        if (const auto number = static_cast<std::size_t>(tile.number);
            pipeline.asynchronous && tile.number >= 0 && number < states.size() && states[number] == TileState::copied)
            coming.push_back(tile);
    return coming;
}

bool leaves_parts(const recording::Recording& recording)
{
    return recording.launch.grid.z > 1 && std::ranges::any_of(recording.arrays, [](const recording::Array& array) {
               return array.space == recording::Space::global && array.name == "workspace";
           });
}

using recording::Access;
using recording::Op;
using recording::Recording;

namespace {

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
    const std::vector<OwnedCell> cells = cells_of_block(recording, 0);
    for (const OwnedCell& owned : cells)
        grow(tile, owned.cell);
    return tile && cells.size() == std::size_t{tile->rows} * tile->cols ? tile : std::nullopt;
}

} // namespace

BlockTiling::BlockTiling(std::shared_ptr<const Recording> recording, const recording::BlockTrace& block)
    : recording_(std::move(recording)), block_(block),
      owned_(cells_of_block(*recording_, linear_of(block.block, recording_->launch.grid))),
      contents_(*recording_, block)
{
    tile_ = cover(owned_by(0, recording_->launch.threads_per_block()));
    whole_tile_ = tile_of_first_block(*recording_);
    for (const recording::WarpTrace& warp : block.warps)
        for (const Access& access : warp.accesses) {
            uses_shared_ = uses_shared_ || touches_shared(access.op) || access.op == recording::Op::bulk_store;
            shuffles_ = shuffles_ || access.op == recording::Op::shuffle;
            if (reads_global(access.op) && access.array < bands_.size() && access.array < elements().size())
                add_to_band(bands_[access.array], access, elements()[access.array],
                            recording_->arrays[access.array].element_bytes);
        }
    for (const recording::WarpTrace& warp : block.warps)
        phases_.push_back(viz::phases(*recording_, warp));
    for (const std::vector<BulkCopy>& copies : contents_.bulk())
        for (const BulkCopy& copy : copies)
            add_box_to_band(copy);
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

Highlight highlight_of(BlockTiling& tiling, std::size_t warp, std::size_t step, uint32_t lane)
{
    const recording::WarpTrace& trace = tiling.block().warps[warp];
    const Access& access = trace.accesses[step];
    const std::size_t count = tiling.recording().arrays.size();
    Highlight highlight{std::vector<std::vector<Cell>>(count), std::vector<std::vector<Cell>>(count)};
    if (!has_addresses(access) || access.array >= count)
        return highlight;
    const recording::Array& array = tiling.recording().arrays[access.array];
    const auto light = [&](std::vector<std::vector<Cell>>& what, Cell cell) {
        what[access.array].push_back(cell);
        const Origin origin = tiling.contents().at(access.array, cell);
        if (origin.kind == Origin::Kind::element) // only cells of shared tiles have elements as their origin
            what[origin.array].push_back(origin.cell);
    };
    const Elements& elements = tiling.elements()[access.array];
    for (const Cell& cell : cells_of_step(tiling.recording(), trace, step, elements, tiling.bulk(warp)))
        light(highlight.all, cell);
    if (access.width > 0) // no lane carries out an access of width 0
        for (const Cell& cell : cells_of_lane(access, elements, array.element_bytes, lane))
            light(highlight.lane, cell);
    return highlight;
}

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
        if (const Access& access = warp.accesses[i]; reads_global(access.op) && access.array == array)
            for (const Cell& cell : cells_of_lane(access, tiling.elements()[array], bytes, lane))
                cells.push_back(cell);
    return cells;
}

std::string extent_text(const CellRect& rect)
{
    return fmt::format("{} x {}", rect.rows, rect.cols);
}

namespace {

bool reads_operand(const BlockTiling& tiling, const Access& access)
{
    return tiling.uses_shared() ? access.op == Op::shared_load : access.op == Op::global_load && access.array < 2;
}

// Returns whether every lane reads its own operands. Examines all warps, because with tensor cores some warps may only
// copy.
bool lanes_read_alone(const BlockTiling& tiling)
{
    const auto for_others = [](const Access& access) {
        return access.op == Op::shuffle || access.op == Op::tile_load || access.op == Op::matrix_load ||
               access.op == Op::matrix_multiply;
    };
    return std::ranges::none_of(tiling.block().warps, [&](const recording::WarpTrace& warp) {
        return std::ranges::any_of(warp.accesses, for_others);
    });
}

} // namespace

std::optional<ThreadProduct> thread_product(const BlockTiling& tiling, uint32_t thread, uint32_t ks)
{
    const uint32_t warp = thread / recording::warp_size, lane = thread % recording::warp_size;
    if (ks == 0 || warp >= tiling.block().warps.size())
        return {};
    const bool alone = lanes_read_alone(tiling);
    const Cell results = rows_and_cols(alone ? tiling.owned_by(thread, thread + 1) : tiling.tile_cells());
    ThreadProduct product{.rows = results.row, .cols = results.col, .of_block = !alone};
    if (product.results() == 0)
        return {};
    uint64_t reads = 0;
    if (!alone)
        reads = tiling.bands()[0].reads + tiling.bands()[1].reads;
    else
        for (const Access& access : tiling.block().warps[warp].accesses)
            if (reads_operand(tiling, access) && takes_part(access, lane))
                reads += access.width / std::max(1u, tiling.recording().arrays[access.array].element_bytes);
    product.reads = static_cast<double>(reads) / ks;
    return product;
}

} // namespace viz
