// Makes HTML for pages that need no other files: tables, and a player of animations.
#pragma once

#include "app/text/table.h"

#include <string>
#include <vector>

namespace app {

std::string html_of(const Table& table);

// An animation for a player: its title, the result of PlayedFrames::packed(), and the size of a frame in ImGui's units.
struct Played {
    std::string title, packed;
    int width = 0, height = 0;
};

// A page contains the style and the script once, for all its players. A player is a figure with its controls
// (assets/player).
std::string player_style();
std::string player_script();
std::string player(const Played& played);

// The text around a player that has a page of its own. Text in HTML can be searched, read aloud and copied.
struct PageWords {
    std::vector<std::string> about; // paragraphs
    std::string command;            // the command line that makes the page
    std::string figures, table;     // heading of the table of figures; the table as HTML
    std::string program;            // "gemmscope 1.2.3"
};
std::string played_page(const Played& played, const PageWords& words);

} // namespace app
