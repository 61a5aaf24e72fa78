#include "app/panels/source/layout_strip.h"

#include "app/panels/source/highlight.h"
#include "app/panels/widgets.h"
#include "stage.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

void LayoutStrip::follow(const std::vector<kernels::Stage>& ladder,
                         const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    definitions_.clear();
    if (recording == nullptr)
        return;
    const auto stage = std::find_if(ladder.begin(), ladder.end(),
                                    [&recording](const kernels::Stage& one) { return one.slug == recording->stage; });
    if (stage == ladder.end())
        return;
    for (const kernels::LayoutSource& layout : stage->layouts)
        if (const auto lines = kernels::find_layout(layout, *recording)) {
            const recording::SourceFile& source = recording->sources[lines->source];
            std::vector<SourceLine> all = highlight(source.text);
            definitions_.push_back({.file = source.name.substr(source.name.rfind('/') + 1),
                                    .array = std::string(layout.array),
                                    .first = lines->first,
                                    .lines = {all.begin() + lines->first - 1, all.begin() + lines->last}});
        }
}

const LayoutStrip::Definition* LayoutStrip::used_by(const recording::Access* access) const
{
    if (access == nullptr || !recording::has_addresses(*access) || access->array >= recording_->arrays.size())
        return nullptr;
    const auto used = std::ranges::find_if(definitions_, [&](const Definition& definition) {
        return kernels::is_tile_of(recording_->arrays[access->array].name, definition.array);
    });
    return used == definitions_.end() ? nullptr : &*used;
}

std::string LayoutStrip::file() const
{
    return definitions_.empty() ? "" : definitions_.front().file;
}

float LayoutStrip::draw(State& state, const Area& area, float most, const recording::Access* current) const
{
    if (definitions_.empty())
        return 0;
    const viz::Theme& theme = state.theme;
    const Definition* const used = used_by(current);
    const Definition& shown = used != nullptr ? *used : definitions_.front();
    const float row = line_height(theme.mono) + theme.px(2), column = text_width(theme.mono, "0");
    const float left = area.x + theme.px(10), code = left + 4 * column;
    const auto letters = static_cast<std::size_t>(std::max((area.right() - code) / column, 16.0f));
    const auto parts_of = [&](const Definition& definition) {
        std::vector<LinePart> parts;
        for (std::size_t i = 0; i < definition.lines.size(); ++i)
            add_parts(parts, definition.lines[i], definition.first + i,
                      {0, letters, letters > 12 ? letters - 8 : letters});
        return parts;
    };
    std::vector<LinePart> parts = parts_of(shown);
    std::size_t tallest = 0; // height of the tallest definition, so that the panel below does not move
    for (const Definition& definition : definitions_)
        tallest = std::max(tallest, parts_of(definition).size());
    // Shows the end of the lines if not all of them fit, because the end computes the position of an element.
    const float heading = line_height(theme.text) + theme.px(2);
    const auto rows = static_cast<std::size_t>(std::max(1.0f, (most - heading - theme.px(4)) / row));
    if (parts.size() > rows)
        parts.erase(parts.begin(), parts.end() - static_cast<std::ptrdiff_t>(rows));
    const float height = heading + row * static_cast<float>(std::min(tallest, rows)) + theme.px(4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_within(theme.text, {left, area.y}, area.width - theme.px(20),
                     used != nullptr ? theme.ink : theme.ink_quiet, fmt::format("where {} lies", shown.array));
    float y = area.y + heading;
    for (const LinePart& part : parts) {
        if (used != nullptr)
            list.AddRectFilled({area.x, y}, {area.right(), y + row}, with_alpha(theme.accent(), 0.16f));
        if (part.number != 0)
            draw_text_right(theme.mono, {code - column, y}, theme.ink_faint, std::to_string(part.number));
        const float x = code + (part.number == 0 ? 8 * column : 0);
        list.PushClipRect(
            {x, y}, {std::min(area.right(), x + static_cast<float>(part.end - part.start) * column), y + row}, true);
        draw_highlighted(theme, *part.line, {x, y}, part.start);
        list.PopClipRect();
        y += row;
    }
    draw_rule(theme, area, area.y + height - 1);
    return height;
}

} // namespace app
