#include "viz/views/45_reuse/intensity_table.h"

#include "viz/analysis/counted.h"
#include "viz/text/figures.h"
#include "viz/text/prose.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace viz {

namespace {

struct Row {
    std::string level, formula, recorded, counted;
};

std::string per_byte(double intensity)
{
    return intensity >= 99.95 ? fmt::format("{:.0f}", intensity) : fmt::format("{:.2f}", intensity);
}

std::string per_byte(const std::optional<double>& intensity)
{
    return intensity ? per_byte(*intensity) : "-";
}

std::string ratio(double flops, double bytes)
{
    return bytes > 0 ? per_byte(flops / bytes) : "-";
}

// The largest launch that was counted: of a small one what L2 looks up is largely code. Null: none.
const HardwareFigures* counted_launch(const RungFacts* rung)
{
    return rung != nullptr && !rung->counted.empty() ? &rung->counted.back() : nullptr;
}

std::vector<Row> rows_of(const BlockReuse& block, const CountedIntensity& counted)
{
    const Reuse& reuse = *block.reuse;
    const uint32_t bytes = block.element_bytes();
    const bool tiles = reuse.shared_bytes > 0;
    const recording::Problem& problem = block.recording->problem;
    const bool vectors = problem.K == 1 && problem.M == 1;
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
    rows.push_back(
        {"global, in sectors", "-", ratio(flops, static_cast<double>(reuse.sector_bytes)), per_byte(counted.loads)});
    if (counted.l2 || counted.dram) {
        rows.push_back({"L2, looked up", "-", "-", per_byte(counted.l2)});
        rows.push_back({"DRAM", "-", "-", per_byte(counted.dram)});
    }
    if (tiles)
        rows.push_back({"shared, as lanes ask", formula(reuse.reader_tile),
                        ratio(flops, static_cast<double>(reuse.shared_bytes)), "-"});
    const auto wavefronts = static_cast<double>(block.recording->totals().shared_load.wavefronts);
    if (tiles && (wavefronts > 0 || counted.shared))
        rows.push_back({"shared, wavefronts × 128", "-",
                        ratio(flops_of(problem, vectors), wavefronts * model::banks * model::bank_bytes),
                        per_byte(counted.shared)});
    return rows;
}

Message counter_message(const RungFacts* rung, const HardwareFigures* launch)
{
    if (launch != nullptr)
        return {"reuse.counted", {{"size", size_words(launch->problem)}, {"counted", counted_words(launch->from)}}};
    if (rung != nullptr && !rung->why_not_counted.empty())
        return {"reuse.not_counted", {{"why", rung->why_not_counted}}};
    return {"reuse.not_counted", {{"why", Message{"reuse.count_it"}}}};
}

} // namespace

float draw_intensities(ImDrawList* list, const Theme& theme, const BlockReuse& block, const RungFacts* rung,
                       const draw::Box& box)
{
    const HardwareFigures* launch = counted_launch(rung);
    const recording::Problem& problem = block.recording->problem;
    const bool vectors = problem.K == 1 && problem.M == 1;
    const CountedIntensity counted =
        launch != nullptr ? counted_intensity(*launch, flops_of(launch->problem, vectors)) : CountedIntensity();
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(5));
    float y = box.min.y;
    const auto right = [&](float share, ImFont* font, Colour colour, const std::string& words) {
        draw::text_right(list, font, {box.min.x + box.width() * share, y}, colour, words);
    };
    constexpr float formula = 0.66f, recorded = 0.83f;
    draw::text(list, theme.text, {box.min.x, y}, theme.ink_quiet, "FLOP per byte");
    right(formula, theme.text, theme.ink_quiet, "formula");
    right(recorded, theme.text, theme.ink_quiet, block.reuse->derived ? "derived" : "recorded");
    right(1, theme.text, theme.ink_quiet, "counted");
    y += row;
    for (const Row& entry : rows_of(block, counted)) {
        list->AddRectFilled({box.min.x, y - theme.px(1)}, {box.max.x, y}, theme.border);
        draw::text(list, theme.text, {box.min.x, y + theme.px(2)}, theme.ink, entry.level);
        y += theme.px(2);
        right(formula, theme.mono, theme.ink_quiet, entry.formula);
        right(recorded, theme.mono_bold, theme.ink, entry.recorded);
        right(1, theme.mono_bold, theme.ink, entry.counted);
        y += row - theme.px(2);
    }
    y += theme.px(2) +
         Prose(theme).write(counter_message(rung, launch)).draw(list, {box.min.x, y + theme.px(2)}, box.width());
    return y - box.min.y;
}

} // namespace viz
