#include "viz/analysis/owner_map.h"

#include "viz/analysis/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace viz {

using recording::Recording;

namespace {

// Returns the element's value after the launch, NaN if the recording does not contain it.
double value_after(const Recording& recording, const Cell& element)
{
    return recorded_value(recording, array_C, element, recording::Moment::after)
        .value_or(std::numeric_limits<double>::quiet_NaN());
}

constexpr uint32_t categories = 9; // length of category_colour's cycle

uint8_t block_index_colour(const Recording& recording, uint32_t block)
{
    if (recording.launch.grid.volume() <= categories)
        return static_cast<uint8_t>(block); // a different colour for each block
    // Neighbours differ in every direction: no sum of 1, 4 and 7 with small factors is a multiple of 9.
    const recording::Index3 index = index_of(block, recording.launch.grid);
    return static_cast<uint8_t>((index.x % categories + index.y % categories * 4 + index.z % categories * 7) %
                                categories);
}

uint8_t block_colour(const Recording& recording, ColourBy by, uint32_t block)
{
    if (by == ColourBy::sm)
        return block < recording.placements.size() ? static_cast<uint8_t>(recording.placements[block].sm % categories)
                                                   : MapCell::nobody;
    return block_index_colour(recording, block);
}

// Returns the colour of an owner. Caches the last block, because adjacent elements usually share it, which saves
// divisions.
class OwnerPainter {
public:
    OwnerPainter(const Recording& recording_, ColourBy by_)
        : recording(recording_), by(by_), threads(std::max(1u, recording_.launch.threads_per_block()))
    {
    }

    uint8_t operator()(uint32_t owner)
    {
        if (owner == recording::no_owner)
            return MapCell::nobody;
        if (owner - first >= threads || owner < first || !known) {
            block = owner / threads;
            first = block * threads;
            colour = block_colour(recording, by, block);
            known = true;
        }
        const uint32_t thread = owner - first;
        if (by == ColourBy::warp)
            return static_cast<uint8_t>(thread / recording::warp_size % categories);
        if (by == ColourBy::lane)
            return static_cast<uint8_t>(thread % recording::warp_size);
        return colour;
    }

    uint32_t block_of(uint32_t owner) const { return owner == recording::no_owner ? recording::no_owner : block; }

private:
    const Recording& recording;
    ColourBy by;
    uint32_t threads;
    uint32_t block = 0, first = 0;
    uint8_t colour = 0;
    bool known = false;
};

struct Sum {
    std::array<uint64_t, 4> channels{};
    uint64_t weight = 0;

    void add(Colour colour, uint64_t by)
    {
        for (std::size_t i = 0; i < 4; ++i)
            channels[i] += (colour >> (8 * i) & 0xffu) * by;
        weight += by;
    }
    Colour average() const
    {
        Colour result = 0;
        for (std::size_t i = 0; i < 4; ++i)
            result |= static_cast<Colour>((channels[i] + weight / 2) / std::max<uint64_t>(weight, 1)) << (8 * i);
        return result;
    }
};

// Returns how many cells of the map a pixel of this level covers along one side. At the far edge these are fewer.
uint64_t covered(uint32_t index, std::size_t level, uint32_t cells)
{
    const uint64_t first = uint64_t{index} << level;
    return std::min<uint64_t>(uint64_t{1} << level, cells - std::min<uint64_t>(first, cells));
}

template <class ColourAt>
Level halve(const OwnerMap& map, std::size_t level, uint32_t rows, uint32_t cols, const ColourAt& colour_at)
{
    Level result{(rows + 1) / 2, (cols + 1) / 2, {}};
    result.pixels.resize(std::size_t{result.rows} * result.cols);
    for (uint32_t row = 0; row < result.rows; ++row) {
        for (uint32_t col = 0; col < result.cols; ++col) {
            Sum sum;
            for (uint32_t r = 2 * row; r < std::min(2 * row + 2, rows); ++r)
                for (uint32_t c = 2 * col; c < std::min(2 * col + 2, cols); ++c)
                    sum.add(colour_at(r, c), covered(r, level, map.rows) * covered(c, level, map.cols));
            result.pixels[std::size_t{row} * result.cols + col] = sum.average();
        }
    }
    return result;
}

Colour shade(Colour colour, uint32_t percent)
{
    Colour result = colour & 0xff000000u;
    for (int i = 0; i < 3; ++i)
        result |= ((colour >> (8 * i) & 0xffu) * percent / 100) << (8 * i);
    return result;
}

} // namespace

MapShape map_shape(const Recording& recording)
{
    const Cell extent = extent_of_c(recording);
    MapShape shape{extent.row, extent.col, false, extent.col};
    if (extent.row != 1 || extent.col <= recording::warp_size)
        return shape;
    shape.wrapped = true;
    shape.cols = recording::warp_size;
    while (extent.col / shape.cols > 2 * shape.cols)
        shape.cols *= 2;
    shape.rows = (extent.col + shape.cols - 1) / shape.cols;
    return shape;
}

Cell map_place(const MapShape& shape, Cell element)
{
    return shape.wrapped ? Cell{element.col / shape.cols, element.col % shape.cols} : element;
}

std::optional<Cell> map_element(const MapShape& shape, Cell place)
{
    if (place.row >= shape.rows || place.col >= shape.cols)
        return {};
    if (!shape.wrapped)
        return place;
    const uint64_t index = uint64_t{place.row} * shape.cols + place.col;
    return index < shape.count ? std::optional(Cell{0, static_cast<uint32_t>(index)}) : std::nullopt;
}

OwnerMap owner_map(const Recording& recording, ColourBy by)
{
    const MapShape shape = map_shape(recording);
    OwnerMap map{shape.rows, shape.cols, {}};
    map.cells.assign(std::size_t{shape.rows} * shape.cols, MapCell::nobody);
    OwnerPainter painter(recording, by);
    const std::optional<ValueRange> values = by == ColourBy::value ? value_range(recording) : std::nullopt;
    std::vector<uint32_t> above(shape.cols, recording::no_owner);
    for (uint32_t row = 0; row < shape.rows; ++row) {
        uint32_t left = recording::no_owner;
        for (uint32_t col = 0; col < shape.cols; ++col) {
            const std::size_t i = std::size_t{row} * shape.cols + col;
            if (i >= recording.owner.size())
                break;
            uint8_t cell = painter(recording.owner[i]);
            if (values)
                if (const auto element = map_element(shape, {row, col}))
                    cell = palette_index(*values, value_after(recording, *element));
            const uint32_t block = painter.block_of(recording.owner[i]);
            if (col == 0 || block != left)
                cell |= MapCell::edge_left;
            if (row == 0 || block != above[col])
                cell |= MapCell::edge_top;
            map.cells[i] = cell;
            left = above[col] = block;
        }
    }
    return map;
}

std::vector<CellRect> owner_regions(const Recording& recording, ColourBy by)
{
    const MapShape shape = map_shape(recording);
    const uint32_t threads = std::max(1u, recording.launch.threads_per_block());
    const uint32_t group = by == ColourBy::lane ? 1 : by == ColourBy::warp ? recording::warp_size : threads;
    // Returns the number of the group within the launch. A warp lies within one block.
    const auto key_at = [&](uint32_t row, uint32_t col) {
        const std::size_t i = std::size_t{row} * shape.cols + col;
        const uint32_t owner = i < recording.owner.size() ? recording.owner[i] : recording::no_owner;
        return owner == recording::no_owner ? std::pair(owner, 0u)
                                            : std::pair(owner / threads, owner % threads / group);
    };
    std::vector<bool> taken(std::size_t{shape.rows} * shape.cols, false);
    const auto free_as = [&](uint32_t row, uint32_t col, const std::pair<uint32_t, uint32_t>& key) {
        return !taken[std::size_t{row} * shape.cols + col] && key_at(row, col) == key;
    };
    std::vector<CellRect> regions;
    for (uint32_t row = 0; row < shape.rows; ++row)
        for (uint32_t col = 0; col < shape.cols; ++col) {
            const auto key = key_at(row, col);
            if (key.first == recording::no_owner || !free_as(row, col, key))
                continue;
            CellRect rect{row, col, 1, 1};
            while (col + rect.cols < shape.cols && free_as(row, col + rect.cols, key))
                ++rect.cols;
            const auto whole = [&](uint32_t below) {
                for (uint32_t i = 0; i < rect.cols; ++i)
                    if (!free_as(below, col + i, key))
                        return false;
                return true;
            };
            while (row + rect.rows < shape.rows && whole(row + rect.rows))
                ++rect.rows;
            for (uint32_t r = 0; r < rect.rows; ++r)
                for (uint32_t c = 0; c < rect.cols; ++c)
                    taken[std::size_t{row + r} * shape.cols + col + c] = true;
            if (rect.rows * rect.cols > 1)
                regions.push_back(rect);
        }
    return regions;
}

OwnedCells owned_by_block(const Recording& recording, uint32_t block)
{
    return std::make_shared<const std::vector<OwnedCell>>(cells_of_block(recording, block));
}

MapMarks map_marks(const Recording& recording, const OwnedCells& owned, uint32_t thread)
{
    const MapShape shape = map_shape(recording);
    const auto places_of = [&](uint32_t first, uint32_t end) {
        std::vector<Cell> places = cells_of_threads(*owned, first, end);
        for (Cell& cell : places)
            cell = map_place(shape, cell);
        return cover(std::move(places));
    };
    const uint32_t warp = thread - thread % recording::warp_size;
    return {.block = places_of(0, recording.launch.threads_per_block()),
            .warp = places_of(warp, warp + recording::warp_size),
            .thread = places_of(thread, thread + 1)};
}

std::vector<Colour> owner_palette(const Theme& theme, ColourBy by)
{
    std::vector<Colour> palette(64, theme.panel);
    if (by == ColourBy::lane) {
        // The hue is that of the quarter-warp, as in the bank view. Within a quarter, later lanes are darker.
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            palette[lane] = shade(theme.lane_group[lane / 8], 100 - 7 * (lane % 8));
    } else if (by == ColourBy::value) {
        for (uint32_t i = 0; i < MapCell::nobody; ++i)
            palette[i] = mix(theme.panel, theme.accent(), 0.1f + 0.9f * static_cast<float>(i) / (MapCell::nobody - 1));
    } else {
        for (uint32_t i = 0; i < categories; ++i)
            palette[i] = category_colour(theme, i);
    }
    return palette;
}

std::optional<ValueRange> value_range(const Recording& recording)
{
    const Cell extent = extent_of_c(recording);
    std::optional<ValueRange> range;
    for (uint32_t row = 0; recording::values_of(recording, array_C) != nullptr && row < extent.row; ++row)
        for (uint32_t col = 0; col < extent.col; ++col)
            if (const double value = value_after(recording, {row, col}); std::isfinite(value))
                range = range ? ValueRange{std::min(range->least, value), std::max(range->most, value)}
                              : ValueRange{value, value};
    return range;
}

uint8_t palette_index(const ValueRange& range, double value)
{
    if (std::isnan(value))
        return MapCell::nobody;
    const double share = range.most > range.least ? (value - range.least) / (range.most - range.least) : 1;
    return static_cast<uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * (MapCell::nobody - 1)));
}

uint8_t palette_index(const Recording& recording, ColourBy by, const Owner& owner)
{
    OwnerPainter painter(recording, by);
    return painter(owner.block * recording.launch.threads_per_block() + owner.thread);
}

std::vector<Level> pyramid(const OwnerMap& map, std::span<const Colour> palette, std::size_t most)
{
    std::vector<Level> levels;
    if (map.rows == 0 || map.cols == 0 || most == 0)
        return levels;
    levels.push_back(halve(map, 0, map.rows, map.cols, [&](uint32_t row, uint32_t col) {
        return palette[map.cells[std::size_t{row} * map.cols + col] & MapCell::palette_bits];
    }));
    while (levels.size() < most && (levels.back().rows > 1 || levels.back().cols > 1)) {
        const Level& finer = levels.back();
        levels.push_back(halve(map, levels.size(), finer.rows, finer.cols, [&](uint32_t row, uint32_t col) {
            return finer.pixels[std::size_t{row} * finer.cols + col];
        }));
    }
    return levels;
}

} // namespace viz
