// What the placement view has of one launch: a stage's recording, or what is shipped of the stage.
#pragma once

#include "viz/analysis/placement.h"
#include "viz/board.h"
#include "viz/stage_column.h"
#include "viz/views/08_placement/block_map.h"
#include "viz/views/08_placement/placement_chart.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace viz {

// What follows from the launch.
struct LaunchFacts {
    std::shared_ptr<const recording::Recording> recording; // of the launch
    std::optional<PlacementPicture> picture;
    std::optional<PlacedBlocks> untimed; // where there is no picture, as only the times are not known
    BlockGrid grid;
    LaunchRunner runner;

    const PlacedBlocks* placed() const { return picture ? &*picture : untimed ? &*untimed : nullptr; }
};
// `recorded`: of the same stage, whose owners of C are known; see block_grid.
std::shared_ptr<const LaunchFacts> launch_facts(const recording::Recording& recorded,
                                                const std::shared_ptr<const recording::Recording>& launch);

// The recording of the other views, or what is shipped: a launch of many blocks, or of few tiles of C and a long K.
enum class Launches : uint8_t { recorded, many, tall };
inline constexpr Launches all_launches[] = {Launches::recorded, Launches::many, Launches::tall};
// Null: there is none, or it has other parameters; or it has no SMs, as the CPU made it, unless one `without_sms` will do.
std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const Board& board, Launches which,
                                                      bool without_sms);

// What a person chose in it and what was painted of it, both until another launch is shown.
struct PlacementSide {
    std::shared_ptr<const LaunchFacts> facts; // null: no stage was here yet
    bool shipped = false;                     // not the recording of the other views
    std::optional<uint32_t> block;            // selected, linear in the grid
    SmPixels sms;
    BlockMapPixels map;

    const recording::Recording& recording() const { return *facts->recording; }
    const PlacementPicture* picture() const { return facts && facts->picture ? &*facts->picture : nullptr; }
    // Leaves it as it is where the grid has no such block.
    void select(const recording::Index3& index);
    const PlacedBlock* selected() const;
    // From the selected one, forwards by 1 or backwards by -1: on the same SM, or the first one on the next SM that has any.
    std::optional<uint32_t> next_on_sm(int by) const;
    std::optional<uint32_t> next_sm(int by) const;
};

} // namespace viz
