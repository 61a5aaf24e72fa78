#include "app/shell/key_choice.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <string>

namespace app {

namespace {

// A view's own command that hides another of the same key while the view is shown; null: none.
const Command* view_with(const Commands& commands, const Stroke& stroke)
{
    const auto found = std::ranges::find_if(commands, [&](const Command& command) {
        return !command.view.empty() &&
               std::ranges::any_of(command.strokes, [&](const Stroke& own) { return own.matches(stroke); });
    });
    return found == commands.end() ? nullptr : &*found;
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
    if (state.at.page != Page::keys)
        state.toggle(Page::keys);
    state.palette.close();
}

bool take_key(const Commands& commands, State& state, const Stroke& stroke)
{
    if (stroke.key == Key::character && (stroke.character < U' ' || stroke.character > U'~')) {
        state.notice = viz::plain({"keys.not_this"});
        return false;
    }
    const std::string id = *state.rebinds;
    const auto own = std::ranges::find(commands, id, &Command::id);
    const std::string own_view = own == commands.end() ? std::string() : own->view;
    const Command* user = user_of(commands, stroke, own_view);
    const bool again = state.refused && state.refused->matches(stroke);
    if (stroke.key == Key::backspace) {
        state.settings.keys.erase(id);
    } else if (stroke.key != Key::escape) {
        const Command* view = own_view.empty() ? view_with(commands, stroke) : nullptr;
        if (((user != nullptr && user->id != id) || view != nullptr) && !again) {
            if (view != nullptr && user == nullptr)
                state.notice = viz::plain({"keys.of_view", {{"key", describe(stroke)}, {"view", view->group}}});
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
