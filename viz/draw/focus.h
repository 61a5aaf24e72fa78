// What the selection points at in one stage.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/view.h"

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <string>

namespace viz {

// Null pointers where there is nothing to point at; `why` then says so in a sentence.
struct Focus {
    const recording::Recording* recording = nullptr;
    const recording::BlockTrace* block = nullptr;
    const recording::WarpTrace* warp = nullptr; // has at least one access
    uint32_t warp_index = 0;
    std::size_t step = 0;  // within the warp's accesses
    bool past_end = false; // the selected step lies after the last one: `step` is the last one
    std::string why;

    const recording::Access& access() const { return warp->accesses[step]; }
};

// `leading` is column 0, in whose recording Selection::block counts; in another the block of the same place is taken.
Focus focus_on(const StageColumn& stage, const StageColumn& leading, const Selection& selection);
inline Focus focus_on(const ViewScene& scene, const StageColumn& stage)
{
    return focus_on(stage, scene.columns.front(), scene.selection);
}

// Selects a block of the first column, or requests it from the window if it was not recorded in full.
void select_block(const ViewScene& scene, uint32_t block);
// An element of C, and its owner where it has one.
void select_element(const ViewScene& scene, const Cell& element, const std::optional<Owner>& owner);

// The step that is shown where only some are, by what is `nearest` to a step of a warp. Of a stage that is compared it does the
// like of what is shown of column 0: a load of Bs beside a load of Bs. Nothing: the warp has no such step.
using NearestStep = std::optional<std::size_t> (*)(const recording::WarpTrace& warp, std::size_t step);
std::optional<std::size_t> step_shown(const ViewScene& scene, const StageColumn& stage, const Focus& focus,
                                      NearestStep nearest);

// "As store", "B load", "barrier"
std::string access_name(const recording::Recording& recording, const recording::Access& access);

std::string block_name(const recording::Recording& recording, const recording::BlockTrace& block); // "(0,1)"

} // namespace viz
