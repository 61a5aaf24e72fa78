// Draws one frame of the window: its areas, the view, and what replaces the view if it has nothing to show.
#include "app/panels/learn/hidden.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/shell/shell.h"
#include "app/state/position.h"

#include "viz/text/templates.h"

#include "error.h"

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

// Applies the requests of a view.
void apply(Session& session, State& state, const viz::Requests& requests)
{
    if (requests.stage)
        if (const auto rung = session.snapshot()->rung(*requests.stage))
            state.change([&](Choice& choice) { choice.show(*rung); });
    if (requests.block)
        show_block(session, state, *requests.block);
    if (requests.measure_gpu)
        session.measure_gpu();
    if (requests.count)
        session.count_shown();
    if (requests.stop_measuring)
        session.stop_measuring_gpu();
    if (requests.pattern)
        session.measure_pattern(*requests.pattern);
}

// Explains why a tiny stage cannot be smaller.
void explain_tiny(const Snapshot& snapshot, const viz::ViewFrame& frame)
{
    for (const ColumnDetails& shown : snapshot.details) {
        if (!shown.in_ladder || !snapshot.choice.tiny)
            continue;
        const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
        if (!stage.tiny)
            frame.explain(
                viz::rich("**{}** has no tiny form: its kernel runs on one kind of GPU only, with tiles of 64 rows "
                          "and more.",
                          stage.slug));
        else if (!stage.tiny->limit.empty())
            frame.explain(viz::rich("**{}** is as tiny as it can be. {}", stage.slug, stage.tiny->limit));
    }
}

} // namespace

void Shell::draw(float width, float height, double seconds)
{
    advance(seconds);
    state_.hint.clear();
    if (state_.palette.is_open()) { // the palette receives the keys, not a view
        ImGui::GetIO().ClearInputKeys();
        ImGui::GetIO().ClearInputCharacters();
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { // a click dismisses notices
        session_.clear_notice();
        state_.notice.clear();
    }
    const SnapshotPtr now = snapshot(); // used for the whole frame
    LayoutInput input{.width = width, .height = height, .scale = state_.theme.scale};
    input.timeline_bars = static_cast<int>(now->columns.size());
    input.column = state_.learning.column();
    input.card = Card::has_words(*now);
    input.source_first = state_.source_first;
    ImGui::PushFont(state_.theme.text);
    const Layout layout = arrange(input, SourceEditor::with_room(*now, state_, width));
    draw_places(*now, layout);
    draw_palette(state_, width, height);
    draw_presenting(state_, layout.view);
    ImGui::PopFont();
    if (std::exchange(asks_compare_, false))
        compare_pointed_or_below();
    compare_by_default(*snapshot(), state_);
    state_.entered = state_.escaped = false;
    if (const auto file = std::exchange(state_.opens, std::nullopt))
        open(*file);
    if (const auto typed = std::exchange(state_.finds, std::nullopt)) {
        open_palette();
        state_.palette.type(*typed);
    }
    write_table();
}

void Shell::draw_places(const Snapshot& snapshot, const Layout& layout)
{
    shows_ladder_ = layout.ladder_open;
    shows_source_ = layout.source_open;
    for (const auto& [name, area] : {std::pair{"view", layout.view}, {"timeline", layout.timeline}})
        viz::mark(state_.marks, name, {area.x, area.y}, {area.right(), area.bottom()});
    state_.pointed_stage.reset(), state_.pointed_file.reset();
    if (state_.at.page == Page::first) {
        draw_first_page(snapshot, session_, state_, {0, 0, layout.top.width, layout.status.bottom()});
        return;
    }
    draw_splitters(state_, layout);
    // Draws the middle first: the view describes the selection, and later areas describe what is under the mouse.
    draw_middle(snapshot, layout);
    if (layout.column.width > 0)
        draw_lesson_column(session_, state_, layout.column);
    top_bar_.draw(snapshot, session_, state_, layout.top);
    if (layout.ladder_open && !state_.learning.hides_speeds())
        draw_ladder(snapshot, session_, state_, layout.ladder);
    else if (!layout.ladder_open && draw_closed_panel(state_, layout.ladder, "##Open the ladder ([)"))
        toggle_panel(false);
    if (layout.source_open && layout.card.height > 0)
        card_.draw(snapshot, session_, state_, layout.card);
    if (layout.source_open)
        source_.draw(snapshot, session_, state_, layout.source);
    else if (draw_closed_panel(state_, layout.source, "##Open the source (])"))
        toggle_panel(true);
    draw_timeline(snapshot, state_, layout.timeline);
    export_dialog_.draw(snapshot, state_, layout.view);
    draw_status(snapshot, state_, layout.status); // last, because the other areas determine what it shows
}

void Shell::draw_middle(const Snapshot& snapshot, const Layout& layout)
{
    if (state_.at.page == Page::keys)
        draw_help(commands_, state_, layout.view);
    else if (!draw_open_page(snapshot, session_, state_, layout.view))
        draw_view(snapshot, layout.view);
}

// Performs an action as if it occurred while the view is drawn. Does nothing if the view is not drawn.
void Shell::act_in_view(const ViewAction& action)
{
    const SnapshotPtr now = snapshot();
    const bool drawn = !now->recorded().empty() || !state_.view().needs_recording();
    if (!drawn || hides_view(state_) || covers_picture(state_))
        return;
    viz::Requests requests;
    action({now->recorded(), state_.at.selection, now->ladder_facts, requests});
    apply(session_, state_, requests);
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
        draw_rule(theme, area, ImGui::GetCursorScreenPos().y);
        ImGui::Dummy({0, theme.px(2)});
    }
    draw_main_bar(snapshot, session_, state_, ImGui::GetContentRegionAvail().x);
    draw_launch_form(snapshot, session_, state_, ImGui::GetContentRegionAvail().x);
    const std::span<const viz::StageColumn> columns = snapshot.recorded();
    if (hides_view(state_)) {
        text_wrapped(theme.ink_quiet, times_hidden);
    } else if (columns.empty() && state_.view().needs_recording()) {
        ImGui::Dummy({0, theme.px(20)});
        text_wrapped(theme.ink, viz::plain(snapshot.columns.front().status));
        if (snapshot.alone.can_change && !snapshot.busy())
            text_wrapped(theme.ink_quiet, "F8 opens a form for that, which runs as you type. Or write it into the "
                                          "file, in comment lines that begin with "
                                          "\"// gemmscope:\", as the kernels of \"+ your kernel\" have them: \"edit\" "
                                          "at the right, and Ctrl+Enter to run.");
        if (snapshot.busy())
            text(theme.ink_quiet, "Esc cancels.");
    } else {
        for (const viz::StageColumn& other : snapshot.columns)
            if (other.recording == nullptr && state_.view().needs_recording())
                text_wrapped(theme.ink_quiet, viz::plain(other.status));
        begin_view(theme);
        viz::begin_frame(columns);
        viz::Requests requests;
        const std::string above = std::exchange(state_.hint, {}); // hint of the row of stages if the mouse is over it
        viz::ViewFrame frame{{columns, state_.at.selection, snapshot.ladder_facts, requests},
                             state_.hint,
                             theme,
                             state_.seconds,
                             state_.marks};
        std::optional<viz::Rich> tip;
        frame.tip = &tip;
        frame.motion = motion_of(state_);
        frame.inspector = &state_.inspector;
        if (state_.saves_table)
            frame.rows = &drawn_;
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
                now.x != pressed_at_.x || now.y != pressed_at_.y) // otherwise a key was pressed since
                tooltip(theme, *tip);
            state_.tip = viz::plain(*tip);
        }
        if (!above.empty()) // otherwise the hint is the view's text on the selection
            state_.hint = above;
        ImGui::EndChild();
        apply(session_, state_, requests);
    }
    ImGui::End();
    state_.theme.words_drawn = nullptr;
}

// Draws the view as in the window, but without the mouse, open questions and hidden figures.
void Shell::draw_alone(const viz::Theme& theme, ImVec2 size, double seconds, const Wanted& wanted)
{
    advance(seconds);
    const SnapshotPtr now = snapshot();
    if (now->recorded().empty() && state_.view().needs_recording())
        throw kernels::Error(viz::plain(now->columns.front().status));
    std::string hint;
    viz::Requests requests;
    viz::ViewFrame frame{
        {now->recorded(), state_.at.selection, now->ladder_facts, requests}, hint, theme, state_.seconds};
    frame.motion = motion_of(state_);
    frame.surface = wanted.surface;
    frame.rows = wanted.rows;
    frame.marks = wanted.marks;
    frame.interactive = false;
    ImGui::PushFont(theme.text);
    begin_place("##view", {0, 0, size.x, size.y}, no_fill);
    begin_view(theme);
    viz::begin_frame(now->recorded());
    state_.view().draw(frame);
    ImGui::EndChild();
    ImGui::End();
    ImGui::PopFont();
}

} // namespace app
