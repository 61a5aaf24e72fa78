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
struct KeyChord {
    Key key = Key::character;
    char32_t character = 0;
    bool control = false, shift = false, alt = false;
    bool repeated = false; // held down; no part of what is compared
    bool matches(const KeyChord& other) const;
};

KeyChord typed(char32_t character);
KeyChord control(char32_t character);
KeyChord named(Key key, bool shift = false);
KeyChord with_alt(Key key);

std::string describe(const KeyChord& chord);                // "Shift+→", "Ctrl+S", "?"
std::optional<KeyChord> chord_named(std::string_view text); // from that text

// What the window can be told to do: by a key, on the help page, by name in the field of Ctrl+P.
struct Command {
    std::string id; // "time-play"
    std::vector<KeyChord> chords;
    std::string group; // heading on the help page
    std::string words; // what it does
    std::function<void()> action;
    bool repeats = false; // also while the key is held down
    bool opens_page = false;
    bool over_first_page = false; // that page covers all that the other commands would change
    std::string view = {};        // by name: only there, and before all else; empty: everywhere
};

using Commands = std::vector<Command>;

// The command of a chord while that view is shown, empty: none; null when there is none, or when a held key does not repeat it.
const Command* find(const Commands& commands, const KeyChord& chord, std::string_view view = {});

// The command that has the chord, held down or not; null: the chord is free there.
const Command* user_of(const Commands& commands, const KeyChord& chord, std::string_view view = {});

// "c", "← or Shift+Tab"; empty: it has no key
std::string keys_text(const Command& command);

} // namespace app
