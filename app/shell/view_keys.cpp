#include "app/shell/view_keys.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr unsigned backspace = 8;

// "n and N", "h ; k j"
std::vector<std::string> single(std::string_view keys)
{
    std::vector<std::string> all;
    while (!keys.empty()) {
        const std::size_t end = std::min(keys.find(' '), keys.size());
        if (const std::string_view key = keys.substr(0, end); !key.empty() && key != "and")
            all.emplace_back(key);
        keys.remove_prefix(std::min(end + 1, keys.size()));
    }
    return all;
}

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

Commands view_commands(State& state, const Commands& others)
{
    Commands commands;
    for (const auto& view : state.views)
        for (const auto& [keys, words] : view->keys())
            for (const std::string& key : single(keys)) {
                const std::optional<Stroke> usual = stroke_named(key);
                if (!usual)
                    continue;
                const unsigned character =
                    usual->key == Key::backspace ? backspace : static_cast<unsigned>(usual->character);
                commands.push_back({.id = "in-" + std::string(view->name()) + "-" + key,
                                    .strokes = strokes_of(*usual, others),
                                    .group = std::string(view->title()),
                                    .words = words,
                                    .action = [&state, character] { state.view_keys.push_back(character); },
                                    .repeats = true,
                                    .view = std::string(view->name())});
            }
    return commands;
}

void give_view_keys(State& state)
{
    ImGuiIO& io = ImGui::GetIO();
    const std::vector<unsigned> keys = std::exchange(state.view_keys, {});
    if (io.WantTextInput) // what is typed goes to the field
        return;
    io.InputQueueCharacters.resize(0);
    for (const unsigned key : keys)
        io.InputQueueCharacters.push_back(static_cast<ImWchar>(key));
}

std::string_view heard_by(const Snapshot& snapshot, const State& state)
{
    const bool page = state.at.page != Page::none || snapshot.program() != nullptr || snapshot.search() != nullptr;
    return page ? std::string_view() : state.view().name();
}

} // namespace app
