#include "viz/analysis/occupancy.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/45_reuse/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace viz {

namespace {

// One quantity of all sizes, as bars.
struct Column {
    const char *id, *title, *brief;
    std::function<double(const TileSize&)> value;
    std::function<std::string(const TileSize&)> words;
};

std::vector<Column> columns_of_table()
{
    return {{"tile shared", "shared memory of a block", "shared memory",
             [](const TileSize& tile) { return static_cast<double>(tile.shared_bytes); },
             [](const TileSize& tile) { return bytes_words(static_cast<double>(tile.shared_bytes)); }},
            {"tile loads", "loads per multiply-add", "loads each", [](const TileSize& tile) { return tile.loads; },
             [](const TileSize& tile) { return plain(rich("{}", rounded(tile.loads))); }},
            {"tile intensity", "FLOP per byte", "FLOP per byte", [](const TileSize& tile) { return tile.intensity; },
             [](const TileSize& tile) { return plain(rich("{}", rounded(tile.intensity))); }},
            {"tile blocks", "blocks on an SM, and their limit", "blocks on an SM",
             [](const TileSize& tile) { return static_cast<double>(tile.blocks); },
             [](const TileSize& tile) {
                 return tile.blocks > 0 ? fmt::format("{} · {}", tile.blocks, tile.limit) : "none · " + tile.limit;
             }}};
}

Rich tile_words(const std::string& stage, const TileSize& tile)
{
    const Rich size = rich("{}: a tile of {} x {} has **{}** threads and **{}** of shared memory.", stage, tile.side,
                           tile.side, tile.threads, bytes(tile.shared_bytes));
    return tile.blocks > 0 ? rich("{} An SM holds **{}** blocks, limited by {}.", size, tile.blocks, tile.limit)
                           : rich("{} It cannot be launched: {}.", size, tile.limit);
}

} // namespace

TilesOfStage tiles_of(const ReuseStage& one, const LadderFacts& ladder_facts, const Theme& theme)
{
    const recording::Recording& recording = one.shown.recording;
    const SmLimits limits = limits_of(recording.device.compute_capability).value_or(SmLimits());
    const TileScheme scheme =
        tile_scheme(recording, one.reuse(), registers_per_thread(recording, &ladder_facts).value_or(0));
    return {one.stage.slug, theme.accent(one.stage.number), scheme, tile_sizes(limits, scheme)};
}

Rich scheme_words(const TilesOfStage& stage)
{
    return rich("Square tiles as in {}: **{}** of each thread, {}. What other sizes cost follows from the limits of an "
                "SM alone. The kernel's own rules, such as whole tiles for each warp, may forbid more; nothing of it "
                "was measured.",
                stage.slug, counted(stage.scheme.results, "result", "results"),
                stage.scheme.k > 0 ? fmt::format("{} values of k at a time", stage.scheme.k)
                                   : "as many values of k as rows");
}

Rich largest_tile_words(const TilesOfStage& stage)
{
    const auto found = std::ranges::find_if(stage.sizes.rbegin(), stage.sizes.rend(),
                                            [](const TileSize& one) { return one.blocks > 0; });
    if (found == stage.sizes.rend())
        return rich("no square tile can be launched");
    return found == stage.sizes.rbegin()
               ? rich("an SM's limits alone allow **each** of these tiles")
               : rich("an SM's limits alone allow tiles up to **{} x {}**", found->side, found->side);
}

void add_tile_sizes(Figure& figure, const Theme& theme, std::span<const TilesOfStage> stages, const Box& box)
{
    // The last column has the longest words.
    const std::vector<Box> places =
        columns(box, {share_of_rest(), share_of_rest(), share_of_rest(), share_of_rest(1.7f)}, theme.px(16));
    const std::vector<Column> all = columns_of_table();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Column& column = all[i];
        BarLayer bars{.name = column.id};
        for (std::size_t row = 0; row < stages.front().sizes.size(); ++row) {
            BarLayer::Bar bar{.name = fmt::format("{}", stages.front().sizes[row].side)};
            for (const TilesOfStage& stage : stages) {
                const TileSize& tile = stage.sizes[row];
                BarLayer::Part part{stage.slug, column.value(tile), column.words(tile),
                                    tile.blocks > 0 ? stage.accent : theme.ink_faint};
                part.tip = said_tip(tile_words(stage.slug, tile));
                bar.parts.push_back(std::move(part));
            }
            bar.tip = bar.parts.front().tip;
            bars.bars.push_back(std::move(bar));
        }
        figure.panels.push_back({.id = column.id,
                                 .box = places[i],
                                 .title = column.title,
                                 .shorter = {column.brief},
                                 .origin = NumberOrigin::derived,
                                 .layers = {std::move(bars)}});
    }
}

} // namespace viz
