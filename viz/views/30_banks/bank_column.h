// What the bank view draws of one subject, and the sentences around it.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/focus.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// What is computed from one recording, block and warp, kept until they change.
struct BankFacts {
    std::shared_ptr<const recording::Recording> recording; // kept, so that its address cannot be given to another
    const recording::BlockTrace* block = nullptr;
    const recording::WarpTrace* warp = nullptr;
    bool whole_block = true;
    Heatmap map;
    std::vector<std::string> names; // of the map's rows
    std::vector<Phase> phases;
    std::vector<Elements> elements;
    std::vector<OwnedCell> owned;                  // by the block
    std::optional<recording::SharedTotals> copies; // see model::copy_writes, of the launch

    void update(const Subject& subject, const Focus& focus, bool all_warps);
};

// One subject and the place where it is drawn.
struct BankColumn {
    const Subject* subject = nullptr;
    Focus focus;
    BankFacts* facts = nullptr;
    std::optional<std::size_t> step; // of the shared access that is shown
    BankPicture picture;
    float x = 0, width = 0;

    const recording::Access& shown() const { return focus.warp->accesses[*step]; }
    bool ready() const { return focus.warp && step; }
};

// Which access is shown, and its line of source.
Prose what_is_shown(const Theme& theme, const BankColumn& column);

// Whether one legend does for all columns that are ready.
bool same_groups(const std::vector<BankColumn>& columns);

// What rows and numbers mean, for all columns.
Prose how_to_read(const Theme& theme);

// Which lanes are served together, said after that.
Prose& add_group_legend(Prose& prose, const Theme& theme, const BankColumn& column);

// "8 wavefronts, 4 conflicts" and the reason.
Prose outcome(const Theme& theme, const BankColumn& column);

// The heatmap's sum, beside the whole launch's.
Prose conflict_sums(const Theme& theme, const BankColumn& column);

// One line: wavefronts, conflicts, registers, occupancy and GFLOPS of two stages.
Prose differences(const Theme& theme, const BankColumn& a, const BankColumn& b);

// "block (0,0), warp 0, lane 13 reads Bs(3, 104..107): words 488-491, banks 8-11, wavefront 4 ..."
std::string describe_lane(const BankColumn& column, uint32_t lane);

} // namespace viz
