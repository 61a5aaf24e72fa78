#include "viz/views/10_tiling/facts.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

std::string bytes_of(uint64_t count)
{
    return counted(count, "byte", "bytes");
}

// Returns "k-tile **3**", "k-tiles **3 and 4**".
Rich tiles_words(const TilingFacts& facts, const std::vector<int>& tiles)
{
    Value::List numbers;
    for (const int tile : tiles)
        numbers.emplace_back(tile + 1);
    return rich("{}{} **{}**", tile_word(facts), tiles.size() == 1 ? "" : "s", std::move(numbers));
}

// Returns "128 x 8 of A and 8 x 128 of B".
Rich parts_read(const TilingFacts& facts)
{
    std::vector<Rich> parts;
    for (std::size_t i = 0; i < facts.recording.arrays.size(); ++i) {
        const ArrayTouch& part = facts.now.arrays[i];
        if (facts.recording.arrays[i].space != recording::Space::global || part.read.empty())
            continue;
        parts.push_back(
            rich("**{}** of {}",
                 part.read.size() == 1 ? extent_text(part.read[0]) : counted(part.cells_read, "element", "elements"),
                 facts.recording.arrays[i].name));
    }
    return listed(std::move(parts));
}

std::span<const recording::Access> accesses_now(const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    return std::span(facts.warp.accesses).subspan(phase.first, phase.count);
}

bool copies_in(const TilingFacts& facts, Op op)
{
    return std::ranges::find(accesses_now(facts), op, &recording::Access::op) != accesses_now(facts).end();
}

// Returns whether tensor cores read shared memory directly (wgmma), without any lane.
bool hardware_reads(const TilingFacts& facts)
{
    return std::ranges::any_of(accesses_now(facts), [](const recording::Access& access) {
        return access.op == Op::matrix_multiply && has_addresses(access);
    });
}

Rich load_words(const TilingFacts& facts)
{
    Rich parts = parts_read(facts);
    const bool stores = std::ranges::any_of(facts.now.arrays, [](const ArrayTouch& array) { return array.writes > 0; });
    if (parts.empty())
        return rich(stores ? "What was fetched before is stored in shared memory."
                           : "Nothing is loaded: the matrices end before this part of K.");
    const bool tma = copies_in(facts, Op::bulk_load);
    const char* way = tma                                ? "straight to shared memory by the tensor memory accelerator"
                      : copies_in(facts, Op::async_load) ? "straight to shared memory by asynchronous copies"
                      : !facts.tiling.uses_shared()      ? "into the threads' registers"
                      : stores                           ? "then stored in shared memory"
                                                         : "into registers, to be stored later";
    Rich words =
        rich("{} from global memory, **{}**, {}.", std::move(parts), bytes_of(facts.now.global_bytes_loaded), way);
    return tma ? joined({std::move(words), rich("One thread asks for boxes of the descriptors: no lane copies.")})
               : words;
}

// Describes elements that several warps load, each for itself.
Rich loaded_again(const TilingFacts& facts)
{
    uint64_t different = 0;
    for (std::size_t i = 0; i < facts.recording.arrays.size(); ++i)
        if (facts.recording.arrays[i].space == recording::Space::global)
            different += facts.now.arrays[i].cells_read * facts.recording.arrays[i].element_bytes;
    if (different == 0 || different >= facts.now.global_bytes_loaded)
        return {};
    return rich("**{}** of it are different; the rest lanes load again.", bytes_of(different));
}

// Returns the rounded average number of reads per cell.
uint64_t times_each(uint64_t reads, uint64_t cells)
{
    return (reads + cells / 2) / cells;
}

// Describes how often a value of the slice is used: the block's results in its row or column of C, and its reads in
// shared memory.
Rich reuse_words(const TilingFacts& facts)
{
    std::vector<Rich> words, cells;
    const auto results = [](uint32_t count) { return counted(count, "result", "results"); };
    if (const auto tile = bounds(facts.tiling.tile_cells()); tile && multiplies(facts.recording))
        words.push_back(
            rich("Each value of A serves **{}**, each of B **{}**.", results(tile->cols), results(tile->rows)));
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i) {
        const ArrayTouch& touch = facts.now.arrays[i];
        const recording::Array& array = facts.recording.arrays[i];
        if (array.space == recording::Space::shared && touch.cells_read > 0 && !hardware_reads(facts))
            cells.push_back(rich("each cell of `{}` **{}**", array.name,
                                 counted(times_each(touch.reads, touch.cells_read), "time", "times")));
    }
    if (!cells.empty())
        words.push_back(rich("For that the threads read {}.", listed(std::move(cells))));
    return joined(std::move(words));
}

// Returns the reads from global memory per distinct element, or nothing if the block reads none.
std::optional<uint64_t> times_read(const Band& band)
{
    const uint64_t cells = band.bounds ? uint64_t{band.bounds->rows} * band.bounds->cols : 0;
    return cells == 0 ? std::nullopt : std::optional(times_each(band.reads, cells));
}

Rich walk_words(const TilingFacts& facts)
{
    const bool shuffles = facts.tiling.shuffles();
    if (!multiplies(facts.recording))
        return rich(shuffles ? "The lanes of a warp pass values to one another by shuffles: nothing passes through "
                               "shared memory."
                             : "Each thread works with what it has loaded itself: nothing passes through shared "
                               "memory.");
    std::vector<Rich> bands;
    for (std::size_t i = 0; i < facts.tiling.bands().size(); ++i) {
        const Band& band = facts.tiling.bands()[i];
        if (const auto times = times_read(band))
            bands.push_back(rich("**{}** of {}, each value **{}**", extent_text(*band.bounds),
                                 facts.recording.arrays[i].name, counted(*times, "time", "times")));
    }
    return rich("{} The block reads {}. Nothing passes through shared memory.",
                shuffles ? "Each lane holds a part of the slices of A and B and gets the rest from its warp's lanes."
                         : "Each thread walks along a row of A and down a column of B.",
                listed(std::move(bands)));
}

Rich wait_words(const recording::Access& access)
{
    if (access.op == Op::wait)
        return rich("until the mbarrier has counted all arrivals and all bytes of its phase. Other warps go on.");
    if (access.width == 0)
        return rich("until all copies of this thread have arrived in shared memory.");
    return rich("until this thread's older copies have arrived; **{}**, the newest, may still be under way.",
                counted(access.width, "group", "groups"));
}

uint64_t bytes_written(const TilingFacts& facts)
{
    uint64_t bytes = 0;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i)
        if (facts.recording.arrays[i].space == recording::Space::global)
            bytes += facts.now.arrays[i].writes * facts.recording.arrays[i].element_bytes;
    return bytes;
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
    if (why == BlockBarriers::Missing::of_whole_tiles)
        return rich(
            "What it guards is not known: no lane's addresses say what copies and products of whole tiles touch.");
    return rich("What it guards is not known: the warps of this block do not all meet at the same barriers.");
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

// Describes what could happen too early without the barrier, and what all barriers of the block guard.
Rich race_words(const TilingFacts& facts, const BarrierRaces& races)
{
    std::vector<Rich> words{early_words(facts, races.read, true), early_words(facts, races.overwrite, false)};
    if (!races.guards())
        words.push_back(rich("*Nothing that was recorded would break without this barrier.*"));
    if (const auto& summary = facts.guarding) {
        std::vector<Rich> guarded;
        const auto add = [&](const char* what, std::size_t by) {
            if (by > 0)
                guarded.push_back(rich("{} by **{}**", what, by));
        };
        add("reads", summary->of_reads);
        add("stores", summary->of_overwrites);
        add("both", summary->of_both);
        add("nothing recorded", summary->of_nothing);
        const std::size_t all = summary->of_reads + summary->of_overwrites + summary->of_both + summary->of_nothing;
        words.push_back(rich("Of this block's **{}**, these guard: {}.", counted(all, "barrier", "barriers"),
                             listed(std::move(guarded))));
    }
    return joined(std::move(words));
}

Rich what_is_accessed(const Focus& focus)
{
    const recording::Access& access = focus.access();
    const uint32_t warp = focus.warp_index;
    if (access.op == Op::barrier)
        return rich("`__syncthreads()`.");
    if (!recording::has_addresses(access))
        return rich("warp {}, {}.", warp, recording::name(access.op));
    const std::string array =
        access.array < focus.recording->arrays.size() ? focus.recording->arrays[access.array].name : "?";
    const char* does = is_store(access.op) ? "store" : "load";
    if (access.width == 0)
        return rich("warp {}, {} of `{}` as a whole: from a descriptor, no lane carries it out.", warp, does, array);
    if (access.op == Op::tile_load || access.op == Op::tile_store) // a lane represents a row
        return rich("warp {}, {} of `{}`, {} of {} for the whole warp.", warp, does, array,
                    counted(static_cast<uint64_t>(std::popcount(access.mask)), "row", "rows"), bytes_of(access.width));
    return rich("warp {}, {} of `{}`, {} per lane.", warp, does, array, bytes_of(access.width));
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
    Rich moves = rich("{} {}", is_store(access.op) ? "writes" : "reads", element_name(array.name, cells));
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
        return rich("is held back: its element lies outside the matrix, or it has returned");
    if (access.width == 0)
        return rich("takes part in {}, which no lane carries out itself", recording::name(access.op));
    return moves_words(focus, facts, lane);
}

Rich compute_headline(const TilingFacts& facts)
{
    if (!facts.tiling.uses_shared()) {
        const auto a = times_read(facts.tiling.bands()[0]), b = times_read(facts.tiling.bands()[1]);
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
    return rich("k-tile {} of {} · used {} times", facts.current().k_tile + 1, facts.tiles(), std::move(uses));
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
    return joined({rich("*store:* the block writes **{}** of {} to global memory.", bytes_of(bytes_written(facts)),
                        facts.recording.arrays[array_C].name),
                   read == 0 ? Rich() : rich("It reads **{}** of it first, because beta is not 0.", bytes_of(read))});
}

Rich pipeline_words(const Focus& focus, const TilingFacts& facts)
{
    const Pipeline& pipeline = facts.pipeline;
    const std::size_t tick = facts.tiling.contents().order().tick(focus.warp_index, focus.step);
    const std::vector<int> copied = copied_at(pipeline, tick), computed = computed_at(pipeline, tick);
    std::vector<Rich> words;
    if (pipeline.overlapped == 0)
        words.push_back(
            rich("*What overlaps:* nothing is on its way while the block {}.", facts.computes ? "computes" : "reads"));
    else
        words.push_back(rich("*What overlaps:* a later {} is on its way while **{} of {}** {}s are {}.",
                             tile_word(facts), pipeline.overlapped, pipeline.k_tiles, tile_word(facts),
                             facts.computes ? "computed" : "read"));
    if (!copied.empty())
        words.push_back(rich("Now on its way: {}.", tiles_words(facts, copied)));
    if (!computed.empty())
        words.push_back(rich("Now {}: {}.", facts.computes ? "computed" : "read", tiles_words(facts, computed)));
    words.push_back(rich("> Lengths are steps, not time."));
    return joined(std::move(words));
}

Rich access_words(const Focus& focus)
{
    const recording::Access& access = focus.access();
    const uint32_t threads = lanes_with_thread(focus.recording->launch, focus.warp_index) | access.mask;
    const auto off = static_cast<uint64_t>(std::popcount(threads & ~access.mask)),
               none = static_cast<uint64_t>(std::popcount(~threads));
    const bool by_lanes = recording::has_addresses(access) && access.width > 0 && access.op != Op::tile_load &&
                          access.op != Op::tile_store;
    std::vector<Rich> words;
    if (focus.past_end)
        words.push_back(rich("The selected step lies after this warp's last one."));
    words.push_back(rich("*Step {} of {}, line {}:*", focus.step, focus.warp->accesses.size(), index(access.line)));
    words.push_back(what_is_accessed(focus));
    if (by_lanes && off > 0)
        words.push_back(rich("**{}** held back: outside the matrix, or returned.",
                             Value(counted(off, "lane", "lanes")).as(Meaning::conflict)));
    if (none > 0)
        words.push_back(rich("**{}** in this warp: **{}** of it {} no thread.",
                             counted(static_cast<uint64_t>(std::popcount(threads)), "thread", "threads"),
                             counted(none, "lane", "lanes"), none == 1 ? "has" : "have"));
    words.push_back(rich("`{}`", source_line(*focus.recording, access.line)));
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
        return rich("{} {} of {} · {} loaded", tile_word(facts), tile, std::max(tile, facts.tiles()),
                    strong(facts.now.global_bytes_loaded));
    }
    case PhaseKind::wait: return rich("waits for its copies");
    case PhaseKind::compute: return compute_headline(facts);
    case PhaseKind::barrier: return barrier_headline(facts);
    case PhaseKind::store: break;
    }
    return rich("{} of {} stored", strong(bytes_written(facts)), facts.recording.arrays[array_C].name);
}

Rich edge_words(const GuardUse& use)
{
    const std::string accesses = counted(use.accesses, "global access", "global accesses");
    if (use.guarded == 0)
        return rich("*Edges:* none in this block: no thread is switched off in its **{}**. Press `m` and record a size "
                    "that is no multiple of the tile, such as 50 x 70 x 40. Then press `b` for a block at the edge.",
                    accesses);
    return rich(
        "*Edges:* in **{}** of this block's **{}** threads take no part, **{}** of **{}** turns. They are behind an "
        "edge, or have ended: nothing is read for them, and nothing of theirs is written.",
        use.guarded, accesses, use.off, use.lanes);
}

Rich element_words(const TilingFacts& facts, uint8_t array, const Cell& cell)
{
    const recording::Array& of = facts.recording.arrays[array];
    const std::string name = element_name(of.name, {cell});
    if (array == array_C) {
        const auto owner = owner_of(facts.recording, cell.row, cell.col);
        return owner ? rich("{}: computed by {}", name, describe(*owner, facts.recording))
                     : rich("{}: written by no thread", name);
    }
    if (of.space != recording::Space::shared)
        return rich("{}", name);
    const Origin origin = facts.tiling.contents().at(array, cell);
    const uint64_t byte = of.offset_of(cell.row, cell.col);
    const std::string holds = origin.kind == Origin::Kind::element
                                  ? "holds " + element_name(facts.recording.arrays[origin.array].name, {origin.cell})
                              : origin.kind == Origin::Kind::outside ? "holds 0, for an element outside the matrix"
                                                                     : "is not filled yet";
    return rich("{} {}; byte {} of the tile, bank {}", name, holds, byte, model::bank_of(byte));
}

} // namespace viz
