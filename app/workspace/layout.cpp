#include "app/workspace/layout.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {

struct Sides {
    float ladder = 0, source = 0; // widths
    bool ladder_open = true, source_open = true;
};

// Closes one side panel if there is no room for both. Then narrows the panels in favor of the view: first the source,
// then the ladder.
Sides fit(const LayoutInput& input, const Panels& panels)
{
    const float scale = input.scale;
    const float gaps = 2 * splitter_width * scale;
    const auto width_for = [&](float chosen, float share, float least, float most) {
        return chosen > 0 ? chosen * scale : std::clamp(share * input.width, least * scale, most * scale);
    };
    Sides sides{width_for(panels.ladder_width, 0.105f, least_ladder_width, 236),
                width_for(panels.source_width, 0.168f, 236, 480), panels.ladder, panels.source};
    const auto needed = [&](float ladder, float source) {
        return (sides.ladder_open ? ladder : closed_width) * scale +
               (sides.source_open ? source : closed_width) * scale + gaps + least_view_width * scale;
    };
    if (needed(least_ladder_width + 40, least_source_width + 40) > input.width && sides.ladder_open &&
        sides.source_open)
        (input.source_first ? sides.ladder_open : sides.source_open) = false;
    if (!sides.ladder_open)
        sides.ladder = closed_width * scale;
    if (!sides.source_open)
        sides.source = closed_width * scale;
    const auto narrow = [&](bool open, float least, float& width) {
        const float excess = sides.ladder + sides.source + gaps + least_view_width * scale - input.width;
        if (open && excess > 0)
            width = std::max(width - excess, least * scale);
    };
    narrow(sides.source_open, least_source_width, sides.source);
    narrow(sides.ladder_open, least_ladder_width, sides.ladder);
    return sides;
}

// Returns the height of the stage's card: the space that the source can spare, or one row if the card is closed.
float card_height(const LayoutInput& input, const Panels& panels, float middle)
{
    if (!input.card)
        return 0;
    const float row = 27 * input.scale;
    return panels.card ? std::clamp(middle - 500 * input.scale, row, 0.36f * middle) : row;
}

} // namespace

float fitting_scale(float wanted, float width, float height)
{
    constexpr float least_width = 800, least_height = 500; // at scale 1
    const float most = std::min(width / least_width, height / least_height);
    return std::min(wanted,
                    // Uses steps of 0.1, so that resizing a window causes few type sizes.
                    std::max(1.0f, std::floor(most * 10) / 10));
}

bool is_narrow(float width, float scale)
{
    constexpr float narrow = 640; // at scale 1; a narrower window has no room for a view and a column side by side
    return width < narrow * scale;
}

Layout arrange(const LayoutInput& input, const Panels& panels)
{
    const float scale = input.scale;
    const float gap = splitter_width * scale;
    const float top = 39 * scale;
    const float status = 26 * scale;
    const bool narrow = is_narrow(input.width, scale);
    const float timeline = ((narrow ? 76 : 62) + 17 * static_cast<float>(input.timeline_bars - 1)) * scale;
    const float class_bar = input.class_bar ? (narrow ? 44 : 32) * scale : 0;
    const float all = std::max(input.height - top - class_bar - status - timeline, 0.0f);

    const float below = input.column && narrow ? std::floor(0.44f * all) : 0; // height of the column below the view
    const float middle = all - below;
    const float column = input.column && !narrow ? std::clamp(0.2f * input.width, 236 * scale, 360 * scale) : 0;
    LayoutInput beside_column = input;
    beside_column.width -= column;
    const Sides sides = fit(beside_column, panels);
    Layout layout;
    layout.ladder_open = sides.ladder_open;
    layout.source_open = sides.source_open;
    layout.top = {0, 0, input.width, top};
    layout.class_bar = {0, top, input.width, class_bar};
    const float y = top + class_bar;
    layout.ladder = {0, y, sides.ladder, middle};
    layout.source = {input.width - sides.source, y, sides.source, middle};
    layout.column = {sides.ladder + gap, y, column, middle};
    const float view = std::max(layout.source.x - gap - layout.column.right(), 0.0f);
    layout.view = {layout.column.right(), y, view, middle};
    if (below > 0)
        layout.column = {0, y + middle, input.width, below};
    layout.card = layout.source;
    if (layout.source_open) {
        layout.card.height = card_height(input, panels, middle);
        layout.source.y += layout.card.height;
        layout.source.height = std::max(middle - layout.card.height, 0.0f);
    }
    layout.timeline = {0, y + all, input.width, timeline};
    layout.status = {0, input.height - status, input.width, status};
    return layout;
}

} // namespace app
