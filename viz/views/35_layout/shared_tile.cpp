#include "viz/views/35_layout/shared_tile.h"

#include <algorithm>

namespace viz {

namespace {

constexpr std::size_t at_once = 20'000; // accesses that are looked through within the frame

} // namespace

std::vector<uint8_t> shared_tiles(const recording::Recording& recording)
{
    constexpr uint64_t most = 64 * 1024; // elements
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i) {
        const recording::Array& array = recording.arrays[i];
        const uint64_t elements = uint64_t{array.rows} * array.cols;
        if (array.space == recording::Space::shared && elements > 0 && elements <= most && array.element_bytes > 0)
            tiles.push_back(static_cast<uint8_t>(i));
    }
    return tiles;
}

int SharedTile::bank_of(Cell cell) const
{
    return model::bank_of(uint64_t{shown().place[index(cell)]} * tile().element_bytes);
}

std::string SharedTile::refusal() const
{
    if (!tried.valid())
        return tried.refusal;
    return tried_cost ? tried_cost->refusal : std::string();
}

const std::vector<Toucher>& SharedTile::touchers(Cell cell)
{
    if (touched_cell != cell) {
        touched_cell = cell;
        touched_by = touchers_of(*recording, *block, array, cell);
    }
    return touched_by;
}

void SharedTile::recompute()
{
    recorded = places_of(tile(), {});
    tried = places_of(tile(), mapping);
    recorded_cost.reset();
    tried_cost.reset();
    if (use) {
        recorded_cost = cost_of(*use, tile(), recorded);
        tried_cost = cost_of(*use, tile(), tried);
    }
    element_at.assign((std::max(recorded.bytes, shown().bytes) + tile().element_bytes - 1) / tile().element_bytes,
                      none);
    for (std::size_t i = 0; i < shown().place.size(); ++i)
        if (shown().place[i] < element_at.size())
            element_at[shown().place[i]] = static_cast<uint32_t>(i);
}

void SharedTile::update(const Subject& subject, const Focus& focus, uint8_t wanted, const Mapping& wanted_mapping)
{
    const bool other = recording != subject.recording || block != focus.block || array != wanted;
    if (other) {
        recording = subject.recording;
        block = focus.block;
        array = wanted;
        chosen.reset();
        touched_cell.reset();
        use.reset();
        work.start([kept = recording, which = block, tile = array] { return tile_use(*kept, *which, tile); },
                   access_count(*block) <= at_once);
    }
    auto done = work.take();
    const bool arrived = done.has_value();
    if (done)
        use = std::move(*done);
    if (other || arrived || mapping != wanted_mapping) {
        mapping = wanted_mapping;
        recompute();
    }
    const auto nearest = nearest_shared(*focus.warp, focus.step);
    step = nearest && focus.warp->accesses[*nearest].array == array ? nearest : std::nullopt;
}

} // namespace viz
