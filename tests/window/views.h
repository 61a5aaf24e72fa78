// What the tests of views share: a window on two stages or one, and what is read back from it.
#pragma once

#include "program.h"

#include "viz/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

using State = Program::State;

inline Rgb rgb(viz::Colour colour)
{
    return {static_cast<int>(colour & 255), static_cast<int>(colour >> 8 & 255), static_cast<int>(colour >> 16 & 255)};
}

class Views : public testing::Test {
protected:
    Display display{{2200, 1500}};

    // Letters, numbers, and what else a path has.
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
    // What is said of the place that the pointer moved to, beside it or in the status line, has these words.
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
    // Access by access until the frame has such a widget.
    void step_until(const std::string& name)
    {
        while (!program->state().at("widgets").contains(name)) {
            const std::size_t step = program->state().at("step");
            program->press("Right");
            program->wait_for("the next step, with " + name,
                              [&](const State& state) { return state.at("step") > step; });
            program->wait_settled();
        }
    }
    // A figure has these words, and no more at that place.
    bool figure_says(std::string_view words) const
    {
        return std::ranges::any_of(program->state().at("words"),
                                   [&](const State& one) { return one.at("words") == words; });
    }
    // Words of figures that are read: none of them lies over others, none leaves its panel.
    void expect_words_apart(const State& state) const
    {
        const State& words = state.at("words");
        const auto edges = [](const State& one) {
            const auto side = [&](int i) { return one.at("rect").at(i).template get<double>(); };
            return std::array{side(0), side(1), side(0) + side(2), side(1) + side(3)};
        };
        for (std::size_t a = 0; a < words.size(); ++a) {
            EXPECT_FALSE(words[a].at("cut")) << words[a];
            const auto [left, top, right, bottom] = edges(words[a]);
            for (std::size_t b = a + 1; b < words.size(); ++b) {
                const auto [other_left, other_top, other_right, other_bottom] = edges(words[b]);
                const bool apart = right <= other_left + 1 || other_right <= left + 1 || bottom <= other_top + 3 ||
                                   other_bottom <= top + 3; // the lines of a font leave so much room
                EXPECT_TRUE(apart) << words[a] << " and " << words[b];
            }
        }
    }
    // In white, at its left edge, as what is selected.
    bool is_framed(const State& rectangle) const
    {
        const Point edge{rectangle.at(0).get<int>(), rectangle.at(1).get<int>() + rectangle.at(3).get<int>() / 2};
        for (int x = edge.x - 2; x <= edge.x + 2; ++x)
            if (program->pixel({x, edge.y}) == rgb(theme.ink))
                return true;
        return false;
    }
    // In the first hundred pixels of it, as words have.
    bool has_colour(const State& rectangle, Rgb colour) const
    {
        const int left = rectangle.at(0).get<int>(), top = rectangle.at(1).get<int>();
        for (int y = top; y < top + rectangle.at(3).get<int>(); ++y)
            for (int x = left; x < left + std::min(100, rectangle.at(2).get<int>()); ++x)
                if (program->pixel({x, y}) == colour)
                    return true;
        return false;
    }
    const State& widget(const std::string& name) const { return program->state().at("widgets").at(name); }

    std::optional<Program> program;
    const viz::Theme theme = viz::make_theme(true, 1);
};

// What figures mark as conflicts, by line and step, or by line alone: each has its name, the number as its value, and its colour.
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

// Inside a cell, where neither its outline nor its words are.
inline Point near_corner(const State& rectangle)
{
    return {rectangle.at(0).get<int>() + 5, rectangle.at(1).get<int>() + 5};
}

// The middle of a cell so many cells away from this one.
inline Point cell_away(const State& rectangle, int right, int down)
{
    const double width = rectangle.at(2), height = rectangle.at(3);
    return {static_cast<int>(rectangle.at(0).get<double>() + (right + 0.5) * width),
            static_cast<int>(rectangle.at(1).get<double>() + (down + 0.5) * height)};
}

} // namespace test
