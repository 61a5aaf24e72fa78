// Facts, texts and pictures of the placement view about a launch that was recorded or is shipped: when and where blocks
// ran, and which block sums which part of K. Functions that return text are pure.
#pragma once

#include "recording/measured.h"
#include "viz/analysis/placement.h"
#include "viz/analysis/tile_work.h"
#include "viz/draw/camera.h"
#include "viz/figure/figure.h"
#include "viz/figure/raster.h"
#include "viz/ladder_facts.h"
#include "viz/speed.h"
#include "viz/stage_column.h"
#include "viz/text/rich.h"
#include "viz/view_options.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

enum class PlacementPage : uint8_t { times, work }; // when blocks ran; which block sums which part of K

// The recording that the other views show, or a shipped launch: with many blocks, or with few tiles of C and a long K.
enum class Launches : uint8_t { recorded, many, tall };
inline constexpr Launches all_launches[] = {Launches::recorded, Launches::many, Launches::tall};

// The user's choices. Without a choice, the available data decide.
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

// Facts derived from a launch.
struct LaunchFacts {
    std::shared_ptr<const recording::Recording> recording; // of the launch
    std::optional<PlacementPicture> picture;
    std::optional<PlacedBlocks> untimed; // set instead of `picture` if the times are not known
    std::vector<std::size_t> places;     // for each block of the grid: its index in placed()->blocks, if it has one
    BlockGrid grid;
    LaunchRunner runner;

    const PlacedBlocks* placed() const { return picture ? &*picture : untimed ? &*untimed : nullptr; }
    const PlacedBlock* find(uint32_t block) const; // `block` is linear in the grid; null if its SM is not known
};
using Launch = std::shared_ptr<const LaunchFacts>;

// `recorded` is a recording of the same stage that has the owners of C; see block_grid().
Launch launch_facts(const recording::Recording& recorded, const std::shared_ptr<const recording::Recording>& launch);

// Returns null if there is no such launch with the column's parameters. Unless `without_sms`, also returns null if the
// CPU recorded the launch, which then has no SMs.
std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const LadderFacts& ladder_facts,
                                                      Launches which, bool without_sms);

// For StageColumn::memo. `launch` may differ from the column's recording.
PlacedLanes lanes_of_launch(const recording::Recording&, const Launch& launch, bool by_slot);

// The parts of K of each block, and the positions at which they are drawn.
class WorkSide {
public:
    // Must be called in each frame. `facts` is null while they are computed.
    void show(std::shared_ptr<const Told<WorkFacts>> facts, uint32_t K);
    bool busy() const { return told_ == nullptr; }
    const WorkFacts* facts() const { return told_ && *told_ ? &**told_ : nullptr; }
    NoWork why_not() const { return told_->why; } // requires that facts() is null and that it is not busy
    uint32_t K() const { return K_; }             // of the product

    // Returns the parts in a row of tiles of C, by column and then by k. They are indices into TileWork::parts.
    std::span<const std::size_t> row_of_c(std::size_t row) const
    {
        return std::span(in_c_).subspan(first_in_c_[row], first_in_c_[row + 1] - first_in_c_[row]);
    }
    struct LanePlace {
        std::size_t lane = 0, span = 0; // indices into WorkLanes::lanes
    };
    LanePlace lane_of(std::size_t part) const { return in_lanes_[part]; }

    // Returns the block that is `blocks` positions further in the lane, or the first block of the lane that is `lanes`
    // further. Negative numbers go backwards. One of the numbers must not be 0. Returns `from` if there is no such
    // block.
    std::optional<uint32_t> next_block(std::optional<uint32_t> from, int blocks, int lanes) const;

    std::shared_ptr<LaneRaster> map, tiles, whole, cut; // cached pictures

private:
    std::shared_ptr<const Told<WorkFacts>> told_;
    uint32_t K_ = 1;
    std::vector<std::size_t> in_c_, first_in_c_;
    std::vector<LanePlace> in_lanes_; // by part
};

// The tiles that are taken last: split tiles, and whole tiles of the wave before if there is room.
struct LastTiles {
    std::vector<uint32_t> tiles; // visible
    std::size_t all = 0;
};
// Returns at most `fitting` tiles. Whole tiles are added only up to a total of `at_ease`. If not all fit, returns those
// around the selected block's tile.
LastTiles last_tiles(const WorkFacts& facts, const std::optional<uint32_t>& selected, uint32_t fitting,
                     uint32_t at_ease);

// The selection in a launch and its cached pictures, until another launch is shown.
struct PlacementSide {
    Launch facts;                  // null before the first stage
    bool shipped = false;          // `facts` are not of the other views' recording
    std::optional<uint32_t> block; // selected block, linear in the grid
    std::shared_ptr<LaneRaster> sms = std::make_shared<LaneRaster>(), resident = std::make_shared<LaneRaster>();
    std::shared_ptr<Raster> map = std::make_shared<Raster>();
    WorkSide work = {};

    const recording::Recording& recording() const { return *facts->recording; }
    const PlacementPicture* picture() const { return facts && facts->picture ? &*facts->picture : nullptr; }
    const PlacedBlock* selected() const { return facts && block ? facts->find(*block) : nullptr; }
    // Selects a block. Has no effect if the grid has no such block.
    void select(const recording::Index3& index);
    // Return the neighbour of the selected block, next (by = 1) or previous (by = -1). next_on_sm() stays on the SM,
    // and next_sm() goes to the first block of the next SM that has one.
    std::optional<uint32_t> next_on_sm(int by) const;
    std::optional<uint32_t> next_sm(int by) const;
};

// Computes the parts of K on all sides. Two stages get equal numbers of places for comparison: those that one of the
// launches determines, or else `sms`, the SMs of the GPU shown. Until slow computations on another thread end, there
// are no facts.
void show_work(std::span<const StageColumn> columns, const WorkPlaces& sms, std::span<PlacementSide> sides);

// Texts about times.

// Returns the line above the picture.
Rich headline(const PlacementPicture& picture);
// Returns the line above the picture during a race: how much this launch has finished at that time, when it ends, and,
// after both have ended, which one was first. `timed` is the measured GFLOPS from the ladder.
Rich race_headline(const LaunchRunner& own, const LaunchRunner& other, double ns,
                   const recording::Measured<double>& timed);
// Explains why two launches cannot race.
Rich no_race(const recording::Recording& own, const recording::Recording& other);
// Describes how the blocks fill the GPU, wave by wave.
Rich wave_words(const recording::Recording& recording, const PlacementPicture& picture);
// Describes the durations of blocks and the idle time of SMs.
Rich balance_words(const recording::Recording& recording, const PlacementPicture& picture);
// idle_words() lists the SMs without a block at that time. idle_sm_words() says how long one SM has none.
Rich idle_words(const PlacementPicture& picture, double ns);
Rich idle_sm_words(const PlacementPicture& picture, uint32_t sm, const PlacedLanes::Span& idle);
// Tells where the block ran and, if known, when.
Rich block_words(const recording::Recording& recording, const PlacedBlock& block);
// Explains why there is no picture.
enum class Elsewhere : uint8_t { nowhere, above, behind_tiny }; // where launches of a GPU can be found
Rich no_placement(const recording::Recording& recording, Elsewhere others);

// Texts about parts of K.

// Returns the line above the picture.
Rich work_headline(const WorkFacts& facts);
// Describes the total work and its distribution, one paragraph each. `both`: the alternative distribution is drawn,
// too.
std::vector<Rich> work_words(const WorkFacts& facts, bool both);
// Return the title above the lanes of one case, and the lanes' duration with the idle fraction.
std::string_view lanes_title(const WorkFacts& facts, const WorkCase& shown);
Rich lanes_length(const WorkCase& shown);
// Describes a part in one of the two cases. `K` is that of the whole product.
Rich part_words(const WorkFacts& facts, const WorkCase& shown, std::size_t part, uint32_t K);
// Describes a lane that has finished its work.
Rich idle_lane_words(const WorkFacts& facts, const WorkCase& shown, std::size_t lane);
// Explains why there is no picture.
Rich no_work(NoWork why);

// Pictures, as panels of a figure (pictures.cpp).

inline Colour idle_colour(const Theme& theme) // an SM or slot without a block
{
    return mix(theme.panel, theme.warning, 0.45f);
}
// Returns the colour of a block's part of a tile, paler if the block computes the whole tile.
inline Colour work_colour(const Theme& theme, const WorkPart& part, bool whole)
{
    const Colour colour = category_colour(theme, part.block);
    return whole ? mix(theme.panel, colour, 0.5f) : colour;
}

// A launch in this frame, with actions for clicks and drags in its pictures. Must outlive the figure, whose marks refer
// to it.
struct ShownLaunch {
    const PlacementSide& side;
    const StageColumn& stage;
    const Theme& theme;
    bool first = true;    // first of the compared launches, whose marks alone have names
    TimeWindow time = {}; // visible time, in nanoseconds
    double now = 0;       // in nanoseconds; C is shown at this time
    bool racing = false;  // another launch races; the end of this launch is then labelled
    std::function<void(const ViewScene&, uint32_t)> select = {}; // gets a block, linear in the grid
    std::function<void(double)> move_to = {};                    // gets nanoseconds
    std::function<void(float, float)> use_wheel = {};            // gets the left and right pixel of a chart

    std::string named(const std::string& mark) const { return first ? mark : std::string(); }
};

// Adds all SMs over time, the selected SM with its slots, and the number of resident blocks.
void add_lanes(Figure& figure, const ShownLaunch& launch, const Box& box);

// Adds C by blocks: waiting, running or done at the current time, or coloured by SM if times are not known.
void add_map(Figure& figure, const ShownLaunch& launch, const Box& box);

// Adds the tiles of C, the parts of K of the tiles that are taken last, and lanes of blocks over k-tiles. `alone` adds
// the lanes of the alternative distribution. The lanes are `most` k-tiles wide, or more if they are longer.
void add_work(Figure& figure, const ShownLaunch& launch, bool alone, uint64_t most, const Box& box);

// If K has slices, adds how the second kernel sums them for the first element of the selected block's tile. Each step
// has a row with the slice, its sum ("slice N sum"), and the element after it ("slice N total"). Returns the remaining
// box.
Box beside_reduction(Figure& figure, const ShownLaunch& launch, const Box& all);

// Returns as much of the colours' legend as fits on one line. Later waves repeat the nine colours.
std::vector<LegendEntry> legend_of(const ShownLaunch& launch, bool by_slot, float width);

} // namespace viz
