// One key as pressed, independent of the windowing library, and the table that gives keys their meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class Key : uint8_t {
    character,
    left,
    right,
    up,
    down,
    home,
    end,
    page_up,
    page_down,
    tab,
    escape,
    enter,
    backspace,
    remove,
    f1, // to the last in order
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12
};

// A character already has its shift in it: 'W' is Shift+w and '?' is wherever the layout has it, so `shift` counts
// for the named keys alone. So has a letter with Control or Alt.
struct Stroke {
    Key key = Key::character;
    char32_t character = 0;
    bool control = false, shift = false, alt = false;
    bool repeated = false; // held down; no part of what is compared
    bool matches(const Stroke& other) const;
};

Stroke typed(char32_t character);
Stroke control(char32_t character);
Stroke named(Key key, bool shift = false);
Stroke with_alt(Key key);

std::string describe(const Stroke& stroke);                // "Shift+→", "Ctrl+S", "?"
std::optional<Stroke> stroke_named(std::string_view text); // from that text

// What the window can be told to do: by a key, on the help page, by name in the field of Ctrl+P.
struct Command {
    std::string id; // "time-play"
    std::vector<Stroke> strokes;
    std::string group; // heading on the help page
    std::string words; // what it does
    std::function<void()> action;
    bool repeats = false;  // also while the key is held down
    std::string view = {}; // by name: only there, and before all else; empty: everywhere
};

using Commands = std::vector<Command>;

// The command of a stroke while that view is shown, empty: none; null when there is none, or when a held key does not repeat it.
const Command* find(const Commands& commands, const Stroke& stroke, std::string_view view = {});

// Likewise; null: the stroke is free there.
const Command* user_of(const Commands& commands, const Stroke& stroke, std::string_view view = {});

// "c", "← or Shift+Tab"; empty: it has no key
std::string keys_text(const Command& command);

} // namespace app
