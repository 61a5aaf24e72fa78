#include "viz/views/10_tiling/facts.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace viz {

using recording::BlockTrace;
using recording::Op;
using recording::Recording;

namespace {

// Derived values hold shared pointers to their inputs, so that no other block can get a cached address.
using Tiling = std::shared_ptr<BlockTiling>;
using Finder = std::shared_ptr<FragmentFinder>;
using Touch = std::shared_ptr<const PhaseTouch>;
using Barriers = std::shared_ptr<const BlockBarriers>;

struct BlockFacts {
    Tiling tiling;
    std::shared_ptr<RunningSums> sums;
    bool computes = false;
    GuardUse guards;
};

BlockFacts block_facts(const RecordingPtr& recording, const BlockTrace& block)
{
    return {std::make_shared<BlockTiling>(recording, block), std::make_shared<RunningSums>(*recording),
            std::ranges::any_of(block.warps, [&](const auto& one) { return computes(*recording, one); }),
            guard_use(recording->launch, block)};
}

struct WarpFacts {
    Pipeline pipeline;
    std::vector<KTile> k_tiles;
    std::vector<Cell> results;
    std::vector<CellRect> tile;
    Finder finder; // null if the warp does not accumulate in registers
};

WarpFacts warp_facts(const Recording& recording, const Tiling& tiling, uint32_t warp)
{
    const BlockTrace& block = tiling->block();
    const std::vector<Phase>& phases = tiling->phases(warp);
    WarpFacts facts{.pipeline = pipeline_of(recording, block, tiling->contents().order(), warp)};
    facts.k_tiles = tiles_along_k(recording, block, std::max(facts.pipeline.k_tiles, k_tiles_of(phases)));
    facts.results = tiling->owned_by(warp * 32, warp * 32 + 32);
    std::ranges::sort(facts.results);
    facts.tile = cover(facts.results);
    if (sums_in_registers(recording, block.warps[warp]))
        facts.finder = std::make_shared<FragmentFinder>(tiling->contents(), recording, block, warp, phases);
    return facts;
}

struct TilingThread {
    std::vector<CellRect> tile;
    std::optional<ThreadProduct> product;
};

TilingThread thread_facts(const Recording&, const Tiling& tiling, uint32_t thread, uint32_t ks)
{
    return {cover(tiling->owned_by(thread, thread + 1)), thread_product(*tiling, thread, ks)};
}

Touch touch_of(const Recording&, const Tiling& tiling, uint32_t warp, const std::optional<std::size_t>& phase)
{
    return std::make_shared<PhaseTouch>(phase ? tiling->touched_in(*phase, warp) : PhaseTouch());
}

// A step of a warp, at which the contents are examined.
struct Moment {
    Tiling tiling;
    uint32_t warp = 0;
    std::size_t step = 0;
    friend bool operator==(const Moment&, const Moment&) = default;

    const std::vector<Phase>& phases() const { return tiling->phases(warp); }
    const Phase& phase() const { return phase_at(phases(), step); }
    std::size_t tick(std::size_t at) const { return tiling->contents().order().tick(warp, at); }
    BlockTiling& now() const
    {
        tiling->contents().advance_to(tick(step));
        return *tiling;
    }
};

struct StepFacts {
    std::array<std::vector<CellRect>, 2> slice;
    std::array<uint32_t, 2> slice_end{}; // of A and of B: the first k after the slice
    TilingFacts::Filled filled;
    std::vector<KTile> coming;
    bool interrupts = false;
};

void find_slice(StepFacts& facts, const Moment& moment, const PhaseTouch& used)
{
    if (used.arrays.empty() || moment.phase().kind == PhaseKind::store)
        return;
    std::vector<std::vector<Cell>> held = held_by(moment.now(), used);
    for (std::size_t i = 0; i < facts.slice.size(); ++i) {
        for (const Cell& cell : held[i])
            facts.slice_end[i] = std::max(facts.slice_end[i], (i == 0 ? cell.col : cell.row) + 1);
        facts.slice[i] = cover(std::move(held[i]));
    }
}

void fill_tiles(StepFacts& facts, const Moment& moment, const PhaseTouch& used)
{
    using Facts = TilingFacts;
    const BlockTiling& tiling = moment.now();
    const std::vector<recording::Array>& arrays = tiling.recording().arrays;
    const std::size_t since = moment.tick(moment.phase().first);
    const bool loading = moment.phase().kind == PhaseKind::load, storing = moment.phase().kind == PhaseKind::store;
    facts.filled.assign(arrays.size(), {});
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const recording::Array& tile = arrays[i];
        const bool in_use = i < used.arrays.size() && used.arrays[i].cells_read > 0;
        std::array<std::vector<Cell>, Facts::classes> cells;
        for (uint32_t row = 0; tile.space == recording::Space::shared && row < tile.rows; ++row)
            for (uint32_t col = 0; col < tile.cols; ++col) {
                const Origin origin = tiling.contents().at(static_cast<uint8_t>(i), {row, col});
                if (origin.kind == Origin::Kind::unknown)
                    continue;
                const bool element = origin.kind == Origin::Kind::element && origin.array < facts.slice_end.size();
                const uint32_t k = origin.array == 0 ? origin.cell.col : origin.cell.row;
                const bool coming = element && std::ranges::any_of(facts.coming, [&](const KTile& one) {
                                        return k - one.first < one.count;
                                    });
                const bool later = element && k >= facts.slice_end[origin.array];
                const bool current_one = loading ? origin.stored >= since : in_use && !later;
                cells[storing            ? Facts::older
                      : !element         ? Facts::outside
                      : coming           ? Facts::coming
                      : current_one      ? Facts::current_slice
                      : later            ? Facts::ahead
                      : !in_use          ? Facts::older
                      : facts.interrupts ? Facts::meanwhile
                                         : Facts::ahead]
                    .push_back({row, col});
            }
        for (std::size_t part = 0; part < cells.size(); ++part)
            facts.filled[i][part] = cover(std::move(cells[part]));
    }
}

StepFacts step_facts(const Recording&, const Moment& moment, const Touch& used, const std::vector<KTile>& coming)
{
    StepFacts facts{.coming = coming, .interrupts = interrupts(moment.phases(), moment.phase())};
    find_slice(facts, moment, *used);
    fill_tiles(facts, moment, *used);
    return facts;
}

std::optional<uint32_t> added_at(const Recording&, const Moment& moment, const Finder& finder)
{
    if (!finder)
        return {};
    return summed_up_to(*moment.tiling, moment.phases(), moment.phase(), finder->at(moment.step));
}

struct LaneFacts {
    Highlight highlight;
    std::array<std::vector<CellRect>, 2> walk;
};

LaneFacts lane_facts(const Recording&, const Moment& moment, uint32_t lane)
{
    BlockTiling& tiling = moment.now();
    LaneFacts facts{highlight_of(tiling, moment.warp, moment.step, lane), {}};
    const recording::WarpTrace& warp = tiling.block().warps[moment.warp];
    for (std::size_t i = 0; i < facts.walk.size() && !tiling.uses_shared(); ++i)
        facts.walk[i] = cover(walked(tiling, warp, moment.step, lane, static_cast<uint8_t>(i)));
    return facts;
}

Barriers barriers_of(const Recording& recording, const BlockTrace& block)
{
    return std::make_shared<BlockBarriers>(recording, block);
}

std::optional<BarrierRaces> races_at(const Recording&, const Barriers& barriers, uint32_t warp, std::size_t step)
{
    const auto barrier = barriers->at(warp, step);
    return barrier && !barriers->missing() ? std::optional(barriers->races(*barrier, warp)) : std::nullopt;
}

void add_races(TilingFacts& facts, const StageColumn& column, const Focus& focus)
{
    const Barriers& barriers = column.memo<barriers_of>(*focus.block);
    const auto& races = column.memo<races_at>(barriers, focus.warp_index, focus.step);
    facts.barriers = barriers;
    facts.races = races ? &*races : nullptr;
    if (barriers->missing())
        return;
    constexpr auto summary = [](const Recording&, const Barriers& of) { return of->summary(); };
    if (const auto* known = column.memo_later<summary>(false, barriers))
        facts.guarding = *known;
}

// Returns "128 x 8 of A and 8 x 128 of B".
Rich parts_read(const TilingFacts& facts)
{
    std::vector<Rich> parts;
    for (std::size_t i = 0; i < facts.recording.arrays.size(); ++i) {
        const ArrayTouch& part = facts.now.arrays[i];
        if (facts.recording.arrays[i].space != recording::Space::global || part.read.empty())
            continue;
        parts.push_back(rich("**{}** of {}",
                             part.read.size() == 1 ? extent_text(part.read[0]) : counted(part.cells_read, "element"),
                             facts.recording.arrays[i].name));
    }
    return listed(std::move(parts));
}

Rich load_words(const TilingFacts& facts)
{
    Rich parts = parts_read(facts);
    const bool stores = std::ranges::any_of(facts.now.arrays, [](const ArrayTouch& array) { return array.writes > 0; });
    if (parts.empty() && !multiplies(facts.recording))
        return rich(stores ? "Values are stored in shared memory." : "Nothing is loaded here.");
    if (parts.empty())
        return rich(stores ? "What was fetched before is stored in shared memory."
                           : "Nothing is loaded: the matrices end before this part of K.");
    const auto accesses = std::span(facts.warp.accesses).subspan(facts.current().first, facts.current().count);
    const auto copies_by = [&](Op op) {
        return std::ranges::find(accesses, op, &recording::Access::op) != accesses.end();
    };
    const bool tma = copies_by(Op::bulk_load);
    const char* way = tma                           ? "straight to shared memory by the tensor memory accelerator"
                      : copies_by(Op::async_load)   ? "straight to shared memory by asynchronous copies"
                      : !facts.tiling.uses_shared() ? "into the threads' registers"
                      : stores                      ? "then stored in shared memory"
                                                    : "into registers, to be stored later";
    Rich words = rich("{} from global memory, **{}**, {}.", std::move(parts),
                      counted(facts.now.global_bytes_loaded, "byte"), way);
    return tma ? joined({std::move(words), rich("One thread asks for boxes of the descriptors: no lane copies.")})
               : words;
}

// Returns how many bytes of global memory were read, each counted once, or written.
uint64_t global_bytes(const TilingFacts& facts, uint64_t ArrayTouch::*elements)
{
    uint64_t bytes = 0;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i)
        if (facts.recording.arrays[i].space == recording::Space::global)
            bytes += facts.now.arrays[i].*elements * facts.recording.arrays[i].element_bytes;
    return bytes;
}

// Describes elements that several warps load, each for itself.
Rich loaded_again(const TilingFacts& facts)
{
    const uint64_t different = global_bytes(facts, &ArrayTouch::cells_read);
    if (different == 0 || different >= facts.now.global_bytes_loaded)
        return {};
    return rich("**{}** of it are different; the rest lanes load again.", counted(different, "byte"));
}

// Describes how many of the block's results use a value of the slice: a row or a column of C.
Rich reuse_words(const TilingFacts& facts)
{
    const auto results = [](uint32_t count) { return counted(count, "result"); };
    const auto tile = bounds(facts.tiling.tile_cells());
    if (!tile && owners_known(facts.recording) != OwnersKnown::all)
        return rich("Which results are this block's is not known: this trace does not have their stores.");
    return tile && multiplies(facts.recording)
               ? rich("Each value of A serves **{}**, each of B **{}**.", results(tile->cols), results(tile->rows))
               : Rich();
}

Rich walk_words(const TilingFacts& facts)
{
    const bool shuffles = facts.tiling.shuffles();
    const char* how =
        multiplies(facts.recording)
            ? (shuffles ? "Each lane holds a part of the slices of A and B and gets the rest from its warp's lanes."
                        : "Each thread walks along a row of A and down a column of B.")
            : (shuffles ? "The lanes of a warp pass values to one another by shuffles."
                        : "Each thread works with what it has loaded itself.");
    return rich("{} Nothing passes through shared memory.", how);
}

Rich wait_words(const recording::Access& access)
{
    if (access.op == Op::wait)
        return rich("until the mbarrier has counted all arrivals and all bytes of its phase. Other warps go on.");
    if (access.width == 0)
        return rich("until all copies of this thread have arrived in shared memory.");
    return rich("until this thread's older copies have arrived; **{}**, the newest, may still be under way.",
                counted(access.width, "group"));
}

// Names the k-tile that is loaded or computed.
Rich place_words(const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    const int tiles = facts.tiles(), tile = std::min(phase.k_tile + 1, tiles);
    const bool load = phase.kind == PhaseKind::load;
    const char *word = tile_word(facts), *name = load                                    ? "load"
                                                 : computes(facts.recording, facts.warp) ? "compute"
                                                                                         : "read";
    if (load && tiles == 0 && phase.fetched >= 0)
        return rich("*load of {} {}:*", word, phase.fetched + 1);
    if (load && phase.fetched >= 0 && phase.fetched != phase.k_tile)
        return rich("*before {} {} of {}, load of {} {}:*", word, tile, tiles, word, phase.fetched + 1);
    if (tiles > 1)
        return rich("*{} {} of {}, {}:*", word, tile, tiles, name);
    return rich("*{}:*", name);
}

Rich missing_words(BlockBarriers::Missing why)
{
    return rich(
        why == BlockBarriers::Missing::of_whole_tiles
            ? "What it guards is not known: no lane's addresses say what copies and products of whole tiles touch."
            : "What it guards is not known: the warps of this block do not all meet at the same barriers.");
}

Rich early_words(const TilingFacts& facts, const Race& race, bool reads)
{
    if (!race.example)
        return {};
    const RaceExample& example = *race.example;
    Rich who = rich("*Without this barrier, warp {} could {} {} in line {} before warp {} {} it in line {}.*",
                    example.after_warp, reads ? "read" : "overwrite",
                    element_name(facts.recording.arrays[example.array].name, {example.cell}), index(example.after_line),
                    example.before_warp, reads ? "writes" : "reads", index(example.before_line));
    return joined(
        {std::move(who), reads ? rich("**{}** of the **{}** elements that lanes read up to the next barrier come from "
                                      "another warp.",
                                      race.accesses, race.all)
                               : rich("Of the **{}** elements that lanes store up to the next barrier, another warp "
                                      "still reads **{}**.",
                                      race.all, race.accesses)});
}

// Describes what could happen too early without this barrier, and what the barriers of the block guard.
Rich race_words(const TilingFacts& facts, const BarrierRaces& races)
{
    std::vector<Rich> words{early_words(facts, races.read, true), early_words(facts, races.overwrite, false)};
    if (!races.guards())
        words.push_back(rich("*Nothing that was recorded would break without this barrier.*"));
    if (const auto& summary = facts.guarding) {
        std::vector<Rich> guarded;
        std::size_t all = 0;
        for (const auto& [what, by] :
             {std::pair{"reads", summary->of_reads}, std::pair{"stores", summary->of_overwrites},
              std::pair{"both", summary->of_both}, std::pair{"nothing recorded", summary->of_nothing}}) {
            all += by;
            if (by > 0)
                guarded.push_back(rich("{} by **{}**", what, by));
        }
        words.push_back(
            rich("Of this block's **{}**, these guard: {}.", counted(all, "barrier"), listed(std::move(guarded))));
    }
    return joined(std::move(words));
}

// Returns "reads As(0, 0), which holds A(0, 0)".
Rich moves_words(const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    const recording::Access& access = focus.access();
    const recording::Array& array = focus.recording->arrays[access.array];
    const auto cells = cells_of_lane(access, facts.tiling.elements()[access.array], array.element_bytes, lane);
    std::vector<Cell> held;
    std::string from;
    for (const Cell& cell : cells) {
        const Origin origin = facts.tiling.contents().at(access.array, cell);
        if (origin.kind != Origin::Kind::element)
            continue;
        held.push_back(origin.cell);
        from = focus.recording->arrays[origin.array].name;
    }
    Rich moves = rich("{} {}", verb_of(access.op), element_name(array.name, cells));
    if (held.empty())
        return moves;
    return rich("{}, which {} {}", std::move(moves), held.size() > 1 ? "hold" : "holds", element_name(from, held));
}

Rich what_the_lane_does(const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    const recording::Access& access = focus.access();
    if ((lanes_with_thread(focus.recording->launch, focus.warp_index) >> lane & 1u) == 0)
        return rich("has no thread: the block's threads end before it");
    if (access.op == Op::barrier)
        return rich("waits at the barrier");
    if (access.op == Op::shuffle && takes_part(access, lane))
        return rich("gets the value of lane {}", access.offset[lane]);
    if (!recording::has_addresses(access))
        return rich("takes part in {}, which touches no memory", recording::name(access.op));
    if (!takes_part(access, lane) || access.array >= focus.recording->arrays.size())
        return rich("is held back: a guard is false for it, or it has returned");
    if (access.width == 0)
        return rich("takes part in {}, which no lane carries out itself", recording::name(access.op));
    return moves_words(focus, facts, lane);
}

Rich compute_headline(const TilingFacts& facts)
{
    if (!facts.tiling.uses_shared()) {
        const auto a = facts.tiling.bands()[0].times_read(), b = facts.tiling.bands()[1].times_read();
        const auto times = [](uint64_t count) {
            return Value(count).as(count > 1 ? Meaning::conflict : Meaning::good);
        };
        return a && b ? rich("A read {} times, B {} times", times(*a), times(*b)) : rich("each thread on its own");
    }
    if (!multiplies(facts.recording))
        return rich("threads read what others stored");
    Value::List uses;
    if (const auto tile = bounds(facts.tiling.tile_cells())) {
        uses.push_back(Value(tile->cols).as(Meaning::good));
        if (tile->rows != tile->cols)
            uses.push_back(Value(tile->rows).as(Meaning::good));
    }
    Rich words = rich("k-tile {} of {}{} · used {} times", facts.current().k_tile + 1, facts.tiles(),
                      slice_words(facts.k_tiles), std::move(uses));
    return facts.coming_tiles.empty()
               ? words
               : rich("{} · k-tile {} under way", std::move(words), facts.coming_tiles.front().number + 1);
}

Rich barrier_headline(const TilingFacts& facts)
{
    if (facts.races == nullptr)
        return rich("barrier: warps wait here");
    const BarrierRaces& races = *facts.races;
    if (!races.guards())
        return rich("barrier guards nothing recorded");
    const bool reads = races.read.accesses > 0;
    return rich("barrier stops {} early {}",
                Value(reads ? races.read.accesses : races.overwrite.accesses).as(Meaning::conflict),
                reads ? "reads" : "stores");
}

} // namespace

TilingFacts tiling_facts(const StageColumn& column, const Focus& focus, uint32_t lane)
{
    const BlockFacts& block = column.memo<block_facts>(*focus.block);
    const Tiling& tiling = block.tiling;
    const Moment moment{tiling, focus.warp_index, focus.step};
    const WarpFacts& warp = column.memo<warp_facts>(tiling, focus.warp_index);
    uint32_t ks = 0;
    for (const KTile& tile : warp.k_tiles)
        ks += tile.number >= 0 ? tile.count : 0;
    const TilingThread& thread = column.memo<thread_facts>(tiling, focus.warp_index * 32 + lane, ks);
    const auto phase = static_cast<std::size_t>(&moment.phase() - moment.phases().data());
    const auto if_needed = [](bool needed, std::optional<std::size_t> which) { return needed ? which : std::nullopt; };
    const bool shared = tiling->uses_shared();
    const Touch& now = column.memo<touch_of>(tiling, focus.warp_index,
                                             if_needed(shared || moment.phase().kind != PhaseKind::compute, phase));
    const Touch& used =
        column.memo<touch_of>(tiling, focus.warp_index, if_needed(shared, compute_phase_of(moment.phases(), phase)));
    const StepFacts& step =
        column.memo<step_facts>(moment, used, tiles_coming(warp.pipeline, warp.k_tiles, moment.tick(focus.step)));
    const LaneFacts& of_lane = column.memo<lane_facts>(moment, lane);

    TilingFacts facts{.recording = *focus.recording,
                      .warp = *focus.warp,
                      .tiling = *tiling,
                      .sums = *block.sums,
                      .computes = block.computes,
                      .guards = block.guards,
                      .phases = moment.phases(),
                      .phase = phase,
                      .pipeline = warp.pipeline,
                      .k_tiles = warp.k_tiles,
                      .warp_results = warp.results,
                      .warp_tile = warp.tile,
                      .thread_tile = thread.tile,
                      .product = thread.product,
                      .now = *now,
                      .used = *used,
                      .slice = step.slice,
                      .filled = step.filled,
                      .coming_tiles = step.coming,
                      .interrupts = step.interrupts,
                      .added = column.memo<added_at>(moment, warp.finder),
                      .highlight = of_lane.highlight,
                      .walk = of_lane.walk};
    if (focus.access().op == recording::Op::barrier)
        add_races(facts, column, focus);
    moment.now(); // the calls above may have moved to another time
    return facts;
}

const char* tile_word(const TilingFacts& facts)
{
    return multiplies(facts.recording) ? "k-tile" : "round";
}

Rich lane_words(const std::string& stage, const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    return rich("{}: block {}, warp {}, lane {} {}.", stage, block_name(*focus.recording, *focus.block),
                focus.warp_index, lane, what_the_lane_does(focus, facts, lane));
}

Rich phase_words(const Focus& focus, const TilingFacts& facts)
{
    const Value line = index(focus.access().line);
    const std::size_t warps = focus.block->warps.size();
    switch (facts.current().kind) {
    case PhaseKind::load: return joined({place_words(facts), load_words(facts), loaded_again(facts)});
    case PhaseKind::wait: return joined({rich("*wait, line {}:*", line), wait_words(focus.access())});
    case PhaseKind::compute:
        return joined({place_words(facts), facts.tiling.uses_shared() ? reuse_words(facts) : walk_words(facts)});
    case PhaseKind::barrier:
        return joined({rich("*barrier, line {}:* **{}** {}.", line, warps,
                            warps == 1 ? "warp waits here" : "warps wait here for each other"),
                       facts.races != nullptr ? race_words(facts, *facts.races)
                       : facts.barriers       ? missing_words(*facts.barriers->missing())
                                              : Rich()});
    case PhaseKind::store: break;
    }
    const uint64_t read = focus.recording->problem.beta != 0 ? facts.now.global_bytes_loaded : 0;
    return joined(
        {rich("*store:* the block writes **{}** of {} to global memory.",
              counted(global_bytes(facts, &ArrayTouch::writes), "byte"), facts.recording.arrays[array_C].name),
         read == 0 ? Rich() : rich("It reads **{}** of it first, because beta is not 0.", counted(read, "byte"))});
}

Rich pipeline_words(const TilingFacts& facts)
{
    const Pipeline& pipeline = facts.pipeline;
    Rich overlaps =
        pipeline.overlapped == 0
            ? rich("*What overlaps:* nothing is on its way while the block {}.", facts.computes ? "computes" : "reads")
            : rich("*What overlaps:* a later {} is on its way while **{} of {}** {}s are {}.", tile_word(facts),
                   pipeline.overlapped, pipeline.k_tiles, tile_word(facts), facts.computes ? "computed" : "read");
    return joined({std::move(overlaps), rich("> Lengths are steps, not time.")});
}

Rich access_words(const Focus& focus)
{
    const recording::Access& access = focus.access();
    const uint32_t threads = lanes_with_thread(focus.recording->launch, focus.warp_index) | access.mask;
    const auto count = [](uint32_t lanes) { return static_cast<uint64_t>(std::popcount(lanes)); };
    const uint64_t off = count(threads & ~access.mask), none = count(~threads);
    const bool by_lanes = recording::has_addresses(access) && access.width > 0 && access.op != Op::tile_load &&
                          access.op != Op::tile_store;
    std::vector<Rich> words;
    if (focus.past_end)
        words.push_back(rich("The selected step lies after this warp's last one."));
    if (by_lanes && off > 0)
        words.push_back(
            rich("**{}** held back by a guard, or returned.", Value(counted(off, "lane")).as(Meaning::conflict)));
    if (none > 0)
        words.push_back(rich("**{}** in this warp: **{}** of it {} no thread.", counted(count(threads), "thread"),
                             counted(none, "lane"), none == 1 ? "has" : "have"));
    return joined(std::move(words));
}

Rich headline(const TilingFacts& facts)
{
    const auto strong = [](uint64_t count) { return Value(bytes(static_cast<double>(count))).as(Meaning::strong); };
    const Phase& phase = facts.current();
    switch (phase.kind) {
    case PhaseKind::load: {
        if (facts.tiles() <= 1)
            return rich("{} loaded", strong(facts.now.global_bytes_loaded));
        const int tile = std::max(0, phase.fetched >= 0 ? phase.fetched : phase.k_tile) + 1;
        if (phase.fetched >= 0 && phase.fetched != phase.k_tile)
            return rich("{} {} {}, loads {} of {} · {}", facts.interrupts ? "computes" : "before", tile_word(facts),
                        phase.k_tile + 1, tile, std::max(tile, facts.tiles()), strong(facts.now.global_bytes_loaded));
        return rich("{} {} of {}{} · {} loaded", tile_word(facts), tile, std::max(tile, facts.tiles()),
                    slice_words(facts.k_tiles), strong(facts.now.global_bytes_loaded));
    }
    case PhaseKind::wait: return rich("waits for its copies");
    case PhaseKind::compute: return compute_headline(facts);
    case PhaseKind::barrier: return barrier_headline(facts);
    case PhaseKind::store: break;
    }
    return rich("{} of {} stored", strong(global_bytes(facts, &ArrayTouch::writes)),
                facts.recording.arrays[array_C].name);
}

Rich edge_words(const recording::Recording& recording, const GuardUse& use)
{
    const bool product = multiplies(recording);
    const std::string accesses = counted(use.accesses, "global access", "global accesses");
    if (use.guarded == 0 && !product)
        return rich("*Guards:* none in this block: no thread is switched off in its **{}**.", accesses);
    if (use.guarded == 0)
        return rich("*Edges:* none in this block: no thread is switched off in its **{}**. Press `m` and record a size "
                    "that is no multiple of the tile, such as 50 x 70 x 40. Then press `b` for a block at the edge.",
                    accesses);
    return rich("*{}:* in **{}** of this block's **{}** threads take no part, **{}** of **{}** turns. They are "
                "behind {}, or have ended.",
                product ? "Edges" : "Guards", use.guarded, accesses, use.off, use.lanes,
                product ? "an edge" : "a guard");
}

} // namespace viz
