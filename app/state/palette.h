// The palette of Ctrl+P: its entries, the typed text, and the best matches. Pure except for what its entries do.
#pragma once

#include "app/state/commands.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Scores how well `text` matches the typed text: its characters in order. Characters at the start of words or next to
// each other score higher. Ignores case. Returns nothing if it does not match.
std::optional<int> fit(std::string_view typed, std::string_view text);

// Returns row and column of an element that is typed as "C(5,37)", also in lower case and without the last bracket.
// Returns nothing for every other text.
std::optional<std::pair<uint32_t, uint32_t>> element_typed(std::string_view typed);

struct Entry {
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
    bool takes_path = false; // its value is a path, also without the first word: "/home/me/mine.cu"
    std::string with = {};   // choice that the entry changes to: "warp_tile"; empty: the choice stays
    // Returns whether the whole typed text is this entry's value, as "C(5,37)" is. `set` then takes the whole text.
    std::function<bool(std::string_view typed)> reads = {};
    std::string begins = {}; // how such a value begins, typed for who chooses the entry without one: "C("
};

class Palette {
public:
    void open(std::vector<Entry> entries);
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
    std::vector<const Entry*> found() const;            // best first, at most `most_shown`
    std::size_t chosen() const { return chosen_; }
    const Entry* chosen_entry() const;

    static constexpr std::size_t most_shown = 12;

private:
    void erase_last();

    std::vector<Entry> entries_;
    std::string typed_, wrong_;
    std::size_t chosen_ = 0;
    bool open_ = false, all_selected_ = false;
};

} // namespace app
