#include "app/panels/source/layout_strip.h"

#include "app/panels/source/highlighted_line.h"
#include "app/panels/widgets.h"
#include "layout_source.h"

#include "viz/text/templates.h"

#include <algorithm>

namespace app {

void LayoutStrip::follow(const std::vector<kernels::Stage>& ladder,
                         const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    definitions_.clear();
    most_lines_ = 0;
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
            definitions_.push_back({.heading = viz::plain({"code.layout",
                                                           {{"array", layout.array},
                                                            {"file", source.name.substr(source.name.rfind('/') + 1)}}}),
                                    .array = std::string(layout.array),
                                    .first = lines->first,
                                    .lines = {all.begin() + lines->first - 1, all.begin() + lines->last}});
            most_lines_ = std::max(most_lines_, definitions_.back().lines.size());
        }
}

float LayoutStrip::draw(State& state, const Area& area, float most, const recording::Access* current) const
{
    if (definitions_.empty())
        return 0;
    const viz::Theme& theme = state.theme;
    const bool named =
        current != nullptr && recording::has_addresses(*current) && current->array < recording_->arrays.size();
    const auto used = std::find_if(definitions_.begin(), definitions_.end(), [&](const Definition& definition) {
        return named && kernels::is_tile_of(recording_->arrays[current->array].name, definition.array);
    });
    const bool lit = used != definitions_.end();
    const Definition& shown = lit ? *used : definitions_.front();

    const float row = line_height(theme.mono) + theme.px(2), column = text_width(theme.mono, "0");
    const float left = area.x + theme.px(10), code = left + 5 * column;
    const float height = std::min(line_height(theme.text) + theme.px(10) + row * static_cast<float>(most_lines_), most);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({area.x, area.y}, {area.right(), area.y + height}, true);
    draw_text_within(theme.text, {left, area.y}, area.width - theme.px(20), lit ? theme.ink : theme.ink_quiet,
                     shown.heading);
    float y = area.y + line_height(theme.text) + theme.px(4);
    for (std::size_t i = 0; i < shown.lines.size(); ++i, y += row) {
        const SourceLine& line = shown.lines[i];
        if (lit)
            list.AddRectFilled({area.x, y}, {area.right(), y + row}, faded(theme.first, 0.16f));
        draw_text_right(theme.mono, {code - column, y}, theme.ink_faint, std::to_string(shown.first + i));
        draw_highlighted(theme, line, {code, y});
        const bool hovered =
            ImGui::IsMouseHoveringRect({area.x, y}, {area.right(), std::min(y + row, area.y + height)});
        if (hovered &&
            code + static_cast<float>(line.text.size()) * column > area.right()) // cut off: whole in a tooltip
            whole_line_tooltip(theme, line);
    }
    list.PopClipRect();
    list.AddLine({area.x, area.y + height - 1}, {area.right(), area.y + height - 1}, theme.border);
    return height;
}

} // namespace app
