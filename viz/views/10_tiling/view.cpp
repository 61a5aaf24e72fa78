// The tiling view: the parts of A, B and C that a block processes, phase after phase over K.
#include "viz/analysis/counted.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/lane_strip.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/10_tiling/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace viz {

std::unique_ptr<View> make_tiling_view();

namespace {

using recording::Recording;

float label_height(const Theme& theme)
{
    return draw::row_height(theme, 4, theme.mono);
}

constexpr float most_stretch = 30; // of a shared tile's elements, which the mouse must be able to find

std::vector<uint8_t> tiles_of(const Recording& recording)
{
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        if (recording.arrays[i].space == recording::Space::shared)
            tiles.push_back(static_cast<uint8_t>(i));
    return tiles;
}

// Places wide tiles one below another, and others side by side. A ring has a column of stages for A and one for B.
void place_tiles(const Theme& theme, const Recording& recording, const Box& box, TilingLayout& layout)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    if (tiles.empty())
        return;
    const auto wide = [&](uint8_t i) { return recording.arrays[i].cols > 2 * recording.arrays[i].rows; };
    const bool below =
        std::ranges::all_of(tiles, wide) ? box.height() > 0.3f * box.width() : box.height() > 1.6f * box.width();
    std::size_t across = tiles.size() >= 4 ? 2 : below ? 1 : tiles.size();
    if (tiles.size() >= 4 && !below && box.width() > 2 * box.height())
        across = tiles.size() / 2;
    const std::size_t down = (tiles.size() + across - 1) / across;
    const std::vector<Box> places = columns(box, across, theme.px(12));
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        // Recordings list the stages of A and B in turn, or all stages of A first. In a column, stages are one below
        // another.
        Box place = rows(places[i / down], std::vector<Track>(down, share_of_rest()), theme.px(4))[i % down];
        place.min.y += label_height(theme);
        const recording::Array& tile = recording.arrays[tiles[i]];
        layout.tiles.push_back({tiles[i], filling(place, plain_shape(tile.rows, tile.cols), most_stretch)});
    }
}

// Places A at the left, B above and C at the corner. An element of C is then in line with its row of A and its column
// of B.
void place_operands(const Theme& theme, const Recording& recording, const Box& box, TilingLayout& layout)
{
    const recording::Problem& p = recording.problem;
    const float label = label_height(theme), gap = theme.px(12);
    if (recording.arrays[0].cols == 0) {             // there are no operands: C follows from thread indices
        const MapShape shape = map_shape(recording); // a long row is wrapped
        layout.operands[2] =
            filling({{box.min.x + 1, box.min.y + label}, box.max}, shape.rows > 0 ? shape : plain_shape(p.M, p.N), 3);
        return;
    }
    // K gets at least a quarter and at most half of the room. So neither K nor C is thin.
    const auto m = static_cast<float>(p.M), n = static_cast<float>(p.N), k = static_cast<float>(p.K);
    const float width = box.width() - gap - 2, height = box.height() - 2 * label - theme.px(4);
    const float across = width * std::clamp(k / (k + n), 0.25f, 0.5f);
    const float down = height * std::clamp(k / (k + m), 0.25f, 0.5f);
    const float left = box.min.x + 1, top = box.min.y + label;
    const ImVec2 corner{std::round(left + across + gap), std::round(top + label + theme.px(4) + down)};
    const ImVec2 end{corner.x + width - across, corner.y + height - down};
    constexpr float any = 1e6f;
    layout.operands[0] = filling({{left, corner.y}, {left + across, end.y}}, plain_shape(p.M, p.K), any);
    layout.operands[1] = filling({{corner.x, top}, {end.x, top + down}}, plain_shape(p.K, p.N), any);
    layout.operands[2] = filling({corner, end}, plain_shape(p.M, p.N), any);
    layout.product = {box.min, {box.min.x + across, corner.y - label - theme.px(6)}};
}

// Returns the layout. For a product: A at the left, B above, C at the corner, the shared tiles at the right or below.
// For vectors: A, B and C side by side.
TilingLayout tiling_layout(const Theme& theme, const Recording& recording, const Box& box)
{
    TilingLayout layout;
    const MapShape shape = map_shape(recording);
    if (recording.arrays.size() == 3 && recording.arrays[0].rows == 1 && recording.problem.K == 1 && shape.wrapped) {
        const std::vector<Box> places =
            columns({{box.min.x, box.min.y + label_height(theme)}, box.max}, 3, theme.px(20));
        for (std::size_t i = 0; i < 3; ++i)
            layout.operands[i] = filling(places[i], shape, 3);
        return layout;
    }
    Box matrices = box, tiles = box;
    if (!tiles_of(recording).empty() && box.width() > 1.2f * box.height()) {
        matrices.max.x = box.min.x + std::min(box.width() * 0.66f, box.height() * 1.15f);
        tiles.min.x = matrices.max.x + theme.px(20);
    } else if (!tiles_of(recording).empty()) {
        matrices.max.y = box.min.y + std::min(box.height() * 0.7f, box.width() * 1.25f);
        tiles.min.y = matrices.max.y + theme.px(6);
    }
    place_operands(theme, recording, matrices, layout);
    place_tiles(theme, recording, tiles, layout);
    return layout;
}

Colour colour_of(const Theme& theme, TileState state)
{
    switch (state) {
    case TileState::copied: return theme.load;
    case TileState::here: return mix(theme.panel, theme.load, 0.5f);
    case TileState::computed: return theme.compute;
    case TileState::done: return mix(theme.panel, theme.compute, 0.45f);
    case TileState::ahead: break;
    }
    return theme.panel;
}

// Goes to the step at which a k-tile is computed, or to the block that computes it.
void go_to(const ViewScene& scene, const TilingPart& part, const KTile& tile)
{
    if (tile.number >= 0) {
        if (const auto step = step_of_tile(part.facts.pipeline, part.focus.warp_index, tile.number);
            step && part.first())
            scene.selection.step = *step;
    } else if (tile.slice) {
        recording::Index3 block = part.focus.block->block;
        block.z = *tile.slice;
        select_block(scene, linear_of(block, scene.columns.front().recording->launch.grid));
    }
}

Rich k_tile_words(const std::vector<KTile>& tiles, std::size_t at)
{
    const KTile& tile = tiles[at];
    Rich range = rich("k {} to {}.", index(tile.first), index(tile.first + tile.count - 1));
    if (!is_split(tiles) || !tile.slice)
        return range;
    return rich("{} K-tile {} of slice {}, of block z = {}{}.", std::move(range), number_in_slice(tiles, at),
                index(*tile.slice), index(*tile.slice),
                tile.recorded ? "" : ", which was not recorded: the slices go on as they began");
}

// Returns n such that the numbers of each n-th k-tile fit below them. Returns 1 if each number fits into its k-tile.
std::size_t numbered_in_strip(const Theme& theme, const std::vector<KTile>& tiles, float width)
{
    const float number = draw::measure(theme.mono, std::to_string(tiles.size())).x + theme.px(2);
    return every_nth(tiles.size(), width / static_cast<float>(std::max<std::size_t>(tiles.size(), 1)), number);
}

float strip_height(const Theme& theme, const std::vector<KTile>& tiles, float width)
{
    return numbered_in_strip(theme, tiles, width) == 1 ? theme.px(22) : theme.px(14) + draw::line_height(theme.mono);
}

// Shows all of K as a row of tiles, coloured by progress; those of other blocks are hollow. With split-K each tile also
// has the colour of its slice, and its number is the one by which its block counts. Marks "k-tile 1", ...; counted from 1 along K.
Panel k_strip(const TilingPart& part, const Box& box)
{
    const Theme& theme = part.theme();
    const std::vector<KTile>& tiles = part.facts.k_tiles;
    const std::size_t tick = part.facts.tiling.contents().order().tick(part.focus.warp_index, part.focus.step);
    const std::vector<TileState> states = tile_states(part.facts.pipeline, tick); // indexed by the block's own numbers
    const bool sliced = is_split(tiles);
    const auto edge = [&](std::size_t i) {
        return std::round(box.min.x + box.width() * static_cast<float>(i) / static_cast<float>(tiles.size()));
    };
    const std::size_t each = numbered_in_strip(theme, tiles, box.width());
    const float bottom = each == 1 ? box.max.y : box.max.y - draw::line_height(theme.mono);
    ShapeLayer strip;
    LabelLayer numbers;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const KTile& tile = tiles[i];
        const Box cell{{edge(i), box.min.y}, {std::max(edge(i + 1) - 1, edge(i) + 1), bottom}};
        const std::string number = std::to_string(number_in_slice(tiles, i));
        const bool own = tile.number >= 0 && static_cast<std::size_t>(tile.number) < states.size();
        const Colour face = own ? colour_of(theme, states[static_cast<std::size_t>(tile.number)]) : 0;
        strip.shapes.push_back(
            said_of({.box = cell, .fill = face, .stroke = theme.border},
                    {.name = part.name(fmt::format("k-tile {}", i + 1)),
                     .words = each == 1 ? number : "",
                     .tip = [&tiles, i] { return k_tile_words(tiles, i); },
                     .click = [&part, &tile](const ViewScene& scene) { go_to(scene, part, tile); }}));
        if (sliced && tile.slice)
            strip.shapes.push_back(
                box_shape({{cell.min.x, cell.max.y - theme.px(4)}, cell.max}, category_colour(theme, *tile.slice)));
        if (each > 1 && i % each == 0) {
            const float half = draw::measure(theme.mono, number).x / 2;
            numbers.labels.push_back(mono_label(number,
                                                {std::max(cell.middle().x, box.min.x + half), (bottom + box.max.y) / 2},
                                                theme.ink_quiet, Label::Side::middle));
        }
    }
    return {.id = "k-tiles of " + part.stage.slug, .box = box, .layers = {std::move(strip), std::move(numbers)}};
}

// Returns the lanes of the selected warp. Those that take part in this step are coloured: amber if they wait.
Panel lanes_panel(const TilingPart& part, const Box& box)
{
    const Theme& theme = part.theme();
    const recording::Access& access = part.focus.access();
    const uint32_t threads = lanes_with_thread(part.recording().launch, part.focus.warp_index);
    const bool barrier = access.op == recording::Op::barrier;
    const bool waits = barrier || part.facts.current().kind == PhaseKind::wait;
    return lane_strip(
        theme,
        {.id = "lanes of " + part.stage.slug,
         .warp = part.focus.warp_index,
         .takes_part = barrier ? threads : access.mask,
         .threads = threads,
         .chosen = part.lane(),
         .colour = waits ? theme.warning : part.accent(),
         .of_chosen = waits ? theme.warning : theme.ink,
         .tip = [&part](uint32_t lane) { return lane_words(part.stage.slug, part.focus, part.facts, lane); },
         .click = [](uint32_t lane) { return [lane](const ViewScene& scene) { scene.selection.lane = lane; }; }},
        box);
}

using Bar = PipelineBar;

Colour bar_colour(const Theme& theme, const Bar& bar)
{
    switch (bar.kind) {
    case Bar::Kind::copy: return theme.load;
    case Bar::Kind::compute: return theme.compute;
    case Bar::Kind::store: return theme.store;
    case Bar::Kind::wait: return theme.warning;
    case Bar::Kind::barrier: break;
    }
    // No warp waits if all arrive at a barrier in the same tick.
    return bar.end - bar.from > 1 ? theme.warning : theme.barrier;
}

Rich bar_words(const TilingFacts& facts, const PipelineBar& bar, const PipelineRole& role)
{
    using Kind = PipelineBar::Kind;
    const Rich where = rich("warp {}, line {}", role.shown, index(bar.line));
    switch (bar.kind) {
    case Kind::copy:
        return rich("{} {}: its copy is under way from step {} of {}{}", tile_word(facts), bar.k_tile + 1, bar.step,
                    where, bar.awaited ? ", until a wait for it ends" : "; no wait for it was recorded");
    case Kind::compute:
        return rich("{} {} is {}: {}, from step {}", tile_word(facts), bar.k_tile + 1,
                    facts.computes ? "computed" : "read", where, bar.step);
    case Kind::store:
        return rich("{} is stored: {}, from step {}", facts.recording.arrays[array_C].name, where, bar.step);
    case Kind::wait: return rich("a wait for copies: {}, step {}", where, bar.step);
    case Kind::barrier: break;
    }
    return rich("__syncthreads(): {}, step {}", where, bar.step);
}

std::string role_name(const TilingFacts& facts, const PipelineRole& role)
{
    std::string warps = warps_text(role.warps);
    if (!multiplies(facts.recording))
        return warps;
    const bool one = role.warps.size() == 1;
    if (std::ranges::find(role.work, PipelineBar::Kind::compute, &PipelineBar::kind) == role.work.end())
        return warps + (one ? " only copies" : " only copy");
    return role.copies.empty() ? warps + (one ? " only computes" : " only compute") : warps;
}

std::size_t rows_of(const Pipeline& pipeline)
{
    std::size_t rows = 0;
    for (const PipelineRole& role : pipeline.roles)
        rows += role.copies.size() + (role.waits.empty() ? 0 : 1) + (role.work.empty() ? 0 : 1);
    return rows;
}

LaneLayer::Row lane_of(const TilingPart& part, const PipelineRole& role, const std::vector<Bar>& bars, std::string name)
{
    LaneLayer::Row row{.name = std::move(name), .count = bars.size()};
    row.at = [&bars, &theme = part.theme()](std::size_t i) {
        return LaneLayer::Interval{static_cast<double>(bars[i].from), static_cast<double>(bars[i].end),
                                   bar_colour(theme, bars[i])};
    };
    row.tip = [&bars, &role, &part](std::size_t i) { return bar_words(part.facts, bars[i], role); };
    row.words = [&bars](std::size_t i) {
        return bars[i].k_tile < 0 ? std::string() : std::to_string(bars[i].k_tile + 1);
    };
    row.beside = true; // copies are short
    row.mark = [&part, &bars, number = row.words](std::size_t i) {
        const char* kind = bars[i].kind == Bar::Kind::copy ? "copy" : "compute";
        return bars[i].k_tile < 0 ? std::string() : part.name(fmt::format("{} of k-tile {}", kind, number(i)));
    };
    return row;
}

// Returns the step of the selected warp at a tick, or its last one before.
std::size_t step_at(const TilingPart& part, double time)
{
    const auto last = static_cast<double>(part.facts.pipeline.ticks) - 1;
    const BlockOrder& order = part.facts.tiling.contents().order();
    for (auto tick = static_cast<std::size_t>(std::clamp(time, 0.0, last)) + 1; tick-- > 0;)
        if (const auto step = order.step_at(part.focus.warp_index, tick))
            return *step;
    return 0;
}

LaneLayer lanes_of(const TilingPart& part, const PipelineRole& role)
{
    LaneLayer lanes{.with_axis = false, .cursor_length = 1, .apart = true};
    for (const std::vector<Bar>& copies : role.copies)
        lanes.rows.push_back(lane_of(part, role, copies, &copies == &role.copies.front() ? "copies" : ""));
    if (!role.waits.empty())
        lanes.rows.push_back(lane_of(part, role, role.waits, "waits"));
    if (!role.work.empty())
        lanes.rows.push_back(lane_of(part, role, role.work, part.facts.computes ? "compute" : "reads"));
    if (part.first())
        lanes.drag = [&part](const ViewScene& scene, double time) { scene.selection.step = step_at(part, time); };
    return lanes;
}

Rich product_words(const ThreadProduct& product, ProductKind kind)
{
    const bool own = kind == kind_of(product);
    if (!own && kind == ProductKind::outer && product.results() == 1)
        return product_words(example_product, kind);
    const std::string results = counted(product.results(), "result", "results");
    Rich words =
        kind == ProductKind::inner
            ? rich("**Inner product:** each of **{}** takes a product of its own, two reads each: **{}** for every "
                   "k.",
                   results, product.inner_reads())
            : rich("**Outer product:** {} of A times {} of B give **{}** at once: **{}** reads for every k.",
                   product.rows, product.cols, results, product.outer_reads());
    return own && product.reads > 0
               ? joined({std::move(words),
                         rich("This {}: **{}** reads for every k, as recorded.",
                              product.of_block ? "block, from global memory" : "thread", rounded(product.reads))})
               : words;
}

// Returns the reads for one k, the longest text first.
std::vector<std::string> costs_of(const ThreadProduct& of, ProductKind kind)
{
    const ThreadProduct& product = of.results() == 1 ? example_product : of;
    if (kind == ProductKind::inner) {
        const std::string reads = thousands(uint64_t{product.inner_reads()});
        return {fmt::format("{} x 2 reads", thousands(uint64_t{product.results()})), reads + " reads", reads};
    }
    const std::string sum = fmt::format("{} + {}", product.rows, product.cols);
    if (kind == kind_of(product) && product.of_block && product.reads > 1.005 * product.outer_reads())
        return {plain(rich("{} values, {} reads", sum, rounded(product.reads))),
                plain(rich("{} reads", rounded(product.reads))), plain(rich("{}", rounded(product.reads)))};
    return {sum + " reads", sum, std::to_string(product.outer_reads())};
}

// Returns the title. Both counts are for the same number of results, so that the product with more results does not
// look more expensive. `merged`: the compiler has made fewer loads than the source has.
std::string name_of(const TilingPart& part, ProductKind kind, bool merged, float room)
{
    const ThreadProduct& product = *part.facts.product;
    const std::string name = kind == ProductKind::outer ? "outer" : "inner";
    std::string more = name;
    if (product.results() == 1)
        more += fmt::format(", {} results", example_product.results());
    if (kind == kind_of(product) && merged)
        more += ", as written";
    const std::string either[] = {more, name};
    return draw::first_fitting(part.theme().text, room, either);
}

// Returns the k of the selected lane's products at the step, or of the next ones.
uint32_t k_of_step(const TilingFacts& facts)
{
    const uint32_t last = std::max(1u, facts.recording.problem.K) - 1;
    const std::vector<Cell>&a = facts.highlight.lane[array_A], &b = facts.highlight.lane[array_B];
    const bool computes = facts.current().kind == PhaseKind::compute;
    return std::min(last, computes && !a.empty()   ? a.front().col
                          : computes && !b.empty() ? b.front().row
                                                   : facts.added.value_or(0));
}

ProductOperands operands_of(const TilingFacts& facts, ProductKind kind)
{
    constexpr uint32_t most_ks = 6; // of an inner product
    ProductOperands found{.k = k_of_step(facts)};
    std::set<uint32_t> rows, cols;
    for (const CellRect& rect : facts.thread_tile) {
        for (uint32_t i = 0; i < rect.rows; ++i)
            rows.insert(rect.row + i);
        for (uint32_t i = 0; i < rect.cols; ++i)
            cols.insert(rect.col + i);
    }
    found.rows.assign(rows.begin(), rows.end());
    found.cols.assign(cols.begin(), cols.end());
    if (kind == ProductKind::outer) {
        found.ks = {found.k};
        return found;
    }
    if (found.rows.empty() || found.cols.empty())
        return found;
    found.rows.resize(1);
    found.cols.resize(1);
    for (uint32_t k = found.k - found.k % most_ks; found.ks.size() < most_ks && k < facts.recording.problem.K; ++k)
        found.ks.push_back(k);
    return found;
}

Panel product_panel(const TilingPart& part, ProductKind kind, bool merged, const Box& box)
{
    const Theme& theme = part.theme();
    const ThreadProduct& product = *part.facts.product;
    const float line = draw::line_height(theme.text);
    const std::string id = part.name(kind == ProductKind::outer ? "outer product" : "inner product");
    const Colour ink = kind == kind_of(product) ? theme.ink : theme.ink_faint;
    const auto label = [&](std::string words, float top) { // text without room is only in the tip
        return words_at({box.min.x, top + line / 2}, Label::Side::right, std::move(words), {.colour = ink});
    };
    LabelLayer labels{
        {label(name_of(part, kind, merged, box.width() - theme.px(8)), box.min.y),
         label(draw::first_fitting(theme.text, box.width() - theme.px(8), costs_of(product, kind)), box.max.y - line)}};
    Panel panel{.id = id, .box = box, .is_picture = false};
    panel.layers.emplace_back(ShapeLayer{
        {said_of(box_shape(box, 0), {.name = id, .tip = [&product, kind] { return product_words(product, kind); }})}});
    add_product(
        panel.layers, part,
        {{box.min.x, box.min.y + line + theme.px(3)}, {box.max.x - theme.px(14), box.max.y - line - theme.px(3)}}, kind,
        operands_of(part.facts, kind));
    panel.layers.emplace_back(std::move(labels));
    return panel;
}

// Adds the same sum in two orders, side by side. Marks "inner product", "outer product".
void add_products(Figure& figure, const TilingPart& part, const Box& box)
{
    const recording::Recording& recording = part.recording();
    if (part.facts.product) {
        const bool merged =
            merged_share(recording, counted_at(part.frame.ladder_facts.of(recording), recording.problem)).has_value();
        const std::vector<Box> halves =
            columns({box.min, {box.max.x + part.theme().px(10), box.max.y}}, 2, part.theme().px(10));
        figure.panels.push_back(product_panel(part, ProductKind::inner, merged, halves[0]));
        figure.panels.push_back(product_panel(part, ProductKind::outer, merged, halves[1]));
    } else if (part.facts.thread_tile.empty() && recording.problem.K > 1) {
        figure.panels.push_back(
            words_panel("no product of " + part.stage.slug, box,
                        owners_known(recording) == OwnersKnown::all
                            ? rich("Lane {} has no element of C: it only helps to copy.", part.lane())
                            : rich("This trace does not have the stores of C by lane {}.", part.lane())));
    }
}

// Adds the pipeline of a block as lanes over time: copies in flight, waits and computation. Uses a part of the box's
// height and returns it. `first` is the tick at the left edge, which changes only if the step would be out of sight.
// Marks "cursor" and, for completely visible intervals, "copy of k-tile 1", "compute of k-tile 1" and so on.
float add_pipeline(Figure& figure, const TilingPart& part, const Box& box, double& first)
{
    const Theme& theme = part.theme();
    const Pipeline& pipeline = part.facts.pipeline;
    if (pipeline.roles.empty())
        return 0;
    const bool several = pipeline.roles.size() > 1;
    const float title = several ? draw::row_height(theme, 3) : 0, gap = theme.px(4);
    const float room = box.height() - (title + gap) * static_cast<float>(pipeline.roles.size());
    const float row =
        std::clamp(std::floor(room / static_cast<float>(rows_of(pipeline))), theme.px(5), draw::row_height(theme, 1));
    const float names = lane_names(theme, "compute");
    const auto ticks = static_cast<double>(std::max<std::size_t>(1, pipeline.ticks));
    const float number = draw::measure(theme.mono, std::to_string(pipeline.k_tiles)).x + theme.px(6);
    const double shown = ticks_with_room(pipeline, (box.width() - names) / std::max(number, theme.px(22)));
    // Scrolls if the step would be out of sight.
    const auto now =
        static_cast<double>(part.facts.tiling.contents().order().tick(part.focus.warp_index, part.focus.step));
    if (now < first || now + 1 > first + shown)
        first = now - shown / 3;
    first = std::clamp(first, 0.0, ticks - shown);
    float y = box.min.y;
    for (const PipelineRole& role : pipeline.roles) {
        LaneLayer lanes = lanes_of(part, role);
        lanes.time.least = first;
        lanes.time.most = first + shown;
        lanes.cursor = now;
        lanes.names = names;
        const float height = title + row * static_cast<float>(lanes.rows.size());
        figure.panels.push_back({.id = fmt::format("pipeline {} of {}", role.shown, part.stage.slug),
                                 .box = {{box.min.x, y}, {box.max.x, y + height}},
                                 .title = several ? role_name(part.facts, role) : "",
                                 .layers = {std::move(lanes)}});
        y += height + gap;
    }
    return y - box.min.y;
}

class TilingView final : public View {
public:
    std::string_view name() const override { return "tiling"; }
    std::string_view title() const override { return "Tiling"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, owners"}, {Numbers::How::derived, "loads per result"}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override
    {
        if (const TilingPart* part = parts_.front().get())
            frame.hint = plain(lane_words(part->stage.slug, part->focus, part->facts, part->lane()));
    }

private:
    void add_stage(Figure& figure, const TilingPart& part, Box box);

    std::array<double, most_columns> pipeline_first_{};
    std::vector<std::unique_ptr<TilingPart>> parts_; // of this frame, by stage; null if nothing is shown
};

void TilingView::add_stage(Figure& figure, const TilingPart& part, Box box)
{
    const Theme& theme = part.theme();
    const float whole = box.height();
    if (part.facts.k_tiles.size() > 1) {
        const Box strip{box.min, {box.max.x, box.min.y + strip_height(theme, part.facts.k_tiles, box.width())}};
        figure.panels.push_back(k_strip(part, strip));
        box.min.y = strip.max.y + theme.px(6);
    }
    box.min.y += add_pipeline(figure, part, {box.min, {box.max.x, box.min.y + whole * 0.25f}},
                              pipeline_first_[part.stage.number]);
    const Box lanes{{box.min.x, box.max.y - lane_strip_height(theme, box.width())}, box.max};
    figure.panels.push_back(lanes_panel(part, lanes));
    box.max.y = lanes.min.y - theme.px(6);
    const TilingLayout layout = tiling_layout(theme, part.recording(), box);
    if (layout.product.height() >= theme.px(60))
        add_products(figure, part, layout.product);
    std::optional<ImVec2> above_lane;
    if (const auto lane = lane_in_row(theme, lanes, part.lane()))
        above_lane = {lane->middle().x, lanes.min.y};
    figure.panels.push_back({.id = part.stage.slug, .box = box, .layers = matrix_layers(part, layout, above_lane)});
    explain_stage(figure, part.frame, part.stage,
                  {joined({phase_words(part.focus, part.facts), race_legend(part)}), access_words(part.focus),
                   edge_words(part.recording(), part.facts.guards),
                   part.facts.pipeline.roles.empty() ? Rich() : pipeline_words(part.facts)});
}

// Returns one height for all steps and stages, so that the pictures do not move.
float least_heading(const ViewFrame& frame, float width)
{
    const Theme& theme = frame.theme;
    const bool narrow = std::ranges::any_of(frame.columns, [&](const StageColumn& stage) {
        return draw::measure(theme.heading, stage.slug).x + theme.px(290) > width;
    });
    return (narrow ? 2.0f : 1.0f) * draw::line_height(theme.heading) + theme.px(6);
}

Figure TilingView::figure(const ViewFrame& frame, const Box& box)
{
    Figure figure;
    figure.numbers = numbers();
    parts_.clear();
    for (const StageColumn& stage : frame.columns) {
        const Focus focus = focus_on(frame, stage);
        parts_.push_back(focus.warp && focus.recording->arrays.size() >= 3
                             ? std::make_unique<TilingPart>(
                                   TilingPart{{frame, stage}, focus, tiling_facts(stage, focus, frame.selection.lane)})
                             : nullptr);
    }
    std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
        const TilingPart* part = parts_[static_cast<std::size_t>(&stage - frame.columns.data())].get();
        return part != nullptr ? headline(part->facts) : rich("{}", focus_on(frame, stage).why);
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].min.y = std::max(places[i].min.y, box.min.y + least_heading(frame, places[i].width()));
        if (parts_[i])
            add_stage(figure, *parts_[i], places[i]);
    }
    return figure;
}

} // namespace

MatrixFrame filling(const Box& box, const MapShape& shape, float most_stretch)
{
    float cell = box.width() / static_cast<float>(std::max(1u, shape.cols));
    float height = box.height() / static_cast<float>(std::max(1u, shape.rows));
    cell = std::min(cell, height * most_stretch);
    height = std::min(height, cell * most_stretch);
    return {{std::round(box.min.x), std::round(box.min.y)}, cell, shape, height / cell};
}

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
