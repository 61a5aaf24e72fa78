// The threads view: which thread computes which element of C.
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/values.h"
#include "viz/draw/camera.h"
#include "viz/draw/focus.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/gl/grid.h"
#include "viz/view_options.h"
#include "viz/views/20_threads/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_threads_view();

namespace {

using recording::Moment;
using recording::Recording;

// The input of the pictures.
struct ThreadPicture {
    const ThreadFacts& facts;
    const ThreadPlaces& places;
    PanZoom& camera; // over the map
    const Theme& theme;
    ColourBy by = ColourBy::block;
    std::vector<Label> numbers = {}; // in the cells of C

    Colour accent() const { return theme.accent(facts.stage.number); }
    MatrixFrame frame() const
    {
        return {camera.to_screen(0, 0), static_cast<float>(camera.cell()), facts.shape,
                static_cast<float>(camera.cell_height() / camera.cell())};
    }
    Box box_of(const CellRect& place) const { return camera.to_screen(PanZoom::of(place)); }
};

struct ThreadsOptions {
    std::optional<ColourBy> colour = {}; // chosen by the user
    bool network = false;                // shows the product as a layer of a network instead of its threads
};
void fields(auto& visit, kernels::Like<ThreadsOptions> auto& options)
{
    visit("colour", options.colour, OneOf{owner_names});
    visit("network", options.network);
}

// Returns whether the largest number fits into a cell. The numbers of all cells are printed, or none.
bool numbers_each_cell(const ThreadPicture& picture)
{
    const Recording& recording = picture.facts.recording;
    const uint32_t largest = largest_number(recording, picture.by);
    const ImVec2 least = draw::measure(picture.theme.mono, std::string(std::to_string(largest).size(), '0'));
    const float margin = picture.theme.px(2);
    return picture.camera.cell() >= least.x + margin && picture.camera.cell_height() >= least.y + margin;
}

std::vector<CellRect> cells_in_sight(const ThreadPicture& picture)
{
    std::vector<CellRect> cells;
    draw::each_element(picture.frame(), picture.places.map, [&](const Cell& element, const Box&) {
        const Cell place = map_place(picture.facts.shape, element);
        cells.push_back({place.row, place.col, 1, 1});
    });
    return cells;
}

// Returns whether subtiles are shown. They are not if lanes or threads have numbers.
bool shows_subtiles(const ThreadPicture& picture)
{
    const bool of_tiles = picture.by == ColourBy::block || picture.by == ColourBy::warp;
    return picture.facts.subtiles != nullptr && of_tiles && !numbers_each_cell(picture);
}

// Says what the numbers in C mean, because they are not its values.
std::string what_numbers_say(const ThreadPicture& picture)
{
    const bool threads = picture.by == ColourBy::block && numbers_each_cell(picture);
    const std::string_view of = threads ? "thread" : owner_names[static_cast<std::size_t>(picture.by)];
    const char* order = shows_subtiles(picture) ? ", subtiles in order" : "";
    return picture.numbers.empty() ? "" : fmt::format("numbers in C: {}s{}", of, order);
}

// Draws A and B with the parts that an element of C, its thread, its warp and its block need. Also draws the sum of the
// element.
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
        const auto shade = [&](float share) { return mix(theme.panel, picture.accent(), share); };
        MatrixLayer layer{.frame = frame_of(of_a), .widest = std::string(widest_value(recording))};
        layer.parts = {{bands(facts.marks.block, of_a), shade(0.2f)},
                       {bands(facts.marks.warp, of_a), shade(0.35f)},
                       {bands(facts.marks.thread, of_a), shade(0.6f)},
                       {bands({{element.row, element.col, 1, 1}}, of_a), theme.ink, 2,
                        facts.stage.named(of_a ? "row of A" : "column of B")}};
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

    // Returns a panel with the owner's name and as many terms as fit, including the last one.
    Panel sum() const
    {
        const Box& box = picture.places.sum;
        const float line = draw::row_height(theme, 2, theme.mono);
        std::vector<Label> labels;
        const auto write = [&](std::string words, Label look) {
            const float y = box.min.y + line * (static_cast<float>(labels.size()) + 0.5f);
            labels.push_back(words_at({box.min.x, y}, Label::Side::right, std::move(words), std::move(look)));
        };
        if (const auto owner = owner_of(facts.recording, element.row, element.col)) {
            const std::string thread = fmt::format("thread {}", owner->thread),
                              block = "block " + block_words(*owner, facts.recording.launch) + " · " + thread,
                              words[] = {fmt::format("{} · warp {} · lane {}", block, owner->warp, owner->lane), block,
                                         thread};
            write(draw::first_fitting(theme.text, box.width(), words), {.colour = picture.accent()});
        }
        write(fmt::format("C({},{}) =", element.row, element.col), {.colour = theme.ink, .strong = true});
        const Box below{{box.min.x, box.min.y + line * static_cast<float>(labels.size())}, box.max};
        std::ranges::move(sum_terms(theme, below, {facts.recording, element, theme.ink_quiet, term, picture.accent()}),
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
    std::optional<uint32_t> term = {}; // under the mouse, in A or B
};

std::vector<Label> value_numbers(const ThreadPicture& picture, const ValueRange& range)
{
    const std::vector<Colour> palette = owner_palette(picture.theme, ColourBy::value);
    std::vector<Label> labels;
    for (const CellRect& rect : cells_in_sight(picture)) {
        const auto element = map_element(picture.facts.shape, {rect.row, rect.col});
        const auto value =
            element ? recorded_value(picture.facts.recording, array_C, *element, Moment::after) : std::nullopt;
        const Box box = picture.box_of(rect);
        if (!value)
            continue;
        const double number = value.value(); // not *value: GCC 12 would warn that it may be uninitialized
        std::string words = value_text(number);
        if (draw::measure(picture.theme.mono, words).x + picture.theme.px(2) > box.width())
            continue;
        labels.push_back(
            words_at(box.middle(), Label::Side::middle, std::move(words),
                     {.colour = ink_on(palette[palette_index(range, number)]), .must = true, .mono = true}));
    }
    return labels;
}

// Returns what the names of blocks and warps must not cross: outlines of the selection, and numbered subtiles.
Obstacles obstacles_in(const ThreadPicture& picture)
{
    Obstacles found;
    const auto add = [&](std::vector<Box>& to, const CellRect& rect) {
        if (const Box box = picture.box_of(rect); box.overlaps(picture.places.map))
            to.push_back(box);
    };
    const MapMarks& marks = picture.facts.marks;
    for (const std::vector<CellRect>* const some : {&marks.block, &marks.warp, &marks.thread})
        for (const CellRect& rect : *some)
            add(found.frames, rect);
    if (shows_subtiles(picture))
        for (const Subtile& one : *picture.facts.subtiles)
            add(found.filled, one.cells);
    return found;
}

std::vector<Label> owner_numbers(const ThreadPicture& picture)
{
    if (picture.by == ColourBy::value)
        if (const auto& range = picture.facts.stage.memo<value_range>())
            return numbers_each_cell(picture) ? value_numbers(picture, *range) : std::vector<Label>();
    ImFont* const font = picture.theme.mono;
    const Recording& recording = picture.facts.recording;
    const float high = draw::line_height(font);
    const bool each_cell = numbers_each_cell(picture);
    const std::vector<Colour> palette = owner_palette(picture.theme, picture.by);
    const auto* regions =
        picture.facts.stage.memo_later<owner_regions>(recording.owner.size() <= elements_in_frame, picture.by);
    const std::vector<CellRect> cells = each_cell ? cells_in_sight(picture) : std::vector<CellRect>();
    const Obstacles obstacles = each_cell ? Obstacles() : obstacles_in(picture);
    const ImVec2 size{static_cast<float>(picture.camera.cell()), static_cast<float>(picture.camera.cell_height())};
    const std::vector<std::size_t> details = lines_with_room(picture.theme, picture.facts, cells, size);
    std::vector<Label> labels;
    for (const CellRect& rect : each_cell || regions == nullptr ? cells : *regions) {
        const Box box = picture.box_of(rect);
        const auto element = map_element(picture.facts.shape, {rect.row, rect.col});
        const auto owner = element ? owner_of(recording, element->row, element->col) : std::nullopt;
        if (!owner || box.height() < high || !box.overlaps(picture.places.map))
            continue;
        std::vector<std::string> lines;
        if (details.size() > 1) {
            const std::vector<std::string> all = owner_lines(picture.facts, *element, *owner);
            for (const std::size_t i : details)
                lines.push_back(i < all.size() ? all[i] : std::string());
        } else if (std::string words = owner_name(picture.facts, *owner, picture.by, each_cell);
                   draw::measure(font, words).x <= box.width()) {
            lines.push_back(std::move(words));
        }
        Label label{.colour = ink_on(palette[palette_index(recording, picture.by, *owner)]),
                    .side = Label::Side::middle,
                    .must = true,
                    .mono = true};
        label.at = {box.middle().x, box.middle().y - high * (static_cast<float>(lines.size()) - 1) / 2};
        if (!each_cell && !lines.empty()) { // with one line, the whole region has room for it
            const auto place = clear_place(box, draw::measure(font, lines.front()), obstacles, picture.theme.px(3));
            if (!place)
                continue;
            label.at = *place;
        }
        for (std::string& line : lines) {
            label.words = std::move(line);
            labels.push_back(label);
            label.at.y += high;
        }
    }
    return labels;
}

// Draws the subtiles of the selected warp. They are filled if their values are in registers, and the last of these is
// darkest. Numbers show their order; the names of owners avoid these.
void add_subtiles(ShapeLayer& shapes, std::vector<Label>& numbers, const ThreadPicture& picture)
{
    const std::vector<Subtile>& all = *picture.facts.subtiles;
    const Theme& theme = picture.theme;
    const float margin = theme.px(4);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Box box = picture.box_of(all[i].cells);
        if (!box.overlaps(picture.places.map))
            continue;
        const bool last = all[i].ready && (i + 1 == all.size() || !all[i + 1].ready);
        shapes.shapes.push_back(said_of(
            {.box = box,
             .fill = all[i].ready ? draw::with_alpha(picture.accent(), last ? 0.85f : 0.45f) : 0,
             .stroke = theme.background,
             .thick = 1},
            {.name = picture.facts.stage.named(fmt::format("subtile {}", i + 1)), .value = all[i].ready ? 1 : 0}));
        const std::string number = std::to_string(i + 1);
        const ImVec2 size = draw::measure(theme.mono_bold, number);
        if (size.x + margin <= box.width() && size.y + margin <= box.height())
            numbers.push_back(words_at(box.middle(), Label::Side::middle, number,
                                       {.colour = theme.ink, .strong = true, .plate = true, .must = true}));
    }
}

std::vector<Layer> layers_over_map(const ThreadPicture& picture)
{
    const ThreadFacts& facts = picture.facts;
    ShapeLayer frames;
    std::vector<Label> numbers = picture.numbers;
    if (shows_subtiles(picture))
        add_subtiles(frames, numbers, picture);
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
    if (facts.marks.block.size() == 1 && !numbers_each_cell(picture))
        add_axis(frames, numbers, facts, picture.theme, picture.box_of(facts.marks.block.front()));
    MatrixLayer map{.name = facts.stage.named("map of C"), .frame = picture.frame(), .bare = true};
    map.tip = [facts](const Cell& element) { return element_words(facts, element); };
    map.click = [&recording = facts.recording](const Cell& element) -> Action {
        return [&recording, element](const ViewScene& scene) {
            select_element(scene, element, owner_of(recording, element.row, element.col));
        };
    };
    return {std::move(frames), LabelLayer{std::move(numbers)}, std::move(map)};
}

// Its box contains the other panels, so it counts as their picture.
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
        names.labels.push_back(words_at({x, y}, side, std::move(words)));
    };
    const float line = draw::line_height(theme.text), above = places.a.min.y - line / 2 - theme.px(3);
    name("A", places.a.min.x, above, Label::Side::right);
    const std::string numbers = what_numbers_say(picture);
    if (draw::measure(theme.text, "A" + numbers).x + theme.px(16) <= places.a.width())
        name(numbers, places.a.max.x, above, Label::Side::left);
    name("B", places.b.min.x - theme.px(4), places.b.min.y + line / 2, Label::Side::left);
    panel.layers.emplace_back(std::move(names));
    return panel;
}

std::vector<Panel> product_panels(const ThreadPicture& picture)
{
    const ProductPainter painter(picture);
    return {painter.operand(true), painter.operand(false), painter.sum()};
}

// The map of the owners of C in one recording. Another thread prepares it, and the grid renderer draws it.
class ThreadMap {
public:
    // Must be called in each frame. A large map appears some frames later, and the previous picture stays until then.
    void show(const StageColumn& column, ColourBy by, const Theme& theme)
    {
        const Recording& recording = *column.recording;
        const bool quick = recording.owner.size() <= elements_in_frame;
        const auto* now = column.memo_later<paint_map>(quick, by, owner_palette(theme, by));
        if (now != nullptr && *now != painted) {
            painted = *now;
            grid.set(painted);
            uploaded = false;
        }
        constexpr std::size_t upload_per_frame = 4u << 20; // bytes
        if (!uploaded)
            uploaded = grid.upload(upload_per_frame);
    }
    static bool takes(const MapShape& shape)
    {
        const uint32_t largest = gl::Grid::largest_side();
        return shape.rows > 0 && shape.rows <= largest && shape.cols <= largest;
    }

    bool settled() const { return uploaded; }
    bool empty() const { return grid.empty(); }

    // Returns the part of the box that the map covers.
    ImageLayer image(const ThreadPicture& picture)
    {
        const Box& map = picture.places.map;
        const auto [low, high] = picture.box_of({0, 0, picture.facts.shape.rows, picture.facts.shape.cols});
        const Box seen{{std::max(map.min.x, std::floor(low.x)), std::max(map.min.y, std::floor(low.y))},
                       {std::min(map.max.x, std::ceil(high.x)), std::min(map.max.y, std::ceil(high.y))}};
        const auto [col, row] = picture.camera.from_screen(seen.middle());
        const gl::Camera camera{row, col, picture.camera.cell(), picture.camera.cell_height() / picture.camera.cell()};
        const Colour ground = picture.theme.background;
        return {seen, [this, camera, ground, across = seen.width()](int width, int height) {
                    gl::Camera of_pixels = camera;
                    of_pixels.cell *= static_cast<double>(width) / static_cast<double>(across);
                    return grid.draw(of_pixels, width, height, {ground, draw::with_alpha(ground, 0.35f), ground});
                }};
    }

private:
    using Picture = std::shared_ptr<const gl::GridPicture>;
    static Picture paint_map(const Recording& recording, ColourBy by, const std::vector<Colour>& palette)
    {
        OwnerMap map = owner_map(recording, by);
        std::vector<Level> levels = pyramid(map, palette);
        return std::make_shared<const gl::GridPicture>(gl::GridPicture{std::move(map), std::move(levels), palette});
    }

    gl::Grid grid;
    Picture painted; // uploaded or being uploaded
    bool uploaded = true;
};

class ThreadsView final : public View {
public:
    std::string_view name() const override { return "threads"; }
    std::string_view title() const override { return "Threads"; }
    ViewGroup group() const override { return ViewGroup::who; }
    ViewCommands commands() override
    {
        ViewCommands all = PanZoom::commands([this] { return std::vector{&cameras[moved]}; });
        all.push_back(
            {"o", "colour by the next owner: block, warp, lane, SM; or by value", [this](const ViewScene& scene) {
                 const std::span<const ColourBy> colours = colours_of(scene);
                 chosen.colour = colours[(static_cast<std::size_t>(by) + 1) % colours.size()];
             }});
        all.push_back({"n", "the product as a layer of a network, or its threads",
                       [this](const ViewScene&) { chosen.network = !chosen.network; }});
        all.push_back({"z", "zoom to the selected block", [this](const ViewScene& scene) { show_block(scene); }});
        return all;
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<ThreadsOptions>(text); }

private:
    void show_block(const ViewScene& scene);
    bool in_network(const ViewScene& scene) const
    {
        return chosen.network && thread_facts(scene, scene.columns.front()).has_product();
    }
    void add_stage(Figure& figure, const ViewFrame& frame, const ThreadFacts& facts, const Box& box);

    std::array<ThreadMap, most_columns> maps;
    std::array<PanZoom, most_columns> cameras; // all show the same part
    std::size_t moved = 0;                     // index of the camera that was moved last; others follow it
    ColourBy by = ColourBy::block;
    ThreadsOptions chosen; // without a chosen colour, a single block is coloured by its warps
    ImVec2 buttons{};      // position of the first button
};

Figure ThreadsView::figure(const ViewFrame& frame, const Box& box)
{
    const bool one_block = frame.columns.front().recording->launch.grid.volume() == 1;
    by = chosen.colour.value_or(one_block ? ColourBy::warp : ColourBy::block);
    if ((by == ColourBy::sm && !sm_known(frame)) || std::ranges::find(colours_of(frame), by) == colours_of(frame).end())
        by = ColourBy::block;
    if (const auto& c = frame.selection.c; c && owner_of(*frame.columns.front().recording, c->first, c->second))
        frame.hint = plain(element_words(thread_facts(frame, frame.columns.front()), {c->first, c->second}));
    moved = moved < frame.columns.size() ? moved : 0;
    Figure figure{.numbers = {{Numbers::How::recorded, "accesses, owners, SMs"}}};
    if (chosen.colour.value_or(by) != by)
        figure.said.push_back(rich("**{}** is not known of this recording, so colours are those of blocks.",
                                   owner_names[static_cast<std::size_t>(*chosen.colour)]));
    const Theme& theme = frame.theme;
    float width = -theme.px(4); // of the buttons: beside a single headline, otherwise above the headlines
    for (const ColourBy one : colours_of(frame))
        width += draw::button_width(std::string(owner_names[static_cast<std::size_t>(one)]).c_str()) + theme.px(4);
    buttons = {box.max.x - width, box.min.y - theme.px(2)};
    const bool above = frame.comparing();
    const Box rest{{box.min.x, box.min.y + (above ? ImGui::GetFrameHeight() + theme.px(2) : 0)},
                   {box.max.x - (above ? 0 : width + theme.px(12)), box.max.y}};
    if (in_network(frame)) {
        figure.panels = {network_panel(theme, frame.columns.front().recording->problem,
                                       {{box.min.x, box.min.y + ImGui::GetFrameHeight()}, box.max})};
        figure.numbers.clear();
        return figure;
    }
    std::vector<Box> places = add_headings(
        figure, frame, rest, [&](const StageColumn& stage) { return headline(thread_facts(frame, stage)); });
    places.back().max.x = box.max.x;
    for (const StageColumn& stage : frame.columns)
        add_stage(figure, frame, thread_facts(frame, stage), places[stage.number]);
    return figure;
}

void ThreadsView::add_stage(Figure& figure, const ViewFrame& frame, const ThreadFacts& facts, const Box& box)
{
    const Theme& theme = frame.theme;
    const std::size_t number = facts.stage.number;
    if (!ThreadMap::takes(facts.shape)) {
        figure.panels.push_back(
            words_panel("why not " + facts.stage.slug, box,
                        rich("*This C is too large for a map on this computer's OpenGL; record a smaller one.*")));
        return;
    }
    explain_stage(figure, frame, facts.stage, paragraphs(facts));
    if (facts.known == OwnersKnown::none) {
        figure.panels.push_back(
            words_panel("no owners of " + facts.stage.slug, box,
                        rich("*This trace has no stores by TMA: which thread stores an element is not known.*")));
        return;
    }
    const ThreadPlaces places = thread_places(theme, facts, box);
    ThreadMap& map = maps[number];
    map.show(facts.stage, by, theme);
    if (places.map.width() < 20 || places.map.height() < 20)
        return;
    if (number != moved)
        cameras[number] = cameras[moved];
    cameras[number].follow(places.map, facts.shape.cols, facts.shape.rows,
                           {.stretch = largest_stretch(facts.shape, places.map), .whole_pixels = false});
    ThreadPicture picture{facts, places, cameras[number], theme, by};
    Panel c{.id = "C of " + facts.stage.slug, .box = places.map, .is_picture = false, .camera = &picture.camera};
    if (map.empty()) {
        c.layers.emplace_back(
            LabelLayer{{{.words = "Preparing the map ...", .at = places.map.middle(), .side = Label::Side::middle}}});
    } else {
        picture.numbers = owner_numbers(picture);
        c.layers = layers_over_map(picture);
        c.layers.insert(c.layers.begin(), map.image(picture));
    }
    figure.settled = figure.settled && map.settled() && !picture.camera.gliding();
    figure.panels.push_back(std::move(c));
    figure.panels.push_back(edges(picture));
    if (facts.has_product() && facts.element)
        std::ranges::move(product_panels(picture), std::back_inserter(figure.panels));
    for (Panel& panel : figure.panels)
        if (panel.camera == &picture.camera)
            panel.use_mouse = [this, number](const Box&) {
                if (ImGui::IsItemHovered() || ImGui::IsItemActive())
                    moved = number;
            };
}

void ThreadsView::draw_controls(ViewFrame& frame)
{
    ImGui::SetCursorScreenPos(buttons);
    if (in_network(frame)) { // otherwise only a key leads back
        chosen.network = !draw::choice(frame.theme, {"threads", false, ""}, frame.hint);
        return;
    }
    for (const ColourBy one : colours_of(frame)) {
        if (one != ColourBy::block)
            ImGui::SameLine(0, frame.theme.px(4));
        const bool refused = one == ColourBy::sm && !sm_known(frame);
        const std::string why = refused ? "No SM is known of a launch on the CPU. Record it on an NVIDIA GPU." : "";
        const std::string name(owner_names[static_cast<std::size_t>(one)]);
        if (draw::choice(frame.theme, {name.c_str(), by == one, why}, frame.hint))
            chosen.colour = one;
        if (ImGui::IsItemHovered() && !refused)
            frame.point_out(colour_words(one));
    }
}

void ThreadsView::show_block(const ViewScene& scene)
{
    const ThreadFacts facts = thread_facts(scene, scene.columns.front());
    std::optional<CellRect> all;
    for (const OwnedCell& owned : facts.owned)
        grow(all, map_place(facts.shape, owned.cell));
    if (all)
        cameras[moved].show(PanZoom::of(*all));
}

} // namespace

std::unique_ptr<View> make_threads_view()
{
    return std::make_unique<ThreadsView>();
}

} // namespace viz
