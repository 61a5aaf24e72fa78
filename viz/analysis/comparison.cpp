#include "viz/analysis/comparison.h"

#include "viz/analysis/access.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/roofline.h"
#include "viz/analysis/timeline.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

constexpr MeasureInfo infos[measure_count] = {
    {"GFLOPS"},
    {"results per thread"},
    {"threads per block"},
    {"loads", true, "shared loads"},
    {"stores", true, "shared stores"},
    {"wavefronts", true, "shared wavefronts"},
    {"bank conflicts", true, "bank conflicts"},
    {"requests", true, "global requests"},
    {"sectors of 32 bytes", true, "global sectors"},
    {"barriers", true, "barriers"},
    {"asynchronous copies", false, "asynchronous copies"},
    {"shuffles", false, "shuffles"},
    {"tensor-core steps", false, "tensor-core steps"},
    {"registers per thread"},
    {"local bytes per thread"},
    {"shared bytes per block"},
    {"blocks per SM"},
    {"occupancy"},
    {"wavefronts per shared access", true, "wavefronts per access"},
    {"sectors per global request", true, "sectors per request"},
};

// Returns the largest number of elements of C that any thread of the block writes.
double results_per_thread(const std::vector<OwnedCell>& owned, uint32_t threads)
{
    std::vector<uint32_t> of(threads, 0);
    uint32_t most = 0;
    for (const OwnedCell& cell : owned)
        if (cell.thread < threads)
            most = std::max(most, ++of[cell.thread]);
    return most;
}

// Returns the fraction of whole tiles that lies inside the extent, along one side.
double share_inside(uint32_t extent, uint32_t tile)
{
    const uint32_t tiles = std::max(1u, extent / tile + (extent % tile != 0 ? 1 : 0));
    return extent == 0 ? 1 : static_cast<double>(extent) / (static_cast<double>(tiles) * tile);
}

// Returns whether accesses of the block move data that is in no lane's addresses.
bool moves_unseen(const recording::BlockTrace& block)
{
    const auto unseen = [](const recording::Access& access) {
        return access.op == Op::bulk_load || access.op == Op::tile_load || reads_tile_itself(access);
    };
    return std::ranges::any_of(
        block.warps, [&](const recording::WarpTrace& warp) { return std::ranges::any_of(warp.accesses, unseen); });
}

// Returns the block's elements of C. With slices of K, C belongs to the threads of the first slice.
std::vector<OwnedCell> owned_cells(const Recording& recording, const recording::BlockTrace& block)
{
    return cells_of_block(recording, linear_of({block.block.x, block.block.y, 0}, recording.launch.grid));
}

} // namespace

const MeasureInfo& info(Measure measure)
{
    return infos[static_cast<std::size_t>(measure)];
}

Computes computes(const Recording& recording)
{
    if (adds_vectors(recording))
        return Computes::sums;
    const bool reads = recording.arrays.size() >= 3 && recording.arrays[0].rows > 0;
    if (recording.executed && !recording.executed->multiplies)
        return Computes::unknown;
    return reads ? Computes::products : Computes::neither;
}

Per compared_per(const Recording& first, const Recording& second)
{
    const Computes what = computes(first);
    const Cell extent = extent_of_c(first);
    const bool alike = what == computes(second) && what != Computes::products && extent.row > 0;
    return alike && extent == extent_of_c(second) ? Per::launch : Per::multiplications;
}

double multiplications(const Recording& recording)
{
    if (computes(recording) != Computes::products)
        return 0;
    const recording::Problem& p = recording.problem;
    return static_cast<double>(p.M) * p.N * p.K;
}

double multiplications(const Recording& recording, const recording::BlockTrace& block)
{
    if (computes(recording) != Computes::products)
        return 0;
    return static_cast<double>(owned_cells(recording, block).size()) * recording.problem.K /
           std::max(1u, recording.launch.grid.z);
}

UsefulWork useful_work(const Recording& recording)
{
    const recording::Problem& p = recording.problem;
    const recording::Tiles tiles = recording::tiles_named(recording.parameters);
    return {.tiles = tiles,
            .share = share_inside(p.M, tiles.rows) * share_inside(p.N, tiles.cols) * share_inside(p.K, tiles.depth)};
}

std::optional<double> speed_ratio(const ComparedRung& first, const ComparedRung& second)
{
    if (!first.speed.gflops || !second.speed.gflops || first.speed.here() != second.speed.here() ||
        computes(first.recording) != computes(second.recording))
        return {};
    return *first.speed.gflops / *second.speed.gflops;
}

KernelFigures figures_of(const Recording& recording, const recording::BlockTrace& block, Per per)
{
    KernelFigures figures;
    const auto set = [&](Measure measure, std::optional<double> value) {
        figures.values[static_cast<std::size_t>(measure)] = value;
    };
    const recording::Totals totals = recording.totals();
    recording::SharedTotals shared = shared_totals(totals);
    // comparison_messages.cpp reports that the cost of copies is unknown.
    shared += model::copy_writes(recording).value_or(recording::SharedTotals{});
    figures.work = useful_work(recording);
    const bool tells = !figures.work.mostly_edge();
    const double launch = per == Per::launch ? 1
                          : tells            ? multiplications(recording) / 1000
                                             : 0,
                 own = tells ? multiplications(recording, block) / 1000 : 0;
    const auto set_per = [&](Measure measure, uint64_t total, double thousand) {
        set(measure, thousand > 0 ? std::optional(static_cast<double>(total) / thousand) : std::nullopt);
    };
    const auto of_launch = [&](Measure measure, uint64_t total) { set_per(measure, total, launch); };
    recording::GlobalTotals global = totals.global_load;
    global += totals.global_store;
    global += totals.global_atomic_cost;
    figures.unseen = moves_unseen(block);
    if (!figures.unseen) {
        set_per(Measure::wavefronts_each, shared.wavefronts, static_cast<double>(shared.instructions));
        set_per(Measure::sectors_each, global.sectors, static_cast<double>(global.requests));
        of_launch(Measure::shared_loads, totals.shared_load.instructions);
        of_launch(Measure::shared_stores, totals.shared_store.instructions);
        of_launch(Measure::wavefronts, shared.wavefronts);
        of_launch(Measure::conflicts, shared.conflicts);
        of_launch(Measure::requests, global.requests);
        of_launch(Measure::sectors, global.sectors);
    }
    std::map<Op, uint64_t> ops;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses)
            ++ops[access.op];
    const auto of_block = [&](Measure measure, uint64_t total) { set_per(measure, total, own); };
    of_block(Measure::barriers, ops[Op::barrier]);
    of_block(Measure::copies, ops[Op::async_load] + ops[Op::bulk_load]);
    of_block(Measure::shuffles, ops[Op::shuffle]);
    of_block(Measure::products, ops[Op::matrix_multiply]);
    const uint32_t threads = recording.launch.threads_per_block();
    set(Measure::results_per_thread, results_per_thread(owned_cells(recording, block), threads));
    set(Measure::threads_per_block, threads);
    set(Measure::shared_bytes, needs_of(recording).shared_bytes);
    const recording::Measured<double> held = registers(recording);
    set(Measure::registers, held.value());
    set(Measure::occupancy, occupancy(recording).value());
    if (!held)
        figures.why_missing = held.missing();
    if (recording.resources) {
        set(Measure::local_bytes, recording.resources->local_bytes_per_thread);
        if (const auto blocks = blocks_per_sm(recording))
            set(Measure::blocks_per_sm, *blocks);
    }
    return figures;
}

namespace {

using recording::Access;

struct Kind {
    recording::Op op;
    std::string_view array;
    friend bool operator==(const Kind&, const Kind&) = default;
};

// A copy fills a shared tile like a store, and a tensor core's load reads one like a load.
Kind kind_of(const recording::Recording& recording, const Access& access)
{
    using recording::Op;
    const bool fills =
        access.op == Op::async_store || (access.op == Op::bulk_store && is_bulk_fill(recording.arrays, access));
    Kind kind{fills ? Op::shared_store : recording::counted_as(access.op).value_or(access.op), {}};
    if (recording::has_addresses(access) && access.array < recording.arrays.size())
        kind.array = ring_name(recording.arrays[access.array]);
    return kind;
}

std::vector<std::size_t> steps_of(const WarpRef& of, const Kind& kind)
{
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < of.warp.accesses.size(); ++i)
        if (kind_of(of.recording, of.warp.accesses[i]) == kind)
            steps.push_back(i);
    return steps;
}

} // namespace

std::size_t matching_step(const WarpRef& first, std::size_t step, const WarpRef& second)
{
    const std::vector<Access>& ours = first.warp.accesses;
    const std::vector<Access>& theirs = second.warp.accesses;
    if (step >= ours.size())
        return step;
    const Kind kind = kind_of(first.recording, ours[step]);
    if (ours.size() == theirs.size() && kind_of(second.recording, theirs[step]) == kind)
        return step;
    const std::vector<std::size_t> from = steps_of(first, kind), to = steps_of(second, kind);
    if (to.empty())
        return step;
    const auto before = static_cast<std::size_t>(std::ranges::lower_bound(from, step) - from.begin());
    return to[before * to.size() / from.size()];
}

std::optional<std::size_t> nearest_like(const WarpRef& first, std::size_t step, const WarpRef& second, std::size_t near)
{
    const Kind kind = kind_of(first.recording, first.warp.accesses[step]);
    return nearest_step(second.warp, near,
                        [&](std::size_t i) { return kind_of(second.recording, second.warp.accesses[i]) == kind; });
}

namespace {

bool is_of_one_run(const recording::Provenance& a, const recording::Provenance& b)
{
    return a.how == b.how && a.shipped == b.shipped && a.device == b.device && a.problem == b.problem;
}

} // namespace

recording::Measured<double> speedup_over_naive(const recording::Measured<double>& gflops,
                                               const recording::Measured<double>& of_naive)
{
    if (!gflops)
        return gflops.missing();
    if (!of_naive)
        return of_naive.missing();
    if (*of_naive <= 0 || !is_of_one_run(gflops.from(), of_naive.from()))
        return recording::Missing::not_asked;
    return {*gflops / *of_naive, gflops.from()};
}

} // namespace viz
