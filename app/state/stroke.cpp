#include "app/state/stroke.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace app {

bool Stroke::matches(const Stroke& other) const
{
    if (key != other.key || control != other.control || alt != other.alt)
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

Stroke with_alt(Key key)
{
    return {.key = key, .alt = true};
}

namespace {

constexpr std::array<std::pair<Key, std::string_view>, 13> names{{{Key::left, "←"},
                                                                  {Key::right, "→"},
                                                                  {Key::up, "↑"},
                                                                  {Key::down, "↓"},
                                                                  {Key::home, "Home"},
                                                                  {Key::end, "End"},
                                                                  {Key::page_up, "PageUp"},
                                                                  {Key::page_down, "PageDown"},
                                                                  {Key::tab, "Tab"},
                                                                  {Key::escape, "Esc"},
                                                                  {Key::enter, "Enter"},
                                                                  {Key::backspace, "Backspace"},
                                                                  {Key::remove, "Delete"}}};

bool is_small(char32_t character)
{
    return character >= U'a' && character <= U'z';
}

bool is_capital(char32_t character)
{
    return character >= U'A' && character <= U'Z';
}

std::string name_of(const Stroke& stroke)
{
    if (stroke.key >= Key::f1)
        return fmt::format("F{}", static_cast<int>(stroke.key) - static_cast<int>(Key::f1) + 1);
    for (const auto& [key, name] : names)
        if (key == stroke.key)
            return std::string(name);
    if (stroke.character == U' ')
        return "Space";
    const bool held = stroke.control || stroke.alt;
    const char32_t shown = held && is_small(stroke.character) ? stroke.character - U'a' + U'A' : stroke.character;
    return std::string(1, static_cast<char>(shown)); // only ASCII is bound
}

// Without what is held beside it.
std::optional<Stroke> key_named(std::string_view name)
{
    for (const auto& [key, known] : names)
        if (name == known)
            return named(key);
    for (int number = 1; number <= 12; ++number)
        if (name == fmt::format("F{}", number))
            return named(static_cast<Key>(static_cast<int>(Key::f1) + number - 1));
    if (name == "Space")
        return typed(U' ');
    if (name.size() == 1 && name[0] > ' ' && name[0] <= '~')
        return typed(static_cast<unsigned char>(name[0]));
    return std::nullopt;
}

bool has(const Command& command, const Stroke& stroke)
{
    return std::ranges::any_of(command.strokes, [&](const Stroke& own) { return own.matches(stroke); });
}

} // namespace

std::string describe(const Stroke& stroke)
{
    std::string text = stroke.control ? "Ctrl+" : "";
    if (stroke.alt)
        text += "Alt+";
    const bool capital = (stroke.control || stroke.alt) && is_capital(stroke.character);
    if (capital || (stroke.shift && stroke.key != Key::character))
        text += "Shift+";
    return text + name_of(stroke);
}

std::optional<Stroke> stroke_named(std::string_view text)
{
    bool control = false, alt = false, shift = false;
    const auto take = [&](std::string_view held, bool& is_held) {
        if (text.size() > held.size() && text.starts_with(held)) {
            text.remove_prefix(held.size());
            is_held = true;
        }
    };
    take("Ctrl+", control);
    take("Alt+", alt);
    take("Shift+", shift);
    std::optional<Stroke> stroke = key_named(text);
    if (!stroke)
        return std::nullopt;
    stroke->control = control;
    stroke->alt = alt;
    if (stroke->key != Key::character)
        stroke->shift = shift;
    else if ((control || alt) && is_capital(stroke->character) && !shift)
        stroke->character += U'a' - U'A';
    return stroke;
}

const Command* user_of(const Commands& commands, const Stroke& stroke, std::string_view view)
{
    const auto user_in = [&](std::string_view where) {
        return std::ranges::find_if(
            commands, [&](const Command& command) { return command.view == where && has(command, stroke); });
    };
    auto found = user_in(view);
    if (found == commands.end())
        found = user_in({});
    return found == commands.end() ? nullptr : &*found;
}

const Command* find(const Commands& commands, const Stroke& stroke, std::string_view view)
{
    const Command* command = user_of(commands, stroke, view);
    return command != nullptr && stroke.repeated && !command->repeats ? nullptr : command;
}

std::string keys_text(const Command& command)
{
    std::string text;
    for (const Stroke& stroke : command.strokes)
        text += (text.empty() ? "" : " or ") + describe(stroke);
    return text;
}

} // namespace app
