#include "app/shell/commands.h"

#include "app/shell/shell.h"
#include "app/state/places.h"
#include "app/state/position.h"

#include <algorithm>

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
            {{named(Key::left)}, group, "one access back", [=] { move(-1); }, true},
            {{named(Key::right)}, group, "one access forward", [=] { move(1); }, true},
            {{named(Key::left, true)},
             group,
             "one phase back",
             [&state] { state.selection.step = previous_phase(state.first.phases(), state.selection.step); },
             true},
            {{named(Key::right, true)},
             group,
             "one phase forward",
             [&state] { state.selection.step = next_phase(state.first.phases(), state.selection.step); },
             true},
            {{named(Key::home)}, group, "to the first access", [&state] { state.selection.step = 0; }},
            {{named(Key::end)}, group, "to the last access", [=] { move(1L << 40); }},
            {{typed(' ')}, group, "play or pause", [&state] { toggle_playing(state); }},
            {{typed('.')}, group, "play faster", [&state] { state.chose_speed = true, state.playback.faster(); }, true},
            {{typed(',')}, group, "play slower", [&state] { state.chose_speed = true, state.playback.slower(); }, true},
            {{typed('K')}, group, "the clock: wavefronts, sectors or steps", [&state] { next_unit(state); }},
        });
}

void add_stages(Shell& shell, Commands& commands)
{
    const char* group = "Stages";
    commands.insert(
        commands.end(),
        {
            {{named(Key::up)}, group, "the stage before", [&shell] { shell.move_stage(-1, false); }, true},
            {{named(Key::down)}, group, "the next stage", [&shell] { shell.move_stage(1, false); }, true},
            {{typed('c')},
             group,
             "compare with the stage under the mouse, or the one it builds on; stop comparing",
             [&shell] { shell.ask_compare(); }},
            {{named(Key::up, true)},
             group,
             "compare with the stage before",
             [&shell] { shell.move_stage(-1, true); },
             true},
            {{named(Key::down, true)},
             group,
             "compare with the next stage",
             [&shell] { shell.move_stage(1, true); },
             true},
            {{typed('x')},
             group,
             "exchange the two stages",
             [&shell] { shell.session().change([](Choice& choice) { choice.swap(); }); }},
            {{typed('s')},
             group,
             "show the other stage's source",
             [&state = shell.state()] { state.source_of_second = !state.source_of_second; }},
            {{typed('d')},
             group,
             "beside the source: machine code, PTX, the GPU's counters, or the access in words",
             [&shell] { shell.next_code(1); }},
            {{typed('D')}, group, "the same backwards", [&shell] { shell.next_code(-1); }},
            {{typed('T')},
             group,
             "tiny: matrices and tiles so small that every number can be read; and back",
             [&shell] { shell.session().change([](Choice& choice) { choice.set_tiny(!choice.tiny); }); }},
            {{typed('i')},
             group,
             "A, B and C hold small whole numbers, or random ones",
             [&shell] { shell.session().change([](Choice& choice) { choice.change_inputs(); }); }},
            {{typed('m')},
             group,
             "change sizes, α and β, and what the matrices hold",
             [&state = shell.state()] { state.ask_sizes = true; }},
            {{typed('S')},
             group,
             "find the fastest parameters on this GPU, or see what was tried on another",
             [&shell] { shell.search(); }},
            {{typed('P')},
             group,
             "trace another program: list its kernels and record one",
             [&shell] { shell.session().look_at_programs([](Programs& programs) { programs.show(); }); }},
            {{typed('r')}, group, "record again", [&shell] { shell.session().record_again(); }},
            {{typed('O')}, group, "edit the source: of your own file, or of a copy", [&shell] { shell.edit(); }},
            {{control_enter()},
             group,
             "run what was typed into the source",
             [&shell] { shell.state().edit.run = true; }},
            {{control('s')},
             group,
             "save the recording into the current directory; while the source is typed, that, and run it",
             [&shell] { shell.state().edit.focused ? void(shell.state().edit.run = true) : shell.session().save(); }},
            {{control('e')},
             group,
             "export what is shown: a picture, vectors, or an animation",
             [&shell] { shell.export_dialog().ask(); }},
            {{control('z')}, group, "undo what was chosen last", [&shell] { shell.session().undo(); }, true},
            {{control('y'), control('Z')}, group, "and redo it", [&shell] { shell.session().redo(); }, true},
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
            {{typed('w')}, group, "next warp of the block", [&state] { move_warp(state, 1); }, true},
            {{typed('W')}, group, "previous warp", [&state] { move_warp(state, -1); }, true},
            {{typed('l')}, group, "next lane of the warp", [&state] { move_lane(state, 1); }, true},
            {{typed('L')}, group, "previous lane", [&state] { move_lane(state, -1); }, true},
            {{typed('b')}, group, "another block of the grid, or of those recorded", [=] { block(1); }, true},
            {{typed('B')}, group, "and back", [=] { block(-1); }, true},
        });
}

void add_views(Shell& shell, Commands& commands)
{
    const char* group = "Views";
    const std::size_t count = shell.state().views.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 9); ++i)
        commands.push_back({{typed(static_cast<char32_t>(U'1' + i))},
                            group,
                            std::string(shell.state().views[i]->title()),
                            [&shell, i] { shell.choose_view(i); }});
    commands.push_back({{named(Key::tab)},
                        group,
                        "the next view",
                        [&shell, count] { shell.choose_view((shell.state().view + 1) % count); },
                        true});
    commands.push_back({{named(Key::tab, true)},
                        group,
                        "the view before",
                        [&shell, count] { shell.choose_view((shell.state().view + count - 1) % count); },
                        true});
}

void add_window(Shell& shell, Commands& commands)
{
    State& state = shell.state();
    const char* group = "Window";
    const auto scale = [&state](float factor) {
        state.settings.scale = factor == 0 ? 1 : std::clamp(state.settings.scale * factor, 0.5f, 3.0f);
    };
    commands.insert(
        commands.end(),
        {
            {{typed('[')}, group, "show or hide the ladder", [&shell] { shell.toggle_panel(false); }},
            {{typed('q')},
             group,
             "below the ladder: how its speeds were measured, and where cuBLAS leads",
             [&state] { state.questions = state.questions_reveal = !state.questions; }},
            {{typed(']')}, group, "show or hide the source", [&shell] { shell.toggle_panel(true); }},
            {{typed('h')},
             group,
             "lessons, courses, questions and the map of concepts",
             [&state] { state.learning.page = !state.learning.page, state.help = false; }},
            {{typed('n')},
             group,
             "the lesson's next step, or the next question",
             [&shell] { next_of_learning(shell.session(), shell.state(), 1); }},
            {{typed('N')},
             group,
             "the lesson's step before",
             [&shell] { next_of_learning(shell.session(), shell.state(), -1); }},
            {{typed('t')}, group, "light or dark", [&state] { state.settings.light = !state.settings.light; }},
            {{typed('M')},
             group,
             "words in motion, or where they arrive",
             [&state] { state.settings.motion = !state.settings.motion; }},
            {{control('+'), control('=')}, group, "larger", [=] { scale(1.1f); }, true},
            {{control('-')}, group, "smaller", [=] { scale(1 / 1.1f); }, true},
            {{control('0')}, group, "as large as the monitor asks for", [=] { scale(0); }},
            {{typed('?'), named(Key::f1)}, group, "this page", [&state] { state.help = !state.help; }},
            {{named(Key::escape)},
             group,
             "close this page, cancel a recording, stop playing or comparing",
             [&shell] { shell.escape(); }},
            {{control('q')}, group, "quit", [&shell] { shell.quit(); }},
        });
}

} // namespace

Commands make_commands(Shell& shell)
{
    Commands commands;
    add_time(shell, commands);
    add_stages(shell, commands);
    add_selection(shell, commands);
    add_views(shell, commands);
    add_window(shell, commands);
    return commands;
}

} // namespace app
