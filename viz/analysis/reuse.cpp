#include "viz/analysis/reuse.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include "model/access_cost.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string_view>
#include <utility>

namespace viz {

using recording::Access;
using recording::Recording;
using recording::warp_size;

namespace {

bool is_operand_read(const Access& access)
{
    return access.array < 2 && reads_global(access.op);
}

// Returns whether the read is in no lane's addresses: a box copied by TMA, or operands read by wgmma (derived, see
// bulk_copy.h). Of the four warps of a wgmma, only the first one counts.
bool is_derived_read(const Access& access, std::size_t warp)
{
    constexpr std::size_t group = 4;
    return access.op == recording::Op::bulk_load || (reads_tile_itself(access) && warp % group == 0);
}

using Sectors = std::set<std::pair<uint8_t, uint64_t>>; // array, sector

// Returns how many values of k are processed together: those of a tile, or without tiles those of a sector of A.
uint32_t depth_of(const Recording& recording, bool tiles)
{
    if (tiles)
        for (const std::string_view name : {"BK", "tile"})
            if (const int depth = parameter_of(recording.parameters, name).value_or(0); depth > 0)
                return static_cast<uint32_t>(depth);
    return model::sector_bytes / std::max(1u, recording.arrays[0].element_bytes);
}

class Counter {
public:
    Counter(const Recording& r, const recording::BlockTrace& b, Reuse& into)
        : recording(r), block(b), reuse(into), contents(r, b), elements(contents.elements())
    {
        std::array<std::optional<CellRect>, 2> bands;
        each_global_read([&](std::size_t, uint8_t array, const std::vector<Cell>& cells) {
            for (const Cell& cell : cells)
                grow(bands[array], cell);
        });
        for (OperandReuse& operand : reuse.operands) {
            operand.band = bands[operand.array].value_or(CellRect{0, 0, 0, 0});
            operand.global.assign(std::size_t{operand.band.rows} * operand.band.cols, 0);
            operand.shared = operand.global;
            operand.global_steps.resize(operand.global.size());
            operand.shared_steps.resize(operand.global.size());
            operand.global_threads = {operand.global.size(), recording.launch.threads_per_block()};
            operand.shared_threads = operand.global_threads;
        }
    }

    void run()
    {
        std::vector<std::vector<bool>> surplus;
        for (const recording::WarpTrace& warp : block.warps)
            surplus.push_back(read_unused(recording, warp));
        for (std::size_t tick = 0; tick < contents.order().ticks(); ++tick) {
            contents.advance_to(tick);
            for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
                if (const auto own = contents.order().step_at(warp, tick)) {
                    step = *own;
                    first_thread = static_cast<uint32_t>(warp) * warp_size;
                    thread_count = 1;
                    for_nobody = surplus[warp][step];
                    const std::vector<Access>& accesses = block.warps[warp].accesses;
                    const Access& access = accesses[step];
                    if (is_derived_read(access, warp))
                        count_derived(access, warp);
                    else
                        count(access, step + 1 < accesses.size() ? &accesses[step + 1] : nullptr);
                }
        }
        for (OperandReuse& operand : reuse.operands)
            sum_up(operand);
        if (recording.problem.K > 1)
            find_working_set(reuse.working_set);
    }

private:
    std::vector<Cell> cells_of(std::size_t warp, std::size_t at_step) const
    {
        const recording::WarpTrace& trace = block.warps[warp];
        return cells_of_step(recording, trace, at_step, elements[trace.accesses[at_step].array], contents.bulk()[warp]);
    }

    // Calls visit(warp, operand, elements) for each step that reads A or B from global memory.
    template <class Visit>
    void each_global_read(Visit visit) const
    {
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
            for (std::size_t i = 0; i < block.warps[warp].accesses.size(); ++i)
                if (const Access& access = block.warps[warp].accesses[i];
                    access.array < 2 && (access.op == recording::Op::bulk_load || is_operand_read(access)))
                    visit(warp, access.array, cells_of(warp, i));
    }

    void find_working_set(WorkingSet& set) const
    {
        const uint32_t first = std::min(reuse.operands[0].band.col, reuse.operands[1].band.row);
        set.k = depth_of(recording, reuse.shared_bytes > 0);
        std::vector<Sectors> of_warps(block.warps.size());
        std::vector<uint64_t> all, of_step; // sectors, with the array in the highest bit
        each_global_read([&](std::size_t warp, uint8_t array, const std::vector<Cell>& cells) {
            of_step.clear();
            for (const Cell& cell : cells) {
                const uint32_t k = array == array_A ? cell.col : cell.row;
                const uint64_t sector = recording.arrays[array].offset_of(cell.row, cell.col) / model::sector_bytes;
                if (k - first < set.k)
                    of_warps[warp].emplace(array, sector);
                of_step.push_back(uint64_t{array} << 63 | sector);
            }
            keep_distinct(of_step);
            set.asked += of_step.size();
            all.insert(all.end(), of_step.begin(), of_step.end());
        });
        keep_distinct(all);
        set.distinct = all.size();
        Sectors of_block;
        for (Sectors& of_warp : of_warps) {
            set.warp = std::max<uint64_t>(set.warp, of_warp.size() * model::sector_bytes);
            of_block.merge(of_warp);
        }
        set.block = of_block.size() * model::sector_bytes;
        set.blocks = blocks_per_sm(recording).value().value_or(0);
        set.tiles = shared_tile_bytes(recording.arrays);
    }

    void count_derived(const Access& access, std::size_t warp)
    {
        reuse.derived = true;
        reuse.tensor_cores = reuse.tensor_cores || access.op == recording::Op::matrix_multiply;
        if (access.array >= recording.arrays.size())
            return;
        const uint32_t bytes = recording.arrays[access.array].element_bytes;
        if (access.op == recording::Op::bulk_load)
            first_thread += access.mask != 0 ? static_cast<uint32_t>(std::countr_zero(access.mask)) : 0;
        else
            thread_count = 4 * warp_size;
        for (const Cell& cell : cells_of(warp, step))
            if (access.op != recording::Op::bulk_load) {
                count_shared(contents.at(access.array, cell), bytes);
            } else if (access.array < 2) {
                add(access.array, cell, false);
                reuse.global_bytes += bytes;
                reuse.sector_bytes += bytes; // whole rows of a box, whose bytes are all used
            }
    }

    void count(const Access& access, const Access* next)
    {
        reuse.tensor_cores = reuse.tensor_cores || access.op == recording::Op::matrix_multiply;
        if (access.array >= recording.arrays.size() || is_store(access.op) ||
            access.op == recording::Op::matrix_multiply)
            return;
        const uint32_t bytes = recording.arrays[access.array].element_bytes;
        if (is_operand_read(access)) {
            each_lane(access, bytes, [&](const Cell& cell) {
                add(access.array, cell, false);
                reuse.global_bytes += bytes;
            });
            reuse.sector_bytes += static_cast<uint64_t>(global_cost(access, next).sectors) * model::sector_bytes;
        } else if (is_shared(access.op) || access.op == recording::Op::tile_load) {
            each_lane(access, bytes, [&](const Cell& cell) { count_shared(contents.at(access.array, cell), bytes); });
        }
    }

    void each_lane(const Access& access, uint32_t bytes, auto visit)
    {
        const uint32_t first = first_thread;
        for (uint32_t lane = 0; lane < warp_size; ++lane) {
            first_thread = first + lane;
            for (const Cell& cell : cells_of_lane(access, elements[access.array], bytes, lane))
                visit(cell);
        }
        first_thread = first;
    }

    void count_shared(const Origin& origin, uint32_t bytes)
    {
        if (origin.kind == Origin::Kind::unknown) {
            ++reuse.unknown_reads;
            return;
        }
        reuse.shared_bytes += bytes;
        if (origin.kind != Origin::Kind::element || origin.array >= 2)
            return;
        add(origin.array, origin.cell, true);
        reuse.surplus_reads += for_nobody ? 1 : 0;
    }

    void add(uint8_t array, Cell cell, bool shared)
    {
        OperandReuse& operand = reuse.operands[array];
        const uint32_t row = cell.row - operand.band.row, col = cell.col - operand.band.col;
        if (row >= operand.band.rows || col >= operand.band.cols)
            return;
        const std::size_t index = std::size_t{row} * operand.band.cols + col;
        ++(shared ? operand.shared : operand.global)[index];
        for (uint32_t i = 0; i < thread_count; ++i)
            (shared ? operand.shared_threads : operand.global_threads).add(index, first_thread + i);
        StepRange& range = (shared ? operand.shared_steps : operand.global_steps)[index];
        range.first = std::min(range.first, static_cast<uint32_t>(step));
        range.last = std::max(range.last, static_cast<uint32_t>(step));
    }

    static void sum_up(OperandReuse& operand)
    {
        for (std::size_t i = 0; i < operand.global.size(); ++i) {
            operand.elements += operand.global[i] + operand.shared[i] > 0 ? 1 : 0;
            operand.global_reads += operand.global[i];
            operand.shared_reads += operand.shared[i];
            operand.most_global = std::max(operand.most_global, operand.global[i]);
            operand.most_shared = std::max(operand.most_shared, operand.shared[i]);
        }
    }

    const Recording& recording;
    const recording::BlockTrace& block;
    Reuse& reuse;
    SharedContents contents;
    const std::vector<Elements>& elements;
    std::size_t step = 0;                        // of the current warp
    uint32_t first_thread = 0, thread_count = 1; // threads whose read is counted
    bool for_nobody = false;
};

// Returns how many distinct rows and columns of C these elements have.
CellRect extent_of(const std::vector<OwnedCell>& owned, std::optional<uint32_t> thread)
{
    std::vector<Cell> cells;
    for (const OwnedCell& one : owned)
        if (!thread || one.thread == *thread)
            cells.push_back(one.cell);
    const Cell extent = rows_and_cols(cells);
    return {0, 0, extent.row, extent.col};
}

// Returns the warp tile from the parameters. The writer of an element that passes through shared memory is not
// necessarily the thread that computed it.
CellRect warp_tile_of(const Recording& recording)
{
    const auto side = [&](std::string_view name) {
        return static_cast<uint32_t>(parameter_of(recording.parameters, name).value_or(0));
    };
    return {0, 0, side("WM"), side("WN")};
}

} // namespace

std::optional<Reuse> reuse_of(const Recording& recording, const recording::BlockTrace& block)
{
    if (recording.arrays.size() < 3 || recording.arrays[0].rows == 0 || recording.arrays[1].rows == 0)
        return {};
    Reuse reuse;
    reuse.operands[0].array = 0;
    reuse.operands[1].array = 1;
    Counter(recording, block, reuse).run();
    const std::vector<OwnedCell> owned = cells_of_block(recording, linear_of(block.block, recording.launch.grid));
    const recording::Problem& problem = recording.problem;
    const bool vectors = problem.M == 1 && problem.K == 1 && recording.arrays[1].rows == 1;
    reuse.flops = owned.size() * (vectors ? 1 : 2 * uint64_t{problem.K});
    reuse.block_tile = extent_of(owned, {});
    if (reuse.tensor_cores)
        reuse.reader_tile = warp_tile_of(recording);
    else if (!owned.empty())
        reuse.reader_tile = extent_of(owned, owned.front().thread);
    return reuse;
}

double tile_intensity(uint64_t rows, uint64_t cols, uint32_t element_bytes)
{
    return rows + cols == 0
               ? 0
               : 2.0 * static_cast<double>(rows * cols) / (static_cast<double>(rows + cols) * element_bytes);
}

double best_intensity(const recording::Problem& problem, uint32_t element_bytes)
{
    const double M = problem.M, N = problem.N, K = problem.K;
    return 2 * M * N * K / ((M * K + K * N) * element_bytes);
}

L1Reuse reuse_in_l1(const WorkingSet& set, double hits)
{
    constexpr double little = 0.02, nearly_all = 0.9;
    if (set.again() < little)
        return L1Reuse::nothing_again;
    return hits >= nearly_all * set.again() ? L1Reuse::kept : L1Reuse::evicted;
}

} // namespace viz
