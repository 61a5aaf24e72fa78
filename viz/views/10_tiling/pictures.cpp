#include "viz/views/10_tiling/facts.h"

#include "viz/analysis/counted.h"
#include "viz/analysis/hierarchy.h"
#include "viz/draw/matrix_picture.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace viz {

namespace {

using recording::Recording;
using recording::Space;

// Names the shape for tests and files, if marks are recorded.
Shape marked(const TilingPart& part, Shape shape, const std::string& name)
{
    return part.frame.marks == nullptr ? shape : said_of(std::move(shape), {.name = part.name(name)});
}

// Returns whether the copy to a cell of a shared tile is under way.
bool is_coming(const TilingFacts& facts, uint8_t array, const Cell& cell)
{
    return std::ranges::any_of(facts.filled[array][TilingFacts::coming], [&](const CellRect& rect) {
        return cell.row - rect.row < rect.rows && cell.col - rect.col < rect.cols;
    });
}

// Describes an element of an array: which thread computes it, or what the cell of a shared tile holds and where it is.
Rich element_words(const TilingFacts& facts, uint8_t array, const Cell& cell)
{
    const recording::Array& of = facts.recording.arrays[array];
    const std::string name = element_name(of.name, {cell});
    if (array == array_C) {
        const auto owner = owner_of(facts.recording, cell.row, cell.col);
        return owner ? rich("{}: computed by {}", name, describe(*owner, facts.recording))
                     : rich("{}: {}", name,
                            owners_known(facts.recording) == OwnersKnown::all ? "written by no thread"
                                                                              : "its store was not recorded");
    }
    if (of.space != recording::Space::shared)
        return rich("{}", name);
    const Origin origin = facts.tiling.contents().at(array, cell);
    const uint64_t byte = of.offset_of(cell.row, cell.col);
    const bool coming = is_coming(facts, array, cell);
    const std::string holds =
        origin.kind == Origin::Kind::element
            ? (coming ? "gets " : "holds ") + element_name(facts.recording.arrays[origin.array].name, {origin.cell})
        : origin.kind == Origin::Kind::outside ? "holds 0, for an element outside the matrix"
                                               : "is not filled yet";
    return rich("{} {}{}; byte {} of the tile, bank {}", name, holds,
                coming ? ", whose copy is under way: no lane may read it before the wait" : "", byte,
                model::bank_of(byte));
}

// Returns an ink that has contrast with the background at a position.
Colour ink_at(const TilingPart& part, const std::vector<MatrixLayer::Part>& parts, const Cell& place)
{
    const auto holds = [&](const CellRect& rect) {
        return place.row - rect.row < rect.rows && place.col - rect.col < rect.cols;
    };
    for (auto above = parts.rbegin(); above != parts.rend(); ++above)
        if (std::ranges::any_of(above->cells, holds))
            return ink_on(above->colour);
    return part.theme().ink;
}

Colour phase_colour(const Theme& theme, PhaseKind kind)
{
    switch (kind) {
    case PhaseKind::load: return theme.load;
    case PhaseKind::compute: return theme.compute;
    case PhaseKind::store: return theme.store;
    case PhaseKind::wait:
    case PhaseKind::barrier: break;
    }
    return theme.barrier;
}

using ValueOf = std::function<std::optional<double>(const Cell&)>;

// All layers of the matrices, and the labels above them.
class Matrices {
public:
    Matrices(const TilingPart& shown, const TilingLayout& places)
        : part(shown), facts(shown.facts), theme(shown.theme()), layout(places)
    {
    }

    std::vector<Layer> make(const std::optional<ImVec2>& lane_at)
    {
        for (uint8_t array = 0; array < 3; ++array) {
            const MatrixFrame& frame = layout.operands[array];
            if (frame.shape.rows > 0) // otherwise the operation lacks this operand
                array < array_C ? add_source(frame, array) : add_result(frame);
        }
        for (const TilingLayout::Tile& tile : layout.tiles)
            add_tile(tile.frame, tile.array);
        add_move(lane_at);
        clear_arrow();
        std::vector<Label> names = std::move(arrays);
        ShapeLayer grounds; // drawn below names
        for (const Label& name : names) {
            const ImVec2 size = draw::measure(theme.mono_bold, name.words);
            grounds.shapes.push_back(box_shape(
                {{name.at.x, name.at.y - size.y / 2}, {name.at.x + size.x + theme.px(2), name.at.y + size.y / 2}},
                theme.background));
        }
        layers.emplace_back(std::move(grounds));
        std::ranges::move(labels, std::back_inserter(names));
        layers.emplace_back(LabelLayer{std::move(names)});
        return std::move(layers);
    }

private:
    // Adds the step's accesses above the others, and values if elements have room. `values` returns the values of
    // elements, for tips too.
    void add_marked(MatrixLayer layer, uint8_t array, ValueOf values)
    {
        const MatrixFrame& frame = layer.frame;
        layer.parts.push_back({placed(frame, facts.highlight.all[array]), part.accent(), 2});
        layer.parts.push_back({placed(frame, facts.highlight.lane[array]), theme.ink, 3});
        layer.widest = widest_value(part.recording());
        const recording::Array& of = part.recording().arrays[array];
        const bool named = draw::names_fit(theme, of, frame.cell);
        layer.value = [this_part = &part, parts = layer.parts, shape = frame.shape, &of, named,
                       values = std::move(values)](const Cell& cell) {
            const auto value = values(cell);
            return draw::NamedValue{element_name(of.name, {cell}),
                                    value ? short_value(this_part->recording(), *value) : "",
                                    ink_at(*this_part, parts, map_place(shape, cell)), named};
        };
        layer.tip = [this_part = &part, array](const Cell& cell) {
            return element_words(this_part->facts, array, cell);
        };
        if (array == array_C)
            layer.click = [this_part = &part](const Cell& cell) -> Action {
                const auto owner = owner_of(this_part->recording(), cell.row, cell.col);
                if (!owner)
                    return {};
                return [cell, owner](const ViewScene& scene) { select_element(scene, cell, owner); };
            };
        layers.emplace_back(std::move(layer));
        add_name(frame, of);
    }

    void add_name(const MatrixFrame& frame, const recording::Array& array)
    {
        const std::string extent = frame.shape.wrapped
                                       ? fmt::format("{}: {}", array.name, thousands(uint64_t{array.cols}))
                                       : fmt::format("{} {} x {}", array.name, array.rows, array.cols);
        const bool guessed = is_guessed(part.recording(), array);
        const std::string names[] = {guessed ? extent + " (guessed)" : extent, guessed ? array.name : extent,
                                     array.name};
        arrays.push_back(words_at({frame.corner.x, frame.corner.y - name_height}, Label::Side::right,
                                  draw::first_fitting(theme.mono_bold, frame.box().width(), names),
                                  {.colour = theme.ink, .strong = true, .must = true}));
    }

    void add_label(const Box& box, std::string words, Colour colour)
    {
        if (draw::measure(theme.mono, words).x > box.width())
            return;
        labels.push_back(
            words_at(box.middle(), Label::Side::middle, std::move(words), {.colour = colour, .mono = true}));
        rooms.resize(labels.size());
        rooms.back() = box;
    }

    // Moves labels away from the arrow, within their boxes. If they cannot avoid it, they have a background of their
    // own.
    void clear_arrow()
    {
        const auto crossed = [&](const Label& label) {
            const ImVec2 size = draw::measure(theme.mono, label.words);
            const Box around{{label.at.x - size.x / 2 - 3, label.at.y - size.y / 2},
                             {label.at.x + size.x / 2 + 3, label.at.y + size.y / 2}};
            return std::ranges::any_of(arrow_points, [&](const ImVec2& point) { return around.holds(point); });
        };
        for (std::size_t i = 0; i < rooms.size(); ++i) {
            Label& label = labels[i];
            const ImVec2 middle = label.at;
            const float aside = (rooms[i].width() - draw::measure(theme.mono, label.words).x) / 2 - theme.px(4);
            for (const float x : {middle.x + aside, middle.x - aside})
                if (crossed(label) && aside > 0)
                    label.at.x = x;
            if (!crossed(label))
                continue;
            label.at = middle;
            label.plate = true;
        }
    }

    // Returns the parts that are computed and, in a load phase, those that are loaded.
    std::vector<MatrixLayer::Part> source_parts(const MatrixFrame& frame, uint8_t array) const
    {
        std::vector<MatrixLayer::Part> parts;
        const auto fill = [&](const std::vector<CellRect>& rects, Colour colour) {
            if (!rects.empty())
                parts.push_back({placed(frame, rects), colour, 2});
        };
        const PhaseKind kind = facts.current().kind;
        const bool loads = kind == PhaseKind::load;
        if (kind != PhaseKind::store && (!loads || facts.interrupts))
            fill(facts.slice[array], phase_colour(theme, loads ? PhaseKind::compute : kind));
        if (loads && array < facts.now.arrays.size())
            fill(facts.now.arrays[array].read, theme.load);
        fill(facts.walk[array], theme.compute);
        return parts;
    }

    void add_source(const MatrixFrame& frame, uint8_t array)
    {
        MatrixLayer ground{.frame = frame}, above{.frame = frame, .parts = source_parts(frame, array), .bare = true};
        if (const auto& band = facts.tiling.bands()[array].bounds; band && !frame.shape.wrapped)
            ground.parts.push_back({{*band}, mix(theme.panel, theme.ink, 0.08f), 2});
        ShapeLayer lines;
        add_k_tiles(ground, lines, above.parts, array);
        add_blocks(frame, lines, array, false);
        if (!above.parts.empty())
            lines.shapes.push_back(marked(part, box_shape(frame.box_of(above.parts.front().cells.front()), 0),
                                          array == array_A ? "slice of A" : "slice of B"));
        layers.emplace_back(std::move(ground));
        layers.emplace_back(std::move(lines));
        add_marked(std::move(above), array, [this_part = &part, array](const Cell& cell) {
            return value_of(this_part->recording(), array, cell);
        });
    }

    // Adds lines between k-tiles, and their numbers. With split-K, a k-tile has the colour of its slice.
    void add_k_tiles(MatrixLayer& ground, ShapeLayer& lines, const std::vector<MatrixLayer::Part>& above, uint8_t array)
    {
        const bool sliced = is_split(facts.k_tiles), several = facts.k_tiles.size() > 1, of_a = array == array_A;
        const MatrixFrame& frame = ground.frame;
        const std::size_t each = numbered_tiles(frame, of_a);
        for (std::size_t i = 0; i < facts.k_tiles.size(); ++i) {
            const KTile& tile = facts.k_tiles[i];
            const CellRect rect = of_a ? CellRect{0, tile.first, frame.shape.rows, tile.count}
                                       : CellRect{tile.first, 0, tile.count, frame.shape.cols};
            if (sliced && tile.slice)
                ground.parts.push_back(
                    {{rect},
                     mix(theme.panel, category_colour(theme, *tile.slice), tile.number >= 0 ? 0.55f : 0.28f),
                     1});
            if (!several)
                continue;
            const Box box = frame.box_of(rect);
            lines.shapes.push_back(marked(part, {.box = box, .stroke = draw::with_alpha(theme.border, 0.9f)},
                                          fmt::format("k-tile {} of {}", i + 1, of_a ? "A" : "B")));
            if (i % each != 0)
                continue;
            const Box all = frame.box(), room = number_room(box, all, of_a, each);
            const Box corner = of_a ? Box{{room.min.x, room.max.y - theme.px(18)}, room.max}
                                    : Box{{room.max.x - theme.px(22), room.min.y}, room.max};
            const Cell last{rect.row + rect.rows - 1, rect.col + rect.cols - 1};
            const Colour ink = each > 1 ? theme.ink : ink_at(part, above, last);
            if (corner.height() >= draw::line_height(theme.mono) - 3)
                add_label(corner, std::to_string(number_in_slice(facts.k_tiles, i)),
                          ink == theme.ink ? theme.ink_quiet : ink);
        }
    }

    // Returns n such that the number of each n-th k-tile fits.
    std::size_t numbered_tiles(const MatrixFrame& frame, bool of_a) const
    {
        if (facts.k_tiles.empty())
            return 1;
        const uint32_t count = facts.k_tiles.front().count;
        const std::string widest = std::to_string(facts.k_tiles.size());
        const float tile = static_cast<float>(count) * (of_a ? frame.cell : frame.cell_height());
        const float needed =
            of_a ? draw::measure(theme.mono, widest).x + theme.px(6) : draw::line_height(theme.mono) - 3;
        return every_nth(facts.k_tiles.size(), tile, needed);
    }

    // Returns the box for a k-tile's number. It includes neighbouring k-tiles without numbers.
    static Box number_room(const Box& tile, const Box& all, bool of_a, std::size_t each)
    {
        const float beside = static_cast<float>(each / 2);
        if (of_a) {
            const float more =
                std::min({beside * tile.width(), tile.min.x - all.min.x + 1, all.max.x - tile.max.x + 1});
            return {{tile.min.x - more, tile.min.y}, {tile.max.x + more, tile.max.y}};
        }
        const float more = std::min({beside * tile.height(), tile.min.y - all.min.y + 4, all.max.y - tile.max.y + 4});
        return {{tile.min.x, tile.min.y - more}, {tile.max.x, tile.max.y + more}};
    }

    void add_result(const MatrixFrame& frame)
    {
        MatrixLayer ground{.frame = frame};
        const auto fill = [&](const std::vector<CellRect>& rects, float share, float least) {
            ground.parts.push_back({placed(frame, rects), mix(theme.panel, theme.ink, share), least});
        };
        fill(facts.tiling.tile(), 0.1f, 2);
        fill(facts.warp_tile, 0.2f, 2);
        fill(facts.thread_tile, 0.34f, 3);
        ShapeLayer lines;
        for (const CellRect& rect : ground.parts.back().cells)
            lines.shapes.push_back(outline_around(frame.box_of(rect), theme.ink, 1));
        const bool numbers = draw::values_fit(theme, widest_value(part.recording()), frame);
        if (facts.warp_tile.size() == 1 && !frame.shape.wrapped && !numbers)
            add_label(frame.box_of(facts.warp_tile.front()), fmt::format("warp {}", part.focus.warp_index), theme.ink);
        add_blocks(frame, lines, array_C, !numbers);
        // The selected element may belong to a lane that is not shown.
        const auto& c = part.frame.selection.c;
        const auto holds = [&](const CellRect& rect) {
            return c->first - rect.row < rect.rows && c->second - rect.col < rect.cols;
        };
        if (c && std::ranges::any_of(facts.thread_tile, holds))
            for (const CellRect& rect : placed(frame, std::vector<Cell>{{c->first, c->second}}))
                lines.shapes.push_back(outline_around(frame.box_of(rect), theme.ink));
        layers.emplace_back(std::move(ground));
        layers.emplace_back(std::move(lines));
        // The sums that the lanes of the warp have accumulated so far.
        add_marked({.frame = frame, .bare = true}, array_C, [&of = facts](const Cell& cell) -> std::optional<double> {
            const bool own = std::ranges::binary_search(of.warp_results, cell);
            return own && of.added ? of.sums.up_to(cell, *of.added) : std::nullopt;
        });
    }

    // Adds the parts of other blocks (rows of A, columns of B, tiles of C) if they are rectangles like those of this
    // block. `named`: tiles have room for the names of blocks.
    void add_blocks(const MatrixFrame& frame, ShapeLayer& lines, uint8_t array, bool named)
    {
        const std::optional<CellRect>& tile = facts.tiling.whole_tile();
        const auto own = bounds(facts.tiling.tile_cells());
        if (!tile || !own || frame.shape.wrapped)
            return;
        const uint32_t rows = frame.shape.rows, cols = frame.shape.cols;
        const uint32_t high = array == array_B ? rows : tile->rows, wide = array == array_A ? cols : tile->cols;
        for (uint32_t row = array == array_B ? 0 : tile->row % high; row < rows; row += high)
            for (uint32_t col = array == array_A ? 0 : tile->col % wide; col < cols; col += wide) {
                const Box box = frame.box_of({row, col, std::min(high, rows - row), std::min(wide, cols - col)});
                if (box.width() < 3 || box.height() < 3)
                    continue;
                Shape edge{.box = box, .stroke = theme.border};
                const auto owner = array == array_C ? owner_of(part.recording(), row, col) : std::nullopt;
                if (owner) {
                    const std::string index = index_text(owner->block_index, part.recording().launch.grid);
                    edge = marked(part, std::move(edge), "tile of block " + index);
                    if (named)
                        add_block_name(box, index, row == own->row && col == own->col);
                }
                lines.shapes.push_back(std::move(edge));
            }
    }

    void add_block_name(const Box& box, const std::string& index, bool own)
    {
        const Colour ink = own ? theme.ink : theme.ink_faint;
        const std::string name = "block " + index;
        if (box.height() >= theme.px(40) && draw::measure(theme.mono, name).x <= box.width())
            add_label({{box.min.x, box.max.y - theme.px(20)}, box.max}, name, ink);
        else if (box.height() >= theme.px(24)) // otherwise it would touch the names above it
            add_label(box, index, ink);
    }

    void add_tile(const MatrixFrame& frame, uint8_t array)
    {
        MatrixLayer layer{.name = part.name("tile " + part.recording().arrays[array].name), .frame = frame};
        const auto& filled = facts.filled[array];
        const auto fill = [&](std::vector<CellRect> rects, Colour colour) {
            layer.parts.push_back({std::move(rects), colour, 1});
        };
        fill(filled[TilingFacts::older], mix(theme.panel, theme.ink, 0.22f));
        fill(filled[TilingFacts::meanwhile], theme.compute);
        fill(filled[TilingFacts::ahead], mix(theme.panel, theme.load, 0.45f));
        fill(filled[TilingFacts::coming], mix(theme.panel, theme.load, 0.15f));
        fill(filled[TilingFacts::outside], mix(theme.panel, theme.ink, 0.16f));
        fill(filled[TilingFacts::current_slice], phase_colour(theme, facts.current().kind));
        ShapeLayer examples;
        if (const std::vector<CellRect>& coming = filled[TilingFacts::coming]; !coming.empty()) {
            for (const CellRect& rect : coming)
                examples.shapes.push_back({.box = frame.box_of(rect), .stroke = theme.load});
            add_label(frame.box(), "copy under way", theme.ink);
        }
        if (facts.races != nullptr) {
            fill(cover(facts.races->overwrite.cells[array]), mix(theme.panel, theme.barrier, 0.5f));
            fill(cover(facts.races->read.cells[array]), theme.barrier);
            for (const Race* race : {&facts.races->read, &facts.races->overwrite})
                if (race->example && race->example->array == array)
                    add_example(frame, examples, *race->example, race == &facts.races->read);
        }
        add_marked(std::move(layer), array, [&of = facts, array](const Cell& cell) -> std::optional<double> {
            if (is_coming(of, array, cell))
                return {};
            const Origin held = of.tiling.contents().at(array, cell);
            return held.kind == Origin::Kind::element ? value_of(of.recording, held.array, held.cell) : std::nullopt;
        });
        layers.emplace_back(std::move(examples));
    }

    // Adds an element that, without this barrier, would be read or overwritten too early, and beside the tile's name the
    // warps that would do so.
    void add_example(const MatrixFrame& frame, ShapeLayer& shapes, const RaceExample& example, bool reads)
    {
        const recording::Array& array = part.recording().arrays[example.array];
        const Box box = frame.box_of({example.cell.row, example.cell.col, 1, 1});
        shapes.shapes.push_back(
            marked(part, outline_around(box, theme.ink), reads ? "read too early" : "overwritten too early"));
        rooms.clear(); // a barrier moves no data, so labels need not avoid an arrow
        const std::string early = fmt::format("warp {}", example.after_warp),
                          late = fmt::format("warp {}", example.before_warp),
                          order[] = {fmt::format("{} {} before {} {}", early, reads ? "reads" : "stores", late,
                                                 reads ? "stores" : "reads"),
                                     fmt::format("{} before {}", early, late), ""};
        const std::string name = fmt::format("{} {} x {}", array.name, array.rows, array.cols);
        const float room = frame.box().width() - draw::measure(theme.mono_bold, name).x - theme.px(12);
        if (std::string words = draw::first_fitting(theme.text, room, order); !words.empty())
            labels.insert(labels.begin(), words_at({frame.box().max.x, frame.corner.y - name_height}, Label::Side::left,
                                                   std::move(words), {.colour = theme.ink}));
    }

    struct Move {
        std::optional<Box> from, to;
        std::string target;
    };

    const MatrixFrame* frame_of(std::size_t array) const
    {
        if (array < 3)
            return layout.operands[array].shape.rows > 0 ? &layout.operands[array] : nullptr;
        for (const TilingLayout::Tile& tile : layout.tiles)
            if (tile.array == array)
                return &tile.frame;
        return nullptr;
    }

    // Returns the first of these cells or rectangles. It is a point in its middle if elements have no room for values,
    // which an arrow would hide.
    template <class Cells>
    std::optional<Box> box_of(std::size_t array, const std::vector<Cells>& cells) const
    {
        const MatrixFrame* frame = frame_of(array);
        if (frame == nullptr || cells.empty())
            return {};
        const Box box = frame->box_of(placed(*frame, std::vector<Cells>{cells.front()}).front());
        return draw::values_fit(theme, widest_value(part.recording()), *frame) ? box : Box{box.middle(), box.middle()};
    }

    // Returns where the way from the middle of a box towards a point leaves the box.
    static ImVec2 edge_towards(const Box& box, const ImVec2& point)
    {
        const ImVec2 middle = box.middle(), way{point.x - middle.x, point.y - middle.y};
        const float across = std::abs(way.x), down = std::abs(way.y);
        const float share = std::min(across > 0 ? box.width() / 2 / across : 1, down > 0 ? box.height() / 2 / down : 1);
        return {middle.x + way.x * std::min(share, 1.0f), middle.y + way.y * std::min(share, 1.0f)};
    }

    Move move_of(const std::optional<ImVec2>& lane_at) const
    {
        const recording::Access& access = part.focus.access();
        const Highlight& highlight = facts.highlight;
        if (!has_addresses(access) || !takes_part(access, part.lane()) || access.array >= highlight.lane.size())
            return {};
        const auto at = [&](std::size_t array) { return box_of(array, highlight.lane[array]); };
        const std::optional<Box> lane = lane_at ? std::optional(Box{*lane_at, *lane_at}) : std::nullopt;
        const recording::Array& array = part.recording().arrays[access.array];
        const bool shared = array.space == Space::shared;
        if (is_store(access.op)) {
            if (shared) // the element of A or B is highlighted, too
                for (const std::size_t matrix : {array_A, array_B})
                    if (auto from = at(matrix))
                        return {from, at(access.array), array.name};
            return {lane, at(access.array), array.name};
        }
        if (!shared && !layout.tiles.empty()) // values from global memory then stay in the lane
            return {at(access.array), lane, "lane"};
        return {at(access.array), box_of(array_C, facts.thread_tile), part.recording().arrays[array_C].name};
    }

    void add_move(const std::optional<ImVec2>& lane_at)
    {
        const Move move = move_of(lane_at);
        if (!move.from || !move.to)
            return;
        const ImVec2 from = edge_towards(*move.from, move.to->middle()),
                     to = edge_towards(*move.to, move.from->middle()), way{to.x - from.x, to.y - from.y};
        const float length = std::hypot(way.x, way.y), size = theme.px(8);
        if (length < 3 * size)
            return;
        const ImVec2 across{-way.y / length, way.x / length};
        // Bends the arrow, so that it does not coincide with borders: to the right if there is room. Arrows from or to
        // a lane, at the bottom of the picture, bend upwards.
        const bool at_lane = lane_at && (from.y == lane_at->y || to.y == lane_at->y);
        const float bow = length * ((at_lane ? across.y > 0 : across.x < 0) ? -0.12f : 0.12f);
        const auto beside = [&](float share) {
            return ImVec2{from.x + way.x * share + across.x * bow, from.y + way.y * share + across.y * bow};
        };
        const ImVec2 out = beside(1.0f / 3), in = beside(2.0f / 3);
        const float end = std::hypot(to.x - in.x, to.y - in.y);
        const ImVec2 head{(to.x - in.x) / end * size, (to.y - in.y) / end * size};
        const ImVec2 neck{to.x - head.x, to.y - head.y}, side{-head.y * 0.6f, head.x * 0.6f};
        const std::vector<ImVec2> curve{from, out, in, neck};
        constexpr int samples = 200;
        for (int i = 0; i <= samples; ++i)
            arrow_points.push_back(curve_at(curve, static_cast<float>(i) / samples));
        using Kind = Shape::Kind;
        ShapeLayer arrow{.clipped = false}; // the arrow may end in the panel of the lanes
        arrow.shapes = {{.kind = Kind::curve, .points = curve, .stroke = theme.background, .thick = 5},
                        {.kind = Kind::curve, .points = curve, .stroke = part.accent(), .thick = 2.5f},
                        {.kind = Kind::polygon,
                         .points = {{neck.x + side.x, neck.y + side.y}, {neck.x - side.x, neck.y - side.y}, to},
                         .fill = part.accent()},
                        {.kind = Kind::circle, .box = draw::around(from, theme.px(3.5f)), .fill = part.accent()},
                        marked(part,
                               box_shape({{std::min(from.x, to.x), std::min(from.y, to.y)},
                                          {std::max(from.x, to.x), std::max(from.y, to.y)}},
                                         0),
                               "move to " + move.target)};
        layers.emplace_back(std::move(arrow));
    }

    const TilingPart& part;
    const TilingFacts& facts;
    const Theme& theme;
    const TilingLayout& layout;
    // From a matrix up to the middle of its name.
    float name_height = draw::row_height(theme, 4, theme.mono) - draw::line_height(theme.mono_bold) / 2;
    std::vector<Layer> layers;
    std::vector<Label> labels, arrays; // `arrays` are the names of arrays
    std::vector<Box> rooms;            // the boxes of `labels`
    std::vector<ImVec2> arrow_points;
};

} // namespace

void add_product(std::vector<Layer>& layers, const TilingPart& part, const Box& box, ProductKind kind,
                 const ProductOperands& of)
{
    const Theme& theme = part.theme();
    const recording::Recording& recording = part.recording();
    const bool outer = kind == ProductKind::outer, own = kind == kind_of(*part.facts.product);
    const ThreadProduct& shown = part.facts.product->results() > 1 ? *part.facts.product : example_product;
    const uint32_t rows = outer ? shown.rows : 1, cols = outer ? shown.cols : 1,
                   ks = static_cast<uint32_t>(of.ks.size());
    const float gap = theme.px(4);
    // If a block's results are a wide band, its cells are high, so that it fills the place.
    const bool band = outer && std::max(rows, cols) > 4 * std::min(rows, cols);
    const MatrixFrame all =
        filling({{box.min.x + gap, box.min.y + gap}, box.max}, plain_shape(rows + ks, cols + ks), band ? 12 : 2);
    const float across = all.cell * static_cast<float>(ks), down = all.cell_height() * static_cast<float>(ks);
    const ImVec2 corner{std::round(box.min.x + across + gap), std::round(box.min.y + down + gap)};
    const bool known = of.rows.size() == rows && of.cols.size() == cols; // otherwise the product is an example
    const auto add = [&](ImVec2 at, uint32_t high, uint32_t wide, Colour colour, const ValueOf& value_at) {
        const Colour face = own ? colour : mix(theme.panel, colour, 0.45f);
        MatrixLayer layer{.frame = {at, all.cell, plain_shape(high, wide), all.stretch},
                          .parts = {{{{0, 0, high, wide}}, face, 1}}};
        std::vector<std::string> words; // row after row
        for (uint32_t i = 0; known && i < high * wide; ++i) {
            const std::optional<double> value = value_at({i / wide, i % wide});
            words.push_back(value ? short_value(recording, *value) : "");
            if (words.back().size() > layer.widest.size())
                layer.widest = words.back();
        }
        if (!layer.widest.empty())
            layer.value = [words = std::move(words), wide, ink = ink_on(face)](const Cell& cell) {
                return draw::NamedValue{"", words[cell.row * wide + cell.col], ink, false};
            };
        layers.emplace_back(std::move(layer));
    };
    const auto a = [&](uint32_t row, uint32_t k) { return value_of(recording, array_A, {of.rows[row], of.ks[k]}); };
    const auto b = [&](uint32_t k, uint32_t col) { return value_of(recording, array_B, {of.ks[k], of.cols[col]}); };
    add({corner.x - gap - across, corner.y}, rows, ks, theme.compute,
        [&](const Cell& at) { return a(at.row, at.col); });
    add({corner.x, corner.y - gap - down}, ks, cols, theme.compute, [&](const Cell& at) { return b(at.row, at.col); });
    add(corner, rows, cols, part.accent(), [&](const Cell& at) -> std::optional<double> {
        if (!outer) // the sum up to the step
            return part.facts.sums.up_to({of.rows[0], of.cols[0]}, of.k + 1);
        const auto left = a(at.row, 0), above = b(0, at.col);
        return left && above ? std::optional(double{*left} * *above) : std::nullopt;
    });
}

Rich race_legend(const TilingPart& part)
{
    const BarrierRaces* const races = part.facts.races;
    if (races == nullptr || races->overwrite.accesses == 0)
        return {};
    return rich("{}overwritten too early without it, {}the rest of the values.",
                Swatch{mix(part.theme().panel, part.theme().barrier, 0.5f)}, Swatch{part.theme().barrier});
}

std::vector<Layer> matrix_layers(const TilingPart& part, const TilingLayout& layout,
                                 const std::optional<ImVec2>& lane_at)
{
    return Matrices(part, layout).make(lane_at);
}

} // namespace viz
