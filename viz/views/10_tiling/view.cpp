// The tiling view: the parts of A, B and C that a block processes, phase after phase over K.
#include "viz/figure/draw_figure.h"
#include "viz/figure/lane_strip.h"
#include "viz/figure/layout.h"
#include "viz/views/10_tiling/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace viz {

std::unique_ptr<View> make_tiling_view();

namespace {

using recording::Recording;

float label_height(const Theme& theme)
{
    return draw::row_height(theme, 4, theme.mono);
}

constexpr float most_stretch = 30; // of a shared tile's elements, so that the mouse can still hit them

std::vector<uint8_t> tiles_of(const Recording& recording)
{
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        if (recording.arrays[i].space == recording::Space::shared)
            tiles.push_back(static_cast<uint8_t>(i));
    return tiles;
}

// Places wide tiles one below another and other tiles side by side. The stages of a ring are in two columns, for A and
// for B.
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
        // Recordings list all stages of A first, or A and B alternately. In columns, each stage is below the previous
        // one.
        Box place = rows(places[i / down], std::vector<Room>(down, share_of_rest()), theme.px(4))[i % down];
        place.min.y += label_height(theme);
        const recording::Array& tile = recording.arrays[tiles[i]];
        layout.tiles.push_back({tiles[i], filling(place, plain_shape(tile.rows, tile.cols), most_stretch)});
    }
}

// Places A at the left, B above and C at the corner, so that the row of A and the column of B for an element of C align
// with it.
void place_operands(const Theme& theme, const Recording& recording, const Box& box, TilingLayout& layout)
{
    const recording::Problem& p = recording.problem;
    const float label = label_height(theme), gap = theme.px(12);
    if (recording.arrays[0].cols == 0) { // C is computed from thread indices only
        layout.operands[2] = filling({{box.min.x + 1, box.min.y + label}, box.max}, plain_shape(p.M, p.N), 3);
        return;
    }
    // K gets at least a quarter and at most half of the room, so that neither K nor C shrinks to a line.
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

// Returns the layout. For GEMM: A at the left, B above, C at the corner, the shared tiles at the right or below. For
// vectors: A, B and C side by side.
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

Rich k_tile_words(const KTile& tile, bool split)
{
    Rich range = rich("k {} to {}.", index(tile.first), index(tile.first + tile.count - 1));
    if (!split || !tile.slice)
        return range;
    return rich("{} Slice {}, of block z = {}{}.", std::move(range), index(*tile.slice), index(*tile.slice),
                tile.recorded ? "" : ", which was not recorded: the slices go on as they began");
}

// Shows all of K as a row of tiles, coloured by progress; those of other blocks are hollow. With split-K each tile also
// has the colour of its slice. Marks "k-tile 1", ...; counted from 1 along K.
Panel k_strip(const TilingPart& part, const Box& box)
{
    const Theme& theme = part.theme();
    const std::vector<KTile>& tiles = part.facts.k_tiles;
    const std::size_t tick = part.facts.tiling.contents().order().tick(part.focus.warp_index, part.focus.step);
    const std::vector<TileState> states = tile_states(part.facts.pipeline, tick); // indexed by the block's own numbers
    const bool sliced = split(tiles);
    const auto edge = [&](std::size_t i) {
        return std::round(box.min.x + box.width() * static_cast<float>(i) / static_cast<float>(tiles.size()));
    };
    ShapeLayer strip;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const KTile& tile = tiles[i];
        const Box cell{{edge(i), box.min.y}, {std::max(edge(i + 1) - 1, edge(i) + 1), box.max.y}};
        const bool own = tile.number >= 0 && static_cast<std::size_t>(tile.number) < states.size();
        const Colour face = own ? colour_of(theme, states[static_cast<std::size_t>(tile.number)]) : 0;
        strip.shapes.push_back(
            said_of({.box = cell, .fill = face, .stroke = theme.border},
                    {.name = part.name(fmt::format("k-tile {}", i + 1)),
                     .words = fmt::format("{}", i + 1),
                     .tip = [&tile, sliced] { return k_tile_words(tile, sliced); },
                     .click = [&part, &tile](const ViewScene& scene) { go_to(scene, part, tile); }}));
        if (sliced && tile.slice)
            strip.shapes.push_back(
                box_shape({{cell.min.x, cell.max.y - theme.px(4)}, cell.max}, category_colour(theme, *tile.slice)));
    }
    return {.id = "k-tiles of " + part.stage.slug, .box = box, .layers = {std::move(strip)}};
}

// Returns the lanes of the selected warp that take part in this step, amber if they wait.
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
    std::vector<std::unique_ptr<TilingPart>> parts_; // of this frame, by stage; null if there is nothing to show
};

void TilingView::add_stage(Figure& figure, const TilingPart& part, Box box)
{
    const Theme& theme = part.theme();
    const float whole = box.height();
    if (part.facts.k_tiles.size() > 1) {
        const Box strip{box.min, {box.max.x, box.min.y + theme.px(22)}};
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
    if (part.frame.comparing())
        figure.said.push_back(rich("**{}**", part.stage.slug));
    figure.said.push_back(phase_words(part.focus, part.facts));
    figure.said.push_back(access_words(part.focus));
    figure.said.push_back(edge_words(part.facts.guards));
    if (!part.facts.pipeline.roles.empty())
        figure.said.push_back(pipeline_words(part.focus, part.facts));
}

// Equal at every step and for all stages, so that the pictures do not jump.
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
                                   TilingPart{frame, stage, focus, tiling_facts(stage, focus, frame.selection.lane)})
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

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
