// The templates in assets/text/*.md, and what a Message becomes with them: runs of words in one style each, which Prose
// draws (viz/draw/prose.h), or plain text.
//
// A template is Markdown: **figure**, `code`, *emphasis*, ### heading, a list (the items of a legend, with wide gaps), a
// blockquote (an aside, faint), &nbsp; (no line ends here); a new paragraph begins a new line. Text before the first section of a file is not shown.
// Within it
//     {lanes}                      is the argument,
//     {lanes|lane|lanes}           "1 lane", "8 lanes"; with three forms the first is for 0: {n|no conflict|conflict|conflicts}
//     {lanes?is|are}               one of the words alone, by the same rule, also by the length of a list or by a bool
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

// A template or a Message that is not right: names the id and what to do.
struct TextError : std::logic_error {
    using std::logic_error::logic_error;
};

class Templates {
public:
    // Adds the sections of one file; `name` is what their ids begin with, as "banks" for banks.conflict. Throws TextError.
    void add(std::string_view name, std::string_view markdown);

    // Throws TextError for an unknown id, an argument that is missing, and one that the template does not use.
    std::vector<Run> compose(const Message& message) const;

    std::vector<std::string_view> ids() const;
    std::set<std::string> arguments(std::string_view id) const; // that the template names

private:
    struct Piece { // a run of the template, or a place for an argument
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

// Those in assets/text, read once: they are constants of the program.
const Templates& shipped_templates();

// An argument in the style of what is around it.
void append(std::vector<Run>& runs, const Value& value, Style style);

// With the shipped templates. A Message that is not right becomes a sentence that says so.
std::vector<Run> compose(const Message& message);
std::string plain(const Message& message);
std::string plain(const Messages& messages); // with spaces between
std::string plain(const Rich& words);

} // namespace viz
