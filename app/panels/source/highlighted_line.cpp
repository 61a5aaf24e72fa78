#include "app/panels/source/highlighted_line.h"

#include "app/panels/widgets.h"

#include <algorithm>

namespace app {

namespace {

viz::Colour colour_of(SourceKind kind, const viz::Theme& theme)
{
    switch (kind) {
    case SourceKind::keyword: return theme.accent();
    case SourceKind::cuda: return theme.accent(1);
    case SourceKind::comment: return theme.ink_faint;
    case SourceKind::number:
    case SourceKind::text: return theme.good;
    case SourceKind::preprocessor: return theme.ink_quiet;
    case SourceKind::plain: break;
    }
    return theme.ink;
}

} // namespace

void draw_highlighted(const viz::Theme& theme, const SourceLine& line, ImVec2 at, std::size_t start)
{
    const float column = text_width(theme.mono, "0");
    for (const SourceSpan& span : line.spans) {
        const std::size_t first = std::max<std::size_t>(span.first, start), end = span.first + span.count;
        if (first < end)
            draw_text(theme.mono, {at.x + static_cast<float>(first - start) * column, at.y},
                      colour_of(span.kind, theme), line.text.substr(first, end - first));
    }
}

void whole_line_tooltip(const viz::Theme& theme, const SourceLine& line)
{
    const std::size_t start = indentation(line);
    ImGui::BeginTooltip();
    draw_highlighted(theme, line, ImGui::GetCursorScreenPos(), start);
    ImGui::Dummy({static_cast<float>(line.text.size() - start) * text_width(theme.mono, "0"),
                  line_height(theme.mono) + theme.px(2)});
    ImGui::EndTooltip();
}

} // namespace app
