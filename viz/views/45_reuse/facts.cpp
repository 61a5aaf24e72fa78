#include "viz/views/45_reuse/facts.h"

#include "viz/analysis/counted.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace viz {

namespace {

constexpr std::size_t at_once = 6'000; // largest number of accesses processed within a frame

// Returns "16 times", or "1.25 times" for a mean.
std::string times(double count)
{
    const bool whole = std::abs(count - std::round(count)) < 0.005;
    return whole ? counted(static_cast<uint64_t>(std::llround(count)), "time", "times")
                 : fmt::format("{:.2f} times", count);
}

} // namespace

const std::optional<Reuse>* reuse_in(const StageColumn& column, const recording::BlockTrace& block)
{
    return column.memo_later<reuse_of>(access_count(block) <= at_once, block);
}

Cell followed_element(const Reuse& reuse, const OperandReuse& operand, const Cell& c, std::size_t first_step,
                      std::size_t last_step)
{
    const CellRect& band = operand.band;
    const bool of_a = operand.array == array_A;
    const std::vector<StepRange>& steps = reuse.shared_bytes > 0 ? operand.shared_steps : operand.global_steps;
    Cell latest{std::clamp(of_a ? c.row : band.row, band.row, band.row + band.rows - 1),
                std::clamp(of_a ? band.col : c.col, band.col, band.col + band.cols - 1)};
    const Cell first = latest;
    for (uint32_t k = 0; k < (of_a ? band.cols : band.rows); ++k) {
        const Cell element = of_a ? Cell{first.row, band.col + k} : Cell{band.row + k, first.col};
        const StepRange& range = steps[operand.index_of(element)];
        if (range.meets(first_step, last_step))
            return element;
        if (range.first <= range.last && range.first <= last_step)
            latest = element;
    }
    return latest;
}

Rich reads_paragraph(const BlockReuse& block)
{
    const Reuse& reuse = block.reuse;
    std::vector<Rich> said;
    for (const OperandReuse& operand : reuse.operands) {
        const std::string& array = block.recording.arrays[operand.array].name;
        said.push_back(
            operand.shared_reads > 0
                ? rich("Each element of `{}` is read **{}** from global memory, **{}** from shared memory.", array,
                       times(operand.from_global()), times(operand.from_shared()))
                : rich("Each element of `{}` is read **{}** from global memory.", array, times(operand.from_global())));
    }
    if (reuse.derived)
        said.push_back(rich("> Derived: TMA and wgmma read by no lane's address, so descriptors and tiles say what."));
    const recording::Problem& p = block.recording.problem;
    const CellRect& tile = reuse.block_tile;
    if (block.recording.launch.grid.volume() > 1 && tile.rows > 0 && tile.cols > 0 && p.K > 1)
        said.push_back(rich("**{}** of the launch read the same rows of A, **{}** the same columns of B.",
                            counted((p.N + tile.cols - 1) / tile.cols, "block"),
                            counted((p.M + tile.rows - 1) / tile.rows, "block")));
    if (reuse.surplus_reads > 0)
        said.push_back(rich("**{}** are ahead of a k-tile that does not come, so the means are no whole numbers.",
                            counted(reuse.surplus_reads, "read")));
    if (reuse.unknown_reads > 0)
        said.push_back(rich("**{}** of shared memory are left out: they are of neither A nor B.",
                            Value(counted(reuse.unknown_reads, "read")).as(Meaning::conflict)));
    return joined(std::move(said));
}

std::vector<LevelIntensity> intensities_of(const BlockReuse& block, const StageFacts* rung)
{
    const Reuse& reuse = block.reuse;
    const recording::Problem& problem = block.recording.problem;
    const bool vectors = is_vector(problem), tiles = reuse.shared_bytes > 0;
    const HardwareFigures *const large = largest_counted(rung), *own = counted_at(rung, problem);
    own = own != nullptr ? own : large;
    const auto counted = [](const HardwareFigures* launch) {
        return launch == nullptr ? CountedIntensity()
                                 : counted_intensity(*launch, flops_of(launch->problem, is_vector(launch->problem)));
    };
    const auto per_byte = [](double flops, double bytes) {
        return bytes > 0 ? std::optional(flops / bytes) : std::nullopt;
    };
    const auto flops = static_cast<double>(reuse.flops);
    const CellRect& loaded = tiles ? reuse.block_tile : reuse.reader_tile;
    std::vector<LevelIntensity> all;
    const auto add = [&](const char* level, const CellRect& tile, std::optional<double> recorded,
                         std::optional<double> found = {}, const HardwareFigures* launch = nullptr) {
        if (recorded || found)
            all.push_back({level, tile, recorded, found, launch != nullptr ? launch->problem : recording::Problem{}});
    };
    const auto wavefronts = static_cast<double>(block.recording.totals().shared_load.wavefronts);
    add("shared", reuse.reader_tile, per_byte(flops, static_cast<double>(reuse.shared_bytes)));
    if (tiles)
        add("wavefronts", reuse.reader_tile,
            per_byte(flops_of(problem, vectors), wavefronts * model::banks * model::bank_bytes), counted(own).shared,
            own);
    add("global", loaded, per_byte(flops, static_cast<double>(reuse.global_bytes)));
    add("sectors", loaded, per_byte(flops, static_cast<double>(reuse.sector_bytes)), counted(own).loads, own);
    add("L2", loaded, {}, counted(large).l2, large);
    add("DRAM", loaded, {}, counted(large).dram, large);
    return all;
}

Rich level_words(const std::string& slug, const LevelIntensity& at)
{
    Rich words = rich("{}, {}, tiles of {} x {}, FLOP per byte:", slug, at.level, at.tile.rows, at.tile.cols);
    if (at.recorded)
        words = joined({words, rich("**{}** recorded.", with_decimals(*at.recorded, 2))});
    if (at.counted)
        words =
            joined({words, rich("**{}** counted at {}.", with_decimals(*at.counted, 2), size_words(at.counted_at))});
    return words;
}

} // namespace viz
