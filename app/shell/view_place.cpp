// The middle of the window: the view, and what stands in its place where it has nothing to show.
#include "app/panels/header/host_code.h"
#include "app/panels/header/stages_row.h"
#include "app/panels/learn/hidden.h"
#include "app/panels/widgets.h"
#include "app/shell/requests.h"
#include "app/shell/shell.h"
#include "app/state/position.h"
#include "app/tasks/trace.h"

#include "viz/text/templates.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

namespace app {

namespace {

bool hides_view(const State& state)
{
    return state.at.panels.hides_times && state.view().group() == viz::ViewGroup::speed;
}

} // namespace

// As if it were done while the view is drawn; a view that is not drawn is told nothing.
void Shell::act_in_view(const ViewAction& action)
{
    const SnapshotPtr now = snapshot();
    if (now->recorded().empty() || hides_view(state_) || covers_picture(state_))
        return;
    viz::Requests requests;
    action({now->recorded(), state_.at.selection, now->board, requests});
    grant(session_, state_, requests);
}

void Shell::draw_view(const Snapshot& snapshot, const Area& area)
{
    const viz::Theme& theme = state_.theme;
    state_.inspector.clear();
    state_.tip.clear();
    state_.theme.words_drawn = state_.words_in_view;
    begin_place("##view", area, no_fill);
    if (!top_bar_.has_stages_row()) {
        draw_stages_row(snapshot, session_, state_, ImGui::GetContentRegionAvail().x);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddLine({area.x, at.y}, {area.right(), at.y}, theme.border);
        ImGui::Dummy({0, theme.px(2)});
    }
    draw_host_code_question(snapshot, session_, state_);
    const std::span<const viz::StageColumn> columns = snapshot.recorded();
    if (hides_view(state_)) {
        text_wrapped(theme.ink_quiet, viz::plain({"keys.times_hidden"}));
    } else if (columns.empty()) {
        ImGui::Dummy({0, theme.px(20)});
        text_wrapped(theme.ink, viz::plain(snapshot.columns.front().status));
        if (snapshot.choice.columns[0].file && is_cuda_source(*snapshot.choice.columns[0].file) && !snapshot.busy() &&
            !snapshot.question)
            text_wrapped(theme.ink_quiet, viz::plain({"session.how_launched"}));
        if (snapshot.busy())
            text(theme.ink_quiet, viz::plain({"status.esc"}));
    } else {
        for (const viz::StageColumn& other : snapshot.columns)
            if (other.recording == nullptr)
                text_wrapped(theme.ink_quiet, viz::plain(other.status));
        begin_view(theme);
        viz::begin_frame(columns);
        viz::Requests requests;
        const std::string above = std::exchange(state_.hint, {}); // of the row of stages, where the mouse is there
        viz::ViewFrame frame{
            {columns, state_.at.selection, snapshot.board, requests}, state_.hint, theme, state_.seconds, state_.marks};
        std::optional<viz::Rich> tip;
        frame.tip = &tip;
        frame.motion = motion_of(state_);
        frame.inspector = &state_.inspector;
        const bool hides = state_.learning.hides();
        viz::Marks headlines;
        if (hides && frame.marks == nullptr)
            frame.marks = &headlines;
        covers_picture(state_) ? draw_cover(state_) : state_.view().draw(frame);
        if (hides)
            hide_answers(*frame.marks, tip, state_);
        explain_tiny(snapshot, frame);
        if (tip) {
            if (const ImVec2 now = ImGui::GetMousePos();
                now.x != pressed_at_.x || now.y != pressed_at_.y) // else a key came since
                tooltip(theme, *tip);
            state_.tip = viz::plain(*tip);
        }
        if (!above.empty()) // else what the view says is selected
            state_.hint = above;
        ImGui::EndChild();
        grant(session_, state_, requests);
    }
    ImGui::End();
    state_.theme.words_drawn = nullptr;
}

} // namespace app
