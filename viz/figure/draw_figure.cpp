#include "viz/figure/draw_figure.h"

#include "viz/draw/camera.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/layout.h"
#include "viz/figure/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>

namespace viz {

namespace {

// Returns the height of the title line including the gap below, or 0 without a title line.
float title_height(const Theme& theme, const Panel& panel)
{
    return panel.title.empty() && panel.figure.empty() ? 0 : viz::title_height(theme);
}

// Omits the panel's figure at the right if even the shortest title needs the whole line.
void paint_title(Painter& painter, const Panel& panel)
{
    if (title_height(painter.theme, panel) == 0)
        return;
    const Theme& theme = painter.theme;
    const Box& box = panel.box;
    const float line = draw::line_height(theme.text), sign = panel.origin ? painter.px(14) : 0;
    std::vector<std::string> titles{panel.title};
    titles.insert(titles.end(), panel.shorter.begin(), panel.shorter.end());
    RichText figure(theme);
    figure.write(panel.figure);
    const float beside = panel.figure.empty() ? 0 : figure.width() + painter.px(8);
    const auto with_figure = std::ranges::find_if(titles, [&](const std::string& title) {
        return draw::measure(theme.text, title).x + sign + beside <= box.width();
    });
    const std::string fitting =
        with_figure != titles.end() ? *with_figure : draw::first_fitting(theme.text, box.width() - sign, titles);
    const std::string title = painter.shortened(theme.text, fitting, box.width() - sign);
    const float end = box.min.x + draw::measure(theme.text, title).x;
    painter.text(theme.text, box.min, theme.ink_quiet, title, title != fitting);
    if (panel.origin)
        draw_origin(painter.surface, *panel.origin, {end + painter.px(9), box.min.y + line / 2}, painter.px(3.5f),
                    theme.ink_faint);
    if (const float width = figure.width(); !panel.figure.empty() && end + sign + painter.px(8) + width <= box.max.x)
        painter.prose(panel.figure, {box.max.x - width, box.min.y}, width + 1);
}

Rich legend_words(const Panel& panel)
{
    Rich words;
    for (const LegendEntry& entry : panel.legend) {
        if (entry.colour != 0)
            words.push_back({.kind = Run::Kind::swatch, .colour = entry.colour});
        words.push_back({.words = entry.words});
        words.push_back({.kind = Run::Kind::gap});
    }
    return words;
}

struct HeadingPlaces {
    RichText name, headline;
    bool beside = false;
    float name_height = 0, width = 0, height = 0; // width and height of the headline
};

HeadingPlaces places_of(const Theme& theme, const Heading& heading, float width)
{
    HeadingPlaces all{RichText(theme), RichText(theme)};
    all.name.write(heading.name);
    all.headline.write_large(heading.headline);
    all.beside = all.name.width() + theme.px(24) + all.headline.width() <= width;
    all.name_height = all.name.height(width);
    all.width = all.beside ? all.headline.width() + 1 : width;
    all.height = all.headline.height(all.width);
    return all;
}

void draw_heading(const Heading& heading, Surface& surface, const Theme& theme, Marks* marks)
{
    const Box& box = heading.box;
    const HeadingPlaces all = places_of(theme, heading, box.width());
    all.name.draw(surface, box.min, box.width());
    const ImVec2 place =
        all.beside ? ImVec2{box.max.x - all.width + 1, box.min.y} : ImVec2{box.min.x, box.min.y + all.name_height};
    all.headline.draw(surface, place, all.width);
    mark(marks, "headline:" + plain(heading.headline), place, {place.x + all.width, place.y + all.height});
}

void paint_panel(Painter& painter, const Panel& panel)
{
    painter.begin(panel);
    paint_title(painter, panel);
    if (!panel.legend.empty())
        painter.prose(legend_words(panel),
                      {panel.box.min.x, std::round(panel.box.min.y + title_height(painter.theme, panel))},
                      panel.box.width());
    const Box inside = layers_box(painter.theme, panel);
    if (inside.height() <= 0 || inside.width() <= 0)
        return;
    const float edge = painter.px(2); // leaves room for the frame of an item at the right edge
    if (panel.camera != nullptr)
        painter.surface.push_clip({inside.min, {inside.max.x + edge, inside.max.y}});
    for (const Layer& layer : panel.layers)
        painter.draw(layer, inside);
    if (panel.camera != nullptr)
        painter.surface.pop_clip();
}

// Returns whether the button was pressed and released on the last ImGui item without dragging.
bool released_in_place()
{
    const ImVec2 dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    return ImGui::IsItemDeactivated() && dragged.x == 0 && dragged.y == 0;
}

} // namespace

float heading_height(const Theme& theme, const Heading& heading, float width)
{
    const HeadingPlaces all = places_of(theme, heading, width);
    return (all.beside ? std::max(all.name_height, all.height) : all.name_height + all.height) + theme.px(4);
}

float title_height(const Theme& theme)
{
    return draw::line_height(theme.text) + theme.px(3);
}

Box below_title(const Theme& theme, const Box& box)
{
    return {{std::round(box.min.x), std::round(box.min.y + title_height(theme))}, box.max};
}

Panel words_panel(std::string id, const Box& box, Rich words)
{
    return {.id = std::move(id), .box = box, .layers = {RichTextLayer{std::move(words)}}, .is_picture = false};
}

std::string mark_of(const StageColumn& stage, std::string_view what)
{
    return stage.number == 0 ? std::string(what) : fmt::format("{} {}", what, stage.number);
}

std::string stage_panel(const StageColumn& stage)
{
    return stage.slug + (stage.variant.empty() ? "" : " " + stage.variant);
}

Heading stage_heading(const ViewScene& scene, const Theme& theme, const StageColumn& stage, Rich headline)
{
    Rich name{{.kind = Run::Kind::swatch, .colour = theme.accent(stage.number)},
              {.words = stage.slug, .style = Style::heading}};
    const auto add = [&](Run run) {
        name.push_back({.kind = Run::Kind::gap});
        name.push_back(std::move(run));
    };
    if (!stage.variant.empty())
        add({.words = stage.variant, .style = Style::strong});
    if (const Selection& at = scene.selection; !at.at_one_step())
        add({.words = plain({"focus.step", {{"step", index(at.step_of(stage.number))}}})});
    return {std::move(name), std::move(headline), {}};
}

std::vector<Box> add_headings(Figure& figure, const ViewFrame& frame, const Box& box,
                              const std::function<Rich(const StageColumn&)>& headline_of)
{
    std::vector<Box> places = columns(box, frame.columns.size(), frame.theme.px(12));
    float height = 0;
    std::vector<Heading> headings;
    for (const StageColumn& stage : frame.columns) {
        headings.push_back(stage_heading(frame, frame.theme, stage, headline_of(stage)));
        height = std::max(height, heading_height(frame.theme, headings.back(), places.front().width()));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        headings[i].box = {places[i].min, {places[i].max.x, places[i].min.y + height}};
        places[i].min.y += height;
        figure.headings.push_back(std::move(headings[i]));
    }
    return places;
}

void explain_stage(Figure& figure, const ViewScene& scene, const StageColumn& stage, std::vector<Rich> paragraphs)
{
    if (scene.comparing())
        figure.said.push_back(rich("**{}**", stage.slug));
    std::ranges::move(paragraphs, std::back_inserter(figure.said));
}

Box layers_box(const Theme& theme, const Panel& panel)
{
    Box box = panel.box;
    box.min.y = std::round(box.min.y + title_height(theme, panel));
    if (!panel.legend.empty())
        box.min.y =
            std::round(box.min.y + RichText(theme).write(legend_words(panel)).height(box.width()) + theme.px(2));
    return box;
}

void paint(Painter& painter, const Figure& figure)
{
    for (const Panel& panel : figure.panels)
        paint_panel(painter, panel);
}

void draw_panel(const Panel& panel, ViewFrame& frame)
{
    ImGuiSurface window(ImGui::GetWindowDrawList());
    Surface& surface = frame.surface != nullptr ? *frame.surface : window;
    const bool hovered = draw::item(panel.id.c_str(), panel.box), held = ImGui::IsItemActive();
    const bool clicked = panel.use_mouse || panel.camera != nullptr ? released_in_place() : ImGui::IsItemClicked();
    if (panel.use_mouse)
        panel.use_mouse(panel.box);
    if (panel.camera != nullptr)
        panel.camera->use_mouse();
    Painter painter(surface, frame.theme, hovered || held ? std::optional(ImGui::GetMousePos()) : std::nullopt,
                    frame.marks);
    painter.collect_tips(frame.tips);
    if (held)
        painter.held_since(ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left]);
    paint_panel(painter, panel);
    if (panel.is_picture)
        mark_picture(frame.marks, panel.id, panel.box);
    if (!painter.hit())
        return;
    const Hit& hit = *painter.hit();
    if (Rich words = hit.tip ? hit.tip() : Rich(); !words.empty())
        frame.point_out(std::move(words));
    if (hit.hover)
        hit.hover(frame);
    if (hit.click)
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (hit.click && clicked)
        hit.click(frame);
    if (hit.drag && held)
        hit.drag(frame);
}

void draw_figure(const Figure& figure, ViewFrame& frame)
{
    ImGuiSurface window(ImGui::GetWindowDrawList());
    Surface& surface = frame.surface != nullptr ? *frame.surface : window;
    for (Heading heading : figure.headings) {
        if (frame.hides_headlines && !heading.headline.empty())
            heading.headline = {{.words = "?", .style = Style::faint}};
        draw_heading(heading, surface, frame.theme, frame.marks);
    }
    std::map<std::string_view, int> seen; // columns of one stage have panels with the same id
    for (const Panel& panel : figure.panels) {
        ImGui::PushID(seen[panel.id]++); // a drag continues when other panels appear or disappear
        draw_panel(panel, frame);
        // The controls of a view are drawn over its figure and get the mouse first. If panels overlap, the first one
        // gets it.
        const auto over = [&](const Panel& other) { return &other != &panel && other.box.overlaps(panel.box); };
        if (std::ranges::none_of(figure.panels, over))
            ImGui::SetItemAllowOverlap();
        ImGui::PopID();
    }
    for (const Rich& said : figure.said)
        if (!said.empty())
            frame.explain(said);
    if (frame.rows != nullptr)
        std::ranges::move(rows_of(frame.theme, figure), std::back_inserter(*frame.rows));
}

void View::draw(ViewFrame& frame)
{
    ImGui::BeginChild(std::string(name()).c_str(), {0, 0}, false);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Figure shown = figure(frame, {corner, {corner.x + room.x, corner.y + room.y}});
    draw_figure(shown, frame);
    if (frame.interactive)
        draw_controls(frame);
    numbers_ = shown.numbers;
    settled_ = shown.settled;
    ImGui::EndChild();
}

} // namespace viz
