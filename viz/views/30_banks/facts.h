// The shared access that the view shows of one stage, and what is said of it.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/text/rich.h"

#include <memory>
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
    std::size_t longest_page() const;
};
BankFacts bank_facts(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                     bool whole_block);

// Of one stage.
struct ShownAccess {
    const StageColumn* stage = nullptr;
    Focus focus;
    const BankFacts* facts = nullptr;                               // null without a warp, as what follows
    const std::vector<Elements>* elements = nullptr;                // of the recording
    const std::vector<OwnedCell>* owned = nullptr;                  // by the block
    const std::optional<recording::SharedTotals>* copies = nullptr; // see model::copy_writes, of the launch
    std::optional<std::size_t> step = {};                           // none: the warp has no shared access
    BankPicture picture = {};
    const HardwareFigures* counted = nullptr; // of the launch that was recorded; null: there are no counters of it

    static ShownAccess of(const ViewScene& scene, const StageColumn& stage, bool whole_block);

    const recording::Access& access() const { return focus.warp->accesses[*step]; }
    bool ready() const { return focus.warp && step; }
    // How many of the wavefronts that the source's loads take the GPU counted, where the compiler merged some: below 1.
    std::optional<double> merged_loads() const;
};

// "2 wavefronts, 1 conflict", with the step where it is not the selected one.
Rich headline(const ShownAccess& shown);

// At length: which access is shown, what it costs and why, which lanes are served together, the block's and the launch's
// sums.
std::vector<Rich> in_words(const Theme& theme, const ShownAccess& shown);

// Wavefronts, conflicts, registers, occupancy and GFLOPS of two stages.
Rich differences(const Theme& theme, const ShownAccess& a, const ShownAccess& b);

// "block (0,0), warp 0, lane 13 reads Bs(3, 104..107): words 488-491, banks 8-11, wavefront 4 ..."
Rich lane_words(const ShownAccess& shown, uint32_t lane);

// Of a place in the heatmap; `cell` is null where the line has no access at that step.
Rich heat_words(const ShownAccess& shown, const HeatRow& row, std::size_t step, const HeatCell* cell);

// The picture of the access (bank_diagram.cpp): a row for each wavefront, a column for each bank, a lane's number in each word that
// it moves. `rows`: to leave room for; those of the picture at least. Below is a line for what has no room on the picture.
using Shown = std::shared_ptr<const ShownAccess>;
Panel bank_panel(const ViewFrame& frame, const Shown& shown, const Box& box, std::size_t rows);
// With that line; rows of that number take so much at most, out of `room`.
float bank_panel_height(const Theme& theme, std::size_t rows, float room);

} // namespace viz
