#include "viz/views/10_tiling/tiling_words.h"

#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/views/10_tiling/barrier_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

// "128 x 8 of A and 8 x 128 of B"
std::string parts_read(const Recording& recording, const PhaseTouch& touch)
{
    std::string text;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i) {
        const ArrayTouch& part = touch.arrays[i];
        if (recording.arrays[i].space != recording::Space::global || part.read.empty())
            continue;
        text += text.empty() ? "" : " and ";
        text += part.read.size() == 1 ? extent_text(part.read[0]) : counted(part.cells_read, "element");
        text += " of " + recording.arrays[i].name;
    }
    return text;
}

bool copies_in(const TilingFacts& facts, Op op)
{
    const Phase& phase = facts.current();
    return std::any_of(facts.warp->accesses.begin() + static_cast<std::ptrdiff_t>(phase.first),
                       facts.warp->accesses.begin() + static_cast<std::ptrdiff_t>(phase.first + phase.count),
                       [op](const recording::Access& access) { return access.op == op; });
}

void say_loads(Prose& prose, const Recording& recording, const TilingFacts& facts)
{
    const PhaseTouch& touch = facts.now;
    const std::string parts = parts_read(recording, touch);
    const auto writes = [](const ArrayTouch& array) { return array.writes > 0; };
    if (parts.empty()) {
        if (std::any_of(touch.arrays.begin(), touch.arrays.end(), writes))
            prose.say("what was fetched before is stored in shared memory.");
        else
            prose.say("nothing is loaded: the matrices end before this part of K.");
        return;
    }
    const bool bulk = copies_in(facts, Op::bulk_load), async = copies_in(facts, Op::async_load);
    prose.say(bulk    ? "one thread asks the tensor memory accelerator for "
              : async ? "the block's threads start copies of "
                      : "the block's threads fetch ");
    prose.figure(parts).say(" from global memory, ").figure(counted(touch.global_bytes_loaded, "byte"));
    const bool stores = std::any_of(touch.arrays.begin(), touch.arrays.end(), writes);
    if (bulk)
        prose.say(", straight to shared memory. The boxes are derived from the descriptors: no lane copies them.");
    else if (async)
        prose.say(", straight to shared memory, and do not wait for them here.");
    else if (facts.tiling->uses_shared())
        prose.say(stores ? ", and store them in shared memory." : " into registers, to be stored later.");
    else
        prose.say(".");
}

// How often a value of the slice serves: the block's results in its row or column of C, and its reads in shared memory.
void say_reuse(Prose& prose, const TilingFacts& facts)
{
    const std::optional<CellRect> tile =
        bounds(facts.tiling->owned_by(0, facts.tiling->recording().launch.threads_per_block()));
    if (tile)
        prose.say("Each value of A serves ")
            .figure(counted(tile->cols, "result"))
            .say(", each of B ")
            .figure(counted(tile->rows, "result"))
            .say(". ");
    bool any = false;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i) {
        const ArrayTouch& touch = facts.now.arrays[i];
        const recording::Array& array = facts.tiling->recording().arrays[i];
        if (array.space != recording::Space::shared || touch.cells_read == 0)
            continue;
        prose.say(any ? "; each cell of " : "To do so, the threads read each cell of ").code(array.name).say(" ");
        prose.figure(counted((touch.reads + touch.cells_read / 2) / touch.cells_read, "time"));
        any = true;
    }
    if (any)
        prose.say(".");
}

void say_walk(Prose& prose, const TilingFacts& facts)
{
    const std::array<Band, 2>& bands = facts.tiling->bands();
    prose.say(facts.tiling->shuffles() ? "Each lane holds a part of the slices of A and B and gets the rest from the "
                                         "other lanes of its warp. The block reads "
                                       : "Each thread walks along a row of A and down a column of B. The block reads ");
    for (std::size_t i = 0; i < bands.size(); ++i) {
        if (!bands[i].bounds)
            continue;
        const uint64_t cells = uint64_t{bands[i].bounds->rows} * bands[i].bounds->cols;
        prose.say(i == 0 ? "" : " and ")
            .figure(extent_text(*bands[i].bounds))
            .say(i == 0 ? " of A, each value " : " of B, each value ");
        prose.figure(counted((bands[i].reads + cells / 2) / cells, "time"));
    }
    prose.say(": nothing passes through shared memory.");
}

void say_barrier(Prose& prose, const TilingFacts& facts, std::size_t warps)
{
    prose.figure(counted(warps, "warp")).say(warps == 1 ? " waits here. " : " wait here for each other. ");
    if (facts.races)
        say_races(prose, *facts.recording, *facts.races, facts.guarding);
    else if (facts.barriers)
        prose.say(facts.barriers->missing());
}

void say_wait(Prose& prose, const recording::Access& access)
{
    if (access.op == Op::wait)
        prose.say(
            "until the mbarrier has counted all arrivals of its phase, and all bytes of the copies that it was told "
            "to expect. Other warps go on meanwhile.");
    else if (access.width == 0)
        prose.say("until all copies of this thread have arrived in shared memory.");
    else
        prose.say("until this thread's older copies have arrived; ")
            .figure(counted(uint64_t{access.width}, "group"))
            .say(", the newest, may still be under way during the computation.");
}

uint64_t bytes_written(const TilingFacts& facts)
{
    uint64_t bytes = 0;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i)
        if (facts.tiling->recording().arrays[i].space == recording::Space::global)
            bytes += facts.now.arrays[i].writes * facts.tiling->recording().arrays[i].element_bytes;
    return bytes;
}

} // namespace

Colour phase_colour(const Theme& theme, PhaseKind kind)
{
    switch (kind) {
    case PhaseKind::load: return theme.load;
    case PhaseKind::compute: return theme.compute;
    case PhaseKind::wait:
    case PhaseKind::barrier: return theme.barrier;
    case PhaseKind::store: return theme.store;
    }
    return theme.barrier;
}

std::string lane_words(const Subject& subject, const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    const recording::Access& access = focus.access();
    std::string text = fmt::format("{}: block {}, warp {}, lane {}", subject.slug,
                                   block_name(*focus.recording, *focus.block), focus.warp_index, lane);
    if (access.op == Op::barrier)
        return text + " waits at the barrier.";
    if (access.op == Op::shuffle && takes_part(access, lane))
        return text + fmt::format(" gets the value of lane {}.", access.offset[lane]);
    if (!recording::has_addresses(access))
        return text + fmt::format(": {}, which touches no memory.", recording::name(access.op));
    if (!takes_part(access, lane) || access.array >= focus.recording->arrays.size())
        return text + " is held back: its element lies outside of the matrix, or it has returned.";
    if (access.width == 0)
        return text + fmt::format(": {}, which no lane carries out itself.", recording::name(access.op));
    const recording::Array& array = focus.recording->arrays[access.array];
    const auto cells = cells_of_lane(access, facts.tiling->elements()[access.array], array.element_bytes, lane);
    text += fmt::format(" {} {}", is_store(access.op) ? "writes" : "reads", element_name(array.name, cells));
    std::vector<Cell> held;
    std::string from;
    for (const Cell& cell : cells) {
        const Origin origin = facts.tiling->contents().at(access.array, cell);
        if (origin.kind != Origin::Kind::element)
            continue;
        held.push_back(origin.cell);
        from = focus.recording->arrays[origin.array].name;
    }
    return text + (held.empty() ? "." : fmt::format(", which holds {}.", element_name(from, held)));
}

Prose tiling_sentence(const Theme& theme, const Focus& focus, const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    const int tiles = k_tiles_of(facts.phases);
    Prose prose(theme);
    prose.swatch(phase_colour(theme, phase.kind));
    const std::string place =
        tiles > 1 ? fmt::format("k-tile {} of {}, ", std::min(phase.k_tile + 1, tiles), tiles) : "";
    switch (phase.kind) {
    case PhaseKind::load:
        if (tiles == 0 && phase.fetched >= 0)
            prose.strong(fmt::format("load of k-tile {}: ", phase.fetched + 1));
        else if (phase.fetched >= 0 && phase.fetched != phase.k_tile)
            prose.strong(fmt::format("before k-tile {} of {}, load of k-tile {}: ", std::min(phase.k_tile + 1, tiles),
                                     tiles, phase.fetched + 1));
        else
            prose.strong(place + "load: ");
        say_loads(prose, *focus.recording, facts);
        break;
    case PhaseKind::wait:
        prose.strong(fmt::format("wait, line {}: ", focus.access().line));
        say_wait(prose, focus.access());
        break;
    case PhaseKind::compute:
        prose.strong(place + "compute: ");
        facts.tiling->uses_shared() ? say_reuse(prose, facts) : say_walk(prose, facts);
        break;
    case PhaseKind::barrier:
        prose.strong(fmt::format("barrier, line {}: ", focus.access().line));
        say_barrier(prose, facts, focus.block->warps.size());
        break;
    case PhaseKind::store:
        prose.strong("store: ").say("the block writes ");
        prose.figure(counted(bytes_written(facts), "byte")).say(" of C to global memory");
        prose.say(focus.recording->problem.beta != 0 && facts.now.global_bytes_loaded > 0
                      ? fmt::format(", and reads {} of it first, because beta is not 0.",
                                    counted(facts.now.global_bytes_loaded, "byte"))
                      : std::string("."));
        break;
    }
    return prose;
}

Prose access_sentence(const Theme& theme, const Focus& focus)
{
    const recording::Access& access = focus.access();
    Prose prose(theme);
    if (focus.past_end)
        prose.say("The selected step lies after this warp's last one. ");
    prose.strong(fmt::format("Step {} of {}, line {}", focus.step, focus.warp->accesses.size(), access.line)).say(": ");
    if (access.op == Op::barrier)
        prose.say("__syncthreads(). ");
    else if (!recording::has_addresses(access))
        prose.say(fmt::format("warp {}, {}. ", focus.warp_index, recording::name(access.op)));
    const int active = std::popcount(access.mask);
    if (recording::has_addresses(access)) {
        prose.say(fmt::format("warp {}, {} of ", focus.warp_index, is_store(access.op) ? "store" : "load"));
        prose.code(access.array < focus.recording->arrays.size() ? focus.recording->arrays[access.array].name : "?");
        const bool whole = access.op == Op::tile_load || access.op == Op::tile_store; // a lane stands for a row
        if (access.width == 0)
            prose.say(", for a box or an operand as a whole: derived from a descriptor, no lane carries it out. ");
        else
            prose.say(whole ? fmt::format(", {} rows of {} bytes for the whole warp. ", active, access.width)
                            : fmt::format(", {} bytes per lane. ", access.width));
        if (active < recording::warp_size && !whole && access.width > 0)
            prose.figure(counted(static_cast<uint64_t>(recording::warp_size - active), "lane"), theme.warning)
                .say(is_global(access.op) ? " held back: outside the matrix, or no such thread. "
                                          : " held back or returned. ");
    }
    if (const std::string source = source_line(*focus.recording, access.line); !source.empty())
        prose.code(source);
    return prose;
}

Prose tiling_legend(const Theme& theme, const Subject& subject, const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    const Colour accent = theme.accent(subject.accent);
    Prose prose(theme);
    prose.swatch(theme.ink).say("touched by this access").gap().swatch(accent).say("by the selected lane");
    prose.gap().say("C: ").swatch(draw::mix(theme.panel, accent, 0.22f)).say("block").gap();
    prose.swatch(draw::mix(theme.panel, accent, 0.5f)).say("warp").gap().swatch(accent).say("thread");
    if (!facts.tiling->uses_shared() && phase.kind == PhaseKind::compute)
        prose.gap().swatch(theme.compute).say("read by it so far");
    else if (phase.kind == PhaseKind::load)
        prose.gap().swatch(theme.load).say("loaded in this phase");
    else if (phase.kind == PhaseKind::compute)
        prose.gap().swatch(theme.compute).say("slice of K in use");
    else if (phase.kind != PhaseKind::store && !facts.slice[0].empty())
        prose.gap().swatch(theme.barrier).say("slice in shared memory");
    const auto any = [&](std::size_t part) {
        return std::any_of(facts.filled.begin(), facts.filled.end(),
                           [&](const auto& tile) { return !tile[part].empty(); });
    };
    if (facts.loads_ahead() && !facts.slice[0].empty())
        prose.gap().swatch(theme.compute).say("slice of K in use");
    if (any(TilingFacts::ahead))
        prose.gap().swatch(draw::mix(theme.panel, theme.load, 0.45f)).say("there for a later k-tile");
    if (any(TilingFacts::outside))
        prose.gap().swatch(draw::mix(theme.panel, theme.ink, 0.08f)).say("0, outside of the matrix");
    if (facts.races && facts.races->read.accesses > 0)
        prose.gap().swatch(early_read_colour(theme)).say("could be read too early");
    if (facts.races && facts.races->overwrite.accesses > 0)
        prose.gap().swatch(early_overwrite_colour(theme)).say("could be overwritten too early");
    if (any(TilingFacts::older))
        prose.gap().swatch(draw::mix(theme.panel, theme.ink, 0.15f)).say("left by an earlier phase");
    return prose;
}

Message edge_message(const GuardUse& use)
{
    if (use.guarded == 0)
        return {"tiling.edges_none", {{"accesses", use.accesses}}};
    return {"tiling.edges",
            {{"guarded", use.guarded}, {"accesses", use.accesses}, {"off", use.off}, {"lanes", use.lanes}}};
}

} // namespace viz
