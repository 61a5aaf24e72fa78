
#include "app/panels/classroom.h"
#include "app/panels/derive.h"
#include "app/panels/panels.h"
#include "app/panels/shell.h"
#include "app/panels/tables.h"

#include <algorithm>
#include <string>
#include <utility>

namespace app {

namespace {

KeyChord control_enter()
{
    KeyChord chord = named(Key::enter);
    chord.control = true;
    return chord;
}

// Adds commands under one heading of the help page.
struct CommandGroup {
    Commands& commands;
    std::string name;

    Command& operator()(std::string id, std::vector<KeyChord> chords, std::string words,
                        std::function<void()> action) const
    {
        return commands.emplace_back(
            Command{std::move(id), std::move(chords), name, std::move(words), std::move(action)});
    }

    // Adds a command that repeats while its key is held down.
    Command& repeating(std::string id, std::vector<KeyChord> chords, std::string words,
                       std::function<void()> action) const
    {
        Command& command = (*this)(std::move(id), std::move(chords), std::move(words), std::move(action));
        command.repeats = true;
        return command;
    }
};

void add_time(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const CommandGroup add{commands, "Time"};
    const auto move = [&state](long by) {
        state.at.selection.step = moved(state.at.selection.step, by, state.tracks.front().steps());
    };
    add.repeating("time-back", {named(Key::left)}, "one access back", [=] { move(-1); });
    add.repeating("time-forward", {named(Key::right)}, "one access forward", [=] { move(1); });
    add.repeating("time-phase_back", {named(Key::left, true)}, "one phase back", [&state] {
        state.at.selection.step = previous_phase(state.tracks.front().phases(), state.at.selection.step);
    });
    add.repeating("time-phase_forward", {named(Key::right, true)}, "one phase forward", [&state] {
        state.at.selection.step = next_phase(state.tracks.front().phases(), state.at.selection.step);
    });
    add("time-first", {named(Key::home)}, "to the first access", [&state] { state.at.selection.step = 0; });
    add("time-last", {named(Key::end)}, "to the last access", [=] { move(1L << 40); });
    add("time-play", {typed(' ')}, "play or pause", [&state] { toggle_playing(state); });
    add.repeating("time-faster", {typed('.')}, "play faster",
                  [&state] { state.chose_speed = true, state.playback.faster(); });
    add.repeating("time-slower", {typed(',')}, "play slower",
                  [&state] { state.chose_speed = true, state.playback.slower(); });
    add("time-clock", {typed('K')}, "the clock: wavefronts, sectors or steps", [&state] { next_unit(state); });
}

void add_stages(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const CommandGroup add{commands, "Stages"};
    add.repeating("stage-before", {named(Key::up)}, "the stage before", [&shell] { shell.move_stage(-1, false); });
    add.repeating("stage-next", {named(Key::down)}, "the next stage", [&shell] { shell.move_stage(1, false); });
    add("stage-compare", {typed('c')},
        "compare with the stage under the mouse, or the one it builds on; stop comparing",
        [&shell] { shell.ask_compare(); });
    add.repeating("stage-compare_before", {named(Key::up, true)}, "compare with the stage before",
                  [&shell] { shell.move_stage(-1, true); });
    add.repeating("stage-compare_next", {named(Key::down, true)}, "compare with the next stage",
                  [&shell] { shell.move_stage(1, true); });
    add("stage-exchange", {typed('x')}, "exchange the two stages",
        [&shell] { shell.state().change([](Choice& choice) { choice.swap(); }); });
    add("source-other", {typed('s')}, "show the other stage's source", [&shell] {
        if (!shell.snapshot()->comparing())
            return shell.say("One stage is shown; compare it with another one (k), and s shows the other's source.");
        shell.state().at.panels.source_column = (shell.state().read_column() + 1) % shell.snapshot()->columns.size();
    });
    add("source-code", {typed('d')}, "beside the source: machine code, PTX, the GPU's counters, or the access in words",
        [&shell] { shell.next_code(1); });
    add("source-code_back", {typed('D')}, "beside the source: what stood there before",
        [&shell] { shell.next_code(-1); });
    add("stage-tiny", {typed('T')}, "tiny: matrices and tiles so small that every number can be read; and back",
        [&shell] { shell.state().change([](Choice& choice) { choice.set_tiny(!choice.tiny); }); });
    add("stage-inputs", {typed('i')}, "A, B and C hold small whole numbers, or random ones",
        [&shell] { shell.state().change([](Choice& choice) { choice.change_inputs(); }); });
    add("stage-as_written", {typed('E')}, "of your own file: what its PTX asks for, or what its machine code executes",
        [&shell] { shell.state().change([](Choice& choice) { choice.as_written = !choice.as_written; }); });
    add("stage-sizes", {typed('m')}, "change sizes, α and β, and what the matrices hold",
        [&state] { state.ask_sizes = true; });
    add("stage-search", {typed('S')}, "find the fastest parameters on this GPU, or see what was tried on another",
        [&shell] { shell.search(); })
        .opens_page = true;
    add("stage-trace", {typed('P')}, "trace another program: list its kernels and record one", [&shell] {
        shell.session().look_at_programs([](Programs& programs) { programs.show(); });
    }).opens_page = true;
    add("counters-table", {typed('C')}, "table of what the GPU counted of each stage and library", [&state] {
        state.toggle(state.at.page == Page::accuracy ? Page::accuracy : Page::counters);
    }).opens_page = true;
    add("sources-table", {typed('A')}, "what published ladders claim, and what a GPU gave of it", [&state] {
        state.toggle(Page::sources);
    }).opens_page = true;
    add("stage-record", {typed('r')}, "record again", [&shell] { shell.session().record_again(); });
    add("main-run", {typed('Y')}, "run the main of the CUDA file that is shown, and record a kernel that it launches",
        [&shell] {
            if (shell.snapshot()->main.answer == MainAnswer::none)
                return shell.say(
                    "What is shown is no CUDA file with a main, or nvcc, which compiles it, is not installed.");
            shell.session().run_main();
        });
    add("kernel-launch", {named(Key::f8)}, "change how the kernel of the CUDA file that is shown is launched",
        [&shell] { shell.toggle_launch_form(); });
    add("main-printed", {named(Key::f7)}, "show or hide what that main printed",
        [&state] { state.shows_printed = !state.shows_printed; });
    add("source-edit", {typed('O')}, "edit the source: of your own file, or of a copy", [&shell] { shell.edit(); });
    add("source-run", {control_enter()}, "run what was typed into the source",
        [&shell] { shell.state().edit.run = true; });
    add("file-save", {control('s')},
        "save what is shown, to open it again, and ask where; while the source is typed, run that",
        [&shell] { shell.state().edit.focused ? void(shell.state().edit.run = true) : shell.save(); });
    add("file-save_recording", {control('S')}, "save the recording into the current directory",
        [&shell] { shell.save_recording(); });
    add("file-copy_command", {control('C')}, "copy the command that shows this", [&shell] { shell.copy_command(); });
    add("table-csv", {control('t')}, "save the figures that are shown as a table, CSV", [&shell] {
        shell.save_table({table_shown(*shell.snapshot(), shell.state()), false});
    });
    add("table-json", {control('T')}, "save the figures that are shown as a table, JSON", [&shell] {
        shell.save_table({table_shown(*shell.snapshot(), shell.state()), true});
    });
    add("table-ladder_csv", {control('l')}, "save the speeds of the ladder as a table, CSV", [&shell] {
        shell.save_table({"ladder", false});
    });
    add("table-ladder_json", {control('L')}, "save the speeds of the ladder as a table, JSON", [&shell] {
        shell.save_table({"ladder", true});
    });
    add.repeating("choice-undo", {control('z')}, "undo what was chosen last", [&state] {
        if (!state.history.undo(state.at.choice))
            state.notice = "There is nothing to undo.";
    });
    add.repeating("choice-redo", {control('y'), control('Z')}, "redo what was undone", [&state] {
        if (!state.history.redo(state.at.choice))
            state.notice = "There is nothing to redo.";
    });
    add("file-export", {control('e')}, "export what is shown: a picture, vectors, or an animation",
        [&shell] { shell.ask_export(); });
}

void add_selection(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const CommandGroup add{commands, "What is selected"};
    const auto block = [&shell](int by) { move_block(*shell.snapshot(), shell.state(), by); };
    add.repeating("select-warp", {typed('w')}, "next warp of the block", [&state] { move_warp(state, 1); });
    add.repeating("select-warp_back", {typed('W')}, "previous warp", [&state] { move_warp(state, -1); });
    add.repeating("select-lane", {typed('l')}, "next lane of the warp", [&state] { move_lane(state, 1); });
    add.repeating("select-lane_back", {typed('L')}, "previous lane", [&state] { move_lane(state, -1); });
    add.repeating("select-block", {typed('b')}, "another block of the grid, or of those recorded", [=] { block(1); });
    add.repeating("select-block_back", {typed('B')}, "the block before", [=] { block(-1); });
}

void add_views(Shell& shell, Commands& commands)
{
    const CommandGroup add{commands, "Views"};
    const std::size_t count = shell.state().views.size();
    for (std::size_t i = 0; i < count; ++i)
        add("view-" + std::string(shell.state().views[i]->name()),
            i < 9 ? std::vector{typed(static_cast<char32_t>(U'1' + i))} : std::vector<KeyChord>(),
            std::string(shell.state().views[i]->title()), [&shell, i] { shell.choose_view(i); });
    add.repeating("view-next", {named(Key::tab)}, "the next view", [&shell, count] {
        shell.choose_view((shell.state().index_of_view(shell.state().at.view) + 1) % count);
    });
    add.repeating("view-before", {named(Key::tab, true)}, "the view before", [&shell, count] {
        shell.choose_view((shell.state().index_of_view(shell.state().at.view) + count - 1) % count);
    });
}

void add_window(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const CommandGroup add{commands, "Window"};
    const auto scale = [&shell, &state](float factor) {
        const float fits = shell.type_fits();
        if (factor > 1 && fits < 1)
            return shell.say("This window has no room for larger type; make it larger first.");
        // Starts from the visible size, so that a smaller size has an effect at once.
        state.settings.scale = factor == 0 ? 1 : std::clamp(state.settings.scale * fits * factor, 0.5f, 3.0f);
    };
    add("window-ladder", {typed('[')}, "show or hide the ladder", [&shell] { shell.toggle_panel(false); });
    add("window-speeds", {typed('q')}, "below the ladder: how its speeds were measured, and where cuBLAS leads",
        [&state] { state.at.panels.speeds = state.reveals_speeds = !state.at.panels.speeds; });
    add("window-source", {typed(']')}, "show or hide the source", [&shell] { shell.toggle_panel(true); });
    Command& lessons = add("learn-page", {typed('h')}, "lessons, courses, questions and the map of concepts", [&state] {
        leave_first_page(state);
        state.toggle(Page::learn);
    });
    lessons.opens_page = lessons.over_first_page = true;
    add("learn-next", {typed('n')}, "the lesson's next step, or the next question",
        [&shell] { next_of_learning(shell.session(), shell.state(), 1); });
    add("learn-back", {typed('N')}, "the lesson's step before",
        [&shell] { next_of_learning(shell.session(), shell.state(), -1); });
    add.repeating("place-back", {with_alt(Key::left)}, "back to what was looked at before",
                  [&shell] { shell.go_back(); });
    add.repeating("place-forward", {with_alt(Key::right)}, "forward to what was looked at after it",
                  [&shell] { shell.go_forward(); });
    add("palette", {control('p')}, "find a stage, a view, a parameter, a lesson, a term, a command", [&shell] {
        shell.open_palette();
    }).over_first_page = true;
    add("present", {named(Key::f5)},
        "in front of a class: large type, no side panels, the pointer's way, the keys that are pressed",
        [&state] { state.presenting.toggle(state.at.panels); })
        .over_first_page = true;
    const auto while_presenting = [&](std::string id, KeyChord chord, std::string words, auto change) {
        add("present-" + id, {chord}, "in front of a class: " + words, [&shell, &state, change] {
            state.presenting.on ? change(state.presenting) : shell.say("This works in front of a class: F5 first.");
        }).over_first_page = true;
    };
    while_presenting("pen", named(Key::f9), "a pen, which draws over everything until this key or Esc",
                     [](Presenting& presenting) { presenting.pen = !presenting.pen; });
    while_presenting("clear", named(Key::f9, true), "clear what the pen drew",
                     [](Presenting& presenting) { presenting.drawn.clear(); });
    while_presenting("blank", named(Key::f10), "a blank screen, until the next key or click",
                     [](Presenting& presenting) { presenting.blank = true; });
    add("present-times", {named(Key::f6)}, "hide how fast stages are, and reveal it",
        [&state] { state.at.panels.hides_times = !state.at.panels.hides_times; });
    add("window-theme", {typed('t')}, "light or dark", [&state] {
        state.settings.light = !state.settings.light;
    }).over_first_page = true;
    add("window-motion", {typed('M')}, "words in motion, or where they arrive", [&state] {
        state.settings.motion = !state.settings.motion;
    }).over_first_page = true;
    add.repeating("window-larger", {control('+'), control('=')}, "larger type", [=] { scale(1.1f); }).over_first_page =
        true;
    add.repeating("window-smaller", {control('-')}, "smaller type", [=] { scale(1 / 1.1f); }).over_first_page = true;
    add("window-usual_size", {control('0')}, "type as large as the monitor asks for", [=] {
        scale(0);
    }).over_first_page = true;
    add("window-keys", {typed('?'), named(Key::f1)}, "all keys", [&state] {
        state.toggle(Page::keys);
    }).over_first_page = true;
    add("window-escape", {named(Key::escape)},
        "put away the pen, close this page, cancel a recording, stop playing or comparing",
        [&shell, &state] {
            if (!std::exchange(state.presenting.pen, false))
                shell.escape();
        })
        .over_first_page = true;
    add("window-quit", {control('q')}, "quit", [&shell] { shell.quit(); }).over_first_page = true;
}

void add_class(Shell& shell, Commands& commands)
{
    if (!shell.state().learning.classroom.seat)
        return;
    const CommandGroup add{commands, "Class"};
    add("class-continue", {named(Key::enter)},
        leads_class(shell.state()) ? "ask the class the question of the quiz; show the answer; the next question"
                                   : "back to what the leader shows",
        [&shell] { continue_class(shell.session(), shell.state()); });
}

bool is_for_lessons(const Commands& others, const KeyChord& chord)
{
    const Command* user = user_of(others, chord);
    return user != nullptr && user->id.starts_with("learn-");
}

std::vector<KeyChord> chords_of(const KeyChord& usual, const Commands& others)
{
    KeyChord chord = usual;
    chord.alt = is_for_lessons(others, usual);
    if (usual.character == U'+') // without shift in some layouts
        return {chord, typed(U'=')};
    return {chord};
}

} // namespace

Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act)
{
    Commands commands;
    for (const auto& view : state.views)
        for (const viz::ViewCommand& command : view->commands())
            if (const std::optional<KeyChord> usual = chord_named(command.key))
                commands.push_back({.id = "in-" + std::string(view->name()) + "-" + command.key,
                                    .chords = chords_of(*usual, others),
                                    .group = std::string(view->title()),
                                    .words = command.words,
                                    .action = [act, action = command.action] { act(action); },
                                    .repeats = true,
                                    .view = std::string(view->name())});
    return commands;
}

std::string_view heard_by(const Snapshot& snapshot, const State& state)
{
    const bool page = state.at.page != Page::none || snapshot.program() != nullptr || snapshot.search() != nullptr;
    return page ? std::string_view() : state.view().name();
}

Commands make_commands(Shell& shell)
{
    Commands commands;
    add_time(shell, commands);
    add_stages(shell, commands);
    add_selection(shell, commands);
    add_views(shell, commands);
    add_window(shell, commands);
    add_class(shell, commands);
    for (Command& command :
         view_commands(shell.state(), commands, [&shell](const ViewAction& action) { shell.act_in_view(action); }))
        commands.push_back(std::move(command));
    return commands;
}

} // namespace app
