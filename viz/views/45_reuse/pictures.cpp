#include "viz/analysis/occupancy.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/45_reuse/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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
                 // A thread that is too small has no limit to name; the tip says so.
                 return tile.blocks > 0     ? fmt::format("{} · {}", tile.blocks, tile.limit)
                        : tile.threads == 0 ? "none"
                                            : "none · " + tile.limit;
             }}};
}

Rich tile_words(const std::string& stage, const TileSize& tile)
{
    const Rich size = rich("{}: a tile of {} x {} has **{}** threads and **{}** of shared memory.", stage, tile.side,
                           tile.side, tile.threads, bytes(tile.shared_bytes));
    return tile.blocks > 0 ? rich("{} An SM holds **{}** blocks, limited by {}.", size, tile.blocks, tile.limit)
                           : rich("{} It cannot be launched: {}.", size, tile.limit);
}

// Returns the number of threads of a block, or of warps if each lane reads for its warp.
uint32_t readers_of(const ReuseStage& one)
{
    const uint32_t threads = std::max(1u, one.shown.recording.launch.threads_per_block());
    return one.reuse().tensor_cores ? std::max(1u, threads / recording::warp_size) : threads;
}

// Returns the tile of a block whose readers have tiles of this size, as square as possible.
CellRect block_tile(uint32_t readers, uint32_t rows, uint32_t cols)
{
    CellRect best{0, 0, readers * rows, cols};
    for (uint32_t down = 1; down <= readers; ++down)
        if (const CellRect tile{0, 0, down * rows, readers / down * cols};
            readers % down == 0 && tile.rows + tile.cols < best.rows + best.cols)
            best = tile;
    return best;
}

// Returns a multiple of K: "2K", "9K/8", "K/64", "0.177K".
std::string of_k(double share)
{
    if (share <= 0)
        return "0";
    for (uint32_t below = 1; below <= 256; below *= 2) {
        const double above = share * below;
        if (const double whole = std::round(above); whole >= 1 && std::abs(above - whole) <= 1e-6 * whole)
            return fmt::format("{}K{}", whole == 1 ? "" : fmt::format("{:.0f}", whole),
                               below == 1 ? "" : fmt::format("/{}", below));
    }
    return fmt::format("{:.3g}K", share);
}

std::string both_of_k(double shared, double global)
{
    return fmt::format("{} · {}", of_k(shared), of_k(global));
}

// Returns whether the stage loads more from shared or global memory than a tile that is kept in registers requires.
bool loads_more(const ReuseStage& one, const CellRect& tile)
{
    return one.reuse().loads_per_product(one.tiles()) > 1.02 * tile_loads(tile.rows, tile.cols);
}

BarLayer::Bar loads_bar(const Theme& theme, std::span<const ReuseStage> all, const CellRect& tile,
                        std::span<const ReuseStage* const> of)
{
    const uint32_t readers = readers_of(of.empty() ? all.front() : *of.front());
    const CellRect block = block_tile(readers, tile.rows, tile.cols);
    const double formula = tile_loads(tile.rows, tile.cols), global = tile_loads(block.rows, block.cols);
    BarLayer::Bar bar{.name = fmt::format("{} x {}", tile.rows, tile.cols), .lit = !of.empty()};
    const bool of_warp = std::ranges::any_of(of, [](const ReuseStage* one) { return one->reuse().tensor_cores; });
    bool more = of.empty(); // than the formula requires
    for (const ReuseStage* one : of) {
        const double loads = one->reuse().loads_per_product(one->tiles());
        bar.parts.push_back({one->stage.slug, loads,
                             both_of_k(one->reuse().loads_per_product(true), one->reuse().loads_per_product(false)),
                             theme.accent(one->stage.number)});
        more = more || loads_more(*one, tile);
    }
    if (more)
        bar.parts.push_back({of.empty() ? "" : "formula", formula, both_of_k(formula, global), theme.ink_faint});
    bar.tip = said_tip(joined(
        {rich("{} x {} results of a {} need {} + {} values for each k: **{}** loads per result, from shared memory.",
              tile.rows, tile.cols, of_warp ? "warp" : "thread", tile.rows, tile.cols, of_k(formula)),
         rich("{} of these make a block of {} x {}: ({} + {}) K / ({} x {}) = **{}** from global memory.", readers,
              block.rows, block.cols, block.rows, block.cols, block.rows, block.cols, of_k(global)),
         more && !of.empty() ? rich("As written, this stage loads more: grey is what registers would save.")
                             : Rich()}));
    return bar;
}

} // namespace

Panel loads_panel(const Theme& theme, std::span<const ReuseStage> stages, const Box& box)
{
    // The same rows in the same order for all stages, by what the formula requires.
    const auto more = [](const CellRect& a, const CellRect& b) {
        const double first = tile_loads(a.rows, a.cols), second = tile_loads(b.rows, b.cols);
        return std::tuple(second, a.rows, a.cols) < std::tuple(first, b.rows, b.cols);
    };
    std::map<CellRect, std::vector<const ReuseStage*>, decltype(more)> tiles(more);
    for (const auto& [rows, cols] : {std::pair{1u, 1u}, {4u, 1u}, {8u, 1u}, {2u, 2u}, {8u, 8u}})
        tiles[{0, 0, rows, cols}];
    std::vector<LegendEntry> legend;
    for (const ReuseStage& one : stages)
        if (const CellRect& tile = one.reuse().reader_tile; tile.rows > 0 && tile.cols > 0) {
            tiles[{0, 0, tile.rows, tile.cols}].push_back(&one);
            if (loads_more(one, tile))
                legend.push_back({theme.accent(one.stage.number), "as written"});
        }
    if (!legend.empty())
        legend.push_back({theme.ink_faint, "each value kept in registers"});
    BarLayer bars{.name = "loads", .on_ground = false};
    for (const auto& [tile, of] : tiles)
        bars.bars.push_back(loads_bar(theme, stages, tile, of));
    return {.id = "loads",
            .box = box,
            .title = "loads per result: shared · global",
            .shorter = {"loads: shared · global", "loads each"},
            .origin = NumberOrigin::derived,
            .legend = std::move(legend),
            .layers = {std::move(bars)}};
}

void add_formulas(CurveLayer& chart, const ReuseStage& one, const Theme& theme)
{
    const double bytes = one.shown.element_bytes(), most = chart.right.most;
    const auto add = [&](const char* name, double at_one, bool dashed) { // both grow with the side
        chart.curves.push_back({.name = name,
                                .points = {{1, at_one}, {most, at_one * most}},
                                .colour = theme.ink_faint,
                                .line = 1.5f,
                                .dashed = dashed});
        chart.up.most = std::max(chart.up.most, at_one * most);
    };
    add("formula", 1 / bytes, false);
    const CellRect block = block_tile(readers_of(one), 1, 1);
    if (one.tiles())
        add("formula of global", 2 / (tile_loads(block.rows, block.cols) * bytes), true);
}

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
    if (std::ranges::all_of(stage.sizes, [](const TileSize& one) { return one.blocks > 0; }))
        return rich("an SM's limits alone allow **each** of these tiles");
    return rich("an SM's limits alone allow tiles up to **{} x {}**", found->side, found->side);
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
