// What the placement view keeps of one of the stages shown.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/placement.h"
#include "viz/views/08_placement/block_map.h"
#include "viz/views/08_placement/placement_chart.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace viz {

// One of the stages shown.
struct PlacementSide {
    std::shared_ptr<const recording::Recording> recording; // null until the first update
    std::optional<PlacementPicture> picture;
    std::optional<uint32_t> block; // selected, linear in the grid
    BlockGrid grid;
    SmPixels sms;
    BlockMapPixels map;
    bool shipped = false; // not the recording of the other views
    LaunchRunner runner;

    // Whether it is another recording now. `owners`: of the same stage, see block_grid.
    bool update(const std::shared_ptr<const recording::Recording>& wanted, const recording::Recording* owners)
    {
        if (wanted == recording)
            return false;
        recording = wanted;
        picture = placement_of(*recording);
        runner = picture ? LaunchRunner(*picture) : LaunchRunner();
        grid = block_grid(recording->launch, owners);
        block.reset();
        sms.reset();
        map.reset();
        return true;
    }
    // Leaves it as it is where the grid has no such block.
    void select(const recording::Index3& index)
    {
        const recording::Index3& grid = recording->launch.grid;
        if (index.x < grid.x && index.y < grid.y && index.z < grid.z)
            block = linear_of(index, grid);
    }
    const PlacedBlock* selected() const
    {
        if (!picture || !block)
            return nullptr;
        const auto found = std::ranges::find(picture->blocks, *block, &PlacedBlock::block);
        return found == picture->blocks.end() ? nullptr : &*found;
    }
};

} // namespace viz
