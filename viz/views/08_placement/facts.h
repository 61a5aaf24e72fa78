// What the placement view shows of a launch, a stage's recording or what is shipped of the stage, and what it says of that: when and
// where blocks ran, and which block adds up which part of K. The sentences are pure functions.
#pragma once

#include "recording/measured.h"
#include "viz/analysis/placement.h"
#include "viz/analysis/tile_work.h"
#include "viz/board.h"
#include "viz/figure/raster.h"
#include "viz/speed.h"
#include "viz/stage_column.h"
#include "viz/text/rich.h"
#include "viz/view_options.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

enum class PlacementPage : uint8_t { times, work }; // when blocks ran; which block adds up which part of K

// The recording of the other views, or what is shipped: a launch of many blocks, or of few tiles of C and a long K.
enum class Launches : uint8_t { recorded, many, tall };
inline constexpr Launches all_launches[] = {Launches::recorded, Launches::many, Launches::tall};

// What was chosen in the view; what was not chosen follows from what there is.
struct PlacementOptions {
    std::optional<PlacementPage> page;
    std::optional<Launches> launch;
};

void fields(auto& visit, kernels::Like<PlacementOptions> auto& options)
{
    static constexpr std::string_view pages[] = {"times", "work"}, launches[] = {"recorded", "many", "tall"};
    visit("page", options.page, OneOf{pages});
    visit("launch", options.launch, OneOf{launches});
}

// What follows from a launch.
struct LaunchFacts {
    std::shared_ptr<const recording::Recording> recording; // of the launch
    std::optional<PlacementPicture> picture;
    std::optional<PlacedBlocks> untimed; // where there is no picture, as only the times are not known
    std::vector<std::size_t> places;     // of each block of the grid in placed()->blocks, which it may lack
    BlockGrid grid;
    LaunchRunner runner;

    const PlacedBlocks* placed() const { return picture ? &*picture : untimed ? &*untimed : nullptr; }
    const PlacedBlock* find(uint32_t block) const; // linear in the grid; null: it was not placed
};
using Launch = std::shared_ptr<const LaunchFacts>;

// `recorded`: of the same stage, whose owners of C are known; see block_grid.
Launch launch_facts(const recording::Recording& recorded, const std::shared_ptr<const recording::Recording>& launch);

// Null: there is none, or it has other parameters; or it has no SMs, as the CPU made it, unless one `without_sms` will do.
std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const Board& board, Launches which,
                                                      bool without_sms);

// For StageColumn::memo: of a launch that the column shows, which need not be its recording.
PlacedLanes lanes_of_launch(const recording::Recording&, const Launch& launch, bool by_slot);

// Which block has which part of K, and where its parts are drawn.
class WorkSide {
public:
    // What it shows, each frame anew; null: it is being computed.
    void show(std::shared_ptr<const Told<WorkFacts>> facts, uint32_t K);
    bool busy() const { return told_ == nullptr; }
    const WorkFacts* facts() const { return told_ && *told_ ? &**told_ : nullptr; }
    NoWork why_not() const { return told_->why; } // where there are no facts, and it is not busy
    uint32_t K() const { return K_; }             // of the product

    // Parts of the launch, in rows of tiles of C, by column and then by k: indices into TileWork::parts.
    std::span<const std::size_t> row_of_c(std::size_t row) const
    {
        return std::span(in_c_).subspan(first_in_c_[row], first_in_c_[row + 1] - first_in_c_[row]);
    }
    struct LanePlace {
        std::size_t lane = 0, span = 0; // WorkLanes::lanes
    };
    LanePlace lane_of(std::size_t part) const { return in_lanes_[part]; }

    // The next block of the same lane, or the first of the next one; backwards with a negative number. The same where there is none.
    // Not both numbers are 0.
    std::optional<uint32_t> next_block(std::optional<uint32_t> from, int blocks, int lanes) const;

    std::shared_ptr<LaneRaster> map, tiles, whole, cut; // what was painted of it

private:
    std::shared_ptr<const Told<WorkFacts>> told_;
    uint32_t K_ = 1;
    std::vector<std::size_t> in_c_, first_in_c_;
    std::vector<LanePlace> in_lanes_; // by part
};

// What was chosen in a launch and what was painted of it, both until another launch is shown.
struct PlacementSide {
    Launch facts;                  // null: no stage was here yet
    bool shipped = false;          // not the recording of the other views
    std::optional<uint32_t> block; // selected, linear in the grid
    std::shared_ptr<LaneRaster> sms = std::make_shared<LaneRaster>(), resident = std::make_shared<LaneRaster>();
    std::shared_ptr<Raster> map = std::make_shared<Raster>();
    WorkSide work = {};

    const recording::Recording& recording() const { return *facts->recording; }
    const PlacementPicture* picture() const { return facts && facts->picture ? &*facts->picture : nullptr; }
    const PlacedBlock* selected() const { return facts && block ? facts->find(*block) : nullptr; }
    // Leaves it as it is where the grid has no such block.
    void select(const recording::Index3& index);
    // From the selected one, forwards by 1 or backwards by -1: on the same SM, or the first one on the next SM that has any.
    std::optional<uint32_t> next_on_sm(int by) const;
    std::optional<uint32_t> next_sm(int by) const;
};

// Computes the parts of K of all sides: two stages on as many places, so that they can be compared: as one of them has them by
// itself, else on `sms`, those of the GPU shown. It is done beside the frames where that takes long; until then there are no facts.
void show_work(std::span<const StageColumn> columns, const WorkPlaces& sms, std::span<PlacementSide> sides);

// The sentences about times.

// The one line above the picture.
Rich headline(const PlacementPicture& picture);
// The same while two launches race: how far this one is at that time, when it ends, and then who was through first.
// `timed`: GFLOPS as the ladder has them, where they are known.
Rich race_headline(const LaunchRunner& own, const LaunchRunner& other, double ns,
                   const recording::Measured<double>& timed);
// What the race adds to the two kernels, and what these give as they are timed.
Rich race_words(const recording::Recording& first, const recording::Recording& second,
                const std::pair<Speed, Speed>& timed);
// Why two launches are no race.
Rich no_race(const recording::Recording& own, const recording::Recording& other);
// How the blocks fill the GPU, wave by wave.
Rich wave_words(const recording::Recording& recording, const PlacementPicture& picture);
// How long blocks take, and for how long SMs stand empty.
Rich balance_words(const recording::Recording& recording, const PlacementPicture& picture);
// Which SMs have no block at that time; and for how long one of them has none.
Rich idle_words(const PlacementPicture& picture, double ns);
Rich idle_sm_words(const PlacementPicture& picture, uint32_t sm, const PlacedLanes::Span& idle);
// Where and, where that is known of the launch, when it ran.
Rich block_words(const recording::Recording& recording, const PlacedBlock& block);
// Why there is no picture.
enum class Elsewhere : uint8_t { nowhere, above, behind_tiny }; // where launches of a GPU are
Rich no_placement(const recording::Recording& recording, Elsewhere others);

// The sentences about parts of K.

// The one line above the picture.
Rich work_headline(const WorkFacts& facts);
// What there is to do, and how the tiles are shared out, by paragraph; `both`: how it would be otherwise is drawn, too.
std::vector<Rich> work_words(const WorkFacts& facts, bool both);
// Above the lanes of one case: what they are; how long they take and how much of that is idle.
std::string_view lanes_title(const WorkFacts& facts, const WorkCase& shown);
Rich lanes_length(const WorkCase& shown);
// A part of one of the two cases; K is that of the whole product.
Rich part_words(const WorkFacts& facts, const WorkCase& shown, std::size_t part, uint32_t K);
// A lane that has no work any more.
Rich idle_lane_words(const WorkFacts& facts, const WorkCase& shown, std::size_t lane);
// Why there is no picture.
Rich no_work(NoWork why);

} // namespace viz
