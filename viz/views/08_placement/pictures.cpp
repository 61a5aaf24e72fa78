#include "viz/views/08_placement/pictures.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr uint32_t most_waves_named = 9; // further waves repeat the colours

struct TimeUnit {
    double ns = 1;
    const char* name = " ns";
};
TimeUnit unit_of(const TimeWindow& time)
{
    return time.span() >= 2e6 ? TimeUnit{1e6, " ms"} : time.span() >= 2000 ? TimeUnit{1e3, " µs"} : TimeUnit{};
}

// Makes one of three charts over time, which share an axis and the line at the time at which C is shown.
LaneLayer lanes_over_time(const ShownLaunch& launch, const std::string& name)
{
    const TimeUnit unit = unit_of(launch.time);
    LaneLayer lanes{.time = {.least = launch.time.from / unit.ns,
                             .most = launch.time.until / unit.ns,
                             .logarithmic = false,
                             .unit = unit.name},
                    .with_axis = false};
    lanes.name = launch.named(name);
    lanes.names = lane_names(launch.theme, "SM 0000");
    lanes.apart = true;
    lanes.limits = {{.name = launch.named("sweep"), .value = launch.now / unit.ns, .colour = launch.theme.ink}};
    lanes.drag = [move = launch.move_to, unit](const ViewScene&, double at) { move(at * unit.ns); };
    return lanes;
}

void add_chart(Figure& figure, const ShownLaunch& launch, Panel panel, LaneLayer lanes)
{
    panel.layers.emplace_back(std::move(lanes));
    panel.use_mouse = [wheel = launch.use_wheel, names = lane_names(launch.theme, "SM 0000")](const Box& box) {
        wheel(box.min.x + names, box.max.x);
    };
    figure.panels.push_back(std::move(panel));
}

LaneLayer::Row row_of(const ShownLaunch& launch, const PlacedLanes& lanes, uint32_t sm, uint32_t slot)
{
    const PlacementPicture& picture = *launch.side.picture();
    const auto spans = lanes.row(std::size_t{sm} * lanes.rows_of_sm + slot);
    const Theme& theme = launch.theme;
    LaneLayer::Row row{.name = {}, .count = spans.size(), .at = {}};
    row.at = [spans, &picture, &theme, unit = unit_of(launch.time).ns](std::size_t i) -> LaneLayer::Interval {
        const PlacedLanes::Span& span = spans[i];
        return {static_cast<double>(span.from_ns) / unit, static_cast<double>(span.until_ns) / unit,
                span.block == PlacedLanes::no_block ? idle_colour(theme)
                                                    : wave_colour(theme, picture.blocks[span.block].wave)};
    };
    row.tip = [spans, &picture, sm, &side = launch.side](std::size_t i) {
        if (spans[i].block == PlacedLanes::no_block)
            return idle_sm_words(picture, sm, spans[i]);
        const Rich words = block_words(side.recording(), picture.blocks[spans[i].block]);
        return side.shipped ? words : rich("{}. Click to select it.", words);
    };
    row.click = [spans, &picture, select = launch.select](const ViewScene& scene, std::size_t i) {
        if (spans[i].block != PlacedLanes::no_block)
            select(scene, picture.blocks[spans[i].block].block);
    };
    row.words = [spans, &picture](std::size_t i) {
        return spans[i].block == PlacedLanes::no_block ? std::string()
                                                       : std::to_string(picture.blocks[spans[i].block].block);
    };
    return row;
}

LaneLayer::Frame frame_of(const ShownLaunch& launch, const PlacedBlock& block, std::size_t row)
{
    const double unit = unit_of(launch.time).ns;
    return {.row = row,
            .from = static_cast<double>(block.start_ns) / unit,
            .until = static_cast<double>(block.end_ns) / unit,
            .colour = launch.theme.ink};
}

// Frames blocks: fully recorded ones with a line inside, the selected one with a line around it.
void frame_blocks(const ShownLaunch& launch, LaneLayer& lanes, const PlacedLanes& of)
{
    const PlacementPicture& picture = *launch.side.picture();
    const auto row_of_block = [&](const PlacedBlock& block) {
        return std::size_t{block.sm} * of.rows_of_sm + (of.rows_of_sm > 1 ? block.slot : 0);
    };
    if (picture.in_full > 0 && picture.in_full < picture.blocks.size())
        for (const recording::BlockTrace& traced : launch.side.recording().blocks)
            if (const PlacedBlock* block =
                    launch.side.facts->find(linear_of(traced.block, launch.side.recording().launch.grid));
                block != nullptr && block->in_full) {
                lanes.frames.push_back(frame_of(launch, *block, row_of_block(*block)));
                lanes.frames.back().inside = true;
                lanes.frames.back().colour = ink_on(wave_colour(launch.theme, block->wave));
            }
    if (const PlacedBlock* block = launch.side.selected()) {
        lanes.frames.push_back(frame_of(launch, *block, row_of_block(*block)));
        lanes.frames.back().name = launch.named("block selected");
    }
}

// Returns as much of the colours' legend as fits on one line.
std::vector<LegendEntry> legend_of(const PlacementPicture& picture, const Theme& theme, float width)
{
    const float rest = theme.px(210), each = theme.px(38);
    const auto fitting = static_cast<uint32_t>(std::clamp((width - rest) / each, 1.0f, float{most_waves_named}));
    std::vector<LegendEntry> legend{{0, "wave"}};
    for (uint32_t wave = 0; wave < std::min(picture.waves, fitting); ++wave)
        legend.push_back({wave_colour(theme, wave), std::to_string(wave + 1)});
    if (picture.waves > fitting)
        legend.push_back({0, fmt::format("... {}", picture.waves)});
    legend.push_back({idle_colour(theme), "no block"});
    return legend;
}

void add_sms(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacementPicture& picture = *launch.side.picture();
    const Theme& theme = launch.theme;
    const double unit = unit_of(launch.time).ns;
    const float height = box.height() / static_cast<float>(picture.sms);
    // The smallest height of a slot in pixels. If slots are smaller, each SM shows only the most recently started
    // block.
    constexpr float least = 1.5f;
    const bool by_slot = height / static_cast<float>(std::max(picture.slots, 1u)) >= least;
    const PlacedLanes& placed = launch.stage.memo<lanes_of_launch>(launch.side.facts, by_slot);
    LaneLayer lanes = lanes_over_time(launch, "SMs");
    lanes.gap = 1;
    for (uint32_t sm = 0; sm < picture.sms; ++sm)
        for (uint32_t slot = 0; slot < placed.rows_of_sm; ++slot) {
            LaneLayer::Row row = row_of(launch, placed, sm, slot);
            if (slot == placed.rows_of_sm / 2)
                row.name = sm == 0 ? "SM 0" : std::to_string(sm);
            row.gap_before = slot == 0 && sm > 0 && height >= theme.px(6);
            lanes.rows.push_back(std::move(row));
        }
    frame_blocks(launch, lanes, placed);
    const auto end = static_cast<double>(picture.span_ns);
    if (picture.blocks.size() > 1)
        lanes.bracket = {.from = (end - static_cast<double>(picture.tail_ns)) / unit,
                         .until = end / unit,
                         .words = fmt::format("tail {}", time_words(static_cast<double>(picture.tail_ns))),
                         .name = launch.named("tail")};
    if (launch.racing)
        lanes.limits.insert(lanes.limits.begin(), {.name = fmt::format("finish {}", launch.stage.number),
                                                   .value = end / unit,
                                                   .colour = theme.accent(launch.stage.number),
                                                   .words = fmt::format("done after {}", time_words(end))});
    lanes.kept = launch.side.sms;
    add_chart(figure, launch,
              {.id = "SMs:" + launch.stage.slug, .box = box, .legend = legend_of(picture, theme, box.width())},
              std::move(lanes));
}

// Returns 0 if the rows of all SMs already show as much.
float height_of_slot(const PlacementPicture& picture)
{
    return picture.sms_used <= 8 ? 0
           : picture.slots <= 4  ? 17
           : picture.slots <= 8  ? 14
                                 : 72.0f / static_cast<float>(picture.slots);
}

void add_one_sm(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacedLanes& placed = launch.stage.memo<lanes_of_launch>(launch.side.facts, true);
    const PlacedBlock& selected = *launch.side.selected();
    LaneLayer lanes = lanes_over_time(launch, "one SM");
    for (uint32_t slot = 0; slot < placed.rows_of_sm; ++slot)
        lanes.rows.push_back(row_of(launch, placed, selected.sm, slot));
    lanes.rows.front().name = fmt::format("SM {}", selected.sm);
    lanes.frames.push_back(frame_of(launch, selected, placed.rows_of_sm > 1 ? selected.slot : 0));
    add_chart(figure, launch, {.id = "one SM:" + launch.stage.slug, .box = box}, std::move(lanes));
}

void add_resident(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacementPicture& picture = *launch.side.picture();
    const uint64_t most = uint64_t{picture.sms} * picture.slots;
    const auto until = [&picture](std::size_t i) {
        return i + 1 < picture.resident.size() ? picture.resident[i + 1].ns : picture.span_ns;
    };
    LaneLayer lanes = lanes_over_time(launch, "resident");
    lanes.with_axis = true;
    LaneLayer::Row row{.name = {}, .count = picture.resident.size(), .at = {}};
    row.at = [=, &picture, colour = launch.theme.ink_faint,
              unit = unit_of(launch.time).ns](std::size_t i) -> LaneLayer::Interval {
        const ResidentStep& step = picture.resident[i];
        return {static_cast<double>(step.ns) / unit, static_cast<double>(until(i)) / unit, colour,
                static_cast<float>(step.blocks) / static_cast<float>(std::max<uint64_t>(most, 1))};
    };
    row.tip = [=, &picture](std::size_t i) {
        const ResidentStep& step = picture.resident[i];
        return rich("**{}** of {} blocks that fit at once, {} to {}", step.blocks, most,
                    nanoseconds(static_cast<double>(step.ns)), nanoseconds(static_cast<double>(until(i))));
    };
    row.most = thousands(most);
    lanes.rows.push_back(std::move(row));
    lanes.apart = false;
    lanes.kept = launch.side.resident;
    add_chart(figure, launch, {.id = "resident:" + launch.stage.slug, .box = box}, std::move(lanes));
}

Colour state_colour(const ShownLaunch& launch, BlockState state)
{
    const Colour accent = launch.theme.accent(launch.stage.number);
    switch (state) {
    case BlockState::running: return accent;
    case BlockState::done: return mix(launch.theme.panel, accent, 0.4f);
    case BlockState::waiting: break;
    }
    return launch.theme.panel;
}

// Returns the legend of the map, with the number of blocks of each colour.
std::vector<LegendEntry> map_legend(const ShownLaunch& launch, bool in_order)
{
    const PlacedBlocks& placed = *launch.side.facts->placed();
    if (launch.side.picture() == nullptr)
        return {{0, fmt::format("the colour and the number are the SM's: {} of {}", placed.sms_used, placed.sms)}};
    std::array<std::size_t, 3> counts{};
    for (const PlacedBlock& block : placed.blocks)
        ++counts[static_cast<std::size_t>(state_at(block, launch.now))];
    std::vector<LegendEntry> legend;
    for (const auto& [state, name] : {std::pair{BlockState::done, "done"}, std::pair{BlockState::running, "running"},
                                      std::pair{BlockState::waiting, "waiting"}})
        legend.push_back({state_colour(launch, state),
                          fmt::format("{} {}", thousands(counts[static_cast<std::size_t>(state)]), name)});
    if (in_order)
        legend.push_back({launch.theme.ink, "order"});
    return legend;
}

std::string map_title(const ShownLaunch& launch, float room)
{
    const BlockGrid& grid = launch.side.facts->grid;
    const std::string name = fmt::format("{}: {} x {}", grid.as_in_c ? "C" : "grid", grid.grid.x, grid.grid.y);
    const std::string sliced = grid.parts < 2 ? "" : fmt::format(" x {} slices of K", grid.parts);
    const std::string at = launch.side.picture() == nullptr ? "" : " at " + time_words(launch.now);
    return draw::first_fitting(launch.theme.text, room, std::array{name + sliced + at, name + at, name});
}

// Positions of blocks on the map. Blocks along z share a position in C and are drawn one below another.
struct MapPlaces {
    const BlockGrid& grid;
    Box area;

    uint32_t row_of(uint32_t block) const
    {
        return grid.place(block).row * grid.parts + block / (grid.grid.x * grid.grid.y);
    }
    uint32_t rows() const { return grid.rows * grid.parts; }
    Box box_of(uint32_t block) const
    {
        const float width = area.width() / static_cast<float>(grid.cols),
                    height = area.height() / static_cast<float>(rows());
        const ImVec2 low{area.min.x + width * static_cast<float>(grid.place(block).col),
                         area.min.y + height * static_cast<float>(row_of(block))};
        return {low, {low.x + width, low.y + height}};
    }
};

CellLayer cells_of(const ShownLaunch& launch, const MapPlaces& places)
{
    const LaunchFacts& facts = *launch.side.facts;
    const BlockGrid& grid = facts.grid;
    const bool timed = launch.side.picture() != nullptr;
    const auto find = [&facts, &grid](uint32_t row, uint32_t col) -> const PlacedBlock* {
        const auto block = grid.block_at({row / grid.parts, col}, row % grid.parts);
        return block ? facts.find(*block) : nullptr;
    };
    CellLayer cells{
        .name = launch.named("blocks"), .rows = places.rows(), .cols = grid.cols, .box = places.area, .colour = {}};
    cells.colour = [=](uint32_t row, uint32_t col) -> Colour {
        const PlacedBlock* const block = find(row, col);
        return block == nullptr ? 0
               : timed          ? state_colour(launch, state_at(*block, launch.now))
                                : category_colour(launch.theme, block->sm);
    };
    cells.tip = [=, &side = launch.side](uint32_t row, uint32_t col) {
        const Rich words = block_words(side.recording(), *find(row, col));
        return side.shipped ? words : rich("{}. Click to select it.", words);
    };
    cells.click = [=, select = launch.select](const ViewScene& scene, uint32_t row, uint32_t col) {
        select(scene, find(row, col)->block);
    };
    if (!timed || grid.parts > 1) {
        cells.words = [=, parts = grid.parts](uint32_t row, uint32_t col) {
            return timed ? fmt::format("z {}", row % parts) : std::to_string(find(row, col)->sm);
        };
        cells.widest = timed ? fmt::format("z {}", grid.parts - 1) : std::to_string(facts.placed()->sms - 1);
    }
    if (launch.side.selected() != nullptr)
        cells.frames = {{.row = places.row_of(*launch.side.block),
                         .col = grid.place(*launch.side.block).col,
                         .colour = launch.theme.ink,
                         .name = launch.named("block of C")}};
    cells.bordered = false;
    cells.kept = launch.side.map;
    return cells;
}

// Adds lines between tiles of C if K is split into slices.
ShapeLayer lines_between_tiles(const ShownLaunch& launch, const MapPlaces& places)
{
    ShapeLayer lines;
    const Theme& theme = launch.theme;
    const Box& area = places.area;
    const float height = area.height() / static_cast<float>(places.grid.rows);
    for (uint32_t row = 1; places.grid.parts > 1 && row < places.grid.rows; ++row) {
        const float y = std::round(area.min.y + height * static_cast<float>(row));
        lines.shapes.push_back(said_of(box_shape({{area.min.x, y - theme.px(2)}, {area.max.x, y}}, theme.ink_quiet),
                                       {.name = launch.named("between tiles")}));
    }
    return lines;
}

// Returns a line through the blocks in the order of their numbers, in which the hardware starts them. It shows which
// neighbours in C run at the same time.
ShapeLayer order_of_blocks(const ShownLaunch& launch, const MapPlaces& map)
{
    const Theme& theme = launch.theme;
    const LaunchFacts& facts = *launch.side.facts;
    std::vector<ImVec2> places; // beside the centre, so that the colour of the state stays visible
    for (uint32_t block = 0; block < facts.places.size(); ++block)
        if (facts.find(block) != nullptr) {
            const Box box = map.box_of(block);
            places.push_back({box.min.x + box.width() * 0.35f, box.min.y + box.height() * 0.7f});
        }
    const Box size = map.box_of(0);
    ShapeLayer layer;
    for (std::size_t i = 1; i < places.size(); ++i) {
        const ImVec2 from = places[i - 1], to = places[i];
        const bool neighbours =
            std::abs(to.x - from.x) < 1.5f * size.width() && std::abs(to.y - from.y) < 1.5f * size.height();
        const Colour colour = draw::with_alpha(theme.ink, neighbours ? 0.5f : 0.12f);
        if (layer.shapes.empty() || layer.shapes.back().stroke != colour)
            layer.shapes.push_back({.kind = Shape::Kind::line, .points = {from}, .stroke = colour});
        layer.shapes.back().points.push_back(to);
    }
    const Shape begin{.kind = Shape::Kind::circle, .box = draw::around(places.front(), theme.px(4)), .fill = theme.ink};
    layer.shapes.push_back(said_of(begin, {.name = launch.named("order of blocks")}));
    return layer;
}

} // namespace

Colour idle_colour(const Theme& theme)
{
    return mix(theme.panel, theme.warning, 0.45f);
}

Colour wave_colour(const Theme& theme, uint32_t wave)
{
    return category_colour(theme, wave);
}

void add_lanes(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacementPicture& picture = *launch.side.picture();
    const Theme& theme = launch.theme;
    const float resident = theme.px(54), gap = theme.px(6);
    // If there is little room, the rows of all SMs have priority.
    const float free = box.height() - resident - 2 * gap - theme.px(100);
    float one = launch.side.selected() ? theme.px(height_of_slot(picture)) * static_cast<float>(picture.slots) : 0;
    one = one <= free ? one : 0;
    const std::vector<Box> parts = one > 0 ? rows(box, {share_of_rest(), pixels(one), pixels(resident)}, gap)
                                           : rows(box, {share_of_rest(), pixels(resident)}, gap);
    add_sms(figure, launch, parts.front());
    if (one > 0)
        add_one_sm(figure, launch, parts[1]);
    add_resident(figure, launch, parts.back());
}

void add_map(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    Panel panel{.id = "map:" + launch.stage.slug, .box = box, .title = map_title(launch, box.width())};
    panel.legend = map_legend(launch, true);
    Box area = layers_box(launch.theme, panel);
    area.max = {std::round(area.max.x), std::round(area.max.y)};
    const MapPlaces places{launch.side.facts->grid, area};
    constexpr float least = 7; // smallest block, in pixels, through which the order line is drawn
    const Box block = places.box_of(0);
    const bool in_order = launch.side.picture() != nullptr && launch.side.facts->placed()->blocks.size() > 1 &&
                          std::min(block.width(), block.height()) >= launch.theme.px(least);
    panel.legend = map_legend(launch, in_order);
    panel.layers.emplace_back(cells_of(launch, places));
    if (in_order)
        panel.layers.emplace_back(order_of_blocks(launch, places));
    panel.layers.emplace_back(lines_between_tiles(launch, places));
    figure.panels.push_back(std::move(panel));
}

} // namespace viz
