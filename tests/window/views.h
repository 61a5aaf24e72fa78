// The fixture for tests of views: a window with one or two stages, and functions that read its state.
#pragma once

#include "program.h"

#include "viz/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

inline Rgb rgb(viz::Colour colour)
{
    return {static_cast<int>(colour & 255), static_cast<int>(colour >> 8 & 255), static_cast<int>(colour >> 16 & 255)};
}

class Views : public testing::Test {
protected:
    Display display{{2200, 1500}};

    // Types letters, digits and other characters of paths.
    void type(const std::string& text)
    {
        static const std::map<char, const char*> keys{
            {'/', "slash"}, {'.', "period"}, {'_', "underscore"}, {'-', "minus"}};
        for (const char letter : text) {
            const auto key = keys.find(letter);
            program->press(key == keys.end() ? std::string(1, letter) : key->second);
        }
    }
    void open(std::vector<std::string> arguments, const Program::Environment& environment = {})
    {
        arguments.insert(arguments.end(), {"--backend", "cpu"});
        program.emplace(display, arguments, environment);
    }
    // Moves the pointer and waits for these words in the tip or the status line.
    void expect_hint(Point point, const std::string& words)
    {
        display.move_pointer(program->window(), point);
        program->wait_for("a hint with \"" + words + "\"", [&](const State& state) {
            for (const char* place : {"tip", "hint"})
                if (has(state, place, words))
                    return true;
            return false;
        });
    }
    // Goes to the next step until the frame has this widget.
    void step_until(const std::string& name)
    {
        while (!shows(name))
            go_to_next_step();
    }
    void go_to_next_step()
    {
        const std::size_t step = program->state().at("step");
        program->press("Right");
        wait("the next step", [&](const State& state) { return state.at("step") > step; });
    }
    void go_to_first_step()
    {
        program->press("Home");
        wait("the first step", is("step", 0));
    }
    void resize(Size size)
    {
        program->resize(size);
        wait("the size", is("width", size.width), is("height", size.height));
    }
    // Returns whether a figure has this text.
    bool figure_says(std::string_view words) const
    {
        return std::ranges::any_of(program->state().at("words"),
                                   [&](const State& one) { return one.at("words") == words; });
    }
    // Expects that no texts of figures overlap and that none leaves its panel.
    void expect_words_apart(const State& state) const
    {
        const State& words = state.at("words");
        for (std::size_t a = 0; a < words.size(); ++a) {
            EXPECT_FALSE(words[a].at("cut")) << words[a];
            const Rect one = words[a].at("rect");
            for (std::size_t b = a + 1; b < words.size(); ++b) {
                const Rect other = words[b].at("rect");
                const bool apart = one.right() <= other.left + 1 || other.right() <= one.left + 1 ||
                                   one.bottom() <= other.top + 3 ||
                                   other.bottom() <= one.top + 3; // lines of text include this much space
                EXPECT_TRUE(apart) << words[a] << " and " << words[b];
            }
        }
    }
    // Returns whether the rectangle has the frame of a selected item, in the theme's ink, at its left edge.
    bool is_framed(const Rect& rectangle) const
    {
        const Point edge = rectangle.at(0, 0.5);
        for (int x = edge.x - 2; x <= edge.x + 2; ++x)
            if (program->pixel({x, edge.y}) == rgb(theme.ink))
                return true;
        return false;
    }
    // Returns whether the first hundred pixels of its width, where text is, contain the colour.
    bool has_colour(const Rect& rectangle, Rgb colour) const
    {
        const Point first = rectangle.at(0, 0), last = rectangle.at(1, 1);
        for (int y = first.y; y < last.y; ++y)
            for (int x = first.x; x < std::min(first.x + 100, last.x); ++x)
                if (program->pixel({x, y}) == colour)
                    return true;
        return false;
    }
    // Waits until all conditions hold, and then for a settled frame.
    template <class... All>
    void wait(const std::string& what, const All&... all)
    {
        program->wait_for(what, all...);
        program->wait_settled();
    }
    void wait_shown(const std::string& name) { program->wait_for(name, shown(name)); }
    bool shows(const std::string& name) const { return program->shows(name); }
    Rect widget(const std::string& name) const { return program->widget(name); }
    // Return a mark of a figure; its rectangle.
    const State& drawn(const std::string& name) const { return program->state().at("drawn").at(name); }
    Rect drawn_in(const std::string& name) const { return drawn(name).at("rect"); }

    std::optional<Program> program;
    const viz::Theme theme = viz::make_theme(true, 1);
};

// Returns the marks of conflicts, by line and step or by line alone. Each has a name, a colour, and the number of
// conflicts as its value.
inline std::vector<State> conflict_cells(const State& state)
{
    std::vector<State> cells;
    for (const auto& [name, mark] : state.at("drawn").items())
        if (name.starts_with("conflicts ")) {
            cells.push_back(mark);
            cells.back()["name"] = name;
        }
    return cells;
}

} // namespace test
