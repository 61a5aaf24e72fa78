#include "app/panels/shell.h"

#include "app/data/recordings.h"
#include "app/panels/classroom.h"
#include "app/panels/derive.h"
#include "app/panels/learn/lesson_column.h"
#include "app/panels/navigation.h"
#include "app/panels/panels.h"
#include "app/panels/tables.h"
#include "app/panels/widgets.h"
#include "app/text/command_words.h"

#include "viz/text/templates.h"

#include "error.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>

namespace app {

Shell::Shell(const WindowOptions& options, const Settings& settings, std::function<void()> wake)
    : session_(session_options(options, wake)), files_(wake, options.visit)
{
    state_.at.choice = session_.snapshot()->choice;
    state_.settings = settings;
    state_.at.panels = settings.panels;
    state_.learning.quiz_worker = std::make_unique<QuizWorker>(shipped_folder(), std::move(wake));
    if (options.visit)
        export_dialog_.offer_downloads();
    if (!options.visit) // a visitor's progress is not stored
        state_.learning.kept_in = LearningProgress::usual_path();
    state_.learning.progress = LearningProgress::load(state_.learning.kept_in);
    state_.views = viz::make_views();
    if (state_.views.empty())
        throw kernels::Error("This build of gemmscope has no views; build it again.");
    refuse_unknown_view(state_.views, options.show.view);
    state_.at.view = options.show.view;
    state_.learning.classroom.seat = options.seat;
    commands_ = make_commands(*this);
    compare_by_default(*snapshot(), state_);
    open_at_start(session_, state_, options);
}

void Shell::press(const KeyChord& chord)
{
    const bool typing = ImGui::GetIO().WantTextInput;
    session_.clear_notice();
    state_.notice.clear();
    note_input(state_);
    pressed_at_ = ImGui::GetMousePos();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) // hides tooltips until the mouse moves again, as a click does
        ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left] = pressed_at_;
    if (state_.presenting.on && chord.character < 0x7f)
        state_.presenting.press(describe(chord), state_.seconds);
    if (std::exchange(state_.presenting.blank, false))
        return;
    if (state_.palette.is_open()) {
        if (!chord.control || chord.character != U'v')
            return state_.palette.press(chord);
        const char* copied = ImGui::GetClipboardText();
        return state_.palette.type(copied == nullptr ? "" : copied);
    }
    state_.entered |= state_.at.page == Page::first && chord.key == Key::enter;
    // Handles Enter and Esc here, because ImGui misses keys that are pressed and released between two frames.
    if (typing || is_form_open()) {
        state_.entered |= chord.key == Key::enter;
        state_.escaped |= chord.key == Key::escape;
        const bool runs =
            chord.key == Key::enter || chord.character == U's' || chord.character == U'q' || chord.character == U'p';
        const bool of_field = std::u32string_view(U"acvxyz").find(chord.character) != std::u32string_view::npos;
        // A text field handles its own Ctrl+Z.
        if (!chord.control || (typing && of_field) || (state_.edit.focused && !runs))
            return;
    }
    if (answer_for_main(chord) || answer_by_key(session_, state_, chord))
        return;
    state_.history.join_changes(chord.repeated);
    const Command* command = find(commands_, chord, heard_by(*snapshot(), state_));
    if (command != nullptr && (state_.at.page != Page::first || command->over_first_page))
        command->action();
    state_.history.join_changes(false);
}

void Shell::toggle_launch_form()
{
    if (!snapshot()->alone.can_change)
        return say("No kernel of a CUDA file is shown that is launched alone.");
    if (!std::exchange(state_.launch_fields, std::nullopt))
        state_.launch_fields.emplace();
}

// While the bar above the view asks whether main() may run, the keys y and n answer it and do nothing else.
bool Shell::answer_for_main(const KeyChord& chord)
{
    const bool plain = chord.key == Key::character && !chord.control && !chord.alt;
    if (!plain || snapshot()->main.answer != MainAnswer::open ||
        heard_by(*snapshot(), state_).empty()) // another page is open
        return false;
    if (chord.character == U'y' || chord.character == U'Y')
        session_.run_main();
    else if (chord.character == U'n' || chord.character == U'N')
        session_.refuse_main();
    else
        return false;
    return true;
}

Settings Shell::settings() const
{
    Settings settings = state_.settings;
    const Panels& now = state_.at.panels;
    settings.panels = {.ladder = presents() ? state_.presenting.ladder : now.ladder,
                       .source = presents() ? state_.presenting.source : now.source,
                       .card = now.card,
                       .ladder_width = now.ladder_width,
                       .source_width = now.source_width};
    return settings;
}

void Shell::open(const std::filesystem::path& file)
{
    leave_leader(state_);
    open_file(session_, state_, files_, file);
}

bool Shell::poll()
{
    take_outcome(session_, state_, files_);
    return session_.poll();
}

void Shell::save()
{
    derive(*snapshot(), state_); // a step may have been selected since the last frame
    saves_ = saved_state(*snapshot(), state_);
    const std::filesystem::path file = free_path(files_.folder(), name_of(*saves_), "gstate");
    export_dialog_.downloads() ? files_.save(*saves_, file) : export_dialog_.ask_where(file.string());
}

// A follower gets no recording during a question, because it contains the answer.
void Shell::save_recording()
{
    if (hides_from_class(state_))
        return say(std::string(hidden_until_answered));
    session_.save();
}

void Shell::ask_export()
{
    if (hides_from_class(state_))
        return say(std::string(hidden_until_answered));
    export_dialog_.ask();
}

void Shell::write_table()
try {
    const auto drawn = std::exchange(drawn_, {});
    const auto request = std::exchange(state_.saves_table, std::nullopt);
    if (!request)
        return;
    if (hides_from_class(state_))
        return say(std::string(hidden_until_answered));
    std::string text = text_of_table(*snapshot(), state_, *request, drawn);
    files_.write(std::move(text), free_path(files_.folder(), name_of_table(*snapshot(), state_, *request),
                                            request->json ? "json" : "csv"));
} catch (const kernels::Error& error) {
    say(error.what());
}

void Shell::copy_command()
{
    derive(*snapshot(), state_); // a step may have been selected since the last frame
    const std::string command = command_of(saved_state(*snapshot(), state_));
    ImGui::SetClipboardText(command.c_str());
    say("Copied: " + command);
}

void Shell::go_back()
{
    if (const auto where = state_.visits.back())
        navigate(session_, state_, *where, {.undoable = true});
    else
        say("This is the first place that was looked at.");
}

void Shell::go_forward()
{
    if (const auto where = state_.visits.forward())
        navigate(session_, state_, *where, {.undoable = true});
    else
        say("This is the last place that was looked at.");
}

void Shell::open_palette()
{
    leave_first_page(state_);
    state_.palette.open(palette_entries(*this));
}

void Shell::escape()
{
    const SnapshotPtr now = snapshot();
    if (state_.at.page == Page::first)
        leave_first_page(state_);
    else if (state_.at.page != Page::none && state_.at.page != Page::candidates)
        state_.toggle(state_.at.page);
    else if (state_.at.panels.speeds)
        state_.at.panels.speeds = false;
    else if (now->program() != nullptr)
        session_.look_at_programs([](Programs& programs) { programs.leave(); });
    else if (now->search() != nullptr)
        session_.leave_search();
    else if (now->busy())
        session_.cancel();
    else if (now->looking)
        session_.stop_looking(), state_.at.code = CodeView::words;
    else if (state_.playback.playing())
        state_.playback.stop();
    else if (leads_class(state_) && state_.learning.asked_of_class() != nullptr)
        end_class_question(session_, state_);
    else if (state_.learning.quiz)
        close_quiz(session_, state_);
    else if (state_.learning.lesson)
        close_lesson(session_, state_);
    else if (state_.at.selection.line || state_.at.selection.c)
        state_.at.selection.line.reset(), state_.at.selection.c.reset();
    else if (now->choice.columns[2].rung)
        state_.change([&](Choice& choice) { choice.toggle_beside(*now->choice.columns[2].rung); });
    else
        state_.change([](Choice& choice) { choice.compare(std::nullopt); });
}

void Shell::search()
{
    const SnapshotPtr now = snapshot();
    const std::optional<std::size_t> first = now->leading_rung();
    if (!first)
        return;
    if (now->gpu() && !now->ladder()[*first].candidates.empty())
        session_.search_parameters(*first);
    else
        session_.show_shipped_search(*first);
}

void Shell::compare_pointed_or_below()
{
    const SnapshotPtr now = snapshot();
    if (const auto& own = state_.pointed_file; own && now->choice.columns[1].file != own)
        return state_.change([&](Choice& choice) { choice.compare(*own); });
    const std::optional<std::size_t> pointed = state_.pointed_stage;
    const std::size_t first = now->leading_rung().value_or(0);
    std::optional<std::size_t> second = now->rung_below(first).value_or((first + 1) % now->ladder().size());
    if (pointed && now->choice.columns[1].rung != pointed && now->leading_rung() != pointed)
        second = pointed;
    else if (now->comparing())
        second.reset();
    state_.change([&](Choice& choice) { choice.compare(second); });
}

void Shell::move_stage(int by, bool second)
{
    const SnapshotPtr now = snapshot();
    const auto count = static_cast<int>(now->ladder().size());
    const auto from = second && now->choice.columns[1].rung ? now->choice.columns[1].rung : now->leading_rung();
    const auto next = static_cast<std::size_t>(std::clamp(static_cast<int>(from.value_or(0)) + by, 0, count - 1));
    if (from != next)
        state_.change([&](Choice& choice) { second ? choice.compare(next) : choice.show(next); });
}

// Toggles a side panel. If there is no room for both, the one that was opened last stays.
void Shell::toggle_panel(bool source)
{
    const bool shown = source ? shows_source_ : shows_ladder_;
    (source ? state_.at.panels.source : state_.at.panels.ladder) = !shown;
    if (!shown)
        state_.source_first = source;
}

void Shell::choose_view(std::size_t index)
{
    if (index < state_.views.size())
        state_.at.view = state_.views[index]->name();
    leave_pages(session_, state_);
}

void Shell::next_code(int by)
{
    constexpr int kinds = 4;
    state_.at.code = static_cast<CodeView>((static_cast<int>(state_.at.code) + by + kinds) % kinds);
    if (!state_.at.panels.source)
        toggle_panel(true);
}

void Shell::edit()
{
    const SnapshotPtr now = snapshot();
    if (!state_.at.panels.source)
        toggle_panel(true);
    state_.at.panels.source_column = 0;
    if (now->choice.columns[0].file) {
        state_.edit.open = state_.edit.take = !state_.edit.open;
    } else if (const auto stage = now->leading_rung()) {
        session_.edit_copy(*stage);
        state_.edit.open = state_.edit.take = true;
    }
}

bool Shell::ready()
{
    const SnapshotPtr now = snapshot();
    return now->ready() && !now->looking && now->loaded && !state_.learning.waits() && !files_.busy() &&
           state_.view().settled() && std::ranges::none_of(state_.tracks, &WarpTrack::busy) && now->derived();
}

void Shell::set_step(std::size_t step)
{
    derive(*snapshot(), state_);
    state_.at.selection.step = moved(step, 0, state_.tracks.front().steps());
}

void Shell::set_time(double time)
{
    derive(*snapshot(), state_);
    go_to_time(state_, std::min(time, clock_end(state_)));
}

void Shell::advance(double seconds)
{
    state_.seconds += seconds;
    follow_leader(session_, state_);
    derive(*snapshot(), state_);
    play_with_leader(state_);
    stop_in_time(state_);
    follow_learning(*snapshot(), session_, state_);
    note_visit();
    if (state_.playback.playing()) {
        state_.playback.advance(seconds, clock_end(state_));
        go_to_time(state_, state_.playback.time());
        show_position(state_);
    }
    keep_class(*snapshot(), state_);
}

// Notes the visit, except while a recording or a navigation is in progress.
void Shell::note_visit()
{
    const SnapshotPtr now = snapshot();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now().time_since_epoch();
    if (!now->found || now->busy() || state_.learning.arrival)
        return;
    Workspace where = current_workspace(state_);
    state_.default_comparison.take_from(where.choice);
    state_.visits.note(where, passed.count());
}

// Draws one frame of the window: its areas, the view, and what replaces the view if it has nothing to show.
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
    ImGuiIO& io = ImGui::GetIO();
    forget_gone_field(had_form_);
    if (ImGui::IsAnyMouseDown() || io.MouseWheel != 0 || io.MouseWheelH != 0)
        note_input(state_);
    advance(seconds);
    state_.hint.clear();
    if (state_.palette.is_open()) { // the palette receives the keys, not a view
        io.ClearInputKeys();
        io.ClearInputCharacters();
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { // a click dismisses notices
        session_.clear_notice();
        state_.notice.clear();
    }
    const SnapshotPtr now = snapshot(); // used for the whole frame
    LayoutInput input{.width = width, .height = height, .scale = state_.theme.scale};
    input.timeline_bars = static_cast<int>(now->columns.size());
    input.column = state_.learning.column();
    input.class_bar = needs_class_bar(state_);
    input.card = Card::has_words(*now);
    input.source_first = state_.source_first;
    ImGui::PushFont(state_.theme.text);
    const Layout layout = arrange(input, SourceEditor::with_room(*now, state_, width));
    draw_areas(*now, layout);
    if (const auto file = export_dialog_.take_file_to_save(); file && saves_)
        files_.save(*saves_, *file);
    draw_palette(state_, width, height);
    draw_presenting(state_, layout.view, {0, 0, width, height});
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

void Shell::draw_areas(const Snapshot& snapshot, const Layout& layout)
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
    if (layout.class_bar.height > 0)
        draw_class_bar(state_, layout.class_bar);
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
    state_.inspector.clear(); // a page may cover the view that it describes
    if (state_.at.page == Page::keys)
        draw_help(commands_, state_, layout.view);
    else if (hides_from_class(state_) || !draw_open_page(snapshot, session_, state_, layout.view))
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
    state_.tip.clear();
    state_.theme.words_drawn = state_.words_in_view;
    begin_area("##view", area, no_fill);
    if (!top_bar_.has_stages_row()) {
        draw_stages_row(snapshot, session_, state_, ImGui::GetContentRegionAvail().x);
        draw_rule(theme, area, ImGui::GetCursorScreenPos().y);
        ImGui::Dummy({0, theme.px(2)});
    }
    draw_file_rows(snapshot, session_, state_, ImGui::GetContentRegionAvail().x);
    const std::span<const viz::StageColumn> columns = snapshot.recorded();
    if (hides_view(state_)) {
        text_wrapped(theme.ink_quiet, times_hidden);
    } else if (columns.empty() && state_.view().needs_recording()) {
        ImGui::Dummy({0, theme.px(20)});
        text_wrapped(theme.ink, viz::plain(snapshot.columns.front().status));
        if (snapshot.alone.can_change && !snapshot.busy())
            text_wrapped(theme.ink_quiet,
                         "F8 opens a form for that, which runs as you type. Or write it into the file, "
                         "in comment lines that begin with \"// gemmscope:\", as the kernels of \"+ "
                         "your kernel\" have them: \"edit\" at the right, and Ctrl+Enter to run.");
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
        frame.hides_headlines = state_.learning.hides();
        covers_picture(state_) ? draw_cover(state_) : state_.view().draw(frame);
        if (frame.hides_headlines)
            hide_answers(tip, state_);
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
void Shell::draw_alone(const viz::Theme& theme, ImVec2 size, double seconds, const DrawTarget& target)
{
    if (hides_from_class(state_))
        throw kernels::Error(std::string(hidden_until_answered));
    advance(seconds);
    const SnapshotPtr now = snapshot();
    if (now->recorded().empty() && state_.view().needs_recording())
        throw kernels::Error(viz::plain(now->columns.front().status));
    std::string hint;
    viz::Requests requests;
    viz::ViewFrame frame{
        {now->recorded(), state_.at.selection, now->ladder_facts, requests}, hint, theme, state_.seconds};
    frame.motion = motion_of(state_);
    frame.surface = target.surface;
    frame.rows = target.rows;
    frame.marks = target.marks;
    frame.tips = target.tips;
    frame.interactive = false;
    ImGui::PushFont(theme.text);
    const float strip = target.timeline ? still_timeline_height(*now, state_, theme) : 0;
    begin_area("##view", {0, 0, size.x, size.y - strip}, no_fill);
    begin_view(theme);
    viz::begin_frame(now->recorded());
    state_.view().draw(frame);
    ImGui::EndChild();
    ImGui::End();
    if (strip > 0)
        draw_still_timeline(*now, state_, theme, {0, size.y - strip, size.x, strip});
    ImGui::PopFont();
}

} // namespace app
