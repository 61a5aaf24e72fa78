#include "app/panels/timeline/status.h"

#include "app/panels/widgets.h"
#include "app/state/position.h"

namespace app {

void draw_status(const Snapshot& snapshot, const State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##status", area, no_fill, false);
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.right(), area.y}, theme.border);
    const float y = area.y + theme.px(4);
    const float left = area.x + theme.px(10);
    const std::string said = !snapshot.notice.empty() ? snapshot.notice
                             : !state.notice.empty()  ? state.notice
                             : !state.hint.empty()    ? state.hint
                             : snapshot.busy()        ? viz::plain(snapshot.columns.front().status) + " Esc cancels."
                                                      : selection_text(state);
    const std::string origin = origin_text(snapshot, state);
    // What is selected matters more than when it was recorded.
    const float origin_width = text_width(theme.text, origin);
    const bool room = left + text_width(theme.text, said) + theme.px(24) + origin_width < area.right() - theme.px(10);
    if (room)
        draw_text_right(theme.text, {area.right() - theme.px(10), y}, theme.ink_quiet, origin);
    draw_text_within(theme.text, {left, y}, area.width - theme.px(20) - (room ? origin_width + theme.px(24) : 0),
                     theme.ink, said);
    ImGui::End();
}

} // namespace app
