#include "viz/views/45_reuse/block_reuse.h"

#include "viz/analysis/counted.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace viz {

namespace {

constexpr std::size_t at_once = 6'000; // accesses that are followed within the frame

// A whole number where it is one.
Quantity times(double count)
{
    return with_decimals(count, std::abs(count - std::round(count)) < 0.005 ? 0 : 2);
}

} // namespace

const std::optional<Reuse>* reuse_in(const StageColumn& column, const recording::BlockTrace& block)
{
    return column.memo_later<reuse_of>(access_count(block) <= at_once, block);
}

Messages reuse_messages(const BlockReuse& block)
{
    const Reuse& reuse = block.reuse;
    Messages messages;
    for (const OperandReuse& operand : reuse.operands) {
        const std::string& array = block.recording.arrays[operand.array].name;
        if (operand.shared_reads > 0)
            messages.push_back({"reuse.global_and_shared",
                                {{"array", array},
                                 {"times", times(operand.from_global())},
                                 {"shared", times(operand.from_shared())}}});
        else
            messages.push_back({"reuse.global", {{"array", array}, {"times", times(operand.from_global())}}});
    }
    if (reuse.derived)
        messages.push_back({"reuse.derived"});
    const recording::Problem& p = block.recording.problem;
    const CellRect& tile = reuse.block_tile;
    if (block.recording.launch.grid.volume() > 1 && tile.rows > 0 && tile.cols > 0 && p.K > 1)
        messages.push_back(
            {"reuse.across_blocks",
             {{"across", (p.N + tile.cols - 1) / tile.cols}, {"down", (p.M + tile.rows - 1) / tile.rows}}});
    if (reuse.surplus_reads > 0)
        messages.push_back({"reuse.surplus", {{"reads", reuse.surplus_reads}}});
    if (reuse.unknown_reads > 0)
        messages.push_back({"reuse.unknown", {{"reads", Value(reuse.unknown_reads).as(Meaning::conflict)}}});
    return messages;
}

namespace {

struct Row {
    std::string level, formula, recorded, counted;
};

std::string per_byte(double intensity)
{
    return intensity >= 99.95 ? fmt::format("{:.0f}", intensity) : fmt::format("{:.2f}", intensity);
}

std::string ratio(double flops, double bytes)
{
    return bytes > 0 ? per_byte(flops / bytes) : "-";
}

// What a launch was counted to do, and its size: stands beside each of its figures.
struct Counted {
    const HardwareFigures* launch = nullptr; // null: none was counted
    CountedIntensity intensity;

    explicit Counted(const HardwareFigures* figures) : launch(figures)
    {
        if (launch != nullptr)
            intensity = counted_intensity(*launch, flops_of(launch->problem, is_vector(launch->problem)));
    }
    std::string words(const std::optional<double>& figure) const
    {
        return figure ? plain({"reuse.at_size", {{"figure", per_byte(*figure)}, {"size", size_words(launch->problem)}}})
                      : "-";
    }
};

// `same`: of the recording's own launch, to compare with what is recorded, or of another one where that was not counted; `large`:
// of the largest.
std::vector<Row> rows_of(const BlockReuse& block, const Counted& same, const Counted& large)
{
    const Reuse& reuse = block.reuse;
    const uint32_t bytes = block.element_bytes();
    const bool tiles = reuse.shared_bytes > 0;
    const recording::Problem& problem = block.recording.problem;
    const bool vectors = is_vector(problem);
    const auto flops = static_cast<double>(reuse.flops);
    const auto formula = [&](const CellRect& tile) {
        if (tile.rows == 0 || tile.cols == 0)
            return std::string("-");
        return fmt::format("{} x {}: {}", tile.rows, tile.cols, per_byte(tile_intensity(tile.rows, tile.cols, bytes)));
    };
    std::vector<Row> rows;
    if (!vectors)
        rows.push_back({"A and B read once", per_byte(best_intensity(problem, bytes)), "-", "-"});
    rows.push_back({"global, as lanes ask", vectors ? "-" : formula(tiles ? reuse.block_tile : reuse.reader_tile),
                    ratio(flops, static_cast<double>(reuse.global_bytes)), "-"});
    rows.push_back({"global, in sectors", "-", ratio(flops, static_cast<double>(reuse.sector_bytes)),
                    same.words(same.intensity.loads)});
    if (large.intensity.l2 || large.intensity.dram) {
        rows.push_back({"L2, looked up", "-", "-", large.words(large.intensity.l2)});
        rows.push_back({"DRAM", "-", "-", large.words(large.intensity.dram)});
    }
    if (tiles)
        rows.push_back({"shared, as lanes ask", formula(reuse.reader_tile),
                        ratio(flops, static_cast<double>(reuse.shared_bytes)), "-"});
    const auto wavefronts = static_cast<double>(block.recording.totals().shared_load.wavefronts);
    if (tiles && (wavefronts > 0 || same.intensity.shared))
        rows.push_back({"shared, wavefronts × 128", "-",
                        ratio(flops_of(problem, vectors), wavefronts * model::banks * model::bank_bytes),
                        same.words(same.intensity.shared)});
    return rows;
}

Message counter_message(const RungFigures* rung, const HardwareFigures* launch)
{
    if (launch != nullptr)
        return {"reuse.counted", {{"counted", how_had(launch->from)}}};
    if (rung != nullptr && !rung->not_counted.empty())
        return {"reuse.not_counted", {{"why", in_sentences(rung->not_counted)}}};
    return {"reuse.not_counted", {{"why", Message{"reuse.count_it"}}}};
}

} // namespace

Messages intensity_messages(const BlockReuse& block, const RungFigures* rung)
{
    const HardwareFigures* launch = largest_counted(rung); // of a small one what L2 looks up is largely code
    const recording::Problem& problem = block.recording.problem;
    const HardwareFigures* const own = counted_at(rung, problem);
    Messages messages{{"reuse.intensities", {{"derived", block.reuse.derived}, {"size", size_words(problem)}}}};
    for (const Row& row : rows_of(block, Counted(own != nullptr ? own : launch), Counted(launch)))
        messages.push_back(
            {"reuse.intensity",
             {{"level", row.level}, {"formula", row.formula}, {"recorded", row.recorded}, {"counted", row.counted}}});
    messages.push_back(counter_message(rung, launch));
    return messages;
}

} // namespace viz
