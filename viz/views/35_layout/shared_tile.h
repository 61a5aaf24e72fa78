// A shared tile of one stage: its places as recorded and as tried, and what they cost.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/tile_use.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"
#include "viz/draw/pan_zoom.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

struct SharedTile {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    uint8_t array = 0;
    Mapping mapping;
    Places recorded, tried;
    std::optional<TileCost> recorded_cost, tried_cost; // not known yet while the accesses are gathered
    std::vector<uint32_t> element_at;                  // by place of what is shown: index of the element, or none
    PanZoom tile_camera, bank_camera;
    float stretch = 1;               // height of an element by its width, in the picture by element
    std::optional<Cell> chosen;      // by click
    std::optional<std::size_t> step; // of the shared access that is marked, if it is to this tile

    static constexpr uint32_t none = 0xffffffff;

    void update(const Subject& subject, const Focus& focus, uint8_t wanted, const Mapping& wanted_mapping);
    bool settled() const { return !work.busy() && !tile_camera.gliding() && !bank_camera.gliding(); }

    const recording::Array& tile() const { return recording->arrays[array]; }
    bool refused() const { return !tried.valid() || (tried_cost && !tried_cost->refusal.empty()); }
    const Places& shown() const { return refused() ? recorded : tried; }
    std::size_t index(Cell cell) const { return std::size_t{cell.row} * tile().cols + cell.col; }
    int bank_of(Cell cell) const;
    std::string refusal() const;
    // Who writes and reads an element; kept until another one is asked for.
    const std::vector<Toucher>& touchers(Cell cell);

private:
    void recompute();

    std::optional<TileUse> use;
    Background<TileUse> work;
    std::optional<Cell> touched_cell;
    std::vector<Toucher> touched_by;
};

// Indices of the shared tiles of a recording that are no larger than can be drawn.
std::vector<uint8_t> shared_tiles(const recording::Recording& recording);

} // namespace viz
