// Pictures of a launch: blocks on SMs over time, C by blocks, and which block sums which part of K.
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/08_placement/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

namespace {

struct TimeUnit {
    double ns = 1;
    const char* name = " ns";
};
TimeUnit unit_of(const TimeWindow& time)
{
    return time.span() >= 2e6 ? TimeUnit{1e6, " ms"} : time.span() >= 2000 ? TimeUnit{1e3, " µs"} : TimeUnit{};
}

// Makes one of three charts over time. They share an axis, and the line at the time at which C is shown.
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

Rich block_tip(const PlacementSide& side, const PlacedBlock& block)
{
    const Rich words = block_words(side.recording(), block);
    return side.shipped ? words : rich("{}. Click to select it.", words);
}

LaneLayer::Row sm_row(const ShownLaunch& launch, const PlacedLanes& lanes, uint32_t sm, uint32_t slot)
{
    const PlacementPicture& picture = *launch.side.picture();
    const auto spans = lanes.row(std::size_t{sm} * lanes.rows_of_sm + slot);
    const auto block_at = [spans, &picture](std::size_t i) {
        return spans[i].block == PlacedLanes::no_block ? nullptr : &picture.blocks[spans[i].block];
    };
    LaneLayer::Row row{.name = {}, .count = spans.size(), .at = {}};
    row.at = [=, &theme = launch.theme, unit = unit_of(launch.time).ns](std::size_t i) -> LaneLayer::Interval {
        const PlacedBlock* const block = block_at(i);
        return {static_cast<double>(spans[i].from_ns) / unit, static_cast<double>(spans[i].until_ns) / unit,
                block == nullptr ? idle_colour(theme) : category_colour(theme, block->wave)};
    };
    row.tip = [=, &picture, &side = launch.side](std::size_t i) {
        const PlacedBlock* const block = block_at(i);
        return block == nullptr ? idle_sm_words(picture, sm, spans[i]) : block_tip(side, *block);
    };
    row.click = [block_at, select = launch.select](const ViewScene& scene, std::size_t i) {
        if (const PlacedBlock* const block = block_at(i))
            select(scene, block->block);
    };
    row.words = [block_at](std::size_t i) {
        const PlacedBlock* const block = block_at(i);
        return block == nullptr ? std::string() : std::to_string(block->block);
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

// Frames blocks: fully recorded ones inside, the selected one outside.
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
                lanes.frames.back().colour = ink_on(category_colour(launch.theme, block->wave));
            }
    if (const PlacedBlock* block = launch.side.selected()) {
        lanes.frames.push_back(frame_of(launch, *block, row_of_block(*block)));
        lanes.frames.back().name = launch.named("block selected");
    }
}

// Returns as much of the colours' legend as fits on one line. Later waves repeat the nine colours.
std::vector<LegendEntry> legend_of(const PlacementPicture& picture, const Theme& theme, float wide, bool more, double t)
{
    constexpr uint32_t most_waves_named = 9;
    const bool repeats = picture.waves > most_waves_named;
    const float rest = theme.px((repeats ? 420.0f : 300.0f) + (more ? 140.0f : 0.0f)), each = theme.px(38);
    const auto fitting = static_cast<uint32_t>(std::clamp((wide - rest) / each, 1.0f, float{most_waves_named}));
    std::vector<LegendEntry> legend{{0, "wave"}};
    for (uint32_t wave = 0; wave < std::min(picture.waves, fitting); ++wave)
        legend.push_back({category_colour(theme, wave), std::to_string(wave + 1)});
    if (picture.waves > fitting)
        legend.push_back({0, fmt::format("... {}{}", picture.waves, repeats ? ", colours repeat" : "")});
    const std::size_t idle = idle_sms(picture, static_cast<uint64_t>(t)).size();
    legend.push_back({idle_colour(theme), fmt::format("no block: {} now", counted(idle, "SM"))});
    if (more)
        legend.push_back({draw::empty_colour(theme), "room for one more"});
    return legend;
}

void add_sms(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacementPicture& picture = *launch.side.picture();
    const Theme& theme = launch.theme;
    const double unit = unit_of(launch.time).ns;
    const float height = box.height() / static_cast<float>(picture.sms);
    constexpr float least = 1.5f; // pixels; with smaller slots, an SM has one row: the block that started last
    const bool by_slot = height / static_cast<float>(std::max(picture.slots, 1u)) >= least;
    const PlacedLanes& placed = launch.stage.memo<lanes_of_launch>(launch.side.facts, by_slot);
    LaneLayer lanes = lanes_over_time(launch, "SMs");
    lanes.gap = 1;
    for (uint32_t sm = 0; sm < picture.sms; ++sm)
        for (uint32_t slot = 0; slot < placed.rows_of_sm; ++slot) {
            LaneLayer::Row row = sm_row(launch, placed, sm, slot);
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
    auto legend = legend_of(picture, theme, box.width(), placed.rows_of_sm > 1, launch.now);
    add_chart(figure, launch, {.id = "SMs:" + launch.stage.slug, .box = box, .legend = legend}, std::move(lanes));
}

// Returns 0 if the rows of all SMs already show slots.
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
        lanes.rows.push_back(sm_row(launch, placed, selected.sm, slot));
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
    row.at = [=, &picture, &launch, full = static_cast<float>(std::max<uint64_t>(most, 1))](std::size_t i) {
        const double from = static_cast<double>(picture.resident[i].ns), unit = unit_of(launch.time).ns;
        return LaneLayer::Interval{from / unit, static_cast<double>(until(i)) / unit, launch.theme.ink_faint,
                                   static_cast<float>(picture.resident[i].blocks) / full};
    };
    row.tip = [=, &picture](std::size_t i) {
        const ResidentStep& step = picture.resident[i];
        return rich("**{}** of {} blocks that fit at once, {} to {}", step.blocks, most,
                    nanoseconds(static_cast<double>(step.ns)), nanoseconds(static_cast<double>(until(i))));
    };
    row.most = thousands(most);
    lanes.rows = {std::move(row)};
    lanes.apart = false;
    lanes.kept = launch.side.resident;
    add_chart(figure, launch, {.id = "resident:" + launch.stage.slug, .box = box}, std::move(lanes));
}

Colour state_colour(const ShownLaunch& launch, BlockState state)
{
    const Colour accent = launch.theme.accent(launch.stage.number), quiet = launch.theme.panel;
    return state == BlockState::running ? accent : state == BlockState::done ? mix(quiet, accent, 0.4f) : quiet;
}

// Returns the legend of the map, with the number of blocks of each colour.
std::vector<LegendEntry> map_legend(const ShownLaunch& launch, bool in_order)
{
    const PlacedBlocks& placed = *launch.side.facts->placed();
    if (launch.side.picture() == nullptr)
        return {{0, fmt::format("the colour and the number are the SM's: {} of {}", placed.sms_used, placed.sms)}};
    std::vector<LegendEntry> legend;
    for (const auto& [state, name] : {std::pair{BlockState::done, "done"}, std::pair{BlockState::running, "running"},
                                      std::pair{BlockState::waiting, "waiting"}}) {
        const auto is_in = [&, of = state](const PlacedBlock& block) { return state_at(block, launch.now) == of; };
        const auto count = static_cast<uint64_t>(std::ranges::count_if(placed.blocks, is_in));
        legend.push_back({state_colour(launch, state), fmt::format("{} {}", thousands(count), name)});
    }
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
        const MatrixFrame frame{area.min, width, plain_shape(rows(), grid.cols), height / width};
        return frame.box_of({row_of(block), grid.place(block).col});
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
    cells.tip = [=, &side = launch.side](uint32_t row, uint32_t col) { return block_tip(side, *find(row, col)); };
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
    const Box& area = places.area;
    const float height = area.height() / static_cast<float>(places.grid.rows);
    for (uint32_t row = 1; places.grid.parts > 1 && row < places.grid.rows; ++row) {
        const float y = std::round(area.min.y + height * static_cast<float>(row));
        const Box line{{area.min.x, y - launch.theme.px(2)}, {area.max.x, y}};
        lines.shapes.push_back(
            said_of(box_shape(line, launch.theme.ink_quiet), {.name = launch.named("between tiles")}));
    }
    return lines;
}

// Returns a line through the blocks in the order of their numbers, in which the hardware starts them. It shows which
// neighbours in C run at the same time.
ShapeLayer order_of_blocks(const ShownLaunch& launch, const MapPlaces& map)
{
    const LaunchFacts& facts = *launch.side.facts;
    std::vector<ImVec2> places; // beside the centres, so that the colour of the state is visible
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
        const Colour colour = draw::with_alpha(launch.theme.ink, neighbours ? 0.5f : 0.12f);
        if (layer.shapes.empty() || layer.shapes.back().stroke != colour)
            layer.shapes.push_back({.kind = Shape::Kind::line, .points = {from}, .stroke = colour});
        layer.shapes.back().points.push_back(to);
    }
    const Shape begin{
        .kind = Shape::Kind::circle, .box = draw::around(places.front(), launch.theme.px(4)), .fill = launch.theme.ink};
    layer.shapes.push_back(said_of(begin, {.name = launch.named("order of blocks")}));
    return layer;
}

const WorkFacts& facts_of(const ShownLaunch& launch)
{
    return *launch.side.work.facts();
}

// A part of K in a row of a chart: its index in TileWork::parts, and where it begins on the chart's axis.
struct PlacedPart {
    std::size_t part = 0;
    double from = 0;
};

LaneLayer::Row parts_row(const ShownLaunch& launch, const WorkCase& shown, std::size_t count,
                         std::function<PlacedPart(std::size_t)> at)
{
    const TileWork& work = shown.work;
    LaneLayer::Row row{.name = {}, .count = count, .at = {}};
    row.at = [at, &work, &theme = launch.theme](std::size_t i) -> LaneLayer::Interval {
        const PlacedPart placed = at(i);
        const WorkPart& part = work.parts[placed.part];
        return {placed.from, placed.from + part.count, work_colour(theme, part, part.count == work.k_tiles)};
    };
    row.tip = [at, &launch, &shown](std::size_t i) {
        return part_words(facts_of(launch), shown, at(i).part, launch.side.work.K());
    };
    if (&shown == &facts_of(launch).launched())
        row.click = [at, &launch, &work](const ViewScene& scene, std::size_t i) {
            launch.select(scene, work.parts[at(i).part].block);
        };
    row.words = [at, &work](std::size_t i) { return std::to_string(work.parts[at(i).part].block); };
    return row;
}

// Frames the selected block's parts. `place` returns the row and the beginning of a part, or nothing if it is not
// visible.
void frame_selected(LaneLayer& lanes, const ShownLaunch& launch,
                    const std::function<std::optional<std::pair<std::size_t, double>>(std::size_t part)>& place)
{
    const TileWork& work = facts_of(launch).launched().work;
    if (launch.side.block)
        for (const std::size_t part : parts_of_block(work, *launch.side.block))
            if (const auto at = place(part))
                lanes.frames.push_back({.row = at->first,
                                        .from = at->second,
                                        .until = at->second + work.parts[part].count,
                                        .colour = launch.theme.ink});
}

// Makes lanes along K that are `k_tiles` wide.
LaneLayer lanes_along_k(const ShownLaunch& launch, const std::string& name, uint64_t k_tiles)
{
    LaneLayer lanes{
        .time = {.least = 0, .most = static_cast<double>(std::max<uint64_t>(1, k_tiles)), .logarithmic = false}};
    lanes.name = launch.named(name);
    lanes.axis_name = "k-tiles";
    lanes.apart = true;
    return lanes;
}

// Adds C with its tiles. They have the proportions of C unless the cells of a narrow C would then be too small.
void add_tiles_of_c(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const WorkSide& side = launch.side.work;
    const WorkCase& shown = facts_of(launch).launched();
    const TileWork& work = shown.work;
    Panel panel{.id = "tiles of C:" + launch.stage.slug,
                .box = box,
                .title = fmt::format("C: {} x {} tiles", work.rows, work.cols),
                .figure = rich("{} recorded {} by its rule", NumberOrigin::recorded, NumberOrigin::derived)};
    const Box room = layers_box(launch.theme, panel);
    const auto rows = static_cast<float>(work.rows * work.BM), cols = static_cast<float>(work.cols * work.BN);
    const float scale = std::min(room.width() / cols, room.height() / rows);
    LaneLayer lanes = lanes_along_k(launch, "work map", uint64_t{work.cols} * work.k_tiles);
    lanes.with_axis = false;
    lanes.box = Box{room.min,
                    {room.min.x + std::max(cols * scale, room.width() * 0.4f),
                     room.min.y + std::round(std::max(rows * scale, room.height() * 0.4f))}};
    const auto from = [&work](std::size_t part) {
        return static_cast<double>(work.places[work.parts[part].tile].col) * work.k_tiles + work.parts[part].first;
    };
    for (uint32_t row = 0; row < work.rows; ++row) {
        const auto parts = side.row_of_c(row);
        lanes.rows.push_back(parts_row(launch, shown, parts.size(), [parts, from](std::size_t i) {
            return PlacedPart{parts[i], from(parts[i])};
        }));
    }
    frame_selected(lanes, launch, [&](std::size_t part) {
        return std::optional(std::pair(std::size_t{work.places[work.parts[part].tile].row}, from(part)));
    });
    lanes.kept = side.map;
    panel.layers.emplace_back(std::move(lanes));
    figure.panels.push_back(std::move(panel));
}

void add_last_tiles(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const Theme& theme = launch.theme;
    const WorkCase& shown = facts_of(launch).launched();
    const TileWork& work = shown.work;
    const float height = box.height() - draw::row_height(theme, 3) - draw::line_height(theme.mono) - theme.px(6);
    const auto rows_of = [&](float each) { return static_cast<uint32_t>(std::max(1.0f, height / theme.px(each))); };
    const LastTiles last = last_tiles(facts_of(launch), launch.side.block, rows_of(14), rows_of(22));
    LaneLayer lanes = lanes_along_k(launch, "last tiles", work.k_tiles);
    for (const uint32_t tile : last.tiles) {
        const auto parts =
            std::span(shown.by_tile.parts)
                .subspan(shown.by_tile.first[tile], shown.by_tile.first[tile + 1] - shown.by_tile.first[tile]);
        LaneLayer::Row row = parts_row(launch, shown, parts.size(), [parts, &work](std::size_t i) {
            return PlacedPart{parts[i], static_cast<double>(work.parts[parts[i]].first)};
        });
        row.name = fmt::format("{},{}", work.places[tile].row, work.places[tile].col);
        row.id = launch.named("tile " + row.name);
        row.origin = [parts, &work](std::size_t i) {
            return work.parts[parts[i]].recorded ? NumberOrigin::recorded : NumberOrigin::derived;
        };
        lanes.rows.push_back(std::move(row));
    }
    frame_selected(lanes, launch, [&](std::size_t part) {
        const auto at = std::ranges::find(last.tiles, work.parts[part].tile);
        const auto row = static_cast<std::size_t>(at - last.tiles.begin());
        return at == last.tiles.end() ? std::nullopt
                                      : std::optional(std::pair(row, static_cast<double>(work.parts[part].first)));
    });
    const std::string name = shown.by_tile.cut.empty() ? "last tiles" : "last tiles, cut along K";
    const std::string titles[] = {
        last.tiles.size() < last.all ? fmt::format("{}, {} of {}", name, last.tiles.size(), last.all) : name, name};
    figure.panels.push_back({.id = "last tiles:" + launch.stage.slug,
                             .box = box,
                             .title = draw::first_fitting(theme.text, box.width(), titles),
                             .layers = {std::move(lanes)}});
}

LaneLayer::Row lane_row(const ShownLaunch& launch, const WorkCase& shown, std::size_t lane)
{
    const auto& spans = shown.lanes.lanes[lane];
    LaneLayer::Row row = parts_row(launch, shown, spans.size(), [&spans](std::size_t i) {
        return PlacedPart{spans[i].part, static_cast<double>(spans[i].from)};
    });
    // Idle time up to the end of the last lane is amber.
    const uint64_t end = shown.lanes.end_of(lane, shown.work);
    if (end >= shown.lanes.length)
        return row;
    const LaneLayer::Row work = row;
    ++row.count;
    row.at = [work, end, all = shown.lanes.length, idle = idle_colour(launch.theme)](std::size_t i) {
        return i < work.count ? work.at(i)
                              : LaneLayer::Interval{static_cast<double>(end), static_cast<double>(all), idle};
    };
    row.tip = [work, &launch, &shown, lane](std::size_t i) {
        return i < work.count ? work.tip(i) : idle_lane_words(facts_of(launch), shown, lane);
    };
    if (work.click)
        row.click = [work](const ViewScene& scene, std::size_t i) {
            if (i < work.count)
                work.click(scene, i);
        };
    row.words = [work](std::size_t i) { return i < work.count ? work.words(i) : std::string(); };
    return row;
}

// The lanes are `most` k-tiles wide.
void add_work_lanes(Figure& figure, const ShownLaunch& launch, const WorkCase& shown, uint64_t most, const Box& box)
{
    const Theme& theme = launch.theme;
    const WorkFacts& facts = facts_of(launch);
    const bool launched = &shown == &facts.launched(), cut = &shown == &facts.cut;
    LaneLayer lanes = lanes_along_k(launch, cut ? "lanes cut" : "lanes whole", most);
    // The names have the same width for both kinds of lanes, so that the lanes of two stages are aligned.
    lanes.names = std::max(lane_names(theme, "place 0"), lane_names(theme, "SM 000"));
    for (std::size_t lane = 0; lane < shown.lanes.lanes.size(); ++lane) {
        lanes.rows.push_back(lane_row(launch, shown, lane));
        lanes.rows.back().name = lane > 0 ? std::to_string(lane) : facts.on_sms ? "SM 0" : "place 0";
    }
    if (launched)
        frame_selected(lanes, launch, [&](std::size_t part) {
            const WorkSide::LanePlace at = launch.side.work.lane_of(part);
            return std::optional(std::pair(at.lane, static_cast<double>(shown.lanes.lanes[at.lane][at.span].from)));
        });
    lanes.kept = cut ? launch.side.work.cut : launch.side.work.whole;
    figure.panels.push_back({.id = (cut ? "lanes cut:" : "lanes whole:") + launch.stage.slug,
                             .box = box,
                             .title = std::string(lanes_title(facts, shown)),
                             .origin = facts.placed && launched ? NumberOrigin::recorded : NumberOrigin::derived,
                             .figure = lanes_length(shown),
                             .layers = {std::move(lanes)}});
}

} // namespace

void add_lanes(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const PlacementPicture& picture = *launch.side.picture();
    const Theme& theme = launch.theme;
    const float resident = theme.px(54), gap = theme.px(6);
    // With little room, the rows of all SMs have priority.
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
    constexpr float least = 7; // in pixels; the line of the order is not drawn through smaller blocks
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

void add_work(Figure& figure, const ShownLaunch& launch, bool alone, uint64_t most, const Box& box)
{
    const WorkFacts& facts = facts_of(launch);
    const float gap = launch.theme.px(12);
    if (!alone) { // C, its last tiles and the lanes are side by side
        const std::vector<Box> parts =
            columns(box, {share_of_rest(0.24f), share_of_rest(0.28f), share_of_rest(0.48f)}, gap);
        add_tiles_of_c(figure, launch, parts[0]);
        add_last_tiles(figure, launch, parts[1]);
        add_work_lanes(figure, launch, facts.launched(), std::max(most, facts.launched().lanes.length), parts[2]);
        return;
    }
    const std::vector<Box> parts =
        rows(box, {share_of_rest(0.42f), share_of_rest(0.29f), share_of_rest(0.29f)}, launch.theme.px(4));
    const float tiles = std::min(parts[0].height() * 1.2f, parts[0].width() * 0.4f);
    const std::vector<Box> above = columns(parts[0], {pixels(tiles), share_of_rest()}, gap);
    add_tiles_of_c(figure, launch, above[0]);
    add_last_tiles(figure, launch, beside_reduction(figure, launch, above[1]));
    most = std::max({most, facts.whole.lanes.length, facts.cut.lanes.length});
    add_work_lanes(figure, launch, facts.whole, most, parts[1]);
    add_work_lanes(figure, launch, facts.cut, most, parts[2]);
}

} // namespace viz
