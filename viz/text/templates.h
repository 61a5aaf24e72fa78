// Renders Messages with the templates in assets/text/*.md, as runs of words in one style each (drawn by
// viz/draw/rich_text.h) or as plain text.
//
// A template is Markdown: **figure**, `code`, *emphasis*, ### heading, a list (the items of a legend, with wide gaps),
// a blockquote (an aside, faint), &nbsp; (no line break here). A new paragraph begins a new line. Text before the first
// section of a file is not shown.
// Within a template
//     {lanes}                      is replaced by the argument,
//     {lanes|lane|lanes}           becomes "1 lane", "8 lanes"; the first of three forms is for 0,
//     {lanes?is|are}               becomes the word alone; the length of a list or a bool can select it, too
#pragma once

#include "viz/text/message.h"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// Reports an invalid template or Message. The text names the id and says what to do.
struct TextError : std::logic_error {
    using std::logic_error::logic_error;
};

// A set of templates by id.
class Templates {
public:
    // Adds the sections of a file. `name` is the first part of their ids: "banks" for banks.conflict. Throws TextError.
    void add(std::string_view name, std::string_view markdown);

    // Throws TextError for an unknown id, a missing argument, or an argument that the template does not use.
    std::vector<Run> compose(const Message& message) const;

    std::vector<std::string_view> ids() const;
    std::set<std::string> arguments(std::string_view id) const; // names of the template's arguments

private:
    struct Piece { // a run of the template, or a placeholder for an argument
        Run run;
        std::optional<std::size_t> place;
    };
    struct Place {
        std::string name;
        std::vector<std::string> forms;
        bool forms_only = false; // {name?...}
    };
    struct Template {
        std::vector<Piece> pieces;
        std::vector<Place> places;
    };
    class Parser;
    friend void append(std::vector<Run>& runs, const Value& value, Style style);

    static void fill(const Templates& all, const Place& place, const Value& value, const Run& like,
                     std::vector<Run>& runs);

    std::map<std::string, Template, std::less<>> templates;
};

// Returns the templates of assets/text, which are compiled in and parsed once.
const Templates& shipped_templates();

// Appends an argument, in the style of the surrounding words.
void append(std::vector<Run>& runs, const Value& value, Style style);

// Renders with the shipped templates. An invalid Message becomes a sentence about the error.
std::vector<Run> compose(const Message& message);
std::string plain(const Message& message);
std::string plain(const Messages& messages); // separated by spaces
std::string plain(const Rich& words);

} // namespace viz
