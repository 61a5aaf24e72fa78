#include "app/panels/widgets.h"
#include "app/shell/shell.h"
#include "app/state/position.h"

#include "viz/text/templates.h"

#include "error.h"

namespace app {

// As the window draws it, but for what belongs to a person at the window: the mouse, what is asked, and what is hidden.
void Shell::draw_alone(const viz::Theme& theme, float width, float height, double seconds)
{
    advance(seconds);
    const SnapshotPtr now = snapshot();
    if (now->recorded().empty())
        throw kernels::Error(viz::plain(now->columns.front().status));
    std::string hint;
    viz::Requests requests;
    viz::ViewFrame frame{{now->recorded(), state_.at.selection, now->board, requests}, hint, theme, state_.seconds};
    frame.motion = motion_of(state_);
    ImGui::PushFont(theme.text);
    begin_place("##view", {0, 0, width, height}, no_fill);
    begin_view(theme);
    viz::begin_frame(now->recorded());
    state_.view().draw(frame);
    ImGui::EndChild();
    ImGui::End();
    ImGui::PopFont();
}

} // namespace app
