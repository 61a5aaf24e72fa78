// Key chords independent of the windowing library, and the table of commands that gives them meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    // Also available on the first page. The other commands are not, because the first page covers what they change.
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

// The palette of Ctrl+P: its entries, the typed text, and the best matches. Pure except for what its entries do.

// Scores how well `text` matches the typed text: its characters in order. Characters at the start of words or next to
// each other score higher. Ignores case. Returns nothing if it does not match.
std::optional<int> fit(std::string_view typed, std::string_view text);

// Returns row and column of an element that is typed as "C(5,37)", also in lower case and without the last bracket.
// Returns nothing for every other text.
std::optional<std::pair<uint32_t, uint32_t>> element_typed(std::string_view typed);

// Returns x, y and z of a block that is typed as "block (1,0)" or "block 1,0,2". Returns its number in the grid for
// "block 5". Returns nothing for every other text.
std::vector<uint32_t> block_typed(std::string_view typed);

struct PaletteEntry {
    std::string kind;  // shown beside the title, for example "stage"
    std::string title; // text to match
    std::string also;  // second text to match, shown beside the title
    std::string keys = {};
    std::function<void()> run = {};
    // Takes the value that was typed after the title's first word, as in "BK 16". Returns an error text, or an empty
    // string on success.
    std::function<std::string(std::string_view value)> set = {};
    std::string id = {};     // of a command
    int preference = 0;      // rank among equally good matches
    bool takes_path = false; // a typed path is its value, even without the title's first word: "/home/me/mine.cu"
    std::string with = {};   // what the entry also chooses, such as "warp_tile"; empty: nothing
    // Returns whether the whole typed text is this entry's value, as "C(5,37)" is. `set` then takes the whole text.
    std::function<bool(std::string_view typed)> reads = {};
    std::string begins = {}; // typed for a user who chooses the entry without a value: "C("
};

class Palette {
public:
    void open(std::vector<PaletteEntry> entries);
    void close() { open_ = false; }
    bool is_open() const { return open_; }

    // Handles a key: typing, erasing, selecting, running or closing.
    void press(const KeyChord& chord);
    void type(std::string_view text); // appends text
    void choose(std::size_t row) { chosen_ = row; }
    void run(); // runs the selected entry and closes

    const std::string& typed() const { return typed_; }
    bool all_selected() const { return all_selected_; } // the next typed text replaces everything
    const std::string& wrong() const { return wrong_; } // error of the value; empty: none
    std::vector<const PaletteEntry*> found() const;     // best first, at most `most_shown`
    std::size_t chosen() const { return chosen_; }
    const PaletteEntry* chosen_entry() const;

    static constexpr std::size_t most_shown = 12;

private:
    void erase_last();

    std::vector<PaletteEntry> entries_;
    std::string typed_, wrong_;
    std::size_t chosen_ = 0;
    bool open_ = false, all_selected_ = false;
};

} // namespace app
