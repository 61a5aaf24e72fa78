// Facts and texts of the shared memory view: the shared access shown for one stage.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/focus.h"
#include "viz/text/rich.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// The heatmap of a warp, or of all warps of its block.
struct BankFacts {
    bool whole_block = true;
    Heatmap map;
    std::vector<std::string> names; // of the rows of the map
    std::vector<Phase> phases;
    // The steps at which the pages of the heatmap begin. There is a page for each k-tile, and one for the stores of C.
    std::vector<std::size_t> pages;
    std::size_t most_wavefronts = 1; // the most of any access of the warp
    std::size_t longest_page() const;
};
BankFacts bank_facts(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                     bool whole_block);

// The shared access shown for one stage.
struct ShownAccess {
    const StageColumn* stage = nullptr;
    Focus focus;
    const BankFacts* facts = nullptr;                               // this and the next two are null without a warp
    const std::vector<Elements>* elements = nullptr;                // of the recording
    const std::optional<recording::SharedTotals>* copies = nullptr; // over the launch; see model::copy_writes()
    std::optional<std::size_t> step = {};                           // empty if the warp does not access shared memory
    BankPicture picture = {};
    const HardwareFigures* counted = nullptr; // of the recorded launch; null if it was not counted

    static ShownAccess of(const ViewScene& scene, const StageColumn& stage, bool whole_block);

    const recording::Access& access() const { return focus.warp->accesses[*step]; }
    bool ready() const { return focus.warp && step; }
    bool knows_cost() const { return access().op != recording::Op::shared_atomic || has_shared_cost(access()); }
    // If the compiler merged loads: returns the counted wavefronts over those of the source's loads, below 1.
    std::optional<double> merged_loads() const;
};

// Returns "2 wavefronts, 1 conflict". Adds the step if it is not the selected one.
Rich headline(const ShownAccess& shown);

// Returns paragraphs about the access, the reasons for its cost, and the lanes that are served together. The totals of
// the block and of the launch follow.
std::vector<Rich> in_words(const Theme& theme, const ShownAccess& shown);

// Returns "block (0,0), warp 0, lane 13 reads Bs(3, 104..107): words 488-491, banks 8-11, wavefront 4 ...".
Rich lane_words(const ShownAccess& shown, uint32_t lane);

// Describes a position of the heatmap. `cell` is null if the line has no access at that step.
Rich heat_words(const ShownAccess& shown, const HeatRow& row, std::size_t step, const HeatCell* cell);

} // namespace viz
