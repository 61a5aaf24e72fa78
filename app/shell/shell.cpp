#include "app/shell/shell.h"

#include "app/catalogue/recordings.h"
#include "app/panels/header/help.h"
#include "app/panels/ladder/ladder.h"
#include "app/panels/learn/first_page.h"
#include "app/panels/learn/lesson_column.h"
#include "app/panels/pages.h"
#include "app/panels/palette/palette_field.h"
#include "app/panels/presenting/presenting_marks.h"
#include "app/panels/splitters.h"
#include "app/panels/timeline/status.h"
#include "app/panels/timeline/timeline.h"
#include "app/panels/widgets.h"
#include "app/shell/commands.h"
#include "app/shell/entries.h"
#include "app/shell/opening.h"
#include "app/shell/view_keys.h"
#include "app/state/derive.h"
#include "app/state/navigation.h"
#include "app/state/position.h"
#include "app/state/study.h"
#include "app/tables/of_wish.h"
#include "app/text/file_name.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace app {

Shell::Shell(const WindowOptions& options, const Settings& settings, std::function<void()> wake)
    : session_(session_options(options, wake)), files_(wake)
{
    state_.settings = settings;
    state_.at.panels = settings.panels;
    state_.learning.tutor = std::make_unique<Tutor>(shipped_folder(), std::move(wake));
    state_.learning.progress = Learned::load(Learned::usual_path());
    state_.views = viz::make_views();
    if (state_.views.empty())
        throw kernels::Error("This build of gemmscope has no views; build it again.");
    refuse_unknown_view(state_.views, options.show.view);
    state_.at.view = options.show.view;
    commands_ = make_commands(*this);
    borrowed_.follow(session_, state_);
    open_at_start(session_, state_, options);
}

void Shell::press(const Stroke& stroke, bool typing)
{
    session_.clear_notice();
    state_.notice.clear();
    pressed_at_ = ImGui::GetMousePos();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) // as after a click: tooltips wait until the mouse moves on
        ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left] = pressed_at_;
    if (state_.presenting.on && stroke.character < 0x7f)
        state_.presenting.press(describe(stroke), state_.seconds);
    if (state_.palette.is_open()) {
        if (!stroke.control || stroke.character != U'v')
            return state_.palette.press(stroke);
        const char* copied = ImGui::GetClipboardText();
        return state_.palette.type(copied == nullptr ? "" : copied);
    }
    state_.entered |= state_.at.page == Page::first && stroke.key == Key::enter;
    // Taken from here and not from ImGui, which misses keys that go down and up between two frames.
    if (typing || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
        state_.entered |= stroke.key == Key::enter;
        state_.escaped |= stroke.key == Key::escape;
        const bool runs = stroke.key == Key::enter || stroke.character == U's' || stroke.character == U'q' ||
                          stroke.character == U'p';
        const bool of_field = std::u32string_view(U"acvxyz").find(stroke.character) != std::u32string_view::npos;
        if (!stroke.control || (typing && of_field) || (state_.edit.focused && !runs)) // a field has its own Ctrl+Z
            return;
    }
    session_.join_changes(stroke.repeated);
    const bool covered = state_.at.page == Page::first;
    const Command* command = find(commands_, stroke, heard_by(*snapshot(), state_));
    if (command != nullptr && (!covered || acts_over_first_page(*command)))
        command->action();
    session_.join_changes(false);
}

Settings Shell::settings() const
{
    Settings settings = state_.settings;
    const Panels& now = state_.at.panels;
    settings.panels = {.ladder = now.ladder,
                       .source = now.source,
                       .card = now.card,
                       .ladder_width = now.ladder_width,
                       .source_width = now.source_width};
    return settings;
}

void Shell::open(const std::filesystem::path& file)
{
    open_file(session_, state_, files_, file);
}

bool Shell::poll()
{
    take_outcome(session_, state_, files_);
    return session_.poll();
}

void Shell::save()
{
    derive(*snapshot(), state_, borrowed_.any()); // a step may have been chosen since the last frame
    const SavedState saved = saved_state(*snapshot(), state_);
    std::error_code ignored; // a relative path will do then
    files_.save(saved, free_path(std::filesystem::current_path(ignored), name_of(saved), "gstate"));
}

void Shell::save_table(const State::TableWish& wish)
try {
    std::error_code ignored; // a relative path will do then
    std::string text = text_of_table(*snapshot(), state_, wish);
    files_.write(std::move(text), free_path(std::filesystem::current_path(ignored),
                                            name_of_table(*snapshot(), state_, wish), wish.json ? "json" : "csv"));
} catch (const kernels::Error& error) {
    say(error.what());
}

void Shell::copy_command()
{
    derive(*snapshot(), state_, borrowed_.any()); // likewise
    const std::string command = command_of(saved_state(*snapshot(), state_));
    ImGui::SetClipboardText(command.c_str());
    say(viz::plain({"session.copied_command", {{"command", command}}}));
}

void Shell::go_back()
{
    if (const auto where = state_.visits.back())
        navigate(session_, state_, *where, {.undoable = true});
    else
        say(viz::plain({"session.no_place_before"}));
}

void Shell::go_forward()
{
    if (const auto where = state_.visits.forward())
        navigate(session_, state_, *where, {.undoable = true});
    else
        say(viz::plain({"session.no_place_behind"}));
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
    else if (state_.at.page != Page::none)
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
    else if (state_.learning.quiz)
        close_quiz(session_, state_);
    else if (state_.learning.lesson)
        close_lesson(session_, state_);
    else if (state_.at.selection.line || state_.at.selection.c)
        state_.at.selection.line.reset(), state_.at.selection.c.reset();
    else if (now->choice.columns[2].rung)
        session_.change([&](Choice& choice) { choice.toggle_beside(*now->choice.columns[2].rung); });
    else
        session_.change([](Choice& choice) { choice.compare(std::nullopt); });
}

void Shell::search()
{
    const SnapshotPtr now = snapshot();
    const std::optional<std::size_t> first = now->leading_rung();
    if (!first)
        return;
    const bool gpu = now->gpu() ||
                     std::ranges::any_of(now->beside, [](const BesideState& one) { return one.searches && one.gpu(); });
    if (gpu && !now->ladder()[*first].candidates.empty())
        session_.search_parameters(*first);
    else
        session_.show_shipped_search(*first);
}

void Shell::compare_pointed_or_below()
{
    const SnapshotPtr now = snapshot();
    if (const auto& own = state_.pointed_file; own && now->choice.columns[1].file != own)
        return session_.change([&](Choice& choice) { choice.compare(*own); });
    const std::optional<std::size_t> pointed = state_.pointed_stage;
    const std::size_t first = now->leading_rung().value_or(0);
    std::optional<std::size_t> second = now->rung_below(first).value_or((first + 1) % now->ladder().size());
    if (pointed && now->choice.columns[1].rung != pointed && now->leading_rung() != pointed)
        second = pointed;
    else if (now->comparing())
        second.reset();
    session_.change([&](Choice& choice) { choice.compare(second); });
}

void Shell::move_stage(int by, bool second)
{
    const SnapshotPtr now = snapshot();
    const auto count = static_cast<int>(now->ladder().size());
    const auto from = second && now->choice.columns[1].rung ? now->choice.columns[1].rung : now->leading_rung();
    const auto next = static_cast<std::size_t>(std::clamp(static_cast<int>(from.value_or(0)) + by, 0, count - 1));
    if (from != next)
        session_.change([&](Choice& choice) { second ? choice.compare(next) : choice.show(next); });
}

// Where there is no room for both side panels, the one that was opened last stays.
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
    leave_pages(*snapshot(), session_, state_);
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

bool Shell::settled()
{
    const SnapshotPtr now = snapshot();
    const bool asks =
        now->question && now->columns.front().recording == nullptr; // nothing comes before a person answers
    return now->settled() && !now->looking && now->loaded && (asks || !state_.learning.waits()) && !files_.busy() &&
           state_.view().settled() && std::ranges::none_of(state_.tracks, &WarpTrack::busy) && now->derived();
}

void Shell::set_step(std::size_t step)
{
    derive(*snapshot(), state_, borrowed_.any());
    state_.at.selection.step = moved(step, 0, state_.tracks.front().steps());
}

void Shell::set_time(double time)
{
    derive(*snapshot(), state_, borrowed_.any());
    go_to_time(state_, std::min(time, clock_end(state_)));
}

void Shell::advance(double seconds)
{
    state_.seconds += seconds;
    derive(*snapshot(), state_, borrowed_.any());
    stop_in_time(state_);
    follow_learning(*snapshot(), session_, state_);
    note_visit();
    if (!state_.playback.playing())
        return;
    state_.playback.advance(seconds, clock_end(state_));
    go_to_time(state_, state_.playback.time());
    show_position(state_);
}

// While something is on its way, what is shown is no place.
void Shell::note_visit()
{
    const SnapshotPtr now = snapshot();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now().time_since_epoch();
    if (!now->found || now->busy() || state_.learning.arrival)
        return;
    Workspace where = here(*now, state_);
    borrowed_.take_from(where.choice);
    state_.visits.note(where, passed.count());
}

void Shell::draw(float width, float height, double seconds)
{
    advance(seconds);
    state_.hint.clear();
    if (state_.palette.is_open()) { // the keys are its own, and no view's
        ImGui::GetIO().ClearInputKeys();
        ImGui::GetIO().ClearInputCharacters();
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { // what was told has been read
        session_.clear_notice();
        state_.notice.clear();
    }
    const SnapshotPtr now = snapshot(); // of the whole frame
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
    borrowed_.follow(session_, state_);
    state_.entered = state_.escaped = false;
    if (const auto file = std::exchange(state_.opens, std::nullopt))
        open(*file);
    if (const auto typed = std::exchange(state_.finds, std::nullopt)) {
        open_palette();
        state_.palette.type(*typed);
    }
    if (const auto wish = std::exchange(state_.saves_table, std::nullopt))
        save_table(*wish);
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
    draw_middle(snapshot, layout); // first: a view says what is selected, the places after it what the mouse is over
    if (layout.column.width > 0)
        draw_lesson_column(snapshot, session_, state_, layout.column);
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
    draw_timeline(snapshot, session_, state_, layout.timeline);
    export_dialog_.draw(snapshot, state_, layout.view);
    draw_status(snapshot, state_, layout.status); // last: the others say what it shows
}

void Shell::draw_middle(const Snapshot& snapshot, const Layout& layout)
{
    if (state_.at.page == Page::keys)
        draw_help(commands_, state_, layout.view);
    else if (!draw_open_page(snapshot, session_, state_, layout.view))
        draw_view(snapshot, layout.view);
}

} // namespace app
