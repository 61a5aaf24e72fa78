// The shared access that the view shows of one stage, and what is said of it.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/draw.h"
#include "viz/draw/focus.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// What the heatmap shows of a warp, or of all warps of its block.
struct BankFacts {
    bool whole_block = true;
    Heatmap map;
    std::vector<std::string> names; // of the map's rows
    std::vector<Phase> phases;
    std::vector<std::size_t> pages;  // of the heatmap: where each k-tile begins, and the storing of C
    std::size_t most_wavefronts = 1; // of one access of the warp
};
BankFacts bank_facts(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                     bool whole_block);

// Of one stage, and the place where it is drawn.
struct ShownAccess {
    const StageColumn* stage = nullptr;
    Focus focus;
    const BankFacts* facts = nullptr;                               // null without a warp, as what follows
    const std::vector<Elements>* elements = nullptr;                // of the recording
    const std::vector<OwnedCell>* owned = nullptr;                  // by the block
    const std::optional<recording::SharedTotals>* copies = nullptr; // see model::copy_writes, of the launch
    std::optional<std::size_t> step = {};                           // none: the warp has no shared access
    BankPicture picture = {};
    draw::Box box;                            // where it is drawn
    const HardwareFigures* counted = nullptr; // of the launch that was recorded; null: nobody counted it

    const recording::Access& access() const { return focus.warp->accesses[*step]; }
    bool ready() const { return focus.warp && step; }
    // How many of the wavefronts that the source's loads take the GPU counted, where the compiler merged some: below 1.
    std::optional<double> merged_loads() const;
};

// "2 wavefronts, 1 conflict", with the step where it is not the selected one.
Message headline(const ShownAccess& shown);

// At length: which access is shown, what it costs and why, which lanes are served together, the block's and the launch's
// sums.
std::vector<Messages> in_words(const Theme& theme, const ShownAccess& shown);

// Wavefronts, conflicts, registers, occupancy and GFLOPS of two stages.
Messages differences(const Theme& theme, const ShownAccess& a, const ShownAccess& b);

// "block (0,0), warp 0, lane 13 reads Bs(3, 104..107): words 488-491, banks 8-11, wavefront 4 ..."
Message describe_lane(const ShownAccess& shown, uint32_t lane);

} // namespace viz
