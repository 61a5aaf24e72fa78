// What a command prints, in the form that its options ask for: sentences and tables as text, the tables as CSV, or JSON.
#pragma once

#include "app/text/table.h"
#include "app/text/tell.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

enum class Form : uint8_t { text, json, csv };

// --json and --csv, as all commands take them that print figures.
void add_form(CLI::App& command, Form& form);

// Text comes as it is known, JSON and CSV at the end.
class Output {
public:
    explicit Output(Form form, int indent = 2) : form_(form), indent_(indent) {} // of JSON; -1: in one line

    bool is_text() const { return form_ == Form::text; }

    // Prints a sentence around the tables, in text alone.
    template <class... Arguments>
    void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) const
    {
        if (is_text())
            write_out(words, std::forward<Arguments>(arguments)...);
    }

    void print(Table table); // with all its rows
    void begin(Table table); // its headings; its rows follow one by one:
    void add(nlohmann::json row);

    // The end. JSON is `whole`; by default the rows of the first table. CSV is the tables, an empty line between two of them.
    void end() const;
    void end(const nlohmann::ordered_json& whole) const;
    void end(const nlohmann::json& whole) const;
    // The end of a command whose result is one row: its figures are members of `row`.
    void end_with(const nlohmann::ordered_json& row);

private:
    void end_csv() const;

    Form form_;
    int indent_;
    std::vector<Table> tables_;
};

} // namespace app
