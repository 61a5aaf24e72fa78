// One key as pressed, independent of the windowing library, and the table that gives keys their meaning.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace app {

enum class Key { character, left, right, up, down, home, end, page_up, page_down, tab, escape, enter, f1 };

// A character already has its shift in it: 'W' is Shift+w and '?' is wherever the layout has it, so `shift` counts
// for the named keys alone. So has a letter with Control.
struct Stroke {
    Key key = Key::character;
    char32_t character = 0;
    bool control = false, shift = false;
    bool repeated = false; // held down; no part of what is compared
    bool matches(const Stroke& other) const;
};

Stroke typed(char32_t character);
Stroke control(char32_t character);
Stroke named(Key key, bool shift = false);

std::string describe(const Stroke& stroke); // "Shift+Right", "Ctrl+S", "?"

struct Command {
    std::vector<Stroke> strokes;
    std::string group; // heading on the help page
    std::string words; // what it does
    std::function<void()> action;
    bool repeats = false; // also while the key is held down
};

using Commands = std::vector<Command>;

// The command of a stroke; null when there is none, or when a held key does not repeat it.
const Command* find(const Commands& commands, const Stroke& stroke);

// "c", "Left or Shift+Tab"
std::string keys_text(const Command& command);

} // namespace app
