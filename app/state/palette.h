// The field of Ctrl+P: what there is to find, what was typed, and what fits it best. Pure but for what its entries do.
#pragma once

#include "app/state/commands.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// How well `text` fits what was typed: its characters in order, better where they begin words or follow each other. Case does not
// count. Nothing: it does not fit.
std::optional<int> fit(std::string_view typed, std::string_view text);

struct Entry {
    std::string kind;  // "stage", as it stands beside it
    std::string title; // what is found
    std::string also;  // found too, shown beside the title
    std::string keys = {};
    std::function<void()> run = {};
    // Takes a value that was typed behind the title's first word, as in "BK 16". Returns what is wrong with it; empty: nothing.
    std::function<std::string(std::string_view value)> set = {};
    std::string id = {};     // of a command
    int preference = 0;      // among those that fit equally well
    bool takes_path = false; // as its value, also without the first word: "/home/me/mine.cu"
    std::string with = {};   // what it shows instead of what is chosen: "warp_tile"; empty: that stays
};

class Palette {
public:
    void open(std::vector<Entry> entries);
    void close() { open_ = false; }
    bool is_open() const { return open_; }

    // What a key does to the field: typing, erasing, choosing, running, closing.
    void press(const KeyChord& chord);
    void type(std::string_view text); // more of it
    void choose(std::size_t row) { chosen_ = row; }
    void run(); // what is chosen, and closes

    const std::string& typed() const { return typed_; }
    bool all_selected() const { return all_selected_; } // what is typed next takes the place of all
    const std::string& wrong() const { return wrong_; } // with the value; empty: nothing
    std::vector<const Entry*> found() const;            // the best first, `most_shown` at most
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
