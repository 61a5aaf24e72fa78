// Pictures over and beside the map of C: numbers, rulers, A and B, and the sum of an element.
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/draw/numbers.h"
#include "viz/draw/sum_terms.h"
#include "viz/views/20_threads/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace viz {

using recording::Recording;

namespace {

std::string block_words(const Owner& owner, const recording::Launch& launch)
{
    return index_text(owner.block_index, launch.grid);
}

bool numbers_each_cell(const ThreadPicture& picture)
{
    const ImVec2 least = draw::measure(picture.theme.mono, "00");
    return picture.camera.cell() >= std::max(least.x, least.y) + picture.theme.px(2);
}

std::vector<CellRect> cells_in_sight(const ThreadPicture& picture)
{
    const PanZoom::Rect seen = picture.camera.seen();
    const MapShape& shape = picture.facts.shape;
    const auto first = [](double at) { return static_cast<uint32_t>(std::max(0.0, std::floor(at))); };
    const auto end = [](double at, uint32_t all) { return std::min(static_cast<uint32_t>(std::ceil(at)), all); };
    std::vector<CellRect> cells;
    for (uint32_t row = first(seen.y); row < end(seen.y + seen.height, shape.rows); ++row)
        for (uint32_t col = first(seen.x); col < end(seen.x + seen.width, shape.cols); ++col)
            cells.push_back({row, col, 1, 1});
    return cells;
}

// Returns a short form for cells with room for one line, followed by everything known about the owner.
std::vector<std::string> owner_lines(const ThreadPicture& picture, Cell element, const Owner& owner, bool each_cell)
{
    const std::string block = block_words(owner, picture.facts.recording.launch);
    const uint32_t number = picture.by == ColourBy::warp             ? owner.warp
                            : picture.by == ColourBy::lane           ? owner.lane
                            : picture.by == ColourBy::sm && owner.sm ? *owner.sm
                                                                     : owner.thread;
    std::vector<std::string> lines{picture.by == ColourBy::block && !each_cell ? block : fmt::format("{}", number)};
    if (owner.sm)
        lines.push_back(fmt::format("SM {}", *owner.sm));
    for (std::string line : {picture.facts.name_of(element), fmt::format("thread {}", owner.thread),
                             fmt::format("warp {}, lane {}", owner.warp, owner.lane), "block " + block})
        lines.push_back(std::move(line));
    return lines;
}

// Tells what the digits in C mean, because they are not values.
std::string what_numbers_say(const ThreadPicture& picture)
{
    const bool threads = picture.by == ColourBy::block && numbers_each_cell(picture);
    const char* of = threads ? "thread" : owner_names[static_cast<std::size_t>(picture.by)];
    return picture.numbers.empty() ? "" : fmt::format("numbers in C: {}s", of);
}

// Draws A and B with the parts that an element of C, its thread, its warp and its block need, and the element's sum.
class ProductPainter {
public:
    explicit ProductPainter(const ThreadPicture& with)
        : picture(with), facts(with.facts), theme(with.theme), element(*with.facts.element),
          terms(with.facts.recording.problem.K)
    {
        for (const bool of_a : {true, false})
            if (const Box& box = of_a ? picture.places.a : picture.places.b; draw::pointed_at(box))
                if (const auto cell = frame_of(of_a).element_under(ImGui::GetMousePos()))
                    term = of_a ? cell->col : cell->row;
    }

    Panel operand(bool of_a) const
    {
        const std::size_t array = of_a ? 0 : 1;
        const Recording& recording = facts.recording;
        const std::string of_stage = facts.stage.number == 0 ? "" : " of " + facts.stage.slug;
        const auto shade = [&](float share) { return mix(theme.panel, picture.accent(), share); };
        MatrixLayer layer{.frame = frame_of(of_a), .widest = std::string(widest_value(recording))};
        layer.parts = {{bands(facts.marks.block, of_a), shade(0.2f)},
                       {bands(facts.marks.warp, of_a), shade(0.35f)},
                       {bands(facts.marks.thread, of_a), shade(0.6f)},
                       {bands({{element.row, element.col, 1, 1}}, of_a), theme.ink, 2,
                        (of_a ? "row of A" : "column of B") + of_stage}};
        if (term)
            layer.parts.push_back({{of_a ? CellRect{element.row, *term, 1, 1} : CellRect{*term, element.col, 1, 1}},
                                   picture.accent(),
                                   theme.px(5)});
        layer.value = [&recording, array, element = element, ink = theme.ink,
                       named = draw::names_fit(theme, recording.arrays[array], layer.frame.cell)](const Cell& cell) {
            const auto value = value_of(recording, array, cell);
            const bool lit = array == 0 ? cell.row == element.row : cell.col == element.col;
            return value ? draw::NamedValue{element_name(recording.arrays[array].name, {cell}),
                                            short_value(recording, *value), lit ? ink_on(ink) : ink, named}
                         : draw::NamedValue{};
        };
        layer.tip = [of_a, element = element](const Cell& cell) {
            const uint32_t k = of_a ? cell.col : cell.row;
            return rich("{} times {}: one term of **{}**", element_name("A", {{element.row, k}}),
                        element_name("B", {{k, element.col}}), element_name("C", {element}));
        };
        return {.id = (of_a ? "A of " : "B of ") + facts.stage.slug,
                .box = of_a ? picture.places.a : picture.places.b,
                .layers = {std::move(layer)},
                .is_picture = false,
                .camera = &picture.camera};
    }

    // Returns the owner's name, and as many terms as fit, always including the last one.
    Panel sum() const
    {
        const Box& box = picture.places.sum;
        const float line = draw::row_height(theme, 2, theme.mono);
        std::vector<Label> labels;
        const auto write = [&](Label label) {
            label.at = {box.min.x, box.min.y + line * (static_cast<float>(labels.size()) + 0.5f)};
            label.distance = 0;
            label.side = Label::Side::right;
            labels.push_back(std::move(label));
        };
        if (const auto owner = owner_of(facts.recording, element.row, element.col)) {
            const std::string thread = fmt::format("thread {}", owner->thread),
                              block = "block " + block_words(*owner, facts.recording.launch) + " · " + thread,
                              words[] = {fmt::format("{} · warp {} · lane {}", block, owner->warp, owner->lane), block,
                                         thread};
            write({.words = draw::first_fitting(theme.text, box.width(), words), .colour = picture.accent()});
        }
        write({.words = fmt::format("C({},{}) =", element.row, element.col), .colour = theme.ink, .strong = true});
        const Box below{{box.min.x, box.min.y + line * static_cast<float>(labels.size())}, box.max};
        std::ranges::move(
            draw::sum_terms(theme, below, {facts.recording, element, theme.ink_quiet, term, picture.accent()}),
            std::back_inserter(labels));
        return {.id = "sum of " + facts.stage.slug,
                .box = box,
                .layers = {LabelLayer{std::move(labels)}},
                .is_picture = false};
    }

private:
    MatrixFrame frame_of(bool of_a) const
    {
        const Box& box = of_a ? picture.places.a : picture.places.b;
        const ImVec2 origin = picture.camera.to_screen(0, 0);
        const auto cell = static_cast<float>(picture.camera.cell()), all = static_cast<float>(terms);
        const float across = box.width() / all, down = box.height() / all; // size of one term
        return of_a ? MatrixFrame{{box.min.x, origin.y}, across, plain_shape(facts.shape.rows, terms), cell / across}
                    : MatrixFrame{{origin.x, box.min.y}, cell, plain_shape(terms, facts.shape.cols), down / cell};
    }

    // Returns the parts of A (rows) or B (columns) that these cells of C need.
    std::vector<CellRect> bands(std::vector<CellRect> cells, bool of_a) const
    {
        for (CellRect& rect : cells)
            rect = of_a ? CellRect{rect.row, 0, rect.rows, terms} : CellRect{0, rect.col, terms, rect.cols};
        return cells;
    }

    const ThreadPicture& picture;
    const ThreadFacts& facts;
    const Theme& theme;
    Cell element;
    uint32_t terms;
    std::optional<uint32_t> term = {}; // under the pointer, in A or B
};

} // namespace

ThreadPlaces thread_places(const Theme& theme, const ThreadFacts& facts, const Box& box)
{
    const ImVec2 ruler = ruler_size(theme, facts.shape), end{std::floor(box.max.x), std::floor(box.max.y)};
    if (!facts.has_product())
        return {{{std::round(box.min.x + ruler.x), std::round(box.min.y + ruler.y)}, end}};
    const float gap = theme.px(8), title = draw::line_height(theme.text) + theme.px(3);
    const float longest = draw::longest_term(theme, facts.recording) + theme.px(2);
    const float least_a = std::max(longest, box.width() * 0.22f), least_b = std::max(theme.px(90), box.height() * 0.2f);
    const float width = box.width() - ruler.x - gap - least_a, height = box.height() - ruler.y - gap - least_b;
    const auto rows = static_cast<float>(facts.shape.rows), cols = static_cast<float>(facts.shape.cols);
    const float cell = std::max(0.001f, std::min(width / cols, height / rows));
    const ImVec2 corner{std::floor(box.max.x - cell * cols), std::floor(box.max.y - cell * rows)};
    ThreadPlaces places{{corner, end}};
    places.a = {{box.min.x, corner.y}, {corner.x - ruler.x - gap, end.y}};
    places.b = {{corner.x, box.min.y}, {end.x, corner.y - ruler.y - gap}};
    places.sum = {box.min, {places.a.max.x, corner.y - title - theme.px(4)}};
    return places;
}

std::vector<Label> owner_numbers(const ThreadPicture& picture)
{
    ImFont* const font = picture.theme.mono;
    const Recording& recording = picture.facts.recording;
    const float high = draw::line_height(font), edge = picture.theme.px(6);
    const bool each_cell = numbers_each_cell(picture);
    const std::vector<Colour> palette = owner_palette(picture.theme, picture.by);
    const auto* regions =
        picture.facts.stage.memo_later<owner_regions>(recording.owner.size() <= elements_in_frame, picture.by);
    const std::vector<CellRect> cells = each_cell ? cells_in_sight(picture) : std::vector<CellRect>();
    std::vector<Label> labels;
    for (const CellRect& rect : each_cell || regions == nullptr ? cells : *regions) {
        const Box box = picture.box_of(rect);
        const auto element = map_element(picture.facts.shape, {rect.row, rect.col});
        const auto owner = element ? owner_of(recording, element->row, element->col) : std::nullopt;
        if (!owner || box.height() < high || !box.overlaps(picture.places.map))
            continue;
        std::vector<std::string> lines = owner_lines(picture, *element, *owner, each_cell);
        const auto fits = [&](const std::string& words) { return draw::measure(font, words).x + edge <= box.width(); };
        if (each_cell && std::ranges::all_of(lines, fits) && high * static_cast<float>(lines.size()) <= box.height())
            lines.erase(lines.begin());
        else
            lines.resize(draw::measure(font, lines.front()).x <= box.width() ? 1 : 0);
        Label label{.colour = ink_on(palette[palette_index(recording, picture.by, *owner)]),
                    .side = Label::Side::middle,
                    .must = true,
                    .mono = true};
        label.at = {box.middle().x, box.middle().y - high * (static_cast<float>(lines.size()) - 1) / 2};
        for (std::string& line : lines) {
            label.words = std::move(line);
            labels.push_back(label);
            label.at.y += high;
        }
    }
    return labels;
}

std::vector<Layer> layers_over_map(const ThreadPicture& picture)
{
    const ThreadFacts& facts = picture.facts;
    ShapeLayer frames;
    const auto frame = [&](const CellRect& rect, Colour colour, float thick) {
        if (const Box box = picture.box_of(rect); box.overlaps(picture.places.map))
            add_frame(frames.shapes, picture.theme, box, colour, thick);
    };
    for (const CellRect& rect : facts.marks.block) {
        frame(rect, picture.theme.ink, 1);
        if (facts.stage.number == 0)
            frames.shapes.push_back(said_of({.box = picture.box_of(rect)}, {.name = "selected block"}));
    }
    for (const CellRect& rect : facts.marks.warp)
        frame(rect, picture.accent(), 1.5f);
    for (const CellRect& rect : facts.marks.thread)
        frame(rect, picture.theme.ink, 2);
    if (facts.element && picture.camera.cell() >= 4) {
        const Cell place = map_place(facts.shape, *facts.element);
        frame({place.row, place.col, 1, 1}, picture.theme.ink, 2);
    }
    MatrixLayer map{.name = facts.stage.number == 0 ? "map of C" : "map of C of " + facts.stage.slug,
                    .frame = picture.frame(),
                    .bare = true};
    map.tip = [facts](const Cell& element) { return element_words(facts, element); };
    map.click = [&recording = facts.recording](const Cell& element) -> Action {
        return [&recording, element](const ViewScene& scene) {
            select_element(scene, element, owner_of(recording, element.row, element.col));
        };
    };
    return {std::move(frames), LabelLayer{picture.numbers}, std::move(map)};
}

// Its box contains the other panels, so it is the picture that they belong to.
Panel edges(const ThreadPicture& picture)
{
    const Theme& theme = picture.theme;
    const ThreadPlaces& places = picture.places;
    const ImVec2 ruler = ruler_size(theme, picture.facts.shape);
    Panel panel{.id = "edges of " + picture.facts.stage.slug,
                .box = {{places.map.min.x - ruler.x, places.map.min.y - ruler.y}, places.map.max},
                .layers = {MatrixLayer{.frame = picture.frame(), .bare = true, .ruled = places.map}}};
    if (!picture.facts.has_product())
        return panel;
    panel.box.min = {places.a.min.x, places.b.min.y};
    LabelLayer names;
    const auto name = [&](std::string words, float x, float y, Label::Side side) {
        names.labels.push_back({.words = std::move(words), .at = {x, y}, .distance = 0, .side = side});
    };
    const float line = draw::line_height(theme.text), above = places.a.min.y - line / 2 - theme.px(3);
    name("A", places.a.min.x, above, Label::Side::right);
    name(what_numbers_say(picture), places.a.max.x, above, Label::Side::left);
    name("B", places.b.min.x - theme.px(4), places.b.min.y + line / 2, Label::Side::left);
    panel.layers.emplace_back(std::move(names));
    return panel;
}

std::vector<Panel> product_panels(const ThreadPicture& picture)
{
    const ProductPainter painter(picture);
    return {painter.operand(true), painter.operand(false), painter.sum()};
}

} // namespace viz
