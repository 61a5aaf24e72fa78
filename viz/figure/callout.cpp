#include "viz/figure/painter.h"

#include <algorithm>
#include <optional>

namespace viz {

namespace {

struct WrittenLine {
    const CalloutLayer::Line* line = nullptr;
    ImFont* font = nullptr;
    ImVec2 size{};
};

// Returns the lines that fit into the room.
std::vector<WrittenLine> written_lines(const Theme& theme, const CalloutLayer& layer, float room)
{
    std::vector<WrittenLine> written;
    for (const CalloutLayer::Line& line : layer.lines) {
        ImFont* const small = line.mono ? theme.mono : theme.text;
        ImFont* font = line.large ? theme.heading : small;
        if (draw::measure(font, line.words).x > room)
            font = small;
        if (const ImVec2 size = draw::measure(font, line.words); size.x <= room)
            written.push_back({&line, font, size});
    }
    return written;
}

int hidden(const CalloutLayer& layer, const Box& by)
{
    int sum = 0;
    for (const CalloutLayer::Obstacle& one : layer.obstacles)
        sum += by.overlaps(one.box) ? one.weight : 0;
    return sum;
}

// Returns whether the box hides an obstacle of more than the least weight.
bool hides_much(const CalloutLayer& layer, const Box& by)
{
    return std::ranges::any_of(
        layer.obstacles, [&](const CalloutLayer::Obstacle& one) { return one.weight > 1 && by.overlaps(one.box); });
}

Box freest_place(const CalloutLayer& layer, ImVec2 size, float pad)
{
    const float x = layer.over.width() - size.x - 2 * pad, y = layer.over.height() - size.y - 2 * pad;
    const float top = layer.over.min.y + pad;
    std::vector<float> tops{top + y, top + y * 0.75f, top + y / 2, top + y / 4, top};
    if (y < layer.spare)
        tops = {layer.otherwise.min.y + pad};
    std::optional<Box> best;
    for (const float from : tops)
        for (const float along : {1.0f, 0.0f, 0.5f}) {
            const ImVec2 corner{layer.over.min.x + pad + x * along, from};
            const Box box{corner, {corner.x + size.x, corner.y + size.y}};
            if (!best || hidden(layer, box) < hidden(layer, *best))
                best = box;
        }
    return *best;
}

} // namespace

void paint(Painter& painter, const CalloutLayer& layer, const Box&)
{
    const Theme& theme = painter.theme;
    const float pad = painter.px(8), between = painter.px(2);
    std::vector<WrittenLine> written = written_lines(theme, layer, layer.over.width() - 4 * pad);
    if (written.empty())
        return;
    const auto place_of_lines = [&] {
        ImVec2 size{2 * pad, 2 * pad};
        for (const WrittenLine& one : written)
            size = {std::max(size.x, one.size.x + 2 * pad), size.y + one.size.y + between};
        return freest_place(layer, size, pad);
    };
    Box place = place_of_lines();
    const std::vector<WrittenLine> all = written;
    const Box whole = place;
    for (; written.size() > 1 && hides_much(layer, place); place = place_of_lines())
        written.pop_back();
    if (hides_much(layer, place)) { // fewer lines do not help
        written = all;
        place = whole;
    }
    painter.surface.fill(place, draw::with_alpha(theme.background, 0.88f), painter.px(5));
    ImVec2 at{place.min.x + pad, place.min.y + pad};
    for (const WrittenLine& one : written) {
        painter.text(one.font, at, one.line->colour, one.line->words);
        at.y += one.size.y + between;
    }
}

} // namespace viz
