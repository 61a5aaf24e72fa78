// The layout view: the place of each element of a shared tile, the banks that an access needs, and the cost of other
// layouts.
#include "viz/figure/draw_figure.h"
#include "viz/figure/sector_panel.h"
#include "viz/views/35_layout/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
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
    // Draws the settings of the selected kind in one or two rows at ImGui's cursor, no wider than `width`.
    void draw(ViewFrame& frame, SharedTile& tile, float width);

    // `with_tile` calls a function with the current tile, if there is one.
    using WithTile = std::function<void(const ViewScene&, const std::function<void(SharedTile&)>&)>;
    ViewCommands commands(const WithTile& with_tile);

private:
    char formula[120] = "";
    bool focus_formula = false;
};

// A number of the mapping with buttons to step it. Empty for numbers that the kind does not have.
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

// Places items beside the last one, or on a new line from `left` if they would extend beyond `right`.
struct Row {
    float left = 0, right = 0;
    bool started = false;
    void place(float width)
    {
        const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
        if (started && end <= right)
            ImGui::SameLine();
        else
            ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
        started = true;
    }
};

void draw_stepper(ViewFrame& frame, Row& row, SharedTile& tile, const char* words, const Number& number)
{
    const Theme& theme = frame.theme;
    const float buttons = draw::button_width("-") + draw::button_width("+") + theme.px(30);
    row.place(ImGui::CalcTextSize(words).x + buttons);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words);
    ImGui::PushID(words);
    int by = 0;
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"-"}, frame.hint))
        --by;
    ImGui::SameLine(0, theme.px(4));
    ImGui::PushFont(theme.mono_bold);
    ImGui::TextUnformatted(fmt::format("{}", tile.mapping().*number.member).c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"+"}, frame.hint))
        ++by;
    mark_item(frame.marks, fmt::format("more {}", words));
    ImGui::PopID();
    if (by != 0)
        step(tile, number, by);
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
    const auto of_kind = [=](Kind kind, auto act) { // only while this kind is selected
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
    const auto more = [=](int by) { // steps the main number of the kind
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

void Workbench::draw(ViewFrame& frame, SharedTile& tile, float width)
{
    const Theme& theme = frame.theme;
    Row row{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().x + width};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    if (tile.kind() == Mapping::Kind::padded)
        draw_stepper(frame, row, tile, "after each row", padding);
    if (tile.kind() == Mapping::Kind::xored) {
        const bool of_row = tile.mapping().bits == Mapping::Bits::of_row;
        row.place(draw::button_width("column"));
        if (draw::choice(theme, {of_row ? "row" : "column", true}, frame.hint))
            exchange_bits(tile);
        mark_item(frame.marks, "XOR source");
        draw_stepper(frame, row, tile, "bit", from_bit);
        draw_stepper(frame, row, tile, "to", to_bit);
        draw_stepper(frame, row, tile, "count", bits);
    }
    if (tile.kind() == Mapping::Kind::typed) {
        Mapping mapping = tile.mapping();
        if (std::exchange(focus_formula, false))
            ImGui::SetKeyboardFocusHere();
        std::snprintf(formula, sizeof formula, "%s", mapping.formula.c_str()); // of this tile
        ImGui::SetNextItemWidth(std::max(theme.px(60), width));
        ImGui::PushFont(theme.mono);
        if (ImGui::InputText("##formula", formula, sizeof formula, ImGuiInputTextFlags_AutoSelectAll)) {
            mapping.formula = formula;
            tile.set(mapping);
        }
        ImGui::PopFont();
        mark_field(frame.marks, "formula");
    }
    ImGui::PopStyleVar();
}

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
    void follow_stage(const ViewScene& scene); // resets a tile that was chosen in another stage
    uint8_t tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const;
    LayoutOptions chosen() const;
    void open_wanted_tile(const recording::Recording& recording, const std::vector<uint8_t>& tiles);
    void try_wanted(Part& part);

    std::array<Trials, most_columns> trials;
    std::vector<std::unique_ptr<Part>> parts;
    LayoutOptions drawn; // tile and layout of column 0
    Workbench workbench;
    std::optional<std::size_t> chosen_tile; // index among the tiles; empty follows the current access
    std::string chosen_in;                  // the stage in which it was chosen; other stages have other tiles
    std::optional<LayoutOptions> wanted;    // not applied yet
    int arrives = 0;                        // frames until the camera moves to the requested element
    bool to_access = false;                 // moves the camera to the elements of the current access in the next frame
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

// Runs the action with the tile of column 0, or does nothing if there is none.
void LayoutView::with_tile(const ViewScene& scene, const std::function<void(SharedTile&)>& act)
{
    follow_stage(scene);
    const StageColumn& stage = scene.columns.front();
    const Focus focus = focus_on(scene, stage);
    if (!focus.warp || wanted) // the next frame applies wanted options first
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

// Discards earlier trials and opens the wanted tile, if there is one of that name.
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

// Draws a button for each tile in the corner above the names of the layouts, or a button for the next tile if there are
// many.
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
            chosen_tile = i + (all ? 0 : 1); // tile_of() wraps around
        mark_item(part.first() ? frame.marks : nullptr, "tile " + name);
        ImGui::SameLine(0, theme.px(3));
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
}

bool has_steppers(const SharedTile& side)
{
    return side.stage().number == 0 && side.kind() > Mapping::Kind::row_major;
}

float steppers_height(const Theme& theme, const SharedTile& side)
{
    return has_steppers(side) ? ImGui::GetTextLineHeight() + theme.px(8) : 0;
}

// Places the memory, and below it the costs of layouts and the bits of one element, side by side if they fit. Formulas
// are shown only in tooltips if they would take too much room from the memory.
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
            wanted.reset(); // the options cannot be applied here
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
        const Focus focus = focus_on(frame, stage);
        return focus.warp ? InsteadOfBanks(stage, focus).headline() : rich("nothing to show");
    });
    for (const StageColumn& stage : frame.columns) {
        const Box& place = places[stage.number];
        if (const Focus focus = focus_on(frame, stage); parts[stage.number])
            add_pictures(figure, frame, *parts[stage.number], place);
        else if (focus.warp)
            InsteadOfBanks(stage, focus).add(figure, frame, place);
        else
            figure.panels.push_back({.id = mark_of(stage, "why not"),
                                     .box = place,
                                     .layers = {ProseLayer{rich("*{}*", focus.why)}},
                                     .is_picture = false});
    }
    to_access = false; // if no tile is drawn
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
        const bool arrived = arrives > 0 && --arrives == 0;     // the camera knows the new plane after one frame
        if (std::exchange(to_access, false) || (arrived && side.places() > seen_at_once))
            memory.show_access();
    }
    memory.add(figure, selected, side.step ? std::string() : tile_of_step(part.focus));
    // Shows the element under the mouse, otherwise the selected one.
    auto cell = ImGui::IsWindowHovered() ? memory.element_at(ImGui::GetMousePos()) : std::nullopt;
    cell = cell ? cell : selected;
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
    figure.panels.push_back(bits_panel(theme, side, *cell, bits));
}

void LayoutView::draw_controls(ViewFrame& frame)
{
    for (const auto& part : parts) {
        if (!part)
            continue;
        choose_tile(frame, *part);
        if (!has_steppers(part->side))
            continue;
        const Box& bits = part->bits;
        ImGui::SetCursorScreenPos(
            {bits.min.x, bits.max.y - steppers_height(frame.theme, part->side) + frame.theme.px(4)});
        workbench.draw(frame, part->side, bits.width());
    }
}

} // namespace

std::unique_ptr<View> make_layout_view()
{
    return std::make_unique<LayoutView>();
}

} // namespace viz
