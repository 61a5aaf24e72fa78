// Resolves the selection for one stage.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/view.h"

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <string>

namespace viz {

// The selected block, warp and access of a stage. A pointer is null if the stage has no such item; `why` then says why.
struct Focus {
    const recording::Recording* recording = nullptr;
    const recording::BlockTrace* block = nullptr;
    const recording::WarpTrace* warp = nullptr; // has at least one access
    uint32_t warp_index = 0;
    std::size_t step = 0;  // index into the warp's accesses
    bool past_end = false; // the selected step is after the warp's last one; `step` is then the last one
    std::string why;

    const recording::Access& access() const { return warp->accesses[step]; }
};

// `leading` is column 0, whose recording Selection::block refers to. For another stage, uses the block with the same
// index in the grid.
Focus focus_on(const StageColumn& stage, const StageColumn& leading, const Selection& selection);
inline Focus focus_on(const ViewScene& scene, const StageColumn& stage)
{
    return focus_on(stage, scene.columns.front(), scene.selection);
}

// Selects a block of the first column. If it was not recorded in full, requests it from the window.
void select_block(const ViewScene& scene, uint32_t block);
// Selects an element of C and, if it has one, its owner.
void select_element(const ViewScene& scene, const Cell& element, const std::optional<Owner>& owner);

// Returns the step to show in a view that shows only certain steps. `nearest` returns the nearest such step. A compared
// stage shows the step that matches that of column 0: a load of Bs beside a load of Bs. Returns nothing if the warp has
// no such step.
using NearestStep = std::optional<std::size_t> (*)(const recording::WarpTrace& warp, std::size_t step);
std::optional<std::size_t> step_shown(const ViewScene& scene, const StageColumn& stage, const Focus& focus,
                                      NearestStep nearest);

// Returns "As store", "B load", "barrier".
std::string access_name(const recording::Recording& recording, const recording::Access& access);

std::string block_name(const recording::Recording& recording, const recording::BlockTrace& block); // "(0,1)"

} // namespace viz
