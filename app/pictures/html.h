// Parts of pages that need nothing beside them: tables, and a player of what moves.
#pragma once

#include "app/text/table.h"

#include <string>
#include <vector>

namespace app {

std::string html_of(const Table& table);

// What a page plays: frames as PlayedFrames packs them, and their size in units.
struct Played {
    std::string title, packed;
    int width = 0, height = 0;
};

// The style and the script of all players in a page, each there once; and a player, a figure with its controls (assets/player).
std::string player_style();
std::string player_script();
std::string player(const Played& played);

// What stands around a player in a page of its own, as text that can be searched, read aloud and copied.
struct PageWords {
    std::vector<std::string> about; // paragraphs
    std::string command;            // that makes the page
    std::string figures, table;     // the heading of the table of figures; the table, as HTML
    std::string program;            // "gemmscope 1.2.3"
};
std::string played_page(const Played& played, const PageWords& words);

} // namespace app
