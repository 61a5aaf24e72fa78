#include "viz/views/10_tiling/facts.h"

#include <algorithm>

namespace viz {

using recording::BlockTrace;
using recording::Recording;

namespace {

// Derived values hold shared pointers to their inputs, so cached addresses can never be reused by another block.
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

// A step of a warp. Queries of the contents refer to this time.
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

bool interrupts(const Moment& moment)
{
    const Phase& current = moment.phase();
    return current.kind == PhaseKind::load && current.fetched > current.k_tile &&
           std::any_of(moment.phases().data(), &current, [&](const Phase& before) {
               return before.kind == PhaseKind::compute && before.k_tile == current.k_tile;
           });
}

struct StepFacts {
    std::array<std::vector<CellRect>, 2> slice;
    std::array<uint32_t, 2> slice_end{}; // for A and B: the first k after the slice
    TilingFacts::Filled filled;
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
                const bool later = element && k >= facts.slice_end[origin.array];
                const bool current_one = loading ? origin.stored >= since : in_use && !later;
                cells[storing            ? Facts::older
                      : !element         ? Facts::outside
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

StepFacts step_facts(const Recording&, const Moment& moment, const Touch& used)
{
    StepFacts facts{.interrupts = interrupts(moment)};
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
    Lit lit;
    std::array<std::vector<CellRect>, 2> walk;
};

LaneFacts lane_facts(const Recording&, const Moment& moment, uint32_t lane)
{
    BlockTiling& tiling = moment.now();
    LaneFacts facts{lit_by(tiling, moment.warp, moment.step, lane), {}};
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
    const StepFacts& step = column.memo<step_facts>(moment, used);
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
                      .interrupts = step.interrupts,
                      .added = column.memo<added_at>(moment, warp.finder),
                      .lit = of_lane.lit,
                      .walk = of_lane.walk};
    if (focus.access().op == recording::Op::barrier)
        add_races(facts, column, focus);
    moment.now(); // the calls above may have moved to another time
    return facts;
}

bool split(const std::vector<KTile>& tiles)
{
    return std::ranges::any_of(tiles, [&](const KTile& tile) { return tile.slice != tiles.front().slice; });
}

} // namespace viz
