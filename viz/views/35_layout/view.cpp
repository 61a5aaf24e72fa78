// Layout: where each element of a shared tile lies, what an access wants of the banks there, and what other places would
// cost.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/global_request.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/text/templates.h"
#include "viz/views/35_layout/arrangement.h"
#include "viz/views/35_layout/bits_picture.h"
#include "viz/views/35_layout/memory_picture.h"
#include "viz/views/35_layout/tile_costs.h"
#include "viz/views/35_layout/workbench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

namespace viz {

std::unique_ptr<View> make_layout_view();

namespace {

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
    bool settled() const override
    {
        return arrives == 0 && std::ranges::none_of(std::span(trials).first(drawn_columns),
                                                    [](const Trials& one) { return one.camera.gliding(); });
    }
    std::string options() const override { return text_of_options(wanted.value_or(chosen())); }
    void set_options(std::string_view text) override { wanted = options_of<LayoutOptions>(text); }
    void draw(ViewFrame& frame) override;

private:
    struct Part : StagePart {
        Focus focus;
        std::vector<uint8_t> tiles;
        SharedTile side;
    };

    void draw_stage(StagePart where);
    void draw_pictures(Part& part);
    std::optional<Cell> draw_words(Part& part, const draw::Box& box, std::optional<Cell> selected);
    struct Places {
        draw::Box memory, costs, bits;
        bool formulas = true;
    };
    static Places place_pictures(const Part& part);
    void draw_costs(Part& part, const Places& places, std::optional<Cell> cell);
    void choose_tile(const Part& part, const draw::Box& box);
    void with_tile(const ViewScene& scene, const std::function<void(SharedTile&)>& act);
    void choose_next_tile(const ViewScene& scene);
    void follow_stage(const ViewScene& scene); // the tile that was chosen is another stage's
    uint8_t tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const;
    LayoutOptions chosen() const;
    void open_wanted_tile(const recording::Recording& recording, const std::vector<uint8_t>& tiles);
    void try_wanted(Part& part);

    std::array<Trials, most_columns> trials;
    std::size_t drawn_columns = 0; // in the last frame
    LayoutOptions drawn;           // the tile and the places of column 0
    Workbench workbench;
    std::optional<std::size_t> chosen_tile; // by its place among the tiles; else that of the current access
    std::string chosen_in;                  // the stage in which it was chosen: another one has other tiles
    std::optional<LayoutOptions> wanted;    // not yet drawn so
    int arrives = 0;                        // frames until what was arranged is gone to
    bool to_access = false;                 // the camera goes to the elements of the current access in the next frame
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

// The tile of column 0; nothing is done where there is none.
void LayoutView::with_tile(const ViewScene& scene, const std::function<void(SharedTile&)>& act)
{
    follow_stage(scene);
    const StageColumn& stage = scene.columns.front();
    const Focus focus = focus_on(scene, stage);
    if (!focus.warp || wanted) // what is set first is read by the next frame
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

// Nothing of what was tried before; the tile that is wanted, where there is one of that name.
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

// The name of the tile that the step, or the nearest that goes to shared memory, is about.
std::string tile_of_step(const Focus& focus)
{
    const auto step = step_in_shared(focus);
    return step ? focus.recording->arrays[focus.warp->accesses[*step].array].name : std::string();
}

// Whether the places that are shown flip bits of its place: there is something to see.
bool flips(const SharedTile& side, const Cell& cell)
{
    return flipped_bits(side.explained(side.shown().mapping), cell.row, cell.col).flipped != 0;
}

// The clicked element; of the access that is shown, before another lane is chosen, the first whose place has flipped bits;
// else the first one of the selected lane, or of the access.
std::optional<Cell> selected_cell(const SharedTile& side, const Focus& focus, uint32_t lane)
{
    if (side.chosen)
        return side.chosen;
    if (!side.step)
        return Cell{};
    const recording::Access& access = focus.warp->accesses[*side.step];
    const Elements elements(side.tile());
    const auto all = cells_of_access(access, elements, side.tile().element_bytes);
    if (lane == 0)
        if (const auto found = std::ranges::find_if(all, [&](const Cell& cell) { return flips(side, cell); });
            found != all.end())
            return *found;
    auto cells = cells_of_lane(access, elements, side.tile().element_bytes, lane);
    if (cells.empty())
        cells = all;
    return cells.empty() ? std::nullopt : std::optional(cells.front());
}

Message headline_of(const SharedTile& side)
{
    const TriedPlaces &recorded = side.recorded(), &tried = side.tried(side.kind());
    const std::string& tile = side.tile().name;
    if (!recorded.cost || !tried.cost)
        return {"layout.counting"};
    const auto coloured = [](uint64_t conflicts) {
        return Value(conflicts).as(conflicts > 0 ? Meaning::conflict : Meaning::good);
    };
    if (recorded.cost->lines.empty())
        return {"layout.headline_unknown", {{"tile", tile}}};
    const uint64_t before = recorded.cost->totals.conflicts;
    if (side.kind() == Mapping::Kind::recorded)
        return {"layout.headline", {{"tile", tile}, {"conflicts", coloured(before)}}};
    if (tried.refused())
        return {"layout.headline_refused", {{"tile", tile}, {"refused", Value("refused").as(Meaning::conflict)}}};
    return {"layout.headline_tried",
            {{"tile", tile}, {"conflicts", coloured(tried.cost->totals.conflicts)}, {"recorded", before}}};
}

Message places_message(const SharedTile& side)
{
    const TriedPlaces& tried = side.tried(side.kind());
    if (tried.mapping.kind == Mapping::Kind::recorded)
        return {"layout.recorded"};
    const std::string formula = formula_of(tried.mapping);
    if (!tried.refused())
        return {"layout.tried", {{"formula", formula}, {"recorded", side.tile().bytes}}};
    return {"layout.refused",
            {{"formula", formula}, {"refused", Value("refused").as(Meaning::conflict)}, {"why", tried.refusal()}}};
}

Message size_message(const SharedTile& shown)
{
    return {"layout.size",
            {{"tile", shown.tile().name},
             {"rows", shown.tile().rows},
             {"cols", shown.tile().cols},
             {"bytes", shown.shown().places->bytes},
             {"places", places_message(shown)}}};
}

Message element_message(SharedTile& shown, Cell cell)
{
    const uint32_t place = shown.place_of(cell);
    const uint32_t before = shown.recorded().places->place[shown.index(cell)];
    Messages recorded;
    if (before != place)
        recorded.push_back(
            {"layout.element_recorded",
             {{"place", before}, {"bank", model::bank_of(uint64_t{before} * shown.tile().element_bytes)}}});
    const auto& touchers = shown.touchers(cell);
    return {"layout.element",
            {{"element", element_name(shown.tile().name, {cell})},
             {"place", place},
             {"bank", shown.bank_of(cell)},
             {"recorded", recorded},
             {"writers", touchers_text(touchers, true)},
             {"readers", touchers_text(touchers, false)}}};
}

void explain(const ViewFrame& frame, SharedTile& side, std::optional<Cell> cell)
{
    frame.explain({size_message(side)});
    if (cell)
        frame.explain({element_message(side, *cell)});
    if (side.access)
        frame.explain(side.access->reason);
    frame.explain(
        {{"layout.legend", {{"first", Swatch{frame.theme.lane_group[0]}}, {"waiting", Swatch{frame.theme.warning}}}}});
}

Message element_words(const SharedTile& side, const StageColumn& stage, Cell cell)
{
    const uint32_t place = side.place_of(cell);
    return {"layout.element_hint",
            {{"stage", stage.slug},
             {"element", element_name(side.tile().name, {cell})},
             {"place", place},
             {"byte", uint64_t{place} * side.tile().element_bytes},
             {"bank", side.bank_of(cell)}}};
}

// The tile as it lies; returns the element that is pointed at, else the selected one.
std::optional<Cell> LayoutView::draw_words(Part& part, const draw::Box& box, std::optional<Cell> selected)
{
    SharedTile& side = part.side;
    const MemoryPicture picture{part, side, box, selected, side.step ? std::string() : tile_of_step(part.focus)};
    if (part.first()) {
        constexpr std::size_t seen_at_once = 64 * model::banks; // places
        const bool arrived = arrives > 0 && --arrives == 0;     // the camera knows the new plane after a frame
        if (std::exchange(to_access, false) || (arrived && side.places() > seen_at_once))
            show_access(picture);
    }
    const std::optional<Cell> hit = draw_memory(picture);
    if (!hit)
        return selected;
    if (ImGui::IsItemDeactivated() && ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x == 0)
        side.chosen = hit;
    part.frame.point_out(element_words(side, part.stage, *hit));
    return hit;
}

// In the corner above the names of the places: a button for each tile, or one for the next where they are many.
void LayoutView::choose_tile(const Part& part, const draw::Box& box)
{
    const Theme& theme = part.theme();
    const std::string& now = part.side.tile().name;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), 0});
    ImGui::SetCursorScreenPos(box.min);
    float wide = 0;
    for (const uint8_t tile : part.tiles)
        wide += draw::button_width(part.focus.recording->arrays[tile].name.c_str()) + theme.px(3);
    const bool all = wide <= tile_costs_names(theme);
    for (std::size_t i = 0; i < part.tiles.size(); ++i) {
        const std::string& name = part.focus.recording->arrays[part.tiles[i]].name;
        if (!all && name != now)
            continue;
        if (draw::choice(theme, {name.c_str(), name == now, {}}, part.frame.hint))
            chosen_tile = i + (all ? 0 : 1); // tile_of() goes round
        mark_item(part.marks(), "tile " + name);
        ImGui::SameLine(0, theme.px(3));
    }
    ImGui::PopStyleVar();
}

void LayoutView::draw_costs(Part& part, const Places& places, std::optional<Cell> cell)
{
    const draw::Box& box = places.costs;
    if (const auto hit = draw_tile_costs({part, part.side, box, cell, places.formulas})) {
        part.frame.point_out(hit->said);
        if (hit->clicked && part.first())
            workbench.choose(part.side, hit->kind);
        else if (hit->clicked)
            part.side.choose(hit->kind);
    }
    choose_tile(part, box);
    mark_picture(part.frame.marks, "costs of " + part.stage.slug, box);
}

bool has_steppers(const SharedTile& side, bool first)
{
    return first && side.kind() > Mapping::Kind::row_major;
}

float steppers_height(const Theme& theme, const SharedTile& side, bool first)
{
    return has_steppers(side, first) ? ImGui::GetTextLineHeight() + theme.px(8) : 0;
}

// The memory, and below it the costs of other places and the bits of one element: beside each other where that fits. The
// formulas are left to the tooltips where they would take too much from the memory.
LayoutView::Places LayoutView::place_pictures(const Part& part)
{
    const Theme& theme = part.theme();
    const draw::Box& box = part.box;
    const bool wide = box.width() >= theme.px(540);
    const float gap = theme.px(4);
    const float bits_high = bits_height(theme) + steppers_height(theme, part.side, part.first());
    Places places;
    float costs_high = 0, below = 0;
    for (const bool formulas : {true, false}) {
        costs_high = tile_costs_height(theme, formulas);
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

void LayoutView::draw_pictures(Part& part)
{
    const Theme& theme = part.theme();
    const Places places = place_pictures(part);
    const auto selected = selected_cell(part.side, part.focus, part.lane());
    explain(part.frame, part.side, selected);
    const auto cell = draw_words(part, places.memory, selected);
    mark_picture(part.frame.marks, part.stage.slug, places.memory);
    draw_costs(part, places, cell);
    if (cell) {
        draw::Box bits = places.bits;
        bits.max.y -= steppers_height(theme, part.side, part.first());
        draw_bits(part, part.side, *cell, bits);
        if (draw::pointed_at(places.bits))
            part.frame.point_out(element_words(part.side, part.stage, *cell));
        mark_picture(part.frame.marks, "bits of " + part.stage.slug, places.bits);
    }
    if (has_steppers(part.side, part.first())) {
        ImGui::SetCursorScreenPos(
            {places.bits.min.x, places.bits.max.y - steppers_height(theme, part.side, part.first()) + theme.px(4)});
        workbench.draw(part, part.side, places.bits.width());
    }
}

void LayoutView::draw_stage(StagePart where)
{
    draw::Box& box = where.box;
    const Focus focus = focus_on(where.frame, where.stage);
    if (!focus.warp) {
        box.min.y += draw::stage_headline(where.frame, where.stage, {"banks.no_accesses"}, box);
        Prose(where.theme()).strong(focus.why).draw(box.min, box.width());
        return;
    }
    const std::vector<uint8_t> tiles = shared_tiles(*focus.recording);
    if (tiles.empty()) {
        if (where.first())
            wanted.reset(); // nothing here can be arranged so
        return draw::global_request(where.frame, where.stage, focus, box);
    }
    const bool arranges = where.first() && wanted;
    if (arranges)
        open_wanted_tile(*focus.recording, tiles);
    Part part{where, focus, tiles, {where.stage, focus, tile_of(focus, tiles), trials[where.stage.number]}};
    if (arranges)
        try_wanted(part);
    part.box.min.y += draw::stage_headline(part.frame, part.stage, headline_of(part.side), box);
    draw_pictures(part);
    if (part.first())
        drawn = {.tile = part.side.tile().name}, drawn.set(part.side.mapping());
}

void LayoutView::draw(ViewFrame& frame)
{
    follow_stage(frame);
    drawn_columns = frame.columns.size();
    draw::in_columns(frame, "layout view", ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar,
                     [&](std::size_t i, const draw::Box& box) {
                         draw_stage({frame, frame.columns[i], box});
                     });
    to_access = false; // where no tile is drawn
}

} // namespace

std::unique_ptr<View> make_layout_view()
{
    return std::make_unique<LayoutView>();
}

} // namespace viz
