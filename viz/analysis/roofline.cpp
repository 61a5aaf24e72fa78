#include "viz/analysis/roofline.h"

#include "viz/analysis/access.h"
#include "viz/analysis/launches.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/reuse.h"

#include <algorithm>
#include <array>
#include <set>

namespace viz {

using recording::Op;
using recording::Problem;
using recording::Recording;

namespace {

constexpr double sector_bytes = model::sector_bytes;

// Returns the source lines that are known to load other arrays than A and B: C, or a workspace.
std::set<uint32_t> other_lines(const Recording& recording)
{
    std::set<uint32_t> of_operands, of_others;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const recording::Access& access : warp.accesses)
                if (reads_global(access.op))
                    (access.array < 2 ? of_operands : of_others).insert(access.line);
    // Lines that no recorded block ran belong to a second kernel, which does not read A and B.
    if (!of_operands.empty())
        for (const recording::LineTotals& line : recording.lines)
            if (!of_operands.contains(line.line))
                of_others.insert(line.line);
    for (const uint32_t line : of_operands)
        of_others.erase(line);
    return of_others;
}

// Returns whether the kernel loads C (beta is not 0) or a workspace.
bool loads_others(const Recording& recording)
{
    const auto globals = std::ranges::count(recording.arrays, recording::Space::global, &recording::Array::space);
    return recording.problem.beta != 0 || globals > 3;
}

// Returns dense FLOP per clock and SM with FP32 sums, as NVIDIA published them, for GPUs that have the same clock in
// all of their variants.
double tensor_flops_per_clock(uint32_t compute_capability, std::string_view type)
{
    const double half = compute_capability == 90 ? 4096 : compute_capability == 80 ? 2048 : 0;
    return type == "tf32" ? half / 2 : half;
}

std::optional<Ceiling> measured_bandwidth(const std::vector<recording::Bandwidth>& all, uint64_t least, uint64_t most)
{
    std::optional<Ceiling> best;
    for (const recording::Bandwidth& one : all)
        if (one.bytes >= least && one.bytes <= most && (!best || one.gbps > best->value))
            best = Ceiling{one.gbps, true};
    return best;
}

} // namespace

bool adds_vectors(const Recording& recording)
{
    return recording.problem.M == 1 && recording.problem.K == 1 && recording.arrays.size() > 1 &&
           recording.arrays[1].rows == 1 && recording.arrays[0].cols == recording.problem.N && recording.problem.N > 1;
}

double flops_of(const Problem& problem, bool vectors)
{
    const double results = double{1} * problem.M * problem.N;
    return vectors ? results : 2 * results * problem.K;
}

double Traffic::bytes_at(const Problem& other) const
{
    const double results = double{1} * other.M * other.N / (double{1} * problem.M * problem.N);
    return operand_bytes * results * other.K / problem.K + other_bytes * results;
}

double Traffic::intensity_at(const Problem& other) const
{
    const double work = double{1} * other.M * other.N * other.K / (double{1} * problem.M * problem.N * problem.K);
    const double bytes = bytes_at(other);
    return bytes > 0 ? flops * work / bytes : 0;
}

Traffic traffic_of(const Recording& recording)
{
    Traffic traffic{.problem = recording.problem};
    const bool multiplies = recording.arrays.size() >= 3 && recording.arrays[0].rows > 0;
    if (!multiplies)
        return traffic;
    traffic.element_bytes = recording.arrays[0].element_bytes;
    traffic.flops = flops_of(recording.problem, adds_vectors(recording));
    const std::set<uint32_t> others = other_lines(recording);
    for (const recording::LineTotals& line : recording.lines) {
        const double loads = sector_bytes * static_cast<double>(line.totals.global_load.sectors);
        (others.contains(line.line) ? traffic.other_bytes : traffic.operand_bytes) += loads;
        traffic.other_bytes += sector_bytes * static_cast<double>(line.totals.global_store.sectors +
                                                                  line.totals.global_atomic_cost.sectors);
    }
    traffic.complete = traffic.operand_bytes > 0;
    traffic.told_apart = !recording.blocks.empty() || !loads_others(recording);
    return traffic;
}

double ReuseTile::intensity() const
{
    return tile_intensity(rows, cols, element_bytes);
}

std::string_view name_of(ReuseTile::Holder holder)
{
    switch (holder) {
    case ReuseTile::Holder::thread: return "thread";
    case ReuseTile::Holder::warp: return "warp";
    case ReuseTile::Holder::block: break;
    }
    return "block";
}

std::optional<ReuseTile> reuse_tile(const Recording& recording)
{
    if (recording.arrays.size() < 3 || recording.arrays[0].rows == 0 || adds_vectors(recording))
        return {};
    ReuseTile tile{.element_bytes = recording.arrays[0].element_bytes};
    const bool shares = has_shared_tile(recording.arrays);
    if (const auto named = tile_in(recording.parameters); shares && named)
        return ReuseTile{ReuseTile::Holder::block, named->rows, named->cols, tile.element_bytes};
    tile.holder = shares                           ? ReuseTile::Holder::block
                  : has_op(recording, Op::shuffle) ? ReuseTile::Holder::warp
                                                   : ReuseTile::Holder::thread;
    const uint32_t group = tile.holder == ReuseTile::Holder::block  ? recording.launch.threads_per_block()
                           : tile.holder == ReuseTile::Holder::warp ? recording::warp_size
                                                                    : 1;
    std::vector<Cell> cells;
    for (const OwnedCell& owned : cells_of_block(recording, 0))
        if (owned.thread < group)
            cells.push_back(owned.cell);
    const Cell extent = rows_and_cols(cells);
    tile.rows = extent.row;
    tile.cols = extent.col;
    return cells.empty() ? std::nullopt : std::optional(tile);
}

bool smaller_than_tile(const Problem& recorded, const ReuseTile& tile)
{
    return recorded.M < tile.rows || recorded.N < tile.cols;
}

std::optional<Intensity> intensity_of(const std::optional<Traffic>& traffic, const std::optional<ReuseTile>& tile,
                                      const Problem& problem)
{
    const bool counted = traffic && traffic->complete && traffic->told_apart && traffic->flops > 0;
    if (counted && !(tile && smaller_than_tile(traffic->problem, *tile)))
        return Intensity{traffic->intensity_at(problem), true};
    if (tile)
        return Intensity{tile->intensity(), false};
    return {};
}

const Ceiling* Ceilings::of_type(std::string_view type) const
{
    const auto found = std::ranges::find(arithmetic, type, &Arithmetic::type);
    return found == arithmetic.end() ? nullptr : &found->ceiling;
}

Ceilings ceilings_of(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured)
{
    Ceilings result;
    if (gpu.memory_gbps() > 0)
        result.dram = Ceiling{gpu.memory_gbps(), false};
    if (measured != nullptr) {
        // For DRAM, uses the largest size, at which almost nothing comes from L2. For L2, uses sizes of at most half of
        // L2 that are large enough for the blocks of one SM not to read the same lines at the same time.
        if (!measured->bandwidth.empty() && measured->bandwidth.back().bytes >= 8 * gpu.l2_bytes)
            result.dram = Ceiling{measured->bandwidth.back().gbps, true};
        result.l2 = measured_bandwidth(measured->bandwidth, gpu.l2_bytes / 16, gpu.l2_bytes / 2);
        if (measured->l1_bandwidth)
            result.l1 = Ceiling{measured->l1_bandwidth->gbps, true};
        if (measured->shared_bandwidth)
            result.shared = Ceiling{measured->shared_bandwidth->gbps, true};
    }
    for (const char* type : {"fp32", "tf32", "bf16", "fp16"}) {
        Ceiling best;
        for (std::size_t i = 0; measured != nullptr && i < measured->peaks.size(); ++i)
            if (const recording::ArithmeticPeak& peak = measured->peaks[i]; peak.type == type)
                best = Ceiling{std::max(best.value, peak.gflops), true};
        // The microbenchmark for TF32 uses an older instruction, which does not reach the GPU's peak.
        const double published =
            type == std::string_view("fp32")
                ? gpu.fp32_gflops
                : tensor_flops_per_clock(gpu.compute_capability, type) * gpu.sm_count * gpu.clock_khz * 1e-6;
        const bool older = gpu.compute_capability == 90 && type == std::string_view("tf32");
        if (best.value == 0 || (older && published > best.value))
            best = Ceiling{published, false};
        if (best.value > 0)
            result.arithmetic.push_back({type, best});
    }
    return result;
}

std::optional<double> Floor::least_ms() const
{
    if (!memory_ms || !arithmetic_ms)
        return {};
    return std::max(*memory_ms, *arithmetic_ms);
}

Floor floor_of(const Problem& problem, uint32_t element_bytes, bool vectors, const Ceiling* memory,
               const Ceiling* arithmetic)
{
    const double M = problem.M, N = problem.N, K = problem.K;
    Floor floor;
    floor.flops = flops_of(problem, vectors);
    const double operands = vectors ? 2 * M * N : M * K + K * N;
    const double passes = !vectors && problem.beta != 0 ? 2 : 1; // over C: a read and a write, or only a write
    floor.bytes = operands * element_bytes + passes * 4 * M * N;
    if (memory != nullptr && memory->value > 0)
        floor.memory_ms = floor.bytes / memory->value * 1e-6;
    if (arithmetic != nullptr && arithmetic->value > 0)
        floor.arithmetic_ms = floor.flops / arithmetic->value * 1e-6;
    return floor;
}

} // namespace viz
