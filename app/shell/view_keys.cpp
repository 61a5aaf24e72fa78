#include "app/shell/view_keys.h"

namespace app {

namespace {

bool is_for_lessons(const Commands& others, const Stroke& stroke)
{
    const Command* user = user_of(others, stroke);
    return user != nullptr && user->id.starts_with("learn-");
}

std::vector<Stroke> strokes_of(const Stroke& usual, const Commands& others)
{
    Stroke stroke = usual;
    stroke.alt = is_for_lessons(others, usual);
    if (usual.character == U'+') // without shift in some layouts
        return {stroke, typed(U'=')};
    return {stroke};
}

} // namespace

Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act)
{
    Commands commands;
    for (const auto& view : state.views)
        for (const viz::ViewCommand& command : view->commands())
            if (const std::optional<Stroke> usual = stroke_named(command.key))
                commands.push_back({.id = "in-" + std::string(view->name()) + "-" + command.key,
                                    .strokes = strokes_of(*usual, others),
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

} // namespace app
