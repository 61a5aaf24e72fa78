#include "app/state/stroke.h"

#include <algorithm>

namespace app {

bool Stroke::matches(const Stroke& other) const
{
    if (key != other.key || control != other.control)
        return false;
    return key == Key::character ? character == other.character : shift == other.shift;
}

Stroke typed(char32_t character)
{
    return {.character = character};
}

Stroke control(char32_t character)
{
    return {.character = character, .control = true};
}

Stroke named(Key key, bool shift)
{
    return {.key = key, .shift = shift};
}

namespace {

std::string name_of(const Stroke& stroke)
{
    switch (stroke.key) {
    case Key::left: return "←";
    case Key::right: return "→";
    case Key::up: return "↑";
    case Key::down: return "↓";
    case Key::home: return "Home";
    case Key::end: return "End";
    case Key::page_up: return "Page up";
    case Key::page_down: return "Page down";
    case Key::tab: return "Tab";
    case Key::escape: return "Esc";
    case Key::enter: return "Enter";
    case Key::f1: return "F1";
    case Key::character: break;
    }
    if (stroke.character == U' ')
        return "Space";
    const bool letter = stroke.character >= U'a' && stroke.character <= U'z';
    const char32_t shown = stroke.control && letter ? stroke.character - U'a' + U'A' : stroke.character;
    return std::string(1, static_cast<char>(shown)); // the table uses ASCII only
}

} // namespace

std::string describe(const Stroke& stroke)
{
    std::string text = stroke.control ? "Ctrl+" : "";
    const bool capital = stroke.control && stroke.character >= U'A' && stroke.character <= U'Z';
    if (capital || (stroke.shift && stroke.key != Key::character))
        text += "Shift+";
    return text + name_of(stroke);
}

const Command* find(const Commands& commands, const Stroke& stroke)
{
    for (const Command& command : commands) {
        const bool bound = std::any_of(command.strokes.begin(), command.strokes.end(),
                                       [&](const Stroke& own) { return own.matches(stroke); });
        if (bound)
            return stroke.repeated && !command.repeats ? nullptr : &command;
    }
    return nullptr;
}

std::string keys_text(const Command& command)
{
    std::string text;
    for (const Stroke& stroke : command.strokes)
        text += (text.empty() ? "" : " or ") + describe(stroke);
    return text;
}

} // namespace app
