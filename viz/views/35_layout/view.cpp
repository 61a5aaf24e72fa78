// The layout view: the place of each element of a shared tile, the banks of an access, and the cost of other layouts.
#include "viz/draw/controls.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/sector_panel.h"
#include "viz/text/figures.h"
#include "viz/views/35_layout/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace viz {

std::unique_ptr<View> make_layout_view();

namespace {

// The controls of the layout that is tried.
class Workbench {
public:
    void choose(SharedTile& tile, Mapping::Kind kind);
    void draw(ViewFrame& frame, SharedTile& tile, const Box& box);

    // Calls a function with the current tile, if there is one.
    using WithTile = std::function<void(const ViewScene&, const std::function<void(SharedTile&)>&)>;
    ViewCommands commands(const WithTile& with_tile);

private:
    bool focus_formula = false;
};

// A number of the mapping, with buttons. Empty if the kind lacks this number.
struct Number {
    int Mapping::*member;
    int least = 0, most = 0;
};
constexpr Number padding{&Mapping::padding, 0, most_padding}, from_bit{&Mapping::from, 0, most_bit},
    to_bit{&Mapping::to, 0, most_bit}, bits{&Mapping::count, 1, most_bits};

void step(SharedTile& tile, const Number& number, int by)
{
    Mapping mapping = tile.mapping();
    mapping.*number.member = std::clamp(mapping.*number.member + by, number.least, number.most);
    tile.set(mapping);
}

void exchange_bits(SharedTile& tile)
{
    Mapping mapping = tile.mapping();
    mapping.bits = mapping.bits == Mapping::Bits::of_row ? Mapping::Bits::of_col : Mapping::Bits::of_row;
    tile.set(mapping);
}

ViewCommands Workbench::commands(const WithTile& with_tile)
{
    using Kind = Mapping::Kind;
    const auto next_kind = [=, this](int by) {
        return [=, this](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                choose(tile, static_cast<Kind>((static_cast<int>(tile.kind()) + by + 5) % 5));
            });
        };
    };
    const auto of_kind = [=](Kind kind, auto act) { // only for this selected kind
        return [=](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                if (tile.kind() == kind)
                    act(tile);
            });
        };
    };
    const auto stepping = [=](Number number, int by) {
        return of_kind(Kind::xored, [=](SharedTile& tile) { step(tile, number, by); });
    };
    const auto more = [=](int by) { // changes the main number of the kind
        return [=](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                if (tile.kind() == Kind::padded || tile.kind() == Kind::xored)
                    step(tile, tile.kind() == Kind::padded ? padding : bits, by);
            });
        };
    };
    return {{"e", "the next kind of places to try", next_kind(1)},
            {"E", "the previous kind of places to try", next_kind(-1)},
            {"p", "more padding; more bits of the XOR", more(1)},
            {"P", "less padding; fewer bits of the XOR", more(-1)},
            {"f", "XOR: from a higher bit", stepping(from_bit, 1)},
            {"F", "XOR: from a lower bit", stepping(from_bit, -1)},
            {"u", "XOR: onto a higher bit of the column", stepping(to_bit, 1)},
            {"U", "XOR: onto a lower bit of the column", stepping(to_bit, -1)},
            {"y", "XOR: bits of the row, or of the column", of_kind(Kind::xored, exchange_bits)},
            {"i", "your formula: into the field", of_kind(Kind::typed, [this](SharedTile&) { focus_formula = true; })}};
}

void Workbench::choose(SharedTile& tile, Mapping::Kind kind)
{
    tile.choose(kind);
    focus_formula = kind == Mapping::Kind::typed;
}

void Workbench::draw(ViewFrame& frame, SharedTile& tile, const Box& box)
{
    draw::Controls row(frame, box);
    const auto stepper = [&](const char* words, const Number& number) {
        if (const int by = row.stepper(words, tile.mapping().*number.member); by != 0)
            step(tile, number, by);
    };
    if (tile.kind() == Mapping::Kind::padded)
        stepper("after each row", padding);
    if (tile.kind() == Mapping::Kind::xored) {
        const bool of_row = tile.mapping().bits == Mapping::Bits::of_row;
        if (row.choice(of_row ? "row" : "column", true, {.mark = "XOR source"}))
            exchange_bits(tile);
        stepper("bit", from_bit);
        stepper("to", to_bit);
        stepper("count", bits);
    }
    if (tile.kind() != Mapping::Kind::typed)
        return;
    Mapping mapping = tile.mapping();
    if (auto typed = row.formula(mapping.formula, std::exchange(focus_formula, false),
                                 "the place of an element, in row and col and the operators of C")) {
        mapping.formula = std::move(*typed);
        tile.set(mapping);
    }
}

float bits_height(const Theme& theme)
{
    return 4 * draw::line_height(theme.mono) + theme.px(32);
}

// Returns how many bits numbers below `count` have.
int bits_of(uint64_t count)
{
    return std::max(1, static_cast<int>(std::bit_width(std::max<uint64_t>(count, 1) - 1)));
}

// The bits of an element's row and column, and of its place. Shows which bits an XOR flips and which select the bank.
// Flipped bits have the stage's colour. Marks of the first stage: "deciding bit 2", "flipped bit 4", "with XOR found",
// "without found".
class BitsPicture {
public:
    BitsPicture(const Theme& with, const SharedTile& tile, const Cell& of, const Box& where)
        : side(tile), theme(with), accent(with.accent(tile.stage().number)), cell(of), box(where),
          mapping(tile.explained(tile.shown().mapping)), place(tile.place_of(of)), row_bits(bits_of(tile.tile().rows)),
          col_bits(bits_of(tile.tile().cols))
    {
        line = draw::line_height(theme.mono);
        place_bits = std::max(bits_of(side.places()), row_bits + col_bits);
        names = draw::measure(theme.mono, "place 0000").x + theme.px(8);
        gap = theme.px(6);
        width = std::clamp((box.width() - names - gap) / static_cast<float>(place_bits), theme.px(7), theme.px(40));
    }

    Panel panel()
    {
        const float agreeing = 2 * line + theme.px(10);
        const bool agrees = mapping.kind == Mapping::Kind::xored && box.height() >= bits_height(theme) + agreeing;
        // The bits, and the lines between them, get the height that the text does not need.
        const float more = std::max(0.0f, box.height() - bits_height(theme) - (agrees ? agreeing : 0)) / 3;
        high = line + theme.px(3) + std::min(more, theme.px(24));
        const float top = box.min.y + line + theme.px(5), below = top + high + theme.px(14) + more;
        const FlippedBits bits = flipped_bits(mapping, cell.row, cell.col);
        const bool of_row = mapping.bits == Mapping::Bits::of_row;
        labels.labels = {mono_label(fmt::format("{}, {}", cell.row, cell.col), {box.min.x, top + high / 2},
                                    theme.ink_quiet, Label::Side::right, true),
                         mono_label(fmt::format("place {}", place), {box.min.x, below + high / 2}, theme.ink_quiet,
                                    Label::Side::right, true)};
        add_bits(cell.row, row_bits, col_bits, top, of_row ? bits.decide : 0, false);
        add_bits(cell.col, col_bits, 0, top, of_row ? 0 : bits.decide, false);
        add_bits(place & ((1u << col_bits) - 1), col_bits, 0, below, bits.flipped, true);
        add_bits(place >> col_bits, place_bits - col_bits, col_bits, below, bits.flipped >> col_bits, true);
        for (int bit = 0; bit < 32; ++bit)
            if (bits.decide >> bit & 1u)
                add_way(bit + (of_row ? col_bits : 0), bit + bits.up, top + high, below,
                        bits.flipped >> (bit + bits.up) & 1u);
        add_bank(below + high);
        if (agrees)
            add_loads(box.max.y - agreeing + theme.px(6));
        // The whole panel has one tip.
        shapes.shapes.push_back(
            said_of(box_shape(box, 0), {.tip = [&tile = side, cell = cell] { return element_words(tile, cell); }}));
        layers.emplace_back(std::move(labels));
        layers.emplace_back(std::move(shapes));
        const bool recorded = mapping.kind == Mapping::Kind::recorded;
        return {.id = "bits of " + stage_panel(side.stage()),
                .box = box,
                .title = recorded ? "place: as recorded" : formula_of(mapping),
                .layers = std::move(layers)};
    }

private:
    // Bits of the column and of the place are right-aligned. Bits of the row are above the bits that they flip.
    float x_of(int bit) const
    {
        const float right = box.min.x + names + width * static_cast<float>(place_bits) + gap;
        return right - width * static_cast<float>(bit + 1) - (bit >= col_bits ? gap : 0);
    }

    // Adds bits. The lowest one is at position `first`. `special` bits are framed if they decide, and coloured if they
    // are flipped.
    void add_bits(uint32_t number, int count, int first, float y, uint32_t special, bool flipped)
    {
        if (count <= 0)
            return;
        const auto bit_of = [count](uint32_t col) { return count - 1 - static_cast<int>(col); };
        const auto is_one = [=](uint32_t col) { return (number >> bit_of(col) & 1u) != 0; };
        const auto marked = [=](uint32_t col) { return (special >> bit_of(col) & 1u) != 0; };
        CellLayer bits{.rows = 1,
                       .cols = static_cast<uint32_t>(count),
                       .box = Box{{x_of(first + count - 1), y}, {x_of(first) + width, y + high}},
                       .widest = "0",
                       .bordered = false};
        bits.colour = [=, flip = accent, one = mix(theme.panel, theme.ink, 0.4f),
                       zero = draw::empty_colour(theme)](uint32_t, uint32_t col) {
            return flipped && marked(col) ? flip : is_one(col) ? one : zero;
        };
        bits.words = [=](uint32_t, uint32_t col) { return is_one(col) ? "1" : "0"; };
        bits.value = [=](uint32_t, uint32_t col) { return is_one(col) ? 1 : 0; };
        const int begin = flipped ? first : 0; // two layers draw the one row of bits of a place
        bits.id = [=, &stage = side.stage()](uint32_t, uint32_t col) {
            return marked(col)
                       ? mark_of(stage, fmt::format("{} bit {}", flipped ? "flipped" : "deciding", begin + bit_of(col)))
                       : "";
        };
        for (uint32_t col = 0; !flipped && col < bits.cols; ++col)
            if (marked(col))
                bits.frames.push_back({.col = col, .colour = accent});
        layers.emplace_back(std::move(bits));
    }

    // Adds a line from a deciding bit down to the bit that it may flip. `flips`: it does flip it.
    void add_way(int from, int to, float top, float bottom, bool flips)
    {
        const ImVec2 a{x_of(from) + width / 2, top}, b{x_of(to) + width / 2, bottom};
        const float middle = (top + bottom) / 2;
        shapes.shapes.push_back({.kind = Shape::Kind::curve,
                                 .points = {a, {a.x, middle}, {b.x, middle}, b},
                                 .stroke = flips ? accent : theme.ink_faint,
                                 .thick = flips ? 2.0f : 1.0f});
    }

    // Marks the bits of the place that select the bank.
    void add_bank(float y)
    {
        const uint32_t bytes = side.tile().element_bytes;
        if (bytes > model::bank_bytes)
            return;
        const int least = std::countr_zero(model::bank_bytes / std::max(1u, bytes)), most = least + 4;
        const float left = x_of(most), right = x_of(least) + width - 1;
        shapes.shapes.push_back(box_shape({{left, y + theme.px(2)}, {right, y + theme.px(4)}}, theme.ink_quiet));
        labels.labels.push_back(mono_label(fmt::format("bank {}", side.bank_of(cell)),
                                           {left, y + theme.px(5) + line / 2}, theme.ink, Label::Side::right, true));
    }

    // Shows what two loads read. One computes the place as the store did. The other assumes a row-major layout, and
    // reads another element if the XOR flips bits.
    void add_loads(float y)
    {
        const recording::Array& tile = side.tile();
        const uint32_t plain = cell.row * tile.cols + cell.col, found = side.element_at(plain);
        const auto add = [&](const char* how, uint32_t from, const Cell& gets, Colour colour) {
            const std::string element = element_name(tile.name, {gets});
            const float right = x_of(0) + width, left = right - draw::measure(theme.mono_bold, element).x - line;
            labels.labels.push_back(mono_label(fmt::format("{}: place {}", how, from), {box.min.x, y + line / 2},
                                               theme.ink_quiet, Label::Side::right, true));
            labels.labels.push_back(mono_label(element, {right, y + line / 2}, colour, Label::Side::left, true));
            labels.labels.back().strong = true;
            shapes.shapes.push_back(
                said_of(box_shape({{left, y + line * 0.2f}, {left + line * 0.7f, y + line * 0.9f}}, colour),
                        {.name = mark_of(side.stage(), fmt::format("{} found", how))}));
            y += line + theme.px(2);
        };
        add("with XOR", place, cell, theme.good);
        if (found != SharedTile::none)
            add("without", plain, {found / tile.cols, found % tile.cols}, plain == place ? theme.good : theme.warning);
    }

    const SharedTile& side;
    const Theme& theme;
    Colour accent; // of flipped bits
    Cell cell;
    Box box;
    const Mapping& mapping;
    uint32_t place;
    int row_bits, col_bits, place_bits = 1;
    float line = 0, names = 0, gap = 0, width = 0, high = 0; // width and height are those of a bit
    std::vector<Layer> layers;
    ShapeLayer shapes;
    LabelLayer labels;
};

class LayoutView final : public View {
public:
    std::string_view name() const override { return "layout"; }
    std::string_view title() const override { return "Layout"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "addresses"}, {Numbers::How::derived, "wavefronts, conflicts"}};
    }
    ViewCommands commands() override;
    std::string options() const override { return text_of_options(wanted.value_or(chosen())); }
    void set_options(std::string_view text) override { wanted = options_of<LayoutOptions>(text); }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    // A stage with a tile, from the last figure.
    struct Part {
        const StageColumn& stage;
        Focus focus;
        std::vector<uint8_t> tiles;
        SharedTile side;
        Box costs{}, bits{};
        bool first() const { return stage.number == 0; }
    };
    struct Places {
        Box memory, costs, bits;
        bool formulas = true;
    };

    std::unique_ptr<Part> part_of(const ViewFrame& frame, const StageColumn& stage);
    void add_pictures(Figure& figure, const ViewFrame& frame, Part& part, const Box& box);
    static Places place_pictures(const Theme& theme, const Part& part, const Box& box);
    void choose_tile(ViewFrame& frame, const Part& part);
    void with_tile(const ViewScene& scene, const std::function<void(SharedTile&)>& act);
    void choose_next_tile(const ViewScene& scene);
    void follow_stage(const ViewScene& scene); // forgets a tile that was chosen in another stage
    uint8_t tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const;
    LayoutOptions chosen() const;
    void open_wanted_tile(const recording::Recording& recording, const std::vector<uint8_t>& tiles);
    void try_wanted(Part& part);

    std::array<Trials, most_columns> trials;
    std::vector<std::unique_ptr<Part>> parts;
    LayoutOptions drawn; // tile and layout of column 0
    Workbench workbench;
    std::optional<std::size_t> chosen_tile; // index among the tiles; empty: the tile of the current access
    std::string chosen_in;                  // the stage in which it was chosen
    std::optional<LayoutOptions> wanted;    // requested, but not applied yet
    int arrives = 0;                        // frames until the camera moves to the requested element
    bool to_access = false;                 // moves the camera to the current access in the next frame
};

ViewCommands LayoutView::commands()
{
    ViewCommands all = workbench.commands([this](const ViewScene& scene, const auto& act) { with_tile(scene, act); });
    all.push_back({"a", "the next tile", [this](const ViewScene& scene) { choose_next_tile(scene); }});
    all.push_back({"z", "zoom to the elements of the current access", [this](const ViewScene&) { to_access = true; }});
    const ViewCommands of_camera = PanZoom::commands([this] { return std::vector{&trials[0].camera}; });
    all.insert(all.end(), of_camera.begin(), of_camera.end());
    return all;
}

// Calls the function with the tile of column 0, if there is one.
void LayoutView::with_tile(const ViewScene& scene, const std::function<void(SharedTile&)>& act)
{
    follow_stage(scene);
    const StageColumn& stage = scene.columns.front();
    const Focus focus = focus_on(scene, stage);
    if (!focus.warp || wanted) // the next frame first applies these options
        return;
    const std::vector<uint8_t> tiles = shared_tiles(*focus.recording);
    if (tiles.empty())
        return;
    SharedTile tile(stage, focus, tile_of(focus, tiles), trials[0]);
    act(tile);
}

void LayoutView::follow_stage(const ViewScene& scene)
{
    if (std::exchange(chosen_in, scene.columns.front().slug) != scene.columns.front().slug)
        chosen_tile.reset();
}

void LayoutView::choose_next_tile(const ViewScene& scene)
{
    follow_stage(scene);
    const Focus focus = focus_on(scene, scene.columns.front());
    const std::vector<uint8_t> tiles = shared_tiles(*focus.recording);
    if (!focus.warp || tiles.empty())
        return;
    const auto now = std::ranges::find(tiles, tile_of(focus, tiles));
    chosen_tile = (static_cast<std::size_t>(now - tiles.begin()) + 1) % tiles.size();
}

LayoutOptions LayoutView::chosen() const
{
    LayoutOptions options = drawn;
    if (!chosen_tile)
        options.tile.clear();
    options.element = trials[0].chosen;
    return options;
}

// Forgets earlier trials, and opens the requested tile if it exists.
void LayoutView::open_wanted_tile(const recording::Recording& recording, const std::vector<uint8_t>& tiles)
{
    for (Trials& one : trials)
        one.forget();
    chosen_tile.reset();
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (recording.arrays[tiles[i]].name == wanted->tile)
            chosen_tile = i;
}

void LayoutView::try_wanted(Part& part)
{
    const LayoutOptions options = *std::exchange(wanted, std::nullopt);
    const recording::Array& tile = part.side.tile();
    if (options.element && options.element->row < tile.rows && options.element->col < tile.cols)
        part.side.chosen = options.element;
    if (options.places != Mapping::Kind::recorded) {
        part.side.choose(options.places);
        part.side.set(options.mapping(), true);
    }
    part.side.camera.show_all();
    arrives = 2;
}

uint8_t LayoutView::tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const
{
    if (chosen_tile)
        return tiles[*chosen_tile % tiles.size()];
    const auto step = step_in_shared(focus);
    const auto found = step ? std::find(tiles.begin(), tiles.end(), focus.warp->accesses[*step].array) : tiles.end();
    return found == tiles.end() ? tiles.front() : *found;
}

// Draws a button for each tile in the corner above the names of layouts. With many tiles, draws one button for the next
// tile.
void LayoutView::choose_tile(ViewFrame& frame, const Part& part)
{
    const Theme& theme = frame.theme;
    const std::string& now = part.side.tile().name;
    ImGui::PushID(static_cast<int>(part.stage.number));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), 0});
    ImGui::SetCursorScreenPos(part.costs.min);
    float wide = 0;
    for (const uint8_t tile : part.tiles)
        wide += draw::button_width(part.focus.recording->arrays[tile].name.c_str()) + theme.px(3);
    const bool all = wide <= costs_names(theme);
    for (std::size_t i = 0; i < part.tiles.size(); ++i) {
        const std::string& name = part.focus.recording->arrays[part.tiles[i]].name;
        if (!all && name != now)
            continue;
        if (draw::choice(theme, {name.c_str(), name == now, {}}, frame.hint))
            chosen_tile = i + (all ? 0 : 1); // beyond the last tile, tile_of() returns the first
        mark_item(part.first() ? frame.marks : nullptr, "tile " + name);
        ImGui::SameLine(0, theme.px(3));
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
}

// Returns 0 for a layout without numbers.
float steppers_height(const Theme& theme, const SharedTile& side)
{
    const bool settings = side.stage().number == 0 && side.kind() > Mapping::Kind::row_major;
    return settings ? ImGui::GetTextLineHeight() + theme.px(8) : 0;
}

// Places the memory. Below it are the costs of layouts and the bits of one element, side by side if they fit. If
// formulas would need too much of the memory's room, only tooltips have them.
LayoutView::Places LayoutView::place_pictures(const Theme& theme, const Part& part, const Box& box)
{
    const bool wide = box.width() >= theme.px(540);
    const float gap = theme.px(4);
    const float bits_high = bits_height(theme) + steppers_height(theme, part.side);
    Places places;
    float costs_high = 0, below = 0;
    for (const bool formulas : {true, false}) {
        costs_high = costs_height(theme, formulas);
        below = wide ? std::max(costs_high, bits_high) : costs_high + gap + bits_high;
        places.formulas = formulas;
        if (box.height() - below >= 0.5f * box.height())
            break;
    }
    places.memory = {box.min, {box.max.x, std::max(box.min.y + theme.px(80), box.max.y - below - gap)}};
    const float top = places.memory.max.y + gap, middle = std::floor(box.min.x + box.width() * 0.58f);
    places.costs = {{box.min.x, top}, {wide ? middle : box.max.x, top + costs_high}};
    const ImVec2 corner = wide ? ImVec2{middle + theme.px(14), top} : ImVec2{box.min.x, places.costs.max.y + gap};
    places.bits = {corner, {box.max.x, corner.y + (wide ? std::max(bits_high, costs_high) : bits_high)}};
    return places;
}

// Returns null if the stage has no tile.
std::unique_ptr<LayoutView::Part> LayoutView::part_of(const ViewFrame& frame, const StageColumn& stage)
{
    const Focus focus = focus_on(frame, stage);
    if (!focus.warp)
        return nullptr;
    const std::vector<uint8_t> tiles = shared_tiles(*focus.recording);
    const bool arranges = stage.number == 0 && wanted;
    if (tiles.empty()) {
        if (arranges)
            wanted.reset(); // the options cannot be applied to this stage
        return nullptr;
    }
    if (arranges)
        open_wanted_tile(*focus.recording, tiles);
    auto part =
        std::make_unique<Part>(Part{stage, focus, tiles, {stage, focus, tile_of(focus, tiles), trials[stage.number]}});
    if (arranges)
        try_wanted(*part);
    if (part->first())
        drawn = {.tile = part->side.tile().name}, drawn.set(part->side.mapping());
    return part;
}

Figure LayoutView::figure(const ViewFrame& frame, const Box& box)
{
    follow_stage(frame);
    parts.clear();
    for (const StageColumn& stage : frame.columns)
        parts.push_back(part_of(frame, stage));
    Figure figure;
    const std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
        if (parts[stage.number])
            return tile_headline(parts[stage.number]->side);
        return headline_without_banks(stage, focus_on(frame, stage));
    });
    for (const StageColumn& stage : frame.columns) {
        const Box& place = places[stage.number];
        if (parts[stage.number])
            add_pictures(figure, frame, *parts[stage.number], place);
        else
            add_without_banks(figure, frame, stage, focus_on(frame, stage), place);
    }
    to_access = false; // also if no tile was drawn
    figure.settled = arrives == 0 && std::ranges::none_of(std::span(trials).first(frame.columns.size()),
                                                          [](const Trials& one) { return one.camera.gliding(); });
    return figure;
}

void LayoutView::add_pictures(Figure& figure, const ViewFrame& frame, Part& part, const Box& box)
{
    const Theme& theme = frame.theme;
    SharedTile& side = part.side;
    const Places places = place_pictures(theme, part, box);
    const auto selected = selected_cell(side, part.focus, frame.selection.lane);
    for (Rich& paragraph : tile_paragraphs(theme, side, selected))
        figure.said.push_back(std::move(paragraph));
    TileMemory memory(frame, side, places.memory);
    if (part.first()) {
        constexpr std::size_t seen_at_once = 64 * model::banks; // places
        const bool arrived = arrives > 0 && --arrives == 0;     // after one frame, the camera knows the new plane
        if (std::exchange(to_access, false) || (arrived && side.places() > seen_at_once))
            memory.show_access();
    }
    memory.add(figure, selected, side.step ? std::string() : tile_of_step(part.focus));
    const auto pointed = ImGui::IsWindowHovered() ? memory.element_at(ImGui::GetMousePos()) : std::nullopt;
    const auto cell = pointed ? pointed : selected;
    const auto choose = [this, &part](Mapping::Kind kind) {
        part.first() ? workbench.choose(part.side, kind) : part.side.choose(kind);
    };
    part.costs = places.costs;
    part.bits = places.bits;
    figure.panels.push_back(costs_panel({theme, side, places.costs, cell, places.formulas, choose}));
    if (!cell)
        return;
    Box bits = places.bits;
    bits.max.y -= steppers_height(theme, side);
    figure.panels.push_back(BitsPicture(theme, side, *cell, bits).panel());
    if (pointed && pointed != selected) // the words are about the selected one
        figure.panels.back().title.insert(0, "under the mouse: ");
}

void LayoutView::draw_controls(ViewFrame& frame)
{
    for (const auto& part : parts) {
        if (!part)
            continue;
        choose_tile(frame, *part);
        const float settings = steppers_height(frame.theme, part->side);
        if (settings == 0)
            continue;
        Box below = part->bits;
        below.min.y = below.max.y - settings + frame.theme.px(4);
        workbench.draw(frame, part->side, below);
    }
}

} // namespace

std::unique_ptr<View> make_layout_view()
{
    return std::make_unique<LayoutView>();
}

} // namespace viz
