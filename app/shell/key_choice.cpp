#include "app/shell/key_choice.h"

#include "viz/text/templates.h"

#include <string>

namespace app {

namespace {

// The view that understands this key by itself, as in "n and N"; null: none.
const viz::View* view_with(const State& state, const Stroke& stroke)
{
    const std::string key = describe(stroke);
    for (const auto& view : state.views)
        for (const auto& [keys, words] : view->keys()) {
            const std::string padded = " " + keys + " ";
            if (padded.find(" " + key + " ") != std::string::npos)
                return view.get();
        }
    return nullptr;
}

} // namespace

void press_in_palette(State& state, const Stroke& stroke)
{
    if (stroke.control && stroke.character == U'v') {
        const char* copied = ImGui::GetClipboardText();
        return state.palette.type(copied == nullptr ? "" : copied);
    }
    const Entry* entry = state.palette.chosen_entry();
    if (stroke.key != Key::f2 || entry == nullptr || entry->id.empty())
        return state.palette.press(stroke);
    state.rebinds = entry->id;
    state.help = true;
    state.palette.close();
}

bool take_key(const Commands& commands, State& state, const Stroke& stroke)
{
    if (stroke.key == Key::character && (stroke.character < U' ' || stroke.character > U'~')) {
        state.notice = viz::plain({"keys.not_this"});
        return false;
    }
    const std::string id = *state.rebinds;
    const Command* user = user_of(commands, stroke);
    const bool again = state.refused && state.refused->matches(stroke);
    if (stroke.key == Key::backspace) {
        state.settings.keys.erase(id);
    } else if (stroke.key != Key::escape) {
        const viz::View* view = view_with(state, stroke);
        if (((user != nullptr && user->id != id) || view != nullptr) && !again) {
            if (view != nullptr && user == nullptr)
                state.notice = viz::plain({"keys.of_view", {{"key", describe(stroke)}, {"view", view->title()}}});
            state.refused = stroke;
            return false;
        }
        choose_key(commands, id, stroke, state.settings.keys);
    }
    state.rebinds.reset();
    state.refused.reset();
    return true;
}

} // namespace app
