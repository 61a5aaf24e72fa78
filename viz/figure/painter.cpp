#include "viz/figure/painter.h"

#include "viz/draw/rich_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

void Painter::begin(const Panel& panel)
{
    panel_ = &panel;
}

void Painter::draw(const Layer& layer, const Box& box)
{
    std::visit([&](const auto& one) { paint(*this, one, box); }, layer);
}

Box Painter::sight(const Box& all) const
{
    return panel_->camera != nullptr ? panel_->box : all;
}

void Painter::mark(std::string_view name, const Box& box, Mark what)
{
    if (marks_ == nullptr)
        return;
    viz::mark(marks_, name, box.min, box.max);
    marks_->drawn.push_back(
        {panel_->id, std::string(name), box.min, box.max, what.value, what.colour, std::move(what.label)});
}

void Painter::tip(const Box& box, const Tip& tip)
{
    if (tips_ == nullptr || !tip)
        return;
    Box seen = box;
    if (panel_->camera != nullptr) {
        const Box& room = panel_->box;
        seen = {{std::max(box.min.x, room.min.x), std::max(box.min.y, room.min.y)},
                {std::min(box.max.x, room.max.x), std::min(box.max.y, room.max.y)}};
        if (seen.width() <= 0 || seen.height() <= 0)
            return;
    }
    if (std::string words = plain(tip()); !words.empty())
        tips_->push_back({seen.min, seen.max, std::move(words)});
}

void Painter::note(const Box& box, std::string_view words, bool shortened)
{
    taken_.push_back(box);
    if (marks_ == nullptr)
        return;
    const Box& room = panel_->box;
    if (panel_->camera != nullptr && !box.overlaps(room))
        return;
    // Panels clip what a camera shows, so its text is never reported as cut.
    const bool outside = panel_->camera == nullptr && (box.min.x < room.min.x - 1 || box.max.x > room.max.x + 1 ||
                                                       box.min.y < room.min.y - 1 || box.max.y > room.max.y + 1);
    marks_->words.push_back({panel_->id, std::string(words), box.min, box.max, outside, shortened});
}

void Painter::text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words, bool shortened)
{
    if (words.empty())
        return;
    surface.text(font, left_top, colour, words);
    const ImVec2 size = draw::measure(font, words);
    note({left_top, {left_top.x + size.x, left_top.y + size.y}}, words, shortened);
}

void Painter::text_right(ImFont* font, ImVec2 right_top, Colour colour, std::string_view words)
{
    text(font, {right_top.x - draw::measure(font, words).x, right_top.y}, colour, words);
}

bool Painter::text_in(ImFont* font, const Box& box, Colour colour, std::string_view words)
{
    const ImVec2 size = draw::measure(font, words);
    if (size.x > box.width() || size.y > box.height() + 3)
        return false;
    text(font, {(box.min.x + box.max.x - size.x) / 2, (box.min.y + box.max.y - size.y) / 2}, colour, words);
    return true;
}

std::string Painter::shortened(ImFont* font, std::string_view words, float room) const
{
    if (draw::measure(font, words).x <= room)
        return std::string(words);
    const std::string dots = "...";
    for (std::size_t length = words.size(); length > 0; --length) {
        if ((words[length - 1] & 0x80) != 0) // in the middle of a UTF-8 character
            continue;
        std::string begun = std::string(words.substr(0, length)) + dots;
        if (draw::measure(font, begun).x <= room)
            return begun;
    }
    return {};
}

bool Painter::is_free(const Box& box) const
{
    return std::ranges::none_of(taken_, [&](const Box& one) { return one.overlaps(box); });
}

ImFont* Painter::font_of(const Label& label) const
{
    return label.large ? theme.heading : label.strong ? theme.mono_bold : label.mono ? theme.mono : theme.text;
}

bool Painter::label(const Label& label)
{
    ImFont* const font = font_of(label);
    if (label.within)
        return text_in(font, *label.within, label.colour, label.words);
    const ImVec2 size = draw::measure(font, label.words);
    const float away = px(label.distance), margin = label.plate ? px(4) : 0;
    const float x = label.at.x, y = label.at.y;
    using Side = Label::Side;
    const std::array<std::pair<Side, ImVec2>, 5> places{{
        {Side::right, {x + away + margin, y - size.y / 2}},
        {Side::left, {x - away - margin - size.x, y - size.y / 2}},
        {Side::above, {x - size.x / 2, y - away - margin - size.y}},
        {Side::below, {x - size.x / 2, y + away + margin}},
        {Side::middle, {x - size.x / 2, y - size.y / 2}},
    }};
    const Box& room = panel_->box;
    for (const auto& [side, at] : places) {
        if (label.side == Side::any ? side == Side::middle : side != label.side)
            continue;
        const Box box{{at.x - margin, at.y - margin / 2}, {at.x + size.x + margin, at.y + size.y + margin / 2}};
        const bool inside =
            box.min.x >= room.min.x && box.max.x <= room.max.x && box.min.y >= room.min.y && box.max.y <= room.max.y;
        if (!label.must && (!inside || !is_free(box)))
            continue;
        if (label.plate)
            surface.fill(box, draw::with_alpha(theme.panel, 0.9f), px(3));
        const Colour colour = label.colour != 0 ? label.colour : theme.ink_quiet;
        text(font, at, colour, label.words);
        if (!label.name.empty())
            mark(label.name, box, {.colour = colour, .label = label.words});
        return true;
    }
    return false;
}

float Painter::prose(const Rich& words, ImVec2 place, float width)
{
    RichText prose(theme);
    prose.write(words);
    const float height = prose.draw(surface, place, width);
    note({place, {place.x + std::min(width, prose.width()), place.y + height}}, plain(words), false);
    return height;
}

void paint(Painter& painter, const LabelLayer& layer, const Box&)
{
    for (const Label& label : layer.labels)
        painter.label(label);
}

void paint(Painter& painter, const RichTextLayer& layer, const Box& box)
{
    const Box room = layer.box.value_or(box);
    if (layer.whole && RichText(painter.theme).write(layer.words).height(room.width()) > room.height())
        return;
    if (layer.plate) {
        const RichText prose = RichText(painter.theme).write(layer.words);
        const float margin = painter.px(6), width = std::min(prose.width(), room.width());
        painter.surface.fill({{room.min.x - margin, room.min.y - margin / 2},
                              {room.min.x + width + margin, room.min.y + prose.height(room.width()) + margin / 2}},
                             painter.theme.background, painter.px(3));
    }
    const float height = painter.prose(layer.words, room.min, room.width());
    if (!layer.name.empty())
        painter.mark(layer.name, {room.min, {room.max.x, room.min.y + height}}, {.label = plain(layer.words)});
}

void paint(Painter& painter, const ImageLayer& layer, const Box&)
{
    const float density = ImGui::GetIO().DisplayFramebufferScale.x;
    const auto pixels = [&](float length) { return std::max(1, static_cast<int>(std::lround(length * density))); };
    if (layer.box.width() >= 1 && layer.box.height() >= 1)
        painter.surface.image(layer.texture(pixels(layer.box.width()), pixels(layer.box.height())), layer.box);
}

} // namespace viz
