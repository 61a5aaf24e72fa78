#include "app/workspace/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace app {

bool KeyChord::matches(const KeyChord& other) const
{
    if (key != other.key || control != other.control || alt != other.alt)
        return false;
    return key == Key::character ? character == other.character : shift == other.shift;
}

KeyChord typed(char32_t character)
{
    return {.character = character};
}

KeyChord control(char32_t character)
{
    return {.character = character, .control = true};
}

KeyChord named(Key key, bool shift)
{
    return {.key = key, .shift = shift};
}

KeyChord with_alt(Key key)
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

std::string name_of(const KeyChord& chord)
{
    if (chord.key >= Key::f1)
        return fmt::format("F{}", static_cast<int>(chord.key) - static_cast<int>(Key::f1) + 1);
    for (const auto& [key, name] : names)
        if (key == chord.key)
            return std::string(name);
    if (chord.character == U' ')
        return "Space";
    const bool held = chord.control || chord.alt;
    const char32_t shown = held && is_small(chord.character) ? chord.character - U'a' + U'A' : chord.character;
    return std::string(1, static_cast<char>(shown)); // only ASCII characters are bound
}

// Parses a key name without modifiers.
std::optional<KeyChord> key_named(std::string_view name)
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

bool has(const Command& command, const KeyChord& chord)
{
    return std::ranges::any_of(command.chords, [&](const KeyChord& own) { return own.matches(chord); });
}

} // namespace

std::string describe(const KeyChord& chord)
{
    std::string text = chord.control ? "Ctrl+" : "";
    if (chord.alt)
        text += "Alt+";
    const bool capital = (chord.control || chord.alt) && is_capital(chord.character);
    if (capital || (chord.shift && chord.key != Key::character))
        text += "Shift+";
    return text + name_of(chord);
}

std::optional<KeyChord> chord_named(std::string_view text)
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
    std::optional<KeyChord> chord = key_named(text);
    if (!chord)
        return std::nullopt;
    chord->control = control;
    chord->alt = alt;
    if (chord->key != Key::character)
        chord->shift = shift;
    else if ((control || alt) && is_capital(chord->character) && !shift)
        chord->character += U'a' - U'A';
    return chord;
}

const Command* user_of(const Commands& commands, const KeyChord& chord, std::string_view view)
{
    const auto user_in = [&](std::string_view where) {
        return std::ranges::find_if(
            commands, [&](const Command& command) { return command.view == where && has(command, chord); });
    };
    auto found = user_in(view);
    if (found == commands.end())
        found = user_in({});
    return found == commands.end() ? nullptr : &*found;
}

const Command* find(const Commands& commands, const KeyChord& chord, std::string_view view)
{
    const Command* command = user_of(commands, chord, view);
    return command != nullptr && chord.repeated && !command->repeats ? nullptr : command;
}

std::string keys_text(const Command& command)
{
    std::string text;
    for (const KeyChord& chord : command.chords)
        text += (text.empty() ? "" : " or ") + describe(chord);
    return text;
}

} // namespace app
