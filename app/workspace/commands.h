// Key chords independent of the windowing library, and the table of commands that gives them meaning.
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
    f1, // f1 to f12 must be contiguous
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

// A key with modifiers. A character already includes Shift, even with Control or Alt: 'W' is Shift+W, and '?' is
// wherever the keyboard layout has it. `shift` therefore counts only for named keys.
struct KeyChord {
    Key key = Key::character;
    char32_t character = 0;
    bool control = false, shift = false, alt = false;
    bool repeated = false; // held down; ignored by comparisons
    bool matches(const KeyChord& other) const;
};

KeyChord typed(char32_t character);
KeyChord control(char32_t character);
KeyChord named(Key key, bool shift = false);
KeyChord with_alt(Key key);

std::string describe(const KeyChord& chord);                // for example "Shift+→", "Ctrl+S" or "?"
std::optional<KeyChord> chord_named(std::string_view text); // inverse of describe()

// A command of the window. It runs by a key, from the help page, or by its name in the palette of Ctrl+P.
struct Command {
    std::string id; // for example "time-play"
    std::vector<KeyChord> chords;
    std::string group; // heading on the help page
    std::string words; // description
    std::function<void()> action;
    bool repeats = false; // also runs while the key is held down
    bool opens_page = false;
    // Available on the first page, which covers everything that the other commands change.
    bool over_first_page = false;
    std::string view = {}; // name of a view: available only there, with precedence; empty: everywhere
};

using Commands = std::vector<Command>;

// Returns the command of a chord while `view` is shown (empty: no view). Returns null if there is none, or if the key
// is held down and the command does not repeat.
const Command* find(const Commands& commands, const KeyChord& chord, std::string_view view = {});

// Returns the command that uses the chord, whether held down or not. Returns null if the chord is free.
const Command* user_of(const Commands& commands, const KeyChord& chord, std::string_view view = {});

// Returns for example "c" or "← or Shift+Tab"; empty: no key.
std::string keys_text(const Command& command);

} // namespace app
