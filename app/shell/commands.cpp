#include "app/shell/commands.h"

#include "app/panels/learn/first_page.h"
#include "app/shell/shell.h"
#include "app/shell/view_keys.h"
#include "app/state/position.h"
#include "app/state/study.h"
#include "app/tables/of_wish.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

Stroke control_enter()
{
    Stroke stroke = named(Key::enter);
    stroke.control = true;
    return stroke;
}

void add_time(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const char* group = "Time";
    const auto move = [&state](long by) {
        state.selection.step = moved(state.selection.step, by, state.first.steps());
    };
    commands.insert(
        commands.end(),
        {
            {"time-back", {named(Key::left)}, group, "one access back", [=] { move(-1); }, true},
            {"time-forward", {named(Key::right)}, group, "one access forward", [=] { move(1); }, true},
            {"time-phase_back",
             {named(Key::left, true)},
             group,
             "one phase back",
             [&state] { state.selection.step = previous_phase(state.first.phases(), state.selection.step); },
             true},
            {"time-phase_forward",
             {named(Key::right, true)},
             group,
             "one phase forward",
             [&state] { state.selection.step = next_phase(state.first.phases(), state.selection.step); },
             true},
            {"time-first", {named(Key::home)}, group, "to the first access", [&state] { state.selection.step = 0; }},
            {"time-last", {named(Key::end)}, group, "to the last access", [=] { move(1L << 40); }},
            {"time-play", {typed(' ')}, group, "play or pause", [&state] { toggle_playing(state); }},
            {"time-faster",
             {typed('.')},
             group,
             "play faster",
             [&state] { state.chose_speed = true, state.playback.faster(); },
             true},
            {"time-slower",
             {typed(',')},
             group,
             "play slower",
             [&state] { state.chose_speed = true, state.playback.slower(); },
             true},
            {"time-clock",
             {typed('K')},
             group,
             "the clock: wavefronts, sectors or steps",
             [&state] { next_unit(state); }},
        });
}

void add_stages(Shell& shell, Commands& commands)
{
    const char* group = "Stages";
    commands.insert(
        commands.end(),
        {
            {"stage-before",
             {named(Key::up)},
             group,
             "the stage before",
             [&shell] { shell.move_stage(-1, false); },
             true},
            {"stage-next", {named(Key::down)}, group, "the next stage", [&shell] { shell.move_stage(1, false); }, true},
            {"stage-compare",
             {typed('c')},
             group,
             "compare with the stage under the mouse, or the one it builds on; stop comparing",
             [&shell] { shell.ask_compare(); }},
            {"stage-compare_before",
             {named(Key::up, true)},
             group,
             "compare with the stage before",
             [&shell] { shell.move_stage(-1, true); },
             true},
            {"stage-compare_next",
             {named(Key::down, true)},
             group,
             "compare with the next stage",
             [&shell] { shell.move_stage(1, true); },
             true},
            {"stage-exchange",
             {typed('x')},
             group,
             "exchange the two stages",
             [&shell] { shell.session().change([](Choice& choice) { choice.swap(); }); }},
            {"source-other",
             {typed('s')},
             group,
             "show the other stage's source",
             [&shell] {
                 if (shell.snapshot()->second() == nullptr)
                     return shell.say(viz::plain({"keys.no_other_source"}));
                 shell.state().source_of_second = !shell.state().source_of_second;
             }},
            {"source-code",
             {typed('d')},
             group,
             "beside the source: machine code, PTX, the GPU's counters, or the access in words",
             [&shell] { shell.next_code(1); }},
            {"source-code_back",
             {typed('D')},
             group,
             "beside the source: what stood there before",
             [&shell] { shell.next_code(-1); }},
            {"stage-tiny",
             {typed('T')},
             group,
             "tiny: matrices and tiles so small that every number can be read; and back",
             [&shell] { shell.session().change([](Choice& choice) { choice.set_tiny(!choice.tiny); }); }},
            {"stage-inputs",
             {typed('i')},
             group,
             "A, B and C hold small whole numbers, or random ones",
             [&shell] { shell.session().change([](Choice& choice) { choice.change_inputs(); }); }},
            {"stage-sizes",
             {typed('m')},
             group,
             "change sizes, α and β, and what the matrices hold",
             [&state = shell.state()] { state.ask_sizes = true; }},
            {"stage-search",
             {typed('S')},
             group,
             "find the fastest parameters on this GPU, or see what was tried on another",
             [&shell] { shell.search(); }},
            {"stage-trace",
             {typed('P')},
             group,
             "trace another program: list its kernels and record one",
             [&shell] { shell.session().look_at_programs([](Programs& programs) { programs.show(); }); }},
            {"counters-table",
             {typed('C')},
             group,
             "table of what the GPU counted of each stage and library",
             [&state = shell.state()] { state.counters.open = !state.counters.open, state.help = false; }},
            {"sources-table",
             {typed('A')},
             group,
             "what published ladders claim, and what a GPU gave of it",
             [&state = shell.state()] { state.claims.open = !state.claims.open, state.help = false; }},
            {"stage-record", {typed('r')}, group, "record again", [&shell] { shell.session().record_again(); }},
            {"source-edit",
             {typed('O')},
             group,
             "edit the source: of your own file, or of a copy",
             [&shell] { shell.edit(); }},
            {"source-run",
             {control_enter()},
             group,
             "run what was typed into the source",
             [&shell] { shell.state().edit.run = true; }},
            {"file-save",
             {control('s')},
             group,
             "save what is shown, to open it again; while the source is typed, run that",
             [&shell] { shell.state().edit.focused ? void(shell.state().edit.run = true) : shell.save(); }},
            {"file-save_recording",
             {control('S')},
             group,
             "save the recording into the current directory",
             [&shell] { shell.session().save(); }},
            {"file-copy_command",
             {control('C')},
             group,
             "copy the command that shows this",
             [&shell] { shell.copy_command(); }},
            {"table-csv",
             {control('t')},
             group,
             "save the figures that are shown as a table, CSV",
             [&shell] {
                 shell.save_table({table_shown(*shell.snapshot(), shell.state()), false});
             }},
            {"table-json",
             {control('T')},
             group,
             "save the figures that are shown as a table, JSON",
             [&shell] {
                 shell.save_table({table_shown(*shell.snapshot(), shell.state()), true});
             }},
            {"table-ladder_csv",
             {control('l')},
             group,
             "save the speeds of the ladder as a table, CSV",
             [&shell] {
                 shell.save_table({"ladder", false});
             }},
            {"table-ladder_json",
             {control('L')},
             group,
             "save the speeds of the ladder as a table, JSON",
             [&shell] {
                 shell.save_table({"ladder", true});
             }},
            {"choice-undo",
             {control('z')},
             group,
             "undo what was chosen last",
             [&shell] { shell.session().undo(); },
             true},
            {"choice-redo",
             {control('y'), control('Z')},
             group,
             "redo what was undone",
             [&shell] { shell.session().redo(); },
             true},
            {"file-export",
             {control('e')},
             group,
             "export what is shown: a picture, vectors, or an animation",
             [&shell] { shell.export_dialog().ask(); }},
        });
}

void add_selection(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const char* group = "What is selected";
    const auto block = [&shell](int by) { move_block(shell.session(), shell.state(), by); };
    commands.insert(
        commands.end(),
        {
            {"select-warp", {typed('w')}, group, "next warp of the block", [&state] { move_warp(state, 1); }, true},
            {"select-warp_back", {typed('W')}, group, "previous warp", [&state] { move_warp(state, -1); }, true},
            {"select-lane", {typed('l')}, group, "next lane of the warp", [&state] { move_lane(state, 1); }, true},
            {"select-lane_back", {typed('L')}, group, "previous lane", [&state] { move_lane(state, -1); }, true},
            {"select-block",
             {typed('b')},
             group,
             "another block of the grid, or of those recorded",
             [=] { block(1); },
             true},
            {"select-block_back", {typed('B')}, group, "the block before", [=] { block(-1); }, true},
        });
}

void add_views(Shell& shell, Commands& commands)
{
    const char* group = "Views";
    const std::size_t count = shell.state().views.size();
    for (std::size_t i = 0; i < count; ++i)
        commands.push_back({"view-" + std::string(shell.state().views[i]->name()),
                            i < 9 ? std::vector{typed(static_cast<char32_t>(U'1' + i))} : std::vector<Stroke>(), group,
                            std::string(shell.state().views[i]->title()), [&shell, i] { shell.choose_view(i); }});
    commands.push_back({"view-next",
                        {named(Key::tab)},
                        group,
                        "the next view",
                        [&shell, count] { shell.choose_view((shell.state().view + 1) % count); },
                        true});
    commands.push_back({"view-before",
                        {named(Key::tab, true)},
                        group,
                        "the view before",
                        [&shell, count] { shell.choose_view((shell.state().view + count - 1) % count); },
                        true});
}

void add_window(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const char* group = "Window";
    const auto scale = [&shell, &state](float factor) {
        const float fits = shell.type_fits();
        if (factor > 1 && fits < 1)
            return shell.say(viz::plain({"keys.no_larger_type"}));
        // From what is seen on, so that smaller type is seen at once.
        state.settings.scale = factor == 0 ? 1 : std::clamp(state.settings.scale * fits * factor, 0.5f, 3.0f);
    };
    commands.insert(
        commands.end(),
        {
            {"window-ladder", {typed('[')}, group, "show or hide the ladder", [&shell] { shell.toggle_panel(false); }},
            {"window-speeds",
             {typed('q')},
             group,
             "below the ladder: how its speeds were measured, and where cuBLAS leads",
             [&state] { state.questions = state.questions_reveal = !state.questions; }},
            {"window-source", {typed(']')}, group, "show or hide the source", [&shell] { shell.toggle_panel(true); }},
            {"learn-page",
             {typed('h')},
             group,
             "lessons, courses, questions and the map of concepts",
             [&state] {
                 const bool covered = state.learning.first_page;
                 leave_first_page(state);
                 state.learning.page = covered || !state.learning.page, state.help = false;
             }},
            {"learn-next",
             {typed('n')},
             group,
             "the lesson's next step, or the next question",
             [&shell] { next_of_learning(shell.session(), shell.state(), 1); }},
            {"learn-back",
             {typed('N')},
             group,
             "the lesson's step before",
             [&shell] { next_of_learning(shell.session(), shell.state(), -1); }},
            {"place-back",
             {with_alt(Key::left)},
             group,
             "back to what was looked at before",
             [&shell] { shell.go_back(); },
             true},
            {"place-forward",
             {with_alt(Key::right)},
             group,
             "forward to what was looked at after it",
             [&shell] { shell.go_forward(); },
             true},
            {"palette",
             {control('p')},
             group,
             "find a stage, a view, a parameter, a lesson, a term, a command",
             [&shell] { shell.open_palette(); }},
            {"present",
             {named(Key::f5)},
             group,
             "in front of a class: large type, the pointer's way, the keys that are pressed",
             [&state] { state.presenting.on = !state.presenting.on; }},
            {"present-second",
             {named(Key::f7)},
             group,
             "a second window that shows the same, for the projector",
             [&shell] { shell.open_projector(); }},
            {"present-times",
             {named(Key::f6)},
             group,
             "hide how fast stages are, and reveal it",
             [&state] { state.presenting.hides_times = !state.presenting.hides_times; }},
            {"window-theme",
             {typed('t')},
             group,
             "light or dark",
             [&state] { state.settings.light = !state.settings.light; }},
            {"window-motion",
             {typed('M')},
             group,
             "words in motion, or where they arrive",
             [&state] { state.settings.motion = !state.settings.motion; }},
            {"window-larger", {control('+'), control('=')}, group, "larger type", [=] { scale(1.1f); }, true},
            {"window-smaller", {control('-')}, group, "smaller type", [=] { scale(1 / 1.1f); }, true},
            {"window-usual_size", {control('0')}, group, "type as large as the monitor asks for", [=] { scale(0); }},
            {"window-keys", {typed('?'), named(Key::f1)}, group, "all keys", [&state] { state.help = !state.help; }},
            {"window-escape",
             {named(Key::escape)},
             group,
             "close this page, cancel a recording, stop playing or comparing",
             [&shell] { shell.escape(); }},
            {"window-quit", {control('q')}, group, "quit", [&shell] { shell.quit(); }},
        });
}

} // namespace

bool acts_over_first_page(const Command& command)
{
    constexpr std::array<std::string_view, 11> ids = {
        "learn-page",     "palette",           "present",     "window-theme",  "window-motion", "window-larger",
        "window-smaller", "window-usual_size", "window-keys", "window-escape", "window-quit"};
    return std::ranges::find(ids, command.id) != ids.end();
}

Commands make_commands(Shell& shell)
{
    Commands commands;
    add_time(shell, commands);
    add_stages(shell, commands);
    add_selection(shell, commands);
    add_views(shell, commands);
    add_window(shell, commands);
    for (Command& command : view_commands(shell.state(), commands))
        commands.push_back(std::move(command));
    return commands;
}

} // namespace app
