#include "viz/views/08_placement/facts.h"

#include "viz/analysis/access.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/tiling.h"
#include "viz/origin.h"
#include "viz/text/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

namespace viz {

using recording::Recording;
using recording::Resources;

namespace {

constexpr std::size_t quick_accesses = 6'000;          // largest number of accesses processed within a frame
constexpr uint64_t quick_products = uint64_t{1} << 28; // of M x N x K, to which the number of parts is proportional

using ToldWork = std::shared_ptr<const Told<TileWork>>;

bool is_quick(const recording::Recording&, const Launch& launch)
{
    std::size_t accesses = 0;
    for (const recording::BlockTrace& block : launch->recording->blocks)
        accesses += access_count(block);
    const recording::Problem& problem = launch->recording->problem;
    return accesses <= quick_accesses && uint64_t{problem.M} * problem.N <= quick_products / std::max(1u, problem.K);
}

ToldWork work_of_launch(const recording::Recording&, const Launch& launch)
{
    return std::make_shared<const Told<TileWork>>(tile_work(*launch->recording));
}

const PlacementPicture* picture_of(const Launch& launch)
{
    return launch->picture ? &*launch->picture : nullptr;
}

std::shared_ptr<const Told<WorkFacts>> facts_of_launch(const recording::Recording&, const Launch& launch,
                                                       const ToldWork& work, const WorkPlaces& others)
{
    return std::make_shared<const Told<WorkFacts>>(*work ? work_facts(**work, picture_of(launch), others)
                                                         : Told<WorkFacts>(work->why));
}

constexpr double schedulers = 4; // per SM

Quantity time(uint64_t ns)
{
    return nanoseconds(static_cast<double>(ns));
}

Quantity milliseconds(double ms)
{
    return nanoseconds(ms * 1e6);
}

// In longer launches, the time for reading the clock has no effect.
constexpr double long_launch_ms = 0.1;

// Explains why the blocks' SMs are known, but not when they run in the timed kernel. `others`: a shipped launch is
// offered.
Rich no_times(const Recording& recording, recording::Untimed why, bool others)
{
    const recording::PlacedRun run = recording.placed.value_or(recording::PlacedRun{});
    const char* const shipped = others ? "The button with the larger size shows a shipped launch with its times." : "";
    switch (why) {
    case recording::Untimed::instrumented:
        return rich("*When blocks ran is not shown:* the launch that placed them also wrote down what they did. That "
                    "changes when they run, and how many fit an SM. {}",
                    others ? shipped
                           : "`r` records them anew for a stage of the ladder, on a machine with an NVIDIA GPU.");
    case recording::Untimed::other_residency:
        return rich("*When blocks ran is not shown:* **{}** of the kernel that reads the clock fit an SM, of the timed "
                    "one **{}**. {}",
                    counted(run.resources.blocks_per_sm, "block"),
                    recording.resources.value_or(Resources{}).blocks_per_sm, shipped);
    case recording::Untimed::other_time:
        return rich("*When blocks ran is not shown:* with the clock read the launch takes **{}**, without it **{}**. "
                    "That is more than {} apart, so these are not the times of the kernel. {}",
                    milliseconds(run.placed_ms), milliseconds(run.plain_ms), share(recording::placed_tolerance),
                    others ? "The button with the larger size shows a shipped launch, which is less disturbed."
                    : run.plain_ms > long_launch_ms ? "The compiler makes other code of a kernel that reads the clock."
                                                    : "A larger size is less disturbed.");
    }
    return {};
}

Value idle_value(const WorkLanes& lanes)
{
    constexpr double much = 0.1;
    return Value(share(lanes.idle())).as(lanes.idle() > much ? Meaning::conflict : Meaning::good);
}

const char* places_name(const WorkFacts& facts, const char* otherwise)
{
    return facts.on_sms ? "SMs" : otherwise;
}

} // namespace

const PlacedBlock* LaunchFacts::find(uint32_t block) const
{
    const PlacedBlocks* const all = placed();
    return all != nullptr && block < places.size() && places[block] < all->blocks.size() ? &all->blocks[places[block]]
                                                                                         : nullptr;
}

Launch launch_facts(const recording::Recording& recorded, const std::shared_ptr<const recording::Recording>& launch)
{
    auto facts = std::make_shared<LaunchFacts>();
    facts->recording = launch;
    facts->picture = placement_of(*launch);
    if (!facts->picture)
        facts->untimed = placed_blocks(*launch);
    facts->grid = block_grid(launch->launch, &recorded);
    if (facts->picture)
        facts->runner = LaunchRunner(*facts->picture);
    if (const PlacedBlocks* const placed = facts->placed())
        for (std::size_t i = 0; i < placed->blocks.size(); ++i) {
            const std::size_t block = placed->blocks[i].block;
            if (block >= facts->places.size())
                facts->places.resize(block + 1, placed->blocks.size());
            facts->places[block] = i;
        }
    return facts;
}

std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const LadderFacts& ladder_facts,
                                                      Launches which, bool without_sms)
{
    const auto& recorded = column.recording;
    if (which == Launches::recorded)
        return recorded->placements.empty() && !without_sms ? nullptr : recorded;
    const StageFacts* rung = ladder_facts.find(recorded->stage);
    if (rung == nullptr)
        return nullptr;
    const auto& launch = which == Launches::many ? rung->launch : rung->tall;
    return launch && launch->parameters == recorded->parameters ? launch : nullptr;
}

PlacedLanes lanes_of_launch(const recording::Recording&, const Launch& launch, bool by_slot)
{
    return placed_lanes(*launch->picture, by_slot);
}

void PlacementSide::select(const recording::Index3& index)
{
    const recording::Index3& grid = recording().launch.grid;
    if (index.x < grid.x && index.y < grid.y && index.z < grid.z)
        block = linear_of(index, grid);
}

std::optional<uint32_t> PlacementSide::next_on_sm(int by) const
{
    const PlacedBlock* const now = selected();
    if (now == nullptr)
        return {};
    const PlacedBlocks& placed = *facts->placed();
    const auto next = now - placed.blocks.data() + by;
    const bool there = next >= static_cast<std::ptrdiff_t>(placed.first[now->sm]) &&
                       next < static_cast<std::ptrdiff_t>(placed.first[now->sm + 1]);
    return there ? std::optional(placed.blocks[static_cast<std::size_t>(next)].block) : std::nullopt;
}

std::optional<uint32_t> PlacementSide::next_sm(int by) const
{
    const PlacedBlock* const now = selected();
    if (now == nullptr)
        return {};
    const PlacedBlocks& placed = *facts->placed();
    const std::size_t first = placed.first[now->sm], end = placed.first[now->sm + 1];
    if (by > 0)
        return end < placed.blocks.size() ? std::optional(placed.blocks[end].block) : std::nullopt;
    return first > 0 ? std::optional(placed.blocks[placed.first[placed.blocks[first - 1].sm]].block) : std::nullopt;
}

void WorkSide::show(std::shared_ptr<const Told<WorkFacts>> facts_now, uint32_t of_product)
{
    K_ = of_product;
    if (facts_now == told_)
        return;
    told_ = std::move(facts_now);
    for (auto* const raster : {&map, &tiles, &whole, &cut})
        *raster = std::make_shared<LaneRaster>();
    in_c_.clear();
    first_in_c_ = {0};
    if (facts() == nullptr)
        return;
    const WorkCase& shown = facts()->launched();
    for (uint32_t row = 0; row < shown.work.rows; ++row) {
        for (uint32_t col = 0; col < shown.work.cols; ++col) {
            const uint32_t tile = *shown.work.tile_at({row, col});
            const auto parts = shown.by_tile.parts.begin();
            in_c_.insert(in_c_.end(), parts + static_cast<std::ptrdiff_t>(shown.by_tile.first[tile]),
                         parts + static_cast<std::ptrdiff_t>(shown.by_tile.first[tile + 1]));
        }
        first_in_c_.push_back(in_c_.size());
    }
    in_lanes_.assign(shown.work.parts.size(), {});
    for (std::size_t lane = 0; lane < shown.lanes.lanes.size(); ++lane)
        for (std::size_t i = 0; i < shown.lanes.lanes[lane].size(); ++i)
            in_lanes_[shown.lanes.lanes[lane][i].part] = {lane, i};
}

std::optional<uint32_t> WorkSide::next_block(std::optional<uint32_t> from, int blocks, int lanes) const
{
    if (facts() == nullptr)
        return from;
    const WorkCase& shown = facts()->launched();
    const auto& all = shown.lanes.lanes;
    const auto block_of = [&](const WorkLanes::Span& span) { return shown.work.parts[span.part].block; };
    // Returns the first block of the first lane with a block, from `lane` on.
    const auto first_of_lane = [&](int64_t lane, int by) {
        for (; lane >= 0 && lane < std::ssize(all); lane += by)
            if (const auto& spans = all[static_cast<std::size_t>(lane)]; !spans.empty())
                return std::optional(block_of(spans.front()));
        return from;
    };
    if (!from)
        return first_of_lane(0, 1);
    const auto parts = parts_of_block(shown.work, *from);
    if (parts.empty())
        return from;
    const LanePlace now = lane_of(parts.front());
    if (lanes != 0)
        return first_of_lane(static_cast<int64_t>(now.lane) + lanes, lanes);
    const auto& spans = all[now.lane];
    for (auto next = static_cast<int64_t>(now.span) + blocks; next >= 0 && next < std::ssize(spans); next += blocks)
        if (const uint32_t block = block_of(spans[static_cast<std::size_t>(next)]); block != *from)
            return block;
    return from;
}

void show_work(std::span<const StageColumn> columns, const WorkPlaces& sms, std::span<PlacementSide> sides)
{
    std::array<ToldWork, 2> works;
    std::array<std::optional<WorkPlaces>, 2> own;
    bool known = true;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Launch& launch = sides[i].facts;
        const bool quick = columns[i].memo<is_quick>(launch);
        if (const ToldWork* work = columns[i].memo_later<work_of_launch>(quick, launch))
            works[i] = *work;
        known = known && works[i];
        if (works[i] && *works[i])
            own[i] = own_places(**works[i], picture_of(launch));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Launch& launch = sides[i].facts;
        const std::shared_ptr<const Told<WorkFacts>>* facts = nullptr;
        if (known)
            facts = columns[i].memo_later<facts_of_launch>(columns[i].memo<is_quick>(launch), launch, works[i],
                                                           own[1 - i].value_or(sms));
        sides[i].work.show(facts != nullptr ? *facts : nullptr, launch->recording->problem.K);
    }
}

LastTiles last_tiles(const WorkFacts& facts, const std::optional<uint32_t>& selected, uint32_t fitting,
                     uint32_t at_ease)
{
    const WorkCase& shown = facts.launched();
    const std::vector<uint32_t>& cut = shown.by_tile.cut;
    const uint32_t until = cut.empty() ? shown.work.tiles() : cut.front();
    uint32_t before = cut.empty() ? (shown.work.tiles() - 1) % facts.places + 1 : 0; // number of whole tiles
    if (const std::size_t known = before + cut.size(); known < at_ease)
        before += std::min({static_cast<uint32_t>(at_ease - known), facts.places, until - before});
    const std::size_t all = before + cut.size(), count = std::min<std::size_t>(all, fitting);
    std::size_t from = cut.empty() ? 0 : all - count;
    const auto tile_at = [&](std::size_t i) {
        return i < before ? until - before + static_cast<uint32_t>(i) : cut[i - before];
    };
    if (selected)
        for (const std::size_t part : parts_of_block(shown.work, *selected)) {
            const uint32_t tile = shown.work.parts[part].tile;
            const auto in_cut = std::ranges::lower_bound(cut, tile);
            const bool is_cut = in_cut != cut.end() && *in_cut == tile;
            if (!is_cut && (tile < until - before || tile >= until))
                continue;
            const std::size_t at =
                is_cut ? before + static_cast<std::size_t>(in_cut - cut.begin()) : tile - (until - before);
            if (at < from || at >= from + count)
                from = std::min(at - std::min(at, count / 2), all - count);
            break;
        }
    LastTiles last{{}, all};
    for (std::size_t i = from; i < from + count; ++i)
        last.tiles.push_back(tile_at(i));
    return last;
}

Rich headline(const PlacementPicture& picture)
{
    if (picture.sms_used < picture.sms)
        return rich("{}, {} of {} SMs get none", counted(picture.blocks.size(), "block"),
                    Value(picture.sms - picture.sms_used).as(Meaning::conflict), picture.sms);
    const Value idle = Value(share(picture.idle_share)).as(Meaning::conflict);
    if (picture.fills() < 1)
        return rich("{} blocks, 1 wave, {} full, {} idle", picture.blocks.size(), share(picture.fills()), idle);
    if (picture.fills() >= 1 && picture.last_fill() < 1)
        return rich("{} blocks, {} waves, the last {} full, {} idle", picture.blocks.size(),
                    static_cast<uint64_t>(picture.fills()) + 1, share(picture.last_fill()), idle);
    return rich("{} blocks on {} SMs, {} idle", picture.blocks.size(), picture.sms, idle);
}

Rich race_headline(const LaunchRunner& own, const LaunchRunner& other, double ns,
                   const recording::Measured<double>& timed)
{
    Rich ladder;
    if (timed && timed.from().problem)
        ladder = rich(", ladder {} GFLOPS at {}", Value(number(*timed)).as(Meaning::strong),
                      size_words(*timed.from().problem));
    const Quantity end = nanoseconds(own.finish());
    if (ns < own.finish())
        return rich("{} done, ends at {}{}", share(own.done(ns)), end, ladder);
    if (own.finish() <= other.finish())
        return rich("done after {}, {} sooner{}", end, nanoseconds(other.finish() - own.finish()), ladder);
    return rich("done after {}, {} times as long{}", end, number(own.finish() / other.finish()), ladder);
}

Rich no_race(const Recording& own, const Recording& other)
{
    return rich("{} beside {}: launches of other sizes do not race.", size_words(own.problem),
                size_words(other.problem));
}

Rich wave_words(const Recording& recording, const PlacementPicture& picture)
{
    const double each = picture.slots * picture.warps_per_block / schedulers; // warps per scheduler
    std::vector<Rich> parts{rich("**{}** of {} on **{} of {}** SMs, at most **{}** at once on one: **{} {}** for each "
                                 "of its 4 schedulers.",
                                 counted(picture.blocks.size(), "block"), counted(picture.warps_per_block, "warp"),
                                 picture.sms_used, picture.sms, picture.slots, rounded(each),
                                 each == 1 ? "warp" : "warps")};
    if (picture.fills() >= 1) {
        const auto waves = static_cast<uint64_t>(picture.fills() + (picture.last_fill() < 1 ? 1 : 0));
        parts.push_back(rich("If every SM were full, that would be **{}** waves of blocks: **{}**, the last one **{}** "
                             "full.",
                             number(picture.fills()), counted(waves, "wave"), share(picture.last_fill())));
        if (picture.waves > waves)
            parts.push_back(rich("Blocks end before their SM is full, so up to **{}** follow one another in one place: "
                                 "these are the colours.",
                                 picture.waves));
        return joined(std::move(parts));
    }
    // Few blocks do not show how many an SM could hold, but the driver reports it.
    const uint32_t plain_blocks = blocks_per_sm(recording).value().value_or(0);
    const double room = double{1} * picture.sms * std::max(picture.slots, plain_blocks);
    parts.push_back(rich("That is **{}** of what the GPU could hold at once: one wave.",
                         share(static_cast<double>(picture.blocks.size()) / room)));
    if (const uint32_t empty = picture.sms - picture.sms_used; empty > 0)
        parts.push_back(rich("**{}** {} no block; more and smaller blocks, or K split over several, would reach them.",
                             counted(empty, "SM"), empty == 1 ? "gets" : "get"));
    if (parameter_of(recording.parameters, "GROUP").value_or(1) > 1)
        parts.push_back(rich("All blocks run together here, so their order, *GROUP*, hardly matters. In a launch of "
                             "several waves it decides which blocks share L2."));
    return joined(std::move(parts));
}

Rich balance_words(const Recording& recording, const PlacementPicture& picture)
{
    std::vector<Rich> parts;
    if (picture.shortest_ns == picture.longest_ns)
        parts.push_back(rich("Its block takes **{}**.", time(picture.longest_ns)));
    else
        parts.push_back(rich("A block takes **{}** to **{}**, half of them less than **{}**.",
                             time(picture.shortest_ns), time(picture.longest_ns), time(picture.median_ns)));
    parts.push_back(rich("In the tail no block waits any more, and some SMs have none. A place that is free beside a "
                         "running block stays dark: its SM still works."));
    std::vector<Rich> asides{joined(std::move(parts))};
    if (picture.in_full > 0 && picture.in_full < picture.blocks.size())
        asides.push_back(rich("> {}, outlined, {} recorded in full, in a launch of its own that is not drawn here.",
                              counted(picture.in_full, "block"), picture.in_full == 1 ? "was" : "were"));
    if (const auto& run = recording.placed)
        asides.push_back(rich(
            "> From a launch on {} that only adds the SM's number and readings of the clock. It takes {}, and {} "
            "without them, from launch to launch. It has {} a thread, the timed kernel {}; {} of either fit an SM.",
            recording.device.name, milliseconds(run->placed_ms), milliseconds(run->plain_ms),
            counted(run->resources.registers_per_thread, "register"),
            recording.resources.value_or(Resources{}).registers_per_thread,
            counted(run->resources.blocks_per_sm, "block")));
    if (leaves_parts(recording))
        asides.push_back(rich("> The slices of K left parts of C in a workspace: another launch adds them up, and is "
                              "not in this picture."));
    return in_lines(std::move(asides));
}

Rich idle_words(const PlacementPicture& picture, double ns)
{
    const std::vector<uint32_t> idle = idle_sms(picture, static_cast<uint64_t>(ns));
    if (idle.empty())
        return rich("At {} every SM has a block.", nanoseconds(ns));
    return rich("At {} **{}** {} no block: {}.", nanoseconds(ns), counted(idle.size(), "SM"),
                idle.size() == 1 ? "has" : "have", fmt::format("{}", fmt::join(number_runs(idle), ", ")));
}

Rich idle_sm_words(const PlacementPicture& picture, uint32_t sm, const PlacedLanes::Span& idle)
{
    return rich("SM {} has no block from {} to {}; it runs {} in all", index(sm), time(idle.from_ns),
                time(idle.until_ns), counted(picture.first[sm + 1] - picture.first[sm], "block"));
}

Rich block_words(const Recording& recording, const PlacedBlock& block)
{
    const recording::Index3& grid = recording.launch.grid;
    Rich words = rich("block {}, number {}, on SM {}", index_text(index_of(block.block, grid), grid),
                      index(block.block), index(block.sm));
    if (!recording::why_untimed(recording))
        words = rich("{}: wave {}, {} to {}, {} long", words, block.wave + 1, time(block.start_ns), time(block.end_ns),
                     time(block.duration()));
    return block.in_full ? rich("{}, recorded in full", words) : words;
}

Rich no_placement(const Recording& recording, Elsewhere others)
{
    if (recording.placements.empty() && others == Elsewhere::behind_tiny)
        return rich("*All is tiny now, recorded on the CPU, which has no SMs.* `T`, or the button *tiny* at the top, "
                    "goes back to the usual sizes, of which launches of a GPU are shipped.");
    if (recording.placements.empty() && recording.executed && others == Elsewhere::nowhere)
        return rich("*{} was executed without a GPU: its blocks ran one after another, and on no SM.* `gemmscope trace "
                    "-- PROGRAM` on a machine with an NVIDIA GPU records where the blocks of a program's kernel ran.",
                    recording.executed->kernel);
    if (recording.placements.empty())
        return rich("*Recorded on the CPU, which has no SMs: there are no placements.* Record on a machine with an "
                    "NVIDIA GPU (`r` records again){}.",
                    others == Elsewhere::above ? ", or choose a shipped launch by the button with its size"
                                               : "; no launch of this stage with these parameters is shipped");
    if (const auto why = recording::why_untimed(recording))
        return no_times(recording, *why, others == Elsewhere::above);
    const auto last = std::ranges::max_element(recording.placements, {}, &recording::Placement::sm);
    return rich("*This recording names SM {} of {}, more than any GPU has: it is damaged and cannot be drawn.* Record "
                "it again.",
                index(last->sm), index(recording.device.sm_count));
}

Rich work_headline(const WorkFacts& facts)
{
    const WorkLanes& lanes = facts.launched().lanes;
    const WorkLanes& other = facts.otherwise().lanes;
    return rich("{} long, {} idle; {}: {}, {}", counted(lanes.length, "k-tile"), idle_value(lanes),
                facts.launched_cut ? "whole tiles" : "cut along K", other.length, share(other.idle()));
}

std::vector<Rich> work_words(const WorkFacts& facts, bool both)
{
    const WorkCase& own = facts.launched();
    const TileWork& work = own.work;
    std::vector<Rich> all{
        rich("**{}** of C with **{}** each, on **{}** {}. One step of time is one k-tile ({} values of "
             "k) of one tile. What blocks do beside that takes time too, and is not drawn.",
             counted(work.tiles(), "tile"), counted(work.k_tiles, "k-tile"), facts.places,
             places_name(facts, "places where blocks run"), work.BK)};
    std::vector<Rich> how;
    if (const std::size_t cut = own.by_tile.cut.size(); cut > 0) {
        const std::size_t whole = work.tiles() - cut;
        how.push_back(rich("{} whole, of one block each. {} cut along K: several blocks add up a part each, and {}.",
                           whole == 0 ? "No tile is" : counted(whole, "tile") + (whole == 1 ? " is" : " are"),
                           counted(cut, "tile") + (cut == 1 ? " is" : " are"),
                           work.depth > 1 ? "then send each other their sums within a cluster"
                                          : "another kernel adds up the parts"));
    }
    how.push_back(
        rich("Which block has which part: {} of {} as recorded.", own.recorded, counted(work.parts.size(), "part")));
    if (own.recorded < work.parts.size())
        how.push_back(rich("The rest follows from the launch's parameters, by the rule that the kernel goes by."));
    how.push_back(rich("Colours tell blocks apart, and repeat; pale are blocks that have a whole tile."));
    all.push_back(joined(std::move(how)));
    if (both && !facts.launched_cut && !facts.cut.by_tile.cut.empty())
        all.push_back(rich("No tile was cut in this launch. The lower lanes show the same tiles with the last ones "
                           "shared by {} {}, at least 4 k-tiles each.",
                           facts.places, places_name(facts, "blocks")));
    return all;
}

std::string_view lanes_title(const WorkFacts& facts, const WorkCase& shown)
{
    const bool launched = &shown == &facts.launched();
    if (&shown == &facts.whole)
        return launched ? "whole tiles" : "if tiles stayed whole";
    if (!shown.by_tile.cut.empty())
        return launched ? "cut along K" : "if the last were cut along K";
    return launched ? "whole waves, so no tile is cut along K" : "whole waves, so no tile would be cut along K";
}

Rich lanes_length(const WorkCase& shown)
{
    return rich("{}, {} idle", counted(shown.lanes.length, "k-tile"), idle_value(shown.lanes));
}

Rich part_words(const WorkFacts& facts, const WorkCase& shown, std::size_t part, uint32_t K)
{
    const TileWork& work = shown.work;
    const WorkPart& what = work.parts[part];
    const Cell place = work.places[what.tile];
    const uint32_t last = what.first + what.count - 1;
    const bool launched = &shown == &facts.launched();
    const std::string k_tiles =
        what.count == 1 ? fmt::format("k-tile {}", what.first) : fmt::format("k-tiles {} to {}", what.first, last);
    return rich("Block {}{}: {} of {}, which is k = {} to {}, of tile ({}, {}) of C. {} {}", index(what.block),
                launched ? "" : " would have", k_tiles, work.k_tiles, index(what.first * work.BK),
                index(std::min((last + 1) * work.BK, K) - 1), index(place.row), index(place.col),
                launched && what.recorded ? NumberOrigin::recorded : NumberOrigin::derived,
                !launched       ? "Computed: nothing was launched so"
                : what.recorded ? "As recorded"
                                : "As the launch's parameters say");
}

Rich idle_lane_words(const WorkFacts& facts, const WorkCase& shown, std::size_t lane)
{
    return rich("{} {} has no work after {} of {}", facts.on_sms ? "SM" : "Place", index(lane),
                shown.lanes.end_of(lane, shown.work), counted(shown.lanes.length, "k-tile"));
}

Rich no_work(NoWork why)
{
    switch (why) {
    case NoWork::too_large:
        return rich("*Which block has which part of K is not shown:* the launch has too many tiles, or too many places "
                    "for blocks. Record a smaller one.");
    case NoWork::other_blocks:
        return rich("*Which block has which part of K cannot be told:* the launch has other blocks than its parameters "
                    "would make by a rule known here.");
    case NoWork::contradicted:
        return rich(
            "*Which block has which part of K cannot be told:* a recorded block has read, or written, something "
            "else than the launch's parameters say.");
    case NoWork::no_places:
        return rich("*Who is idle in the end cannot be told:* it is not known how many SMs the GPU has. Record on a "
                    "machine with an NVIDIA GPU.");
    case NoWork::no_tile: break;
    }
    return rich("*Which block has which part of K cannot be told:* the launch's parameters name no tile of BM x BN x "
                "BK.");
}

std::vector<LegendEntry> legend_of(const ShownLaunch& launch, bool by_slot, float width)
{
    const PlacementPicture& picture = *launch.side.picture();
    const Theme& theme = launch.theme;
    constexpr uint32_t most_waves_named = 9;
    const bool repeats = picture.waves > most_waves_named, shows_room = by_slot && picture.slots > 1;
    const float rest = theme.px((repeats ? 420.0f : 300.0f) + (shows_room ? 140.0f : 0.0f)), each = theme.px(38);
    const auto fitting = static_cast<uint32_t>(std::clamp((width - rest) / each, 1.0f, float{most_waves_named}));
    std::vector<LegendEntry> legend{{0, "wave"}};
    for (uint32_t wave = 0; wave < std::min(picture.waves, fitting); ++wave)
        legend.push_back({category_colour(theme, wave), std::to_string(wave + 1)});
    if (picture.waves > fitting)
        legend.push_back({0, fmt::format("... {}{}", picture.waves, repeats ? ", colours repeat" : "")});
    const double now = std::min(launch.now, static_cast<double>(picture.span_ns));
    const std::size_t idle = idle_sms(picture, static_cast<uint64_t>(now)).size();
    legend.push_back({idle_colour(theme), fmt::format("no block: {} at {}", counted(idle, "SM"), time_words(now))});
    if (shows_room)
        legend.push_back({draw::empty_colour(theme), "room for one more"});
    return legend;
}

} // namespace viz
