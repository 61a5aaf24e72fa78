// Layout: where each element of a shared tile lies, and a workbench that tries other places on the recorded accesses.
#include "viz/view.h"

#include "viz/analysis/ownership.h"
#include "viz/draw/columns.h"
#include "viz/text/prose.h"
#include "viz/text/templates.h"
#include "viz/views/35_layout/tile_costs.h"
#include "viz/views/35_layout/tile_picture.h"
#include "viz/views/35_layout/workbench.h"

#include <algorithm>
#include <cmath>

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
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        auto keys = Workbench::keys();
        keys.push_back({"a", "the next tile"});
        keys.push_back({"z", "zoom to the elements of the current access"});
        for (auto& key : PanZoom::keys())
            keys.push_back(std::move(key));
        return keys;
    }
    bool settled() const override { return sides[0].settled() && sides[1].settled(); }
    void draw(ViewFrame& frame) override;

private:
    // One subject while it is drawn.
    struct Part {
        ViewFrame& frame;
        const Subject& subject;
        Focus focus;
        SharedTile& side;
        ImDrawList* list;
    };

    bool draw_controls(ViewFrame& frame);
    void draw_part(ViewFrame& frame, const Subject& subject, SharedTile& side, draw::Box box);
    float draw_words(Part& part, const draw::Box& box, std::optional<Cell> cell) const;
    void draw_pictures(Part& part, const draw::Box& box, std::optional<Cell> cell);
    std::optional<Cell> selected_cell(const Part& part) const;
    uint8_t tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const;

    SharedTile sides[2];
    Workbench workbench;
    Mapping mapping;
    std::optional<std::size_t> chosen_tile; // by its place among the tiles; else that of the current access
};

uint8_t LayoutView::tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const
{
    if (chosen_tile)
        return tiles[*chosen_tile % tiles.size()];
    const auto step = nearest_shared(*focus.warp, focus.step);
    const auto found = step ? std::find(tiles.begin(), tiles.end(), focus.warp->accesses[*step].array) : tiles.end();
    return found == tiles.end() ? tiles.front() : *found;
}

bool LayoutView::draw_controls(ViewFrame& frame)
{
    const Focus focus = focus_on(frame.first, frame.first, frame.selection);
    if (!focus.warp)
        return false;
    const std::vector<uint8_t> tiles = shared_tiles(*focus.recording);
    if (tiles.empty())
        return false;
    const uint8_t now = tile_of(focus, tiles);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Tile");
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const std::string& name = focus.recording->arrays[tiles[i]].name;
        draw::flow(draw::button_width(name.c_str()));
        if (draw::choice(frame.theme, {name.c_str(), tiles[i] == now, {}}, frame.hint))
            chosen_tile = i;
        mark_item(frame.marks, "tile " + name);
    }
    if (draw::typed('a')) {
        const auto place = std::find(tiles.begin(), tiles.end(), now) - tiles.begin();
        chosen_tile = (static_cast<std::size_t>(place) + 1) % tiles.size();
    }
    workbench.draw(frame.theme, mapping, frame.hint, frame.marks);
    return true;
}

// The clicked element, or the first one of the selected lane.
std::optional<Cell> LayoutView::selected_cell(const Part& part) const
{
    if (part.side.chosen)
        return part.side.chosen;
    if (!part.side.step)
        return {};
    const recording::Array& tile = part.side.tile();
    const auto cells = cells_of_lane(part.focus.warp->accesses[*part.side.step], Elements(tile), tile.element_bytes,
                                     part.frame.selection.lane);
    return cells.empty() ? std::nullopt : std::optional(cells.front());
}

Message places_message(const SharedTile& shown)
{
    if (shown.mapping.kind == Mapping::Kind::recorded)
        return {"layout.recorded"};
    const std::string formula = formula_of(shown.mapping);
    if (!shown.refused())
        return {"layout.tried", {{"formula", formula}, {"recorded", shown.tile().bytes}}};
    return {"layout.refused",
            {{"formula", formula}, {"refused", Value("refused").as(Meaning::conflict)}, {"why", shown.refusal()}}};
}

Message size_message(const SharedTile& shown)
{
    return {"layout.size",
            {{"tile", shown.tile().name},
             {"rows", shown.tile().rows},
             {"cols", shown.tile().cols},
             {"bytes", shown.shown().bytes},
             {"places", places_message(shown)}}};
}

Message element_message(SharedTile& shown, Cell cell)
{
    const uint32_t place = shown.shown().place[shown.index(cell)];
    const uint32_t before = shown.recorded.place[shown.index(cell)];
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

Message element_legend(const Theme& theme, Colour accent)
{
    Messages banks;
    for (uint32_t bank = 0; bank < model::banks; bank += 8)
        banks.push_back(
            {"layout.banks",
             {{"colour", Swatch{lane_colour(theme, bank)}}, {"first", index(bank)}, {"last", index(bank + 7)}}});
    return {"layout.by_element",
            {{"banks", banks},
             {"access", Swatch{theme.ink}},
             {"lane", Swatch{accent}},
             {"element", Swatch{theme.warning}}}};
}

float LayoutView::draw_words(Part& part, const draw::Box& box, std::optional<Cell> cell) const
{
    float y = box.min.y;
    const auto say = [&](const Message& message) {
        y += Prose(part.frame.theme).write(message).draw(part.list, {box.min.x, y}, box.width()) +
             part.frame.theme.px(3);
    };
    say(size_message(part.side));
    if (cell)
        say(element_message(part.side, *cell));
    return y - box.min.y;
}

void LayoutView::draw_pictures(Part& part, const draw::Box& box, std::optional<Cell> cell)
{
    const Theme& theme = part.frame.theme;
    SharedTile& side = part.side;
    const recording::Array& tile = side.tile();
    const bool first = &part.subject == &part.frame.first;
    const TilePicture picture{side,
                              part.focus,
                              theme,
                              part.frame.selection.lane,
                              theme.accent(part.subject.accent),
                              cell,
                              first ? part.frame.marks : nullptr};
    float y = box.min.y;
    y += Prose(theme)
             .write(element_legend(theme, theme.accent(part.subject.accent)))
             .draw(part.list, {box.min.x, y}, box.width()) +
         theme.px(4);
    // A wide tile's elements are drawn higher than wide, as long as there is room.
    const float room = std::max(theme.px(60), (box.max.y - y) * 0.4f);
    const float cell_width = std::min(box.width() / static_cast<float>(tile.cols), theme.px(24));
    const float whole = cell_width * static_cast<float>(tile.rows);
    side.stretch = std::clamp(std::min(room / whole, theme.px(20) / cell_width), 1.0f, 4.0f);
    const float high = std::clamp(whole * side.stretch, theme.px(60), room);
    std::optional<Cell> hit = draw_tile_by_element(picture, {{box.min.x, y}, {box.max.x, y + high}});
    const auto click = [&] {
        if (hit && ImGui::IsItemDeactivated() && ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x == 0)
            side.chosen = hit;
    };
    click();
    y += high + theme.px(8);
    const float half = std::floor(box.width() * 0.54f);
    y += Prose(theme).write({"layout.by_bank"}).draw(part.list, {box.min.x, y}, half) + theme.px(2);
    const float bottom = std::max(box.max.y, y + theme.px(100));
    const auto below = draw_tile_by_bank(picture, {{box.min.x, y}, {box.min.x + half, bottom}});
    hit = below ? below : hit;
    click();
    if (hit) {
        const uint32_t place = side.shown().place[side.index(*hit)];
        part.frame.hint = plain(Message{"layout.element_hint",
                                        {{"stage", part.subject.slug},
                                         {"element", element_name(tile.name, {*hit})},
                                         {"place", place},
                                         {"byte", uint64_t{place} * tile.element_bytes},
                                         {"bank", side.bank_of(*hit)}}});
    }
    draw_tile_costs({side, theme, first ? part.frame.marks : nullptr},
                    {{box.min.x + half + theme.px(20), y}, {box.max.x, bottom}});
}

void LayoutView::draw_part(ViewFrame& frame, const Subject& subject, SharedTile& side, draw::Box box)
{
    const Theme& theme = frame.theme;
    Part part{frame, subject, focus_on(subject, frame.first, frame.selection), side, ImGui::GetWindowDrawList()};
    float y = box.min.y + stage_heading(theme, subject).draw(part.list, box.min, box.width()) + theme.px(2);
    const std::vector<uint8_t> tiles = part.focus.warp ? shared_tiles(*part.focus.recording) : std::vector<uint8_t>();
    if (tiles.empty()) {
        if (part.focus.warp)
            part.focus.why = plain(Message{"layout.no_tile", {{"stage", subject.slug}}});
        Prose(theme).strong(part.focus.why).draw(part.list, {box.min.x, y}, box.width());
        return;
    }
    const bool first = &subject == &frame.first;
    side.update(subject, part.focus, tile_of(part.focus, tiles), first ? mapping : Mapping{});
    const std::optional<Cell> cell = selected_cell(part);
    if (first) {
        side.tile_camera.use_keys();
        if (draw::typed('z') && side.step) {
            const Elements elements(side.tile());
            const auto rect =
                bounds(cells_of_access(part.focus.warp->accesses[*side.step], elements, side.tile().element_bytes));
            if (rect)
                side.tile_camera.show({static_cast<double>(rect->col), rect->row * double{side.stretch},
                                       static_cast<double>(rect->cols), rect->rows * double{side.stretch}});
        }
    }
    y += draw_words(part, {{box.min.x, y}, box.max}, cell) + theme.px(6);
    draw_pictures(part, {{box.min.x, y}, box.max}, cell);
}

void LayoutView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("layout view", {0, 0}, false, ImGuiWindowFlags_NoScrollWithMouse);
    draw_controls(frame);
    draw::in_columns(frame.theme, frame.second != nullptr, frame.theme.px(4), [&](int i, const draw::Box& box) {
        draw_part(frame, i == 0 ? frame.first : *frame.second, sides[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_layout_view()
{
    return std::make_unique<LayoutView>();
}

} // namespace viz
