// Layout: where each element of a shared tile lies, and a workbench that tries other places on the recorded accesses.
#include "viz/view.h"

#include "viz/analysis/ownership.h"
#include "viz/draw/columns.h"
#include "viz/text/figures.h"
#include "viz/views/35_layout/tile_costs.h"
#include "viz/views/35_layout/workbench.h"

#include <fmt/format.h>

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
        TileSide& side;
        ImDrawList* list;
    };

    bool draw_controls(ViewFrame& frame);
    void draw_part(ViewFrame& frame, const Subject& subject, TileSide& side, draw::Box box);
    float draw_words(Part& part, const draw::Box& box, std::optional<Cell> cell) const;
    void draw_pictures(Part& part, const draw::Box& box, std::optional<Cell> cell);
    std::optional<Cell> selected_cell(const Part& part) const;
    uint8_t tile_of(const Focus& focus, const std::vector<uint8_t>& tiles) const;

    TileSide sides[2];
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

float LayoutView::draw_words(Part& part, const draw::Box& box, std::optional<Cell> cell) const
{
    const Theme& theme = part.frame.theme;
    TileSide& side = part.side;
    const recording::Array& tile = side.tile();
    float y = box.min.y;
    const auto say = [&](const Prose& prose) { y += prose.draw(part.list, {box.min.x, y}, box.width()) + theme.px(3); };
    Prose what(theme);
    what.code(tile.name).say(fmt::format(" has {} x {} elements in ", tile.rows, tile.cols));
    what.figure(counted(side.shown().bytes, "byte"));
    if (side.mapping.kind == Mapping::Kind::recorded) {
        what.say(", in the places that were recorded. ");
    } else {
        what.say(side.refused() ? ". Tried: " : ", in these places: ").code(formula_of(side.mapping)).say(" ");
        if (side.refused())
            what.figure("Refused:", theme.warning).say(" " + side.refusal() + " Shown as recorded.");
        else if (side.shown().bytes != tile.bytes)
            what.say(fmt::format("(recorded: {}).", counted(tile.bytes, "byte")));
    }
    say(what);
    if (cell) {
        const auto& touchers = side.touchers(*cell);
        const uint32_t place = side.shown().place[side.index(*cell)];
        Prose prose(theme);
        prose.strong(element_name(tile.name, {*cell})).say(": place ").figure(fmt::format("{}", place));
        prose.say(", bank ").figure(fmt::format("{}", side.bank_of(*cell)));
        if (const uint32_t before = side.recorded.place[side.index(*cell)]; before != place)
            prose.say(fmt::format(" (recorded: place {}, bank {})", before,
                                  model::bank_of(uint64_t{before} * tile.element_bytes)));
        prose.say(". Written by ").code(touchers_text(touchers, true)).say(". Read by ");
        prose.code(touchers_text(touchers, false)).say(".");
        say(prose);
    }
    return y - box.min.y;
}

void LayoutView::draw_pictures(Part& part, const draw::Box& box, std::optional<Cell> cell)
{
    const Theme& theme = part.frame.theme;
    TileSide& side = part.side;
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
    Prose by_element(theme);
    by_element.strong("By row and column").say(", as the kernel names them. Colour and number: the bank.");
    for (uint32_t bank = 0; bank < model::banks; bank += 8)
        by_element.gap().swatch(lane_colour(theme, bank)).say(fmt::format("{}-{}", bank, bank + 7));
    by_element.gap().say("Outlined: ").swatch(theme.ink).say("this access").gap();
    by_element.swatch(theme.accent(part.subject.accent)).say("the selected lane").gap();
    by_element.swatch(theme.warning).say("the selected element");
    y += by_element.draw(part.list, {box.min.x, y}, box.width()) + theme.px(4);
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
    y += Prose(theme)
             .strong("As it lies in memory")
             .say(": 32 banks to a row. Colour: the row of the tile.")
             .draw(part.list, {box.min.x, y}, half) +
         theme.px(2);
    const float bottom = std::max(box.max.y, y + theme.px(100));
    const auto below = draw_tile_by_bank(picture, {{box.min.x, y}, {box.min.x + half, bottom}});
    hit = below ? below : hit;
    click();
    if (hit) {
        part.frame.hint =
            fmt::format("{}: {} lies at place {}, byte {}, bank {}", part.subject.slug, element_name(tile.name, {*hit}),
                        side.shown().place[side.index(*hit)],
                        uint64_t{side.shown().place[side.index(*hit)]} * tile.element_bytes, side.bank_of(*hit));
    }
    draw_tile_costs({side, theme, first ? part.frame.marks : nullptr},
                    {{box.min.x + half + theme.px(20), y}, {box.max.x, bottom}});
}

void LayoutView::draw_part(ViewFrame& frame, const Subject& subject, TileSide& side, draw::Box box)
{
    const Theme& theme = frame.theme;
    Part part{frame, subject, focus_on(subject, frame.first, frame.selection), side, ImGui::GetWindowDrawList()};
    float y = box.min.y + stage_heading(theme, subject).draw(part.list, box.min, box.width()) + theme.px(2);
    const std::vector<uint8_t> tiles = part.focus.warp ? shared_tiles(*part.focus.recording) : std::vector<uint8_t>();
    if (tiles.empty()) {
        Prose(theme)
            .strong(part.focus.warp
                        ? subject.slug + " uses no shared memory, so there is no tile to lay out. The first "
                                         "rung with one is shared_tile."
                        : part.focus.why)
            .draw(part.list, {box.min.x, y}, box.width());
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
