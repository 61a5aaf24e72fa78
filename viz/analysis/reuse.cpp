#include "viz/analysis/reuse.h"

#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include <algorithm>
#include <set>

namespace viz {

using recording::Access;
using recording::Recording;
using recording::warp_size;

namespace {

bool is_operand_read(const Access& access)
{
    return access.array < 2 && is_global(access.op) && !is_store(access.op);
}

// By no lane: a box that TMA copies, or the operands that wgmma reads. Derived, see bulk_copy.h. One of the four warps that
// multiply together stands for all.
bool is_derived_read(const Access& access, std::size_t warp)
{
    constexpr std::size_t group = 4;
    return access.op == recording::Op::bulk_load ||
           (access.op == recording::Op::matrix_multiply && recording::has_addresses(access) && warp % group == 0);
}

struct BlockAndCopies {
    const Recording& recording;
    const recording::BlockTrace& block;
    std::vector<std::vector<BulkCopy>> copies; // of each warp

    BlockAndCopies(const Recording& r, const recording::BlockTrace& b) : recording(r), block(b)
    {
        for (const recording::WarpTrace& warp : block.warps)
            copies.push_back(bulk_copies(recording, warp));
    }
    std::vector<Cell> cells(std::size_t warp, std::size_t step, const Elements& elements) const
    {
        return cells_of_step(recording, block.warps[warp], step, elements, copies[warp]);
    }
};

std::optional<CellRect> band_of(const BlockAndCopies& known, const Elements& elements, uint8_t array)
{
    uint32_t top = ~0u, left = ~0u, bottom = 0, right = 0;
    for (std::size_t warp = 0; warp < known.block.warps.size(); ++warp)
        for (std::size_t step = 0; step < known.block.warps[warp].accesses.size(); ++step) {
            const Access& access = known.block.warps[warp].accesses[step];
            const bool copied = access.op == recording::Op::bulk_load;
            if (access.array != array || !(copied || is_operand_read(access)))
                continue;
            for (const Cell& cell : known.cells(warp, step, elements)) {
                top = std::min(top, cell.row);
                left = std::min(left, cell.col);
                bottom = std::max(bottom, cell.row);
                right = std::max(right, cell.col);
            }
        }
    if (top == ~0u)
        return {};
    return CellRect{top, left, bottom - top + 1, right - left + 1};
}

class Counter {
public:
    Counter(const Recording& r, const recording::BlockTrace& b, Reuse& into)
        : recording(r), block(b), reuse(into), known(r, b), elements(elements_of(r)), contents(r, b)
    {
        for (OperandReuse& operand : reuse.operands) {
            const auto band = band_of(known, elements[operand.array], operand.array);
            operand.band = band.value_or(CellRect{0, 0, 0, 0});
            operand.global.assign(std::size_t{operand.band.rows} * operand.band.cols, 0);
            operand.shared = operand.global;
            operand.global_steps.resize(operand.global.size());
            operand.shared_steps.resize(operand.global.size());
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
    }

private:
    void count_derived(const Access& access, std::size_t warp)
    {
        reuse.derived = true;
        reuse.tensor_cores = reuse.tensor_cores || access.op == recording::Op::matrix_multiply;
        if (access.array >= recording.arrays.size())
            return;
        const uint32_t bytes = recording.arrays[access.array].element_bytes;
        for (const Cell& cell : known.cells(warp, step, elements[access.array]))
            if (access.op != recording::Op::bulk_load) {
                count_shared(contents.at(access.array, cell), bytes);
            } else if (access.array < 2) {
                add(access.array, cell, false);
                reuse.global_bytes += bytes;
                reuse.sector_bytes += bytes; // whole rows of a box: every byte that is moved is used
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
            for (const Cell& cell : cells_of_access(access, elements[access.array], bytes)) {
                add(access.array, cell, false);
                reuse.global_bytes += bytes;
            }
            reuse.sector_bytes += static_cast<uint64_t>(global_cost(access, next).sectors) * model::sector_bytes;
        } else if (is_shared(access.op) || access.op == recording::Op::tile_load) {
            for (const Cell& cell : cells_of_access(access, elements[access.array], bytes))
                count_shared(contents.at(access.array, cell), bytes);
        }
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
    BlockAndCopies known;
    std::vector<Elements> elements;
    SharedContents contents;
    std::size_t step = 0; // of the warp that is being followed
    bool for_nobody = false;
};

// How many different rows and columns of C, which need not be neighbours.
CellRect extent_of(const std::vector<OwnedCell>& cells, std::optional<uint32_t> thread)
{
    std::set<uint32_t> rows, cols;
    for (const OwnedCell& cell : cells)
        if (!thread || cell.thread == *thread) {
            rows.insert(cell.cell.row);
            cols.insert(cell.cell.col);
        }
    return {0, 0, static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(cols.size())};
}

// Who writes C says nothing of who computed it where results pass through shared memory; the parameters do.
CellRect warp_tile_of(const Recording& recording)
{
    CellRect tile{0, 0, 0, 0};
    for (const recording::Parameter& parameter : recording.parameters) {
        if (parameter.name == "WM")
            tile.rows = static_cast<uint32_t>(parameter.value);
        if (parameter.name == "WN")
            tile.cols = static_cast<uint32_t>(parameter.value);
    }
    return tile;
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
    reuse.working_set = working_set(recording, block, std::min(reuse.operands[0].band.col, reuse.operands[1].band.row),
                                    reuse.shared_bytes > 0);
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

} // namespace viz
