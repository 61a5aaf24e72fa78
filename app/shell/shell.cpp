#include "app/shell/shell.h"

#include "app/catalogue/recordings.h"
#include "app/panels/panels.h"
#include "app/shell/commands.h"
#include "app/shell/opening.h"
#include "app/state/navigation.h"
#include "app/state/position.h"
#include "app/tables/tables.h"
#include "app/text/file_name.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace app {

Shell::Shell(const WindowOptions& options, const Settings& settings, std::function<void()> wake)
    : session_(session_options(options, wake)), files_(wake, options.visit)
{
    state_.at.choice = session_.snapshot()->choice;
    state_.settings = settings;
    state_.at.panels = settings.panels;
    state_.learning.tutor = std::make_unique<QuizWorker>(shipped_folder(), std::move(wake));
    if (!options.visit) // whose progress ends with the visit
        state_.learning.kept_in = LearningProgress::usual_path();
    state_.learning.progress = LearningProgress::load(state_.learning.kept_in);
    state_.views = viz::make_views();
    if (state_.views.empty())
        throw kernels::Error("This build of gemmscope has no views; build it again.");
    refuse_unknown_view(state_.views, options.show.view);
    state_.at.view = options.show.view;
    commands_ = make_commands(*this);
    compare_by_default(*snapshot(), state_);
    open_at_start(session_, state_, options);
}

void Shell::press(const KeyChord& chord, bool typing)
{
    session_.clear_notice();
    state_.notice.clear();
    pressed_at_ = ImGui::GetMousePos();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) // like a click: tooltips wait until the mouse moves again
        ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left] = pressed_at_;
    if (state_.presenting.on && chord.character < 0x7f)
        state_.presenting.press(describe(chord), state_.seconds);
    if (state_.palette.is_open()) {
        if (!chord.control || chord.character != U'v')
            return state_.palette.press(chord);
        const char* copied = ImGui::GetClipboardText();
        return state_.palette.type(copied == nullptr ? "" : copied);
    }
    state_.entered |= state_.at.page == Page::first && chord.key == Key::enter;
    // Handles Enter and Esc here instead of in ImGui, which misses keys that are pressed and released between two
    // frames.
    if (typing || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
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

// While the bar above the view asks, y and n are its answers, whatever they do else.
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
    derive(*snapshot(), state_); // a step may have been selected since the last frame
    const SavedState saved = saved_state(*snapshot(), state_);
    files_.save(saved, free_path(files_.folder(), name_of(saved), "gstate"));
}

void Shell::write_table()
try {
    const auto drawn = std::exchange(drawn_, {});
    const auto wish = std::exchange(state_.saves_table, std::nullopt);
    if (!wish)
        return;
    std::string text = text_of_table(*snapshot(), state_, *wish, drawn);
    files_.write(std::move(text),
                 free_path(files_.folder(), name_of_table(*snapshot(), state_, *wish), wish->json ? "json" : "csv"));
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

bool Shell::settled()
{
    const SnapshotPtr now = snapshot();
    return now->settled() && !now->looking && now->loaded && !state_.learning.waits() && !files_.busy() &&
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
    derive(*snapshot(), state_);
    stop_in_time(state_);
    follow_learning(*snapshot(), session_, state_);
    note_visit();
    if (!state_.playback.playing())
        return;
    state_.playback.advance(seconds, clock_end(state_));
    go_to_time(state_, state_.playback.time());
    show_position(state_);
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

} // namespace app
