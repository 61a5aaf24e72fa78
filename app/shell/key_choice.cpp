#include "app/shell/key_choice.h"

#include "viz/text/templates.h"

namespace app {

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
        if (user != nullptr && user->id != id && !again) {
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
