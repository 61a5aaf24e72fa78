// Pictures of which block sums which part of K: C as rows of tiles, the tiles that are taken last, and lanes of blocks.
// In all of them k runs from left to right.
#include "viz/views/08_placement/pictures.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

// Several parts of K in a row of a chart.
struct PartsRow {
    const ShownLaunch& launch;
    const WorkCase& shown;
    std::function<std::size_t(std::size_t)> part; // index into TileWork::parts
    std::function<double(std::size_t)> from;      // its beginning on the chart's axis
    std::size_t count = 0;
};

const WorkFacts& facts_of(const ShownLaunch& launch)
{
    return *launch.side.work.facts();
}

LaneLayer::Row row_of(const PartsRow& of)
{
    const TileWork& work = of.shown.work;
    const bool launched = &of.shown == &facts_of(of.launch).launched();
    LaneLayer::Row row{.name = {}, .count = of.count, .at = {}};
    row.at = [of, &work, &theme = of.launch.theme](std::size_t i) -> LaneLayer::Interval {
        const WorkPart& part = work.parts[of.part(i)];
        return {of.from(i), of.from(i) + part.count, work_colour(theme, part, part.count == work.k_tiles)};
    };
    row.tip = [of](std::size_t i) {
        const WorkSide& side = of.launch.side.work;
        return part_words(*side.facts(), of.shown, of.part(i), side.K());
    };
    if (launched)
        row.click = [of, &work](const ViewScene& scene, std::size_t i) {
            of.launch.select(scene, work.parts[of.part(i)].block);
        };
    row.words = [of, &work](std::size_t i) { return std::to_string(work.parts[of.part(i)].block); };
    return row;
}

// Frames the selected block's parts.
template <class Place> // maps a part to (row, beginning on the axis), or nothing if it is not visible
void frame_selected(LaneLayer& lanes, const ShownLaunch& launch, const Place& place)
{
    const TileWork& work = facts_of(launch).launched().work;
    if (launch.side.block)
        for (const std::size_t part : parts_of_block(work, *launch.side.block))
            if (const std::optional<std::pair<std::size_t, double>> at = place(part))
                lanes.frames.push_back({.row = at->first,
                                        .from = at->second,
                                        .until = at->second + work.parts[part].count,
                                        .colour = launch.theme.ink});
}

// Adds C with its tiles in proportion, as far as the cells of a narrow C then have room.
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
    LaneLayer lanes{.time = {.least = 0, .most = static_cast<double>(work.cols * work.k_tiles), .logarithmic = false},
                    .with_axis = false};
    lanes.name = launch.named("work map");
    lanes.box = Box{room.min,
                    {room.min.x + std::max(cols * scale, room.width() * 0.4f),
                     room.min.y + std::round(std::max(rows * scale, room.height() * 0.4f))}};
    const auto from = [&work](std::size_t part) {
        return static_cast<double>(work.places[work.parts[part].tile].col) * work.k_tiles + work.parts[part].first;
    };
    for (uint32_t row = 0; row < work.rows; ++row) {
        const auto parts = side.row_of_c(row);
        lanes.rows.push_back(row_of({launch, shown, [parts](std::size_t i) { return parts[i]; },
                                     [parts, from](std::size_t i) { return from(parts[i]); }, parts.size()}));
    }
    frame_selected(lanes, launch, [&](std::size_t part) -> std::optional<std::pair<std::size_t, double>> {
        return std::pair(std::size_t{work.places[work.parts[part].tile].row}, from(part));
    });
    lanes.apart = true;
    lanes.kept = side.map;
    panel.layers.emplace_back(std::move(lanes));
    figure.panels.push_back(std::move(panel));
}

// The tiles that are taken last: split tiles and, if there is room, whole tiles of the wave before.
struct LastTiles {
    std::vector<uint32_t> tiles; // visible
    std::size_t all = 0;
};

// If not all tiles fit, returns those around the selected block's tile.
LastTiles last_tiles(const ShownLaunch& launch, float height)
{
    const WorkFacts& facts = facts_of(launch);
    const WorkCase& shown = facts.launched();
    const std::vector<uint32_t>& cut = shown.by_tile.cut;
    const auto fitting = static_cast<uint32_t>(std::max(1.0f, height / launch.theme.px(14)));
    const auto at_ease = static_cast<uint32_t>(std::max(1.0f, height / launch.theme.px(22)));
    const uint32_t until = cut.empty() ? shown.work.tiles() : cut.front();
    uint32_t before = cut.empty() ? (shown.work.tiles() - 1) % facts.places + 1 : 0; // number of whole tiles
    if (const std::size_t known = before + cut.size(); known < at_ease)
        before += std::min({static_cast<uint32_t>(at_ease - known), facts.places, until - before});
    const std::size_t all = before + cut.size(), count = std::min<std::size_t>(all, fitting);
    std::size_t from = cut.empty() ? 0 : all - count;
    const auto tile_at = [&](std::size_t i) {
        return i < before ? until - before + static_cast<uint32_t>(i) : cut[i - before];
    };
    if (launch.side.block)
        for (const std::size_t part : parts_of_block(shown.work, *launch.side.block)) {
            const uint32_t tile = shown.work.parts[part].tile;
            const auto in_cut = std::ranges::lower_bound(cut, tile);
            const bool is_cut = in_cut != cut.end() && *in_cut == tile;
            if (!is_cut && (tile < until - before || tile >= until))
                continue;
            const std::size_t at =
                is_cut ? before + static_cast<std::size_t>(in_cut - cut.begin()) : tile - (until - before);
            if (at < from || at >= from + count)
                from = std::min(at - std::min(at, count / 2), all - count);
            break;
        }
    LastTiles last{{}, all};
    for (std::size_t i = from; i < from + count; ++i)
        last.tiles.push_back(tile_at(i));
    return last;
}

void add_last_tiles(Figure& figure, const ShownLaunch& launch, const Box& box)
{
    const Theme& theme = launch.theme;
    const WorkCase& shown = facts_of(launch).launched();
    const TileWork& work = shown.work;
    const LastTiles last =
        last_tiles(launch, box.height() - draw::row_height(theme, 3) - draw::line_height(theme.mono) - theme.px(6));
    LaneLayer lanes{.time = {.least = 0, .most = static_cast<double>(work.k_tiles), .logarithmic = false}};
    lanes.name = launch.named("last tiles");
    lanes.axis_name = "k-tiles";
    for (const uint32_t tile : last.tiles) {
        const auto parts =
            std::span(shown.by_tile.parts)
                .subspan(shown.by_tile.first[tile], shown.by_tile.first[tile + 1] - shown.by_tile.first[tile]);
        LaneLayer::Row row =
            row_of({launch, shown, [parts](std::size_t i) { return parts[i]; },
                    [parts, &work](std::size_t i) -> double { return work.parts[parts[i]].first; }, parts.size()});
        row.name = fmt::format("{},{}", work.places[tile].row, work.places[tile].col);
        row.id = launch.named("tile " + row.name);
        row.origin = [parts, &work](std::size_t i) {
            return work.parts[parts[i]].recorded ? NumberOrigin::recorded : NumberOrigin::derived;
        };
        lanes.rows.push_back(std::move(row));
    }
    frame_selected(lanes, launch, [&](std::size_t part) -> std::optional<std::pair<std::size_t, double>> {
        const auto at = std::ranges::find(last.tiles, work.parts[part].tile);
        if (at == last.tiles.end())
            return {};
        return std::pair(static_cast<std::size_t>(at - last.tiles.begin()), double{1} * work.parts[part].first);
    });
    lanes.apart = true;
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
    LaneLayer::Row row = row_of({launch, shown, [&spans](std::size_t i) { return spans[i].part; },
                                 [&spans](std::size_t i) { return static_cast<double>(spans[i].from); }, spans.size()});
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

// `most` is the number of k-tiles that the width represents.
void add_work_lanes(Figure& figure, const ShownLaunch& launch, const WorkCase& shown, uint64_t most, const Box& box)
{
    const Theme& theme = launch.theme;
    const WorkFacts& facts = facts_of(launch);
    const bool launched = &shown == &facts.launched(), cut = &shown == &facts.cut;
    LaneLayer lanes{
        .time = {.least = 0, .most = static_cast<double>(std::max<uint64_t>(1, most)), .logarithmic = false}};
    lanes.name = launch.named(cut ? "lanes cut" : "lanes whole");
    lanes.axis_name = "k-tiles";
    // Uses one width for both kinds of lanes, so that the lanes of two stages are aligned.
    lanes.names = std::max(lane_names(theme, "place 0"), lane_names(theme, "SM 000"));
    for (std::size_t lane = 0; lane < shown.lanes.lanes.size(); ++lane) {
        lanes.rows.push_back(lane_row(launch, shown, lane));
        lanes.rows.back().name = lane > 0 ? std::to_string(lane) : facts.on_sms ? "SM 0" : "place 0";
    }
    if (launched)
        frame_selected(lanes, launch, [&](std::size_t part) -> std::optional<std::pair<std::size_t, double>> {
            const WorkSide::LanePlace at = launch.side.work.lane_of(part);
            return std::pair(at.lane, static_cast<double>(shown.lanes.lanes[at.lane][at.span].from));
        });
    lanes.apart = true;
    lanes.kept = cut ? launch.side.work.cut : launch.side.work.whole;
    figure.panels.push_back({.id = (cut ? "lanes cut:" : "lanes whole:") + launch.stage.slug,
                             .box = box,
                             .title = std::string(lanes_title(facts, shown)),
                             .origin = facts.placed && launched ? NumberOrigin::recorded : NumberOrigin::derived,
                             .figure = lanes_length(shown),
                             .layers = {std::move(lanes)}});
}

} // namespace

Colour work_colour(const Theme& theme, const WorkPart& part, bool whole)
{
    const Colour colour = category_colour(theme, part.block);
    return whole ? mix(theme.panel, colour, 0.5f) : colour;
}

void add_work(Figure& figure, const ShownLaunch& launch, bool alone, uint64_t most, const Box& box)
{
    const WorkFacts& facts = facts_of(launch);
    const float gap = launch.theme.px(12);
    if (!alone) { // places C, its last tiles and the lanes side by side
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
    add_last_tiles(figure, launch, above[1]);
    most = std::max({most, facts.whole.lanes.length, facts.cut.lanes.length});
    add_work_lanes(figure, launch, facts.whole, most, parts[1]);
    add_work_lanes(figure, launch, facts.cut, most, parts[2]);
}

} // namespace viz
