#include "viz/views/10_tiling/messages.h"

#include "viz/analysis/sectors.h"
#include "viz/text/figures.h"

#include <algorithm>
#include <bit>
#include <span>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

// "128 x 8 of A and 8 x 128 of B"
Value::List parts_read(const Recording& recording, const PhaseTouch& touch)
{
    Value::List parts;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i) {
        const ArrayTouch& part = touch.arrays[i];
        const std::string& array = recording.arrays[i].name;
        if (recording.arrays[i].space != recording::Space::global || part.read.empty())
            continue;
        if (part.read.size() == 1)
            parts.emplace_back(Message{"tiling.part", {{"extent", extent_text(part.read[0])}, {"array", array}}});
        else
            parts.emplace_back(Message{"tiling.part_cells", {{"cells", part.cells_read}, {"array", array}}});
    }
    return parts;
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

// wgmma: the tensor cores read shared memory by themselves, and no lane does.
bool hardware_reads(const TilingFacts& facts)
{
    return std::ranges::any_of(accesses_now(facts), [](const recording::Access& access) {
        return access.op == Op::matrix_multiply && has_addresses(access);
    });
}

Message load_message(const Recording& recording, const TilingFacts& facts)
{
    const Value::List parts = parts_read(recording, facts.now);
    const bool stores = std::ranges::any_of(facts.now.arrays, [](const ArrayTouch& array) { return array.writes > 0; });
    if (parts.empty())
        return {stores ? "tiling.load_stores" : "tiling.load_nothing"};
    const Message way{copies_in(facts, Op::bulk_load)    ? "tiling.by_tma"
                      : copies_in(facts, Op::async_load) ? "tiling.by_async"
                      : !facts.tiling.uses_shared()      ? "tiling.by_threads"
                      : stores                           ? "tiling.by_shared"
                                                         : "tiling.by_registers"};
    return {"tiling.load", {{"parts", parts}, {"bytes", facts.now.global_bytes_loaded}, {"way", way}}};
}

// Where warps load the same elements, each for itself.
Messages loaded_again(const Recording& recording, const TilingFacts& facts)
{
    uint64_t different = 0;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        if (recording.arrays[i].space == recording::Space::global)
            different += facts.now.arrays[i].cells_read * recording.arrays[i].element_bytes;
    if (different == 0 || different >= facts.now.global_bytes_loaded)
        return {};
    return {{"tiling.load_again", {{"bytes", different}}}};
}

// So often, rounded, each of so many cells.
uint64_t times_each(uint64_t reads, uint64_t cells)
{
    return (reads + cells / 2) / cells;
}

// How often a value of the slice serves: the block's results in its row or column of C, and its reads in shared memory.
void add_reuse(Messages& messages, const TilingFacts& facts)
{
    if (const auto tile = bounds(facts.tiling.tile_cells()); tile && multiplies(facts.recording))
        messages.push_back({"tiling.serves", {{"of_a", tile->cols}, {"of_b", tile->rows}}});
    Value::List cells;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i) {
        const ArrayTouch& touch = facts.now.arrays[i];
        const recording::Array& array = facts.tiling.recording().arrays[i];
        if (array.space == recording::Space::shared && touch.cells_read > 0 && !hardware_reads(facts))
            cells.emplace_back(Message{"tiling.cell_read",
                                       {{"array", array.name}, {"times", times_each(touch.reads, touch.cells_read)}}});
    }
    if (!cells.empty())
        messages.push_back({"tiling.cells_read", {{"cells", cells}}});
}

// Reads from global memory for each different element; nothing where the block reads none.
std::optional<uint64_t> times_read(const Band& band)
{
    const uint64_t cells = band.bounds ? uint64_t{band.bounds->rows} * band.bounds->cols : 0;
    return cells == 0 ? std::nullopt : std::optional(times_each(band.reads, cells));
}

Message walk_message(const TilingFacts& facts)
{
    if (!multiplies(facts.recording))
        return {facts.tiling.shuffles() ? "tiling.no_tiles_shuffles" : "tiling.no_tiles"};
    Value::List bands;
    for (std::size_t i = 0; i < facts.tiling.bands().size(); ++i) {
        const Band& band = facts.tiling.bands()[i];
        if (!times_read(band))
            continue;
        bands.emplace_back(Message{"tiling.band",
                                   {{"extent", extent_text(*band.bounds)},
                                    {"array", facts.tiling.recording().arrays[i].name},
                                    {"times", *times_read(band)}}});
    }
    return {facts.tiling.shuffles() ? "tiling.walk_shuffles" : "tiling.walk", {{"bands", bands}}};
}

Message wait_message(const recording::Access& access)
{
    if (access.op == Op::wait)
        return {"tiling.wait_mbarrier"};
    if (access.width == 0)
        return {"tiling.wait_all"};
    return {"tiling.wait_groups", {{"groups", access.width}}};
}

uint64_t bytes_written(const TilingFacts& facts)
{
    uint64_t bytes = 0;
    for (std::size_t i = 0; i < facts.now.arrays.size(); ++i)
        if (facts.tiling.recording().arrays[i].space == recording::Space::global)
            bytes += facts.now.arrays[i].writes * facts.tiling.recording().arrays[i].element_bytes;
    return bytes;
}

// Which k-tile is loaded or computed.
Message place_message(const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    const int tiles = facts.tiles(), tile = std::min(phase.k_tile + 1, tiles);
    const bool load = phase.kind == PhaseKind::load;
    const Message name{load                                    ? "tiling.loads"
                       : computes(facts.recording, facts.warp) ? "tiling.computes"
                                                               : "tiling.reads"};
    if (load && tiles == 0 && phase.fetched >= 0)
        return {"tiling.load_first", {{"product", multiplies(facts.recording)}, {"fetched", phase.fetched + 1}}};
    if (load && phase.fetched >= 0 && phase.fetched != phase.k_tile)
        return {"tiling.load_ahead",
                {{"product", multiplies(facts.recording)},
                 {"tile", tile},
                 {"tiles", tiles},
                 {"fetched", phase.fetched + 1}}};
    if (tiles > 1)
        return {"tiling.phase_of",
                {{"tile", tile}, {"tiles", tiles}, {"product", multiplies(facts.recording)}, {"name", name}}};
    return {"tiling.phase", {{"name", name}}};
}

Message what_is_accessed(const Focus& focus)
{
    const recording::Access& access = focus.access();
    const uint32_t warp = focus.warp_index;
    if (access.op == Op::barrier)
        return {"tiling.access_barrier"};
    if (!recording::has_addresses(access))
        return {"tiling.access_other", {{"warp", warp}, {"op", recording::name(access.op)}}};
    const std::string array =
        access.array < focus.recording->arrays.size() ? focus.recording->arrays[access.array].name : "?";
    const bool store = is_store(access.op);
    if (access.width == 0)
        return {"tiling.access_box", {{"warp", warp}, {"store", store}, {"array", array}}};
    if (access.op == Op::tile_load || access.op == Op::tile_store) // a lane stands for a row
        return {"tiling.access_rows",
                {{"warp", warp},
                 {"store", store},
                 {"array", array},
                 {"rows", std::popcount(access.mask)},
                 {"bytes", access.width}}};
    return {"tiling.access_lanes", {{"warp", warp}, {"store", store}, {"array", array}, {"bytes", access.width}}};
}

Message what_the_lane_does(const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    const recording::Access& access = focus.access();
    if (const uint32_t threads = lanes_with_thread(focus.recording->launch, focus.warp_index);
        (threads >> lane & 1u) == 0)
        return {"tiling.lane_no_thread"};
    if (access.op == Op::barrier)
        return {"tiling.lane_waits"};
    if (access.op == Op::shuffle && takes_part(access, lane))
        return {"tiling.lane_shuffles", {{"from", access.offset[lane]}}};
    if (!recording::has_addresses(access))
        return {"tiling.lane_no_memory", {{"op", recording::name(access.op)}}};
    if (!takes_part(access, lane) || access.array >= focus.recording->arrays.size())
        return {"tiling.lane_off"};
    if (access.width == 0)
        return {"tiling.lane_box", {{"op", recording::name(access.op)}}};
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
    const std::string elements = element_name(array.name, cells);
    if (held.empty())
        return {"tiling.lane_moves", {{"store", is_store(access.op)}, {"elements", elements}}};
    return {"tiling.lane_holds",
            {{"store", is_store(access.op)},
             {"elements", elements},
             {"many", held.size() > 1},
             {"held", element_name(from, held)}}};
}

Message compute_headline(const TilingFacts& facts)
{
    const auto a = times_read(facts.tiling.bands()[0]), b = times_read(facts.tiling.bands()[1]);
    if (!facts.tiling.uses_shared()) {
        if (!a || !b)
            return {"tiling.head_compute"};
        return {"tiling.head_walk",
                {{"a", Value(*a).as(*a > 1 ? Meaning::conflict : Meaning::good)},
                 {"b", Value(*b).as(*b > 1 ? Meaning::conflict : Meaning::good)}}};
    }
    if (!multiplies(facts.recording))
        return {"tiling.head_shared"};
    Value::List uses;
    if (const auto tile = bounds(facts.tiling.tile_cells())) {
        uses.push_back(Value(tile->cols).as(Meaning::good));
        if (tile->rows != tile->cols)
            uses.push_back(Value(tile->rows).as(Meaning::good));
    }
    return {"tiling.head_reuse", {{"tile", facts.current().k_tile + 1}, {"tiles", facts.tiles()}, {"uses", uses}}};
}

Message barrier_headline(const TilingFacts& facts)
{
    if (facts.races == nullptr)
        return {"tiling.head_barrier"};
    const BarrierRaces& races = *facts.races;
    if (!races.guards())
        return {"tiling.head_guards_nothing"};
    const bool reads = races.read.accesses > 0;
    return {"tiling.head_guards",
            {{"accesses", Value(reads ? races.read.accesses : races.overwrite.accesses).as(Meaning::conflict)},
             {"reads", reads}}};
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

Message lane_message(const std::string& stage, const Focus& focus, const TilingFacts& facts, uint32_t lane)
{
    return {"tiling.lane",
            {{"stage", stage},
             {"block", block_name(*focus.recording, *focus.block)},
             {"warp", focus.warp_index},
             {"lane", lane},
             {"does", what_the_lane_does(focus, facts, lane)}}};
}

Messages race_messages(const Recording& recording, const BarrierRaces& races,
                       const std::optional<BlockBarriers::Summary>& summary)
{
    Messages messages;
    const auto cell = [&](const RaceExample& example) {
        return element_name(recording.arrays[example.array].name, {example.cell});
    };
    for (const Race* race : {&races.read, &races.overwrite})
        if (const auto& example = race->example)
            messages.push_back({race == &races.read ? "tiling.early_read" : "tiling.early_overwrite",
                                {{"after", example->after_warp},
                                 {"cell", cell(*example)},
                                 {"after_line", index(example->after_line)},
                                 {"before", example->before_warp},
                                 {"before_line", index(example->before_line)},
                                 {"accesses", race->accesses},
                                 {"all", race->all}}});
    if (!races.guards())
        messages.push_back({"tiling.guards_nothing"});
    if (!summary)
        return messages;
    Value::List guarding;
    if (summary->of_reads > 0)
        guarding.emplace_back(Message{"tiling.guards_of_reads", {{"barriers", summary->of_reads}}});
    if (summary->of_overwrites > 0)
        guarding.emplace_back(Message{"tiling.guards_of_overwrites", {{"barriers", summary->of_overwrites}}});
    if (summary->of_both > 0)
        guarding.emplace_back(Message{"tiling.guards_of_both", {{"barriers", summary->of_both}}});
    if (summary->of_nothing > 0)
        guarding.emplace_back(Message{"tiling.guards_of_nothing", {{"barriers", summary->of_nothing}}});
    const std::size_t all = summary->of_reads + summary->of_overwrites + summary->of_both + summary->of_nothing;
    messages.push_back({"tiling.barriers", {{"barriers", all}, {"guarding", guarding}}});
    return messages;
}

Messages phase_messages(const Focus& focus, const TilingFacts& facts)
{
    const Value line = index(focus.access().line);
    Messages messages;
    switch (facts.current().kind) {
    case PhaseKind::load:
        messages = loaded_again(*focus.recording, facts);
        messages.insert(messages.begin(), {place_message(facts), load_message(*focus.recording, facts)});
        break;
    case PhaseKind::wait: return {{"tiling.wait", {{"line", line}}}, wait_message(focus.access())};
    case PhaseKind::compute:
        messages.push_back(place_message(facts));
        if (facts.tiling.uses_shared())
            add_reuse(messages, facts);
        else
            messages.push_back(walk_message(facts));
        break;
    case PhaseKind::barrier:
        if (facts.races != nullptr)
            messages = race_messages(facts.recording, *facts.races, facts.guarding);
        else if (facts.barriers)
            messages.push_back(*facts.barriers->missing());
        messages.insert(messages.begin(), {"tiling.barrier", {{"line", line}, {"warps", focus.block->warps.size()}}});
        break;
    case PhaseKind::store:
        messages.push_back(
            {"tiling.store", {{"output", facts.recording.arrays[2].name}, {"bytes", bytes_written(facts)}}});
        if (focus.recording->problem.beta != 0 && facts.now.global_bytes_loaded > 0)
            messages.push_back({"tiling.store_reads", {{"bytes", facts.now.global_bytes_loaded}}});
        break;
    }
    return messages;
}

Messages access_messages(const Focus& focus)
{
    const recording::Access& access = focus.access();
    Messages messages;
    if (focus.past_end)
        messages.push_back({"tiling.past_end"});
    Messages what{what_is_accessed(focus)};
    const uint32_t threads = lanes_with_thread(focus.recording->launch, focus.warp_index) | access.mask;
    const int off = std::popcount(threads & ~access.mask), none = std::popcount(~threads);
    const bool by_lanes = recording::has_addresses(access) && access.width > 0 && access.op != Op::tile_load &&
                          access.op != Op::tile_store;
    if (by_lanes && off > 0)
        what.push_back({"tiling.held_back", {{"lanes", Value(off).as(Meaning::conflict)}}});
    if (none > 0)
        what.push_back({"tiling.no_thread", {{"lanes", none}, {"threads", std::popcount(threads)}}});
    messages.push_back({"tiling.access",
                        {{"step", focus.step},
                         {"steps", focus.warp->accesses.size()},
                         {"line", index(access.line)},
                         {"what", what},
                         {"source", source_line(*focus.recording, access.line)}}});
    return messages;
}

Message headline(const TilingFacts& facts)
{
    const Phase& phase = facts.current();
    switch (phase.kind) {
    case PhaseKind::load: {
        const Value loaded = Value(bytes(static_cast<double>(facts.now.global_bytes_loaded))).as(Meaning::strong);
        if (facts.tiles() <= 1)
            return {"tiling.head_only_load", {{"bytes", loaded}}};
        const int tile = std::max(0, phase.fetched >= 0 ? phase.fetched : phase.k_tile) + 1;
        return {"tiling.head_load",
                {{"product", multiplies(facts.recording)},
                 {"tile", tile},
                 {"tiles", std::max(tile, facts.tiles())},
                 {"bytes", loaded}}};
    }
    case PhaseKind::wait: return {"tiling.head_wait"};
    case PhaseKind::compute: return compute_headline(facts);
    case PhaseKind::barrier: return barrier_headline(facts);
    case PhaseKind::store: break;
    }
    return {"tiling.head_store",
            {{"bytes", Value(bytes(static_cast<double>(bytes_written(facts)))).as(Meaning::strong)},
             {"array", facts.recording.arrays[2].name}}};
}

Message product_message(const ThreadProduct& product, ProductKind kind)
{
    Value::Nested recorded;
    if (kind == kind_of(product))
        recorded.push_back(
            {"tiling.product_recorded", {{"block", product.of_block}, {"reads", rounded(product.reads)}}});
    else if (kind == ProductKind::outer && product.results() == 1)
        return product_message(example_product, kind);
    if (kind == ProductKind::inner)
        return {"tiling.product_inner",
                {{"results", product.results()}, {"reads", product.inner_reads()}, {"recorded", recorded}}};
    return {"tiling.product_outer",
            {{"rows", product.rows},
             {"cols", product.cols},
             {"results", product.results()},
             {"reads", product.outer_reads()},
             {"recorded", recorded}}};
}

Message edge_message(const GuardUse& use)
{
    if (use.guarded == 0)
        return {"tiling.edges_none", {{"accesses", use.accesses}}};
    return {"tiling.edges",
            {{"guarded", use.guarded}, {"accesses", use.accesses}, {"off", use.off}, {"lanes", use.lanes}}};
}

} // namespace viz
