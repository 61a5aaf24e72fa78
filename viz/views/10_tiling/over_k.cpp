// A block and a thread over K: the pipeline as lanes over time, and two orders of the same sum.
#include "viz/views/10_tiling/facts.h"

#include "viz/analysis/counted.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

using Bar = PipelineBar;

Colour colour_of(const Theme& theme, const Bar& bar)
{
    switch (bar.kind) {
    case Bar::Kind::copy: return theme.load;
    case Bar::Kind::compute: return theme.compute;
    case Bar::Kind::store: return theme.store;
    case Bar::Kind::wait: return theme.warning;
    case Bar::Kind::barrier: break;
    }
    // If all warps reach a barrier at once, none waits.
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
                                   colour_of(theme, bars[i])};
    };
    row.tip = [&bars, &role, &part](std::size_t i) { return bar_words(part.facts, bars[i], role); };
    row.words = [&bars](std::size_t i) {
        return bars[i].k_tile < 0 ? std::string() : std::to_string(bars[i].k_tile + 1);
    };
    row.mark = [&part, &bars, number = row.words](std::size_t i) {
        const char* kind = bars[i].kind == Bar::Kind::copy ? "copy" : "compute";
        return bars[i].k_tile < 0 ? std::string() : part.name(fmt::format("{} of k-tile {}", kind, number(i)));
    };
    return row;
}

// Returns the step that the selected warp takes at a tick, or took last.
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

// Stands in for an outer product if the thread has a single result.
constexpr ThreadProduct example_product{.rows = 8, .cols = 8};

enum class ProductKind : uint8_t { inner, outer };

ProductKind kind_of(const ThreadProduct& product)
{
    return product.outer() ? ProductKind::outer : ProductKind::inner;
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

std::string cost_of(const ThreadProduct& of, ProductKind kind)
{
    const ThreadProduct& product = of.results() == 1 ? example_product : of;
    if (kind == ProductKind::inner)
        return fmt::format("{} x 2 reads", thousands(uint64_t{product.results()}));
    if (kind == kind_of(product) && product.of_block && product.reads > 1.005 * product.outer_reads())
        return plain(rich("{} + {} values, {} reads", product.rows, product.cols, rounded(product.reads)));
    return plain(rich("{} + {} reads", product.rows, product.cols));
}

// Returns the title. Counts refer to equal numbers of results on both sides, so that the side with more results does
// not look more expensive. `merged` means that the compiler emitted fewer loads than the source has.
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

// Adds A at the left, B above and the results at the corner, as in the large picture.
void add_corner(std::vector<Layer>& layers, const TilingPart& part, const Box& box, ProductKind kind)
{
    constexpr uint32_t shown_ks = 6; // of the row and the column that an inner product runs along
    const Theme& theme = part.theme();
    const bool outer = kind == ProductKind::outer, own = kind == kind_of(*part.facts.product);
    const ThreadProduct& shown = part.facts.product->results() > 1 ? *part.facts.product : example_product;
    const uint32_t rows = outer ? shown.rows : 1, cols = outer ? shown.cols : 1, ks = outer ? 1 : shown_ks;
    const float gap = theme.px(4);
    // A block's results may be a wide band. Its cells are then high, so that it fills its place.
    const bool band = outer && std::max(rows, cols) > 4 * std::min(rows, cols);
    const MatrixFrame all =
        filling({{box.min.x + gap, box.min.y + gap}, box.max}, plain_shape(rows + ks, cols + ks), band ? 12 : 2);
    const float across = all.cell * static_cast<float>(ks), down = all.cell_height() * static_cast<float>(ks);
    const ImVec2 corner{std::round(box.min.x + across + gap), std::round(box.min.y + down + gap)};
    const auto add = [&](ImVec2 at, uint32_t high, uint32_t wide, Colour colour) {
        layers.emplace_back(
            MatrixLayer{.frame = {at, all.cell, plain_shape(high, wide), all.stretch},
                        .parts = {{{{0, 0, high, wide}}, own ? colour : mix(theme.panel, colour, 0.45f), 1}}});
    };
    add({corner.x - gap - across, corner.y}, rows, ks, theme.compute);
    add({corner.x, corner.y - gap - down}, ks, cols, theme.compute);
    add(corner, rows, cols, part.accent());
}

Panel product_panel(const TilingPart& part, ProductKind kind, bool merged, const Box& box)
{
    const Theme& theme = part.theme();
    const ThreadProduct& product = *part.facts.product;
    const float line = draw::line_height(theme.text);
    const std::string id = part.name(kind == ProductKind::outer ? "outer product" : "inner product");
    const Colour ink = kind == kind_of(product) ? theme.ink : theme.ink_faint;
    const auto label = [&](std::string words, float top) { // text without room is in the tip
        return Label{.words = std::move(words),
                     .at = {box.min.x, top + line / 2},
                     .distance = 0,
                     .colour = ink,
                     .side = Label::Side::right};
    };
    LabelLayer labels{{label(name_of(part, kind, merged, box.width() - theme.px(8)), box.min.y),
                       label(cost_of(product, kind), box.max.y - line)}};
    Panel panel{.id = id, .box = box, .is_picture = false};
    panel.layers.emplace_back(ShapeLayer{
        {said_of(box_shape(box, 0), {.name = id, .tip = [&product, kind] { return product_words(product, kind); }})}});
    add_corner(
        panel.layers, part,
        {{box.min.x, box.min.y + line + theme.px(3)}, {box.max.x - theme.px(14), box.max.y - line - theme.px(3)}},
        kind);
    panel.layers.emplace_back(std::move(labels));
    return panel;
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

void add_products(Figure& figure, const TilingPart& part, const Box& box)
{
    const recording::Recording& recording = part.recording();
    if (part.facts.product) {
        const bool merged =
            merged_share(recording, counted_at(part.frame.ladder_facts.of(recording), recording.problem)).has_value();
        const std::vector<Box> halves = columns({box.min, {box.max.x + part.theme().px(10), box.max.y}}, 2, 0);
        figure.panels.push_back(product_panel(part, ProductKind::inner, merged, halves[0]));
        figure.panels.push_back(product_panel(part, ProductKind::outer, merged, halves[1]));
    } else if (part.facts.thread_tile.empty() && recording.problem.K > 1) {
        figure.panels.push_back(
            {.id = "no product of " + part.stage.slug,
             .box = box,
             .layers = {ProseLayer{rich("Lane {} has no element of C: it only helps to copy.", part.lane())}},
             .is_picture = false});
    }
}

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
    // Shows as many k-tiles as have room for their number.
    const float names = lane_names(theme, "compute");
    const auto ticks = static_cast<double>(std::max<std::size_t>(1, pipeline.ticks));
    const double fitting = (box.width() - names) / theme.px(22), tiles = std::max(1, pipeline.k_tiles);
    const double shown = fitting >= tiles ? ticks : ticks * fitting / tiles;
    // Scrolls when the step leaves the picture.
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

} // namespace viz
