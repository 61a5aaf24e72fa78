#include "viz/analysis/timeline.h"

#include "viz/analysis/access.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

struct LoopShape {
    bool staged = false;        // shared memory or shuffles bring the operands to the arithmetic
    bool multiplies = false;    // tensor cores multiply in steps of their own
    bool repeats = false;       // a line loads A or B more than once, so there is a loop
    std::size_t after_work = 0; // the step after the last one that belongs to the arithmetic or feeds it
};

// Returns whether the access is the last transfer of an operand before the arithmetic.
bool is_last_stop(const Access& access, const LoopShape& shape)
{
    switch (access.op) {
    case Op::shared_load:
    case Op::matrix_load:
    case Op::tile_load:
    case Op::shuffle:
    case Op::matrix_multiply: return true;
    case Op::global_load: return !shape.staged && access.array != array_C;
    default: return false;
    }
}

// Returns whether the access is a copy or a barrier of a copy. A warp that feeds others does nothing else. Copies of
// results back to global memory are excluded.
bool feeds_others(const recording::Recording& recording, const Access& access)
{
    const Op op = access.op;
    return op == Op::async_load || op == Op::async_store || op == Op::async_commit || op == Op::arrive ||
           op == Op::wait || is_bulk_fill(recording.arrays, access);
}

LoopShape shape_of(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    LoopShape shape;
    for (const Access& access : warp.accesses) {
        shape.multiplies |= access.op == Op::matrix_multiply;
        shape.staged |= access.op == Op::shuffle || is_shared(access.op);
    }
    std::set<uint32_t> lines;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const Access& access = warp.accesses[step];
        if (feeds_others(recording, access))
            shape.after_work = step + 1;
        if (shape.multiplies ? access.op != Op::matrix_multiply : !is_last_stop(access, shape))
            continue;
        shape.after_work = step + 1;
        shape.repeats = shape.repeats || (!shape.staged && !lines.insert(access.line).second);
    }
    return shape;
}

PhaseKind kind_of(const recording::Recording& recording, const Access& access, std::size_t step, const LoopShape& shape)
{
    if (access.op == Op::barrier)
        return PhaseKind::barrier;
    if (access.op == Op::wait || access.op == Op::async_wait)
        return PhaseKind::wait;
    if (step >= shape.after_work)
        return PhaseKind::store;
    if (shape.staged || shape.multiplies || feeds_others(recording, access))
        return is_last_stop(access, shape) || (access.op == Op::arrive && shape.multiplies) ? PhaseKind::compute
                                                                                            : PhaseKind::load;
    return shape.repeats ? PhaseKind::compute : PhaseKind::load;
}

bool writes_tile(const recording::Recording& recording, const Access& access)
{
    return access.op == Op::shared_store || access.op == Op::async_store ||
           (access.op == Op::bulk_store && is_bulk_fill(recording.arrays, access));
}

// Counts the k-tiles that a warp reads, and those that it loads.
class KTiles {
public:
    explicit KTiles(const recording::Recording& recording) : arrays(recording.arrays)
    {
        for (std::size_t i = 0; i < arrays.size(); ++i)
            places.push_back(ring_place(recording, i));
    }

    // Processes a step that reads an operand, and returns its k-tile.
    int read(const Access& access)
    {
        const bool shared = in_shared(arrays, access);
        const int stage = shared ? places[access.array].stage : reading;
        through_shared = through_shared || shared;
        // The product of fragments from shared memory belongs to the k-tile of the fragments.
        const bool begins = computed < 0 || (shared ? stage != reading || apart : apart && !through_shared);
        // If this warp fills the tile, and has not filled it since the last read, the values are read ahead and never
        // used: the arithmetic that follows uses those of the last tile. If more k-tiles were loaded than read, the
        // tiles are in one array without numbers, and a barrier separates them.
        stale = shared && filled.contains(stage) && !filled[stage] && computed >= 0 && brought <= computed;
        if (begins && !stale) {
            ++computed;
            reading = stage;
            apart = false;
        }
        if (shared)
            read_now.insert(stage);
        return std::max(computed, 0);
    }

    bool last_was_stale() const { return stale; }

    // Marks the boundary between two k-tiles.
    void separate()
    {
        apart = apart_write = true;
        for (const int stage : read_now)
            if (filled.contains(stage))
                filled[stage] = false;
        read_now.clear();
    }

    void write(const Access& access)
    {
        const RingPlace place = access.array < places.size() ? places[access.array] : RingPlace{};
        filled[place.stage] = true;
        const bool next_group = group_ended && place.stages == 1 && in_tile.contains(access.array);
        group_ended = false;
        in_tile.insert(access.array);
        if (brought >= 0 && place.stage == writing && !apart_write && !next_group)
            return;
        in_tile = {access.array};
        do
            ++brought;
        while (brought % place.stages != place.stage);
        writing = place.stage;
        apart_write = false;
    }
    int last_brought() const { return brought; }
    // Ends a group of asynchronous copies. If a later group fills the same array again, it loads the next tile.
    void end_group() { group_ended = true; }

private:
    const std::vector<recording::Array>& arrays;
    std::vector<RingPlace> places;
    int computed = -1, reading = 0, brought = -1, writing = 0;
    bool apart = true, apart_write = true, through_shared = false, stale = false, group_ended = false;
    std::map<int, bool> filled; // by stage: filled since its last read; only stages that this warp fills
    std::set<int> read_now;     // stages read since the last boundary
    std::set<uint8_t> in_tile;  // arrays that the current tile fills
};

struct StepTiles {
    PhaseKind kind = PhaseKind::load;
    int computed = -1, brought = -1; // k-tiles
    bool stale = false;              // read and never used
    bool ends_group = false;         // the next group of asynchronous copies loads another k-tile
};

std::vector<StepTiles> tiles_of_steps(const recording::Recording& recording, const recording::WarpTrace& warp,
                                      const LoopShape& shape)
{
    const auto meets = [](const Access& access) { return access.op == Op::barrier || access.op == Op::wait; };
    const bool any_barrier = std::ranges::any_of(warp.accesses, meets);
    // A warp that copies tiles asynchronously uses shared stores only for results.
    const bool copies = std::ranges::any_of(warp.accesses, [&](const Access& access) {
        return access.op != Op::shared_store && writes_tile(recording, access);
    });
    KTiles tiles(recording);
    std::vector<StepTiles> result(warp.accesses.size());
    for (std::size_t step = 0; step < result.size(); ++step) {
        const Access& access = warp.accesses[step];
        StepTiles& now = result[step];
        now.kind = kind_of(recording, access, step, shape);
        now.ends_group = access.op == Op::async_commit;
        if (now.ends_group)
            tiles.end_group();
        // Without barriers, loads separate the k-tiles.
        if (meets(access) || (!any_barrier && now.kind == PhaseKind::load))
            tiles.separate();
        if (now.kind == PhaseKind::compute && access.op != Op::arrive) {
            now.computed = tiles.read(access);
            now.stale = tiles.last_was_stale();
        }
        if (writes_tile(recording, access) && step < shape.after_work && !(copies && access.op == Op::shared_store)) {
            tiles.write(access);
            now.brought = tiles.last_brought();
        }
    }
    return result;
}

// Returns the phases, with the k-tile of each compute phase and the k-tile that each load phase loads.
std::vector<Phase> split(const std::vector<StepTiles>& steps)
{
    std::vector<Phase> result;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const StepTiles& now = steps[step];
        Phase* last = result.empty() ? nullptr : &result.back();
        const bool same_tile = now.computed < 0 || last == nullptr || last->k_tile < 0 || last->k_tile == now.computed;
        const bool same_group = step == 0 || !steps[step - 1].ends_group;
        if (last != nullptr && last->kind == now.kind && now.kind != PhaseKind::barrier && same_tile && same_group) {
            ++last->count;
            last->fetched = last->fetched < 0 ? now.brought : last->fetched;
            last->k_tile = std::max(last->k_tile, now.computed);
            continue;
        }
        result.push_back({.kind = now.kind, .k_tile = now.computed, .first = step, .count = 1, .fetched = now.brought});
    }
    return result;
}

} // namespace

std::string_view ring_name(const recording::Array& array)
{
    return std::string_view(array.name).substr(0, array.name.find('['));
}

RingPlace ring_place(const recording::Recording& recording, std::size_t array)
{
    const std::string& name = recording.arrays[array].name;
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos)
        return {};
    RingPlace place{.stage = std::atoi(name.c_str() + bracket + 1), .stages = 0};
    for (const recording::Array& other : recording.arrays)
        place.stages += other.name.compare(0, bracket + 1, name, 0, bracket + 1) == 0 ? 1 : 0;
    return place.stage < 0 || place.stage >= place.stages ? RingPlace{} : place;
}

std::vector<Phase> phases(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    std::vector<Phase> result = split(tiles_of_steps(recording, warp, shape_of(recording, warp)));
    // A phase that does not compute belongs to the k-tile that is computed next. A load phase whose
    // values are stored in a later phase loads the k-tile of that phase.
    const int count = k_tiles_of(result);
    int next = count, brings = -1;
    for (std::size_t i = result.size(); i-- > 0;) {
        Phase& phase = result[i];
        if (phase.kind == PhaseKind::compute)
            next = std::max(phase.k_tile, 0);
        phase.k_tile = next;
        // A barrier right after arithmetic belongs to the previous k-tile: it guards the values read there from being
        // overwritten.
        if (phase.kind == PhaseKind::barrier && i > 0 && result[i - 1].kind == PhaseKind::compute)
            phase.k_tile = std::max(result[i - 1].k_tile, 0);
        if (phase.kind != PhaseKind::load)
            continue;
        brings = phase.fetched >= 0 ? phase.fetched : brings;
        const auto begin = warp.accesses.begin() + static_cast<std::ptrdiff_t>(phase.first);
        const bool loads = std::any_of(begin, begin + static_cast<std::ptrdiff_t>(phase.count),
                                       [](const Access& access) { return access.op == Op::global_load; });
        if (phase.fetched < 0 && loads)
            phase.fetched = brings;
    }
    return result;
}

bool computes(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    return !recording.executed || recording.executed->multiplies || shape_of(recording, warp).multiplies;
}

std::vector<int> brought_by_step(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    std::vector<int> result;
    for (const StepTiles& step : tiles_of_steps(recording, warp, shape_of(recording, warp)))
        result.push_back(step.brought);
    return result;
}

std::vector<bool> read_unused(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    std::vector<bool> result;
    for (const StepTiles& step : tiles_of_steps(recording, warp, shape_of(recording, warp)))
        result.push_back(step.stale);
    return result;
}

int k_tiles_of(const std::vector<Phase>& phases)
{
    int count = 0;
    for (const Phase& phase : phases)
        if (phase.kind == PhaseKind::compute)
            count = std::max(count, phase.k_tile + 1);
    return count;
}

int k_tiles_ahead(const std::vector<Phase>& phases)
{
    int computed = -1, most = 0;
    for (const Phase& phase : phases) {
        if (phase.kind == PhaseKind::compute)
            computed = phase.k_tile;
        else if (phase.kind == PhaseKind::load && phase.fetched >= 0)
            most = std::max(most, phase.fetched - (computed + 1));
    }
    return most;
}

std::optional<int> k_tiles_under_way(const recording::Recording& recording, const recording::BlockTrace& block)
{
    int ring = 1, ahead = 0;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        ring = std::max(ring, ring_place(recording, i).stages);
    bool through_shared = false;
    for (const recording::WarpTrace& warp : block.warps) {
        through_shared = through_shared || std::ranges::any_of(warp.accesses, [](const Access& access) {
                             return access.op != Op::shuffle && is_shared(access.op);
                         });
        if (const std::vector<Phase> all = phases(recording, warp); k_tiles_of(all) > 0)
            ahead = std::max(ahead, k_tiles_ahead(all));
    }
    if (!through_shared)
        return {};
    return std::max(ring, ahead + 1);
}

std::vector<CopiesUnderWay> copies_under_way(const std::vector<Phase>& phases)
{
    std::map<int, std::pair<std::size_t, std::size_t>> of_tile; // first step and end
    for (const Phase& phase : phases)
        if (phase.kind == PhaseKind::load && phase.fetched >= 0)
            of_tile.try_emplace(phase.fetched, phase.first, phase.first);
    std::size_t waited = 0; // end of the last wait
    for (const Phase& phase : phases) {
        if (phase.kind == PhaseKind::wait)
            waited = phase.first + phase.count;
        const auto copy = phase.kind == PhaseKind::compute ? of_tile.find(phase.k_tile) : of_tile.end();
        if (copy != of_tile.end() && copy->second.second == copy->second.first)
            copy->second.second = waited > copy->second.first ? waited : phase.first;
    }
    std::set<std::size_t> bounds;
    for (const auto& [tile, steps] : of_tile)
        bounds.insert({steps.first, steps.second});
    std::vector<CopiesUnderWay> result;
    for (auto at = bounds.begin(); at != bounds.end() && std::next(at) != bounds.end(); ++at) {
        CopiesUnderWay stretch{*at, *std::next(at), {}};
        for (const auto& [tile, steps] : of_tile)
            if (steps.first <= stretch.first && stretch.end <= steps.second)
                stretch.k_tiles.push_back(tile);
        if (!stretch.k_tiles.empty())
            result.push_back(std::move(stretch));
    }
    return result;
}

const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step)
{
    const auto after = std::ranges::upper_bound(phases, step, {}, &Phase::first);
    return after == phases.begin() ? *after : *std::prev(after);
}

} // namespace viz
