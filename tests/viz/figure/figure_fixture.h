// Draws a layer in a panel without a window, and stores the drawn shapes.
#pragma once

#include "viz/figure/draw_figure.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test_figures {

using namespace viz;

// Stores boxes, lines, rings and texts, but no other shapes.
class Drawing final : public Surface {
public:
    using Surface::fill;
    using Surface::line;
    struct Filled {
        Box box;
        Colour colour;
    };
    std::vector<Filled> boxes;
    std::vector<std::vector<ImVec2>> lines;
    std::vector<ImVec2> rings; // their centres
    std::vector<std::string> words;
    std::vector<std::pair<Box, uint32_t>> images;

    void fill(const Box& box, Colour colour, float) override { boxes.push_back({box, colour}); }
    void outline(const Box&, Colour, float) override {}
    void line(std::span<const ImVec2> points, Colour, float, bool) override
    {
        lines.emplace_back(points.begin(), points.end());
    }
    void polygon(std::span<const ImVec2>, Colour) override {}
    void circle(ImVec2, float, Colour) override {}
    void ring(ImVec2 centre, float, Colour, float) override { rings.push_back(centre); }
    void image(unsigned texture, const Box& box) override { images.emplace_back(box, texture); }
    void text(ImFont*, ImVec2, Colour, std::string_view what) override { words.emplace_back(what); }
    void push_clip(const Box&) override {}
    void pop_clip() override {}

    std::vector<Box> of(Colour colour) const
    {
        std::vector<Box> found;
        for (const Filled& one : boxes)
            if (one.colour == colour)
                found.push_back(one.box);
        return found;
    }
    bool says(std::string_view what) const { return std::ranges::find(words, what) != words.end(); }
};

constexpr Colour red = 0xff0000ff, green = 0xff00ff00, blue = 0xffff0000;

class FigureTest : public testing::Test {
protected:
    void SetUp() override
    {
        context = ImGui::CreateContext();
        ImGui::GetIO().Fonts->AddFontDefault();
        ImGui::GetIO().Fonts->Build();
        ImGui::GetIO().DisplaySize = {1000, 1000};
        ImGui::GetIO().IniFilename = nullptr;
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImGui::NewFrame();
    }
    void TearDown() override
    {
        ImGui::EndFrame();
        ImGui::DestroyContext(context);
    }

    // Draws a panel of 400 x 200 at (100, 100). At `pressed` the mouse button went down; it is still down.
    void draw(Layer layer, std::optional<ImVec2> pointer = {}, std::optional<ImVec2> pressed = {})
    {
        draw(Panel{.id = "panel", .box = {{100, 100}, {500, 300}}, .layers = {std::move(layer)}, .camera = camera},
             pointer, pressed);
    }
    void draw(Panel panel, std::optional<ImVec2> pointer = {}, std::optional<ImVec2> pressed = {})
    {
        Figure figure;
        figure.panels.push_back(std::move(panel));
        draw(figure, pointer, pressed);
    }
    void draw(const Figure& figure, std::optional<ImVec2> pointer = {}, std::optional<ImVec2> pressed = {})
    {
        drawing = {};
        marks = {};
        Painter painter(drawing, theme, pointer, &marks);
        if (pressed)
            painter.held_since(*pressed);
        paint(painter, figure);
        hit = painter.hit();
    }

    const Marks::Drawn& mark(std::string_view name) const
    {
        const auto found = std::ranges::find(marks.drawn, name, &Marks::Drawn::name);
        if (found == marks.drawn.end())
            throw std::runtime_error("no mark " + std::string(name));
        return *found;
    }
    const Marks::Words& words(std::string_view what) const
    {
        const auto found = std::ranges::find(marks.words, what, &Marks::Words::words);
        if (found == marks.words.end())
            throw std::runtime_error("no words " + std::string(what));
        return *found;
    }
    // Expects that no texts overlap and that none leaves its panel.
    void expect_words_apart() const
    {
        // Lines of neighbouring bars may overlap by the space above and below letters.
        constexpr float slack = 2;
        for (std::size_t i = 0; i < marks.words.size(); ++i) {
            const Marks::Words& words = marks.words[i];
            EXPECT_FALSE(words.cut) << words.words;
            const Box one{{words.min.x, words.min.y + slack}, {words.max.x, words.max.y - slack}};
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(one.overlaps({marks.words[j].min, marks.words[j].max}))
                    << words.words << " over " << marks.words[j].words;
        }
    }
    bool has_mark(std::string_view name) const
    {
        return std::ranges::find(marks.drawn, name, &Marks::Drawn::name) != marks.drawn.end();
    }
    static float width(const Marks::Drawn& one) { return one.max.x - one.min.x; }
    std::string tip() const { return hit && hit->tip ? plain(hit->tip()) : ""; }

    ImGuiContext* context = nullptr;
    Theme theme = make_theme(true, 1);
    Drawing drawing;
    Marks marks;
    std::optional<Hit> hit;
    PanZoom* camera = nullptr; // of the drawn panel
    Selection selection;
    const LadderFacts ladder_facts;
    Requests requests;
    const ViewScene scene{{}, selection, ladder_facts, requests}; // a click changes this
};

} // namespace test_figures
