#include "viz/analysis/fragments.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/tiling.h"
#include "viz/text/figures.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;

namespace {

bool loads_operand(const Access& access)
{
    return access.op == Op::shared_load || (access.op == Op::global_load && access.array < array_C);
}

uint32_t k_of(const Origin& origin)
{
    return origin.array == 0 ? origin.cell.col : origin.cell.row;
}

// Returns the elements of A and B that a lane loads with an access.
std::vector<Origin> brought(const SharedContents& contents, const Recording& recording, const Access& access,
                            const Elements& elements, uint32_t lane)
{
    std::vector<Origin> result;
    for (const Cell& cell : cells_of_lane(access, elements, recording.arrays[access.array].element_bytes, lane)) {
        Origin origin{Origin::Kind::element, access.array, cell, 0};
        if (recording.arrays[access.array].space == recording::Space::shared)
            origin = contents.at(access.array, cell);
        if (origin.kind == Origin::Kind::element && origin.array < array_C)
            result.push_back(origin);
    }
    return result;
}

void add_once(std::vector<Cell>& cells, Cell cell)
{
    if (std::ranges::find(cells, cell) == cells.end())
        cells.push_back(cell);
}

class Gatherer {
public:
    Gatherer(SharedContents& contents_, const Recording& recording_, const recording::WarpTrace& warp_)
        : contents(contents_), recording(recording_), warp(warp_), elements(contents_.elements())
    {
    }

    // Returns every k that lanes read at a step, beginning with that of the first lane.
    std::vector<uint32_t> ks_at(std::size_t step) const
    {
        std::vector<uint32_t> ks;
        const Access& access = warp.accesses[step];
        for (uint32_t lane = 0; loads_operand(access) && lane < recording::warp_size; ++lane)
            for (const Origin& origin : brought(contents, recording, access, elements[access.array], lane))
                if (std::ranges::find(ks, k_of(origin)) == ks.end())
                    ks.push_back(k_of(origin));
        return ks;
    }

    void add(std::size_t step, Fragments& to)
    {
        const Access& access = warp.accesses[step];
        if (!loads_operand(access))
            return;
        bool any = false;
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
            bool mine = false;
            for (const Origin& origin : brought(contents, recording, access, elements[access.array], lane)) {
                if (k_of(origin) != to.k)
                    continue;
                add_once(origin.array == 0 ? to.lanes[lane].a : to.lanes[lane].b, origin.cell);
                mine = true;
            }
            bytes[lane] += mine ? access.width : 0;
            any = any || mine;
        }
        to.loads += any ? 1 : 0;
        to.bytes = std::ranges::max(bytes);
    }

private:
    SharedContents& contents;
    const Recording& recording;
    const recording::WarpTrace& warp;
    const std::vector<Elements>& elements;
    std::array<uint64_t, recording::warp_size> bytes{};
};

} // namespace

LaneFragment Fragments::held_by(uint32_t lane) const
{
    LaneFragment held = lanes[lane];
    held.a.resize(loaded[0][lane]);
    held.b.resize(loaded[1][lane]);
    return held;
}

RegisterStep register_step(const Access& access)
{
    switch (access.op) {
    case Op::shuffle: return RegisterStep::shuffle;
    case Op::matrix_load: return RegisterStep::matrix_load;
    case Op::matrix_multiply: return reads_tile_itself(access) ? RegisterStep::group_product : RegisterStep::product;
    default: return RegisterStep::fragments;
    }
}

bool knows_operands(const recording::Recording& recording)
{
    return !recording.executed || recording.executed->multiplies;
}

bool is_wmma(const recording::WarpTrace& warp)
{
    return has_op(warp, Op::tile_load) || has_op(warp, Op::tile_store);
}

void FragmentFinder::read_k_tile(int k_tile)
{
    k_tile_ = k_tile;
    k_of_.clear();
    reads_.clear();
    const auto passes_on = [](const Access& access) {
        return access.op == Op::shuffle || access.op == Op::matrix_multiply || access.op == Op::matrix_load;
    };
    std::vector<std::size_t> steps; // of the k-tile's computation, which loads may interrupt
    for (const Phase& part : phases_)
        for (std::size_t i = 0; part.kind == PhaseKind::compute && part.k_tile == k_tile && i < part.count; ++i)
            steps.push_back(part.first + i);
    first_ = steps.front();
    if (std::ranges::any_of(steps, [&](std::size_t i) { return passes_on(trace_.accesses[i]); }))
        return;
    contents_.advance_to(contents_.order().tick(warp_, first_));
    const Gatherer gatherer(contents_, recording_, trace_);
    for (const std::size_t step : steps) {
        const std::vector<uint32_t> ks = gatherer.ks_at(step);
        if (!ks.empty())
            k_of_.emplace(step, ks.front());
        for (const uint32_t k : ks)
            reads_[k].push_back(step);
    }
}

std::optional<std::size_t> FragmentFinder::computation_at(std::size_t step) const
{
    if (phases_.empty())
        return {};
    const Phase& now = phase_at(phases_, step);
    // Stored results were computed before. If the block continues with another tile, that tile is computed later.
    for (const Phase* before = &now; now.kind == PhaseKind::store && before-- != phases_.data();)
        if (before->kind == PhaseKind::compute)
            return static_cast<std::size_t>(before - phases_.data());
    return compute_phase_of(phases_, static_cast<std::size_t>(&now - phases_.data()));
}

std::optional<Fragments> FragmentFinder::at(std::size_t step)
{
    const auto phase = computation_at(step);
    if (!phase)
        return {};
    if (k_tile_ != phases_[*phase].k_tile)
        read_k_tile(phases_[*phase].k_tile);
    if (k_of_.empty())
        return {};
    const auto next = k_of_.upper_bound(step);
    Fragments fragments;
    fragments.k = next != k_of_.begin() ? std::prev(next)->second : next->second;
    contents_.advance_to(contents_.order().tick(warp_, first_));
    Gatherer gatherer(contents_, recording_, trace_);
    fragments.complete = reads_[fragments.k].back() <= step;
    for (const std::size_t one : reads_[fragments.k]) {
        gatherer.add(one, fragments);
        const LaneFragment& first = fragments.lanes[0];
        fragments.after_load.push_back({static_cast<uint32_t>(first.a.size()), static_cast<uint32_t>(first.b.size())});
        if (one > step)
            continue;
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
            fragments.loaded[0][lane] = static_cast<uint32_t>(fragments.lanes[lane].a.size());
            fragments.loaded[1][lane] = static_cast<uint32_t>(fragments.lanes[lane].b.size());
        }
    }
    return fragments;
}

namespace {

// Adjacent lines that all lanes of a warp load together. Their elements have the same positions in the fragments of all
// lanes.
struct LineRun {
    uint32_t first = 0, end = 0; // rows of A or columns of B, of all lanes
    std::size_t load = 0;        // the load that brings its last line
    bool ready = false;
};

// Returns the runs of adjacent lines in load order. Returns nothing if two of them overlap.
std::vector<LineRun> line_runs(const Fragments& fragments, bool of_a)
{
    const auto line_at = [&](uint32_t lane, std::size_t i) {
        const Cell& cell = fragments.lanes[lane].part(of_a)[i];
        return of_a ? cell.row : cell.col;
    };
    const std::size_t count = fragments.lanes[0].part(of_a).size(), part = of_a ? 0 : 1;
    std::vector<LineRun> runs;
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 0 || line_at(0, i) != line_at(0, i - 1) + 1)
            runs.push_back({.first = line_at(0, i), .end = line_at(0, i) + 1});
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
            if (fragments.lanes[lane].part(of_a).size() != count)
                return {};
            runs.back().first = std::min(runs.back().first, line_at(lane, i));
            runs.back().end = std::max(runs.back().end, line_at(lane, i) + 1);
        }
        const auto load =
            std::ranges::find_if(fragments.after_load, [&](const auto& after) { return after[part] > i; });
        runs.back().load = static_cast<std::size_t>(load - fragments.after_load.begin());
        runs.back().ready = fragments.loaded[part][0] > i;
    }
    for (const LineRun& one : runs)
        for (const LineRun& other : runs)
            if (&one != &other && one.first < other.end && other.first < one.end)
                return {};
    return runs;
}

} // namespace

std::vector<Subtile> subtiles_of(const Fragments& fragments)
{
    std::vector<Subtile> subtiles;
    for (const LineRun& a : line_runs(fragments, true))
        for (const LineRun& b : line_runs(fragments, false))
            subtiles.push_back(
                {{a.first, b.first, a.end - a.first, b.end - b.first}, std::max(a.load, b.load), a.ready && b.ready});
    std::ranges::stable_sort(subtiles, {}, &Subtile::load);
    return subtiles;
}

std::array<LaneFragment, recording::warp_size> held_for_shuffles(const Recording& recording,
                                                                 const recording::WarpTrace& warp,
                                                                 const std::vector<Phase>& phases, std::size_t step)
{
    std::array<LaneFragment, recording::warp_size> held;
    const auto now = static_cast<std::size_t>(&phase_at(phases, step) - phases.data());
    std::size_t load = now + 1;
    while (load > 0 && phases[load - 1].kind != PhaseKind::load)
        --load;
    if (load == 0 || phases[now].kind == PhaseKind::store)
        return held;
    const std::vector<Elements> elements = elements_of(recording);
    const Phase& phase = phases[load - 1];
    for (std::size_t i = phase.first; i < phase.first + phase.count && i <= step; ++i) {
        const Access& access = warp.accesses[i];
        if (access.op != Op::global_load || access.array >= array_C)
            continue;
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            for (const Cell& cell :
                 cells_of_lane(access, elements[access.array], recording.arrays[access.array].element_bytes, lane))
                add_once(access.array == 0 ? held[lane].a : held[lane].b, cell);
    }
    return held;
}

namespace {

using Results = std::array<std::vector<Cell>, recording::warp_size>; // elements of C by lane, by row and then column

Results results_of_lanes(const Recording& recording, const recording::BlockTrace& block, uint32_t warp)
{
    Results results;
    for (const OwnedCell& owned : cells_of_block(recording, linear_of(block.block, recording.launch.grid)))
        if (owned.thread / recording::warp_size == warp)
            results[owned.thread % recording::warp_size].push_back(owned.cell);
    return results;
}

// The position of a shuffle among the shuffles of the same source line in the phase.
struct ShufflePlace {
    std::size_t run = 0;   // number of the sequence of consecutive shuffles that it belongs to, from 1
    std::size_t first = 0; // step of the first shuffle of that sequence
};

ShufflePlace place_of_shuffle(const recording::WarpTrace& warp, const Phase& phase, std::size_t step)
{
    const auto is_like = [&](const Access& one) {
        return one.op == Op::shuffle && one.line == warp.accesses[step].line;
    };
    ShufflePlace place;
    bool before = false;
    for (std::size_t i = phase.first; i <= step; ++i) {
        const bool like = is_like(warp.accesses[i]);
        if (like && !before) {
            ++place.run;
            place.first = i;
        }
        before = like;
    }
    return place;
}

// Returns what each lane receives if the shuffle passes elements of that operand. Returns nothing if a lane would
// receive an element that its results do not need.
std::optional<PassedValues> passed_of(const std::array<LaneFragment, recording::warp_size>& held,
                                      const Results& results, const recording::WarpTrace& warp,
                                      const ShufflePlace& place, std::size_t step, bool of_a)
{
    std::set<uint32_t> ks;
    for (const LaneFragment& lane : held)
        for (const Cell& cell : lane.part(of_a))
            ks.insert(of_a ? cell.col : cell.row);
    if (place.run > ks.size() || place.run == 0)
        return {};
    const uint32_t k = *std::next(ks.begin(), static_cast<std::ptrdiff_t>(place.run - 1));
    const Access& access = warp.accesses[step];
    PassedValues passed;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        const uint32_t source = access.offset[lane];
        if (source >= recording::warp_size)
            return {};
        std::size_t before = 0; // elements of this k that the source lane already passed to it in this sequence
        for (std::size_t i = place.first; i < step; ++i)
            before += warp.accesses[i].offset[lane] == source ? 1 : 0;
        for (const Cell& cell : held[source].part(of_a))
            if ((of_a ? cell.col : cell.row) == k && before-- == 0) {
                passed[lane] = {static_cast<uint8_t>(of_a ? 0 : 1), cell};
                break;
            }
        const auto uses = [&](const Cell& result) {
            return of_a ? result.row == passed[lane]->cell.row : result.col == passed[lane]->cell.col;
        };
        if (!passed[lane] || (!results[lane].empty() && std::ranges::none_of(results[lane], uses)))
            return {};
    }
    return passed;
}

} // namespace

PassedValues passed_by_shuffle(const Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                               std::size_t step)
{
    const recording::WarpTrace& trace = block.warps[warp];
    const std::vector<Phase> all = phases(recording, trace);
    const auto held = held_for_shuffles(recording, trace, all, step);
    const Results results = results_of_lanes(recording, block, warp);
    const ShufflePlace place = place_of_shuffle(trace, phase_at(all, step), step);
    const auto a = passed_of(held, results, trace, place, step, true),
               b = passed_of(held, results, trace, place, step, false);
    return a && !b ? *a : b && !a ? *b : PassedValues{};
}

std::optional<LaneSquare> lane_square(const Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                                      uint32_t lane)
{
    const Results results = results_of_lanes(recording, block, warp);
    std::map<Cell, uint32_t> lane_of;
    for (uint32_t one = 0; one < recording::warp_size; ++one)
        for (const Cell& cell : results[one])
            lane_of.emplace(cell, one);
    if (results[lane].empty())
        return {};
    const Cell first = lane_of.begin()->first, own = results[lane].front();
    LaneSquare square{.corner = {own.row - (own.row - first.row) % 2, own.col - (own.col - first.col) % 2}};
    for (uint32_t i = 0; i < 4; ++i) {
        const auto found = lane_of.find({square.corner.row + i / 2, square.corner.col + i % 2});
        if (found == lane_of.end() || std::ranges::find(square.lanes.begin(), square.lanes.begin() + i,
                                                        found->second) != square.lanes.begin() + i)
            return {};
        square.lanes[i] = found->second;
    }
    return square;
}

ShuffleFacts shuffle_facts(const Access& access)
{
    ShuffleFacts facts;
    std::array<uint32_t, recording::warp_size> asked{};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane) || access.offset[lane] >= asked.size())
            continue;
        ++facts.lanes;
        ++asked[access.offset[lane]];
        facts.from_itself += access.offset[lane] == lane ? 1 : 0;
    }
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (asked[lane] > 0)
            facts.sources.push_back(lane);
    facts.most_asked = std::ranges::max(asked);
    return facts;
}

namespace {

// Returns the register use without the number of sums.
RegisterUse use_without_sums(const Recording& recording, const std::optional<Fragments>& fragments)
{
    RegisterUse use;
    use.registers = registers(recording).with([](double count) { return static_cast<uint32_t>(count); });
    if (recording.resources) {
        use.local = recording.resources->local_bytes_per_thread;
        const SmLimits limits = limits_of(recording.device.compute_capability).value_or(SmLimits());
        KernelNeeds more = needs_of(recording);
        more.registers += limits.register_unit / recording::warp_size; // the granularity of allocation, per thread
        use.registers_left = more.registers <= most_registers && !residency(limits, more).refusal;
    }
    if (fragments)
        for (const LaneFragment& lane : fragments->lanes)
            use.fragments = std::max(use.fragments, static_cast<uint32_t>(lane.a.size() + lane.b.size()));
    return use;
}

} // namespace

bool operands_elsewhere(const Recording& recording, const std::optional<Fragments>& fragments)
{
    return use_without_sums(recording, fragments).elsewhere();
}

RegisterUse register_use(const Recording& recording, const recording::BlockTrace& block, std::size_t warp,
                         const std::optional<Fragments>& fragments)
{
    RegisterUse use = use_without_sums(recording, fragments);
    std::array<uint32_t, recording::warp_size> results{};
    const uint32_t linear = linear_of({block.block.x, block.block.y, 0}, recording.launch.grid);
    for (const OwnedCell& owned : cells_of_block(recording, linear))
        if (owned.thread / recording::warp_size == warp)
            ++results[owned.thread % recording::warp_size];
    use.results = std::ranges::max(results);
    const std::vector<Access>& accesses = block.warps[warp].accesses;
    const auto group = std::ranges::find(accesses, RegisterStep::group_product, register_step);
    if (group != accesses.end()) // sums outside of C occupy registers too
        if (const auto operands =
                group_operands(recording, block.warps[warp], static_cast<std::size_t>(group - accesses.begin())))
            use.results = operands->columns / 2;
    use.moved = recording.source().text.find("setmaxnreg") != std::string::npos;
    return use;
}

UsedLines::UsedLines(const Fragments& fragments, bool of_a) : of_a_(of_a)
{
    std::set<uint32_t> all;
    for (const LaneFragment& lane : fragments.lanes)
        for (const Cell& cell : lane.part(of_a))
            all.insert(line_of(cell));
    lines_.assign(all.begin(), all.end());
}

std::set<uint32_t> UsedLines::places(const LaneFragment& fragment) const
{
    std::set<uint32_t> found;
    for (const Cell& cell : fragment.part(of_a_))
        found.insert(static_cast<uint32_t>(std::ranges::lower_bound(lines_, line_of(cell)) - lines_.begin()));
    return found;
}

std::vector<std::pair<uint32_t, uint32_t>> UsedLines::runs(const LaneFragment& fragment) const
{
    std::vector<std::pair<uint32_t, uint32_t>> found;
    for (const uint32_t place : places(fragment)) {
        const bool goes_on = !found.empty() && found.back().first + found.back().second == place &&
                             lines_[place - 1] + 1 == lines_[place];
        if (goes_on)
            ++found.back().second;
        else
            found.emplace_back(place, 1);
    }
    return found;
}

HeldFragments held_fragments(const Recording& recording, const std::shared_ptr<SharedContents>& contents,
                             const recording::BlockTrace& block, uint32_t warp, std::size_t step)
{
    const std::vector<Phase> all = phases(recording, block.warps[warp]);
    HeldFragments held{FragmentFinder(*contents, recording, block, warp, all).at(step), {}};
    held.use = register_use(recording, block, warp, held.fragments);
    if (held.fragments && phase_at(all, step).kind == PhaseKind::store)
        held.fragments->loaded = {};
    return held;
}

Holder ldmatrix_holder(Cell element, bool transposed)
{
    if (transposed)
        std::swap(element.row, element.col);
    return {element.row * 4 + element.col / 2, element.col % 2};
}

MmaShape mma_shape(uint32_t element_bytes)
{
    return {32 / std::max(1u, element_bytes)};
}

Cell extent_of(MmaShape shape, MmaPart part)
{
    return {part == MmaPart::b ? shape.depth : mma_rows, part == MmaPart::a ? shape.depth : mma_cols};
}

// The registers of A hold rows 0-7 and then rows 8-15 of the first half of K, then both for the second half.
Holder mma_holder(MmaShape shape, MmaPart part, Cell element)
{
    const uint32_t half = shape.depth / 2, packed = shape.packed();
    switch (part) {
    case MmaPart::a: {
        const uint32_t k = element.col % half, reg = element.row / 8 + element.col / half * 2;
        return {element.row % 8 * 4 + k / packed, reg * packed + k % packed};
    }
    case MmaPart::b: {
        const uint32_t k = element.row % half;
        return {element.col * 4 + k / packed, element.row / half * packed + k % packed};
    }
    case MmaPart::sums: break;
    }
    return {element.row % 8 * 4 + element.col / 2, element.row / 8 * 2 + element.col % 2};
}

std::vector<Cell> held_by_lane(MmaShape shape, MmaPart part, uint32_t lane)
{
    std::vector<std::pair<uint32_t, Cell>> found;
    const Cell extent = extent_of(shape, part);
    for (uint32_t row = 0; row < extent.row; ++row)
        for (uint32_t col = 0; col < extent.col; ++col)
            if (const Holder holder = mma_holder(shape, part, {row, col}); holder.lane == lane)
                found.emplace_back(holder.index, Cell{row, col});
    std::sort(found.begin(), found.end());
    std::vector<Cell> cells;
    for (const auto& [index, cell] : found)
        cells.push_back(cell);
    return cells;
}

} // namespace viz
