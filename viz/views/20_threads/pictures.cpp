#include "viz/views/20_threads/facts.h"

#include "viz/draw/draw.h"
#include "viz/figure/arrow.h"
#include "viz/figure/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

// A linear layer of a neural network: at the top between its neighbouring layers, below as three matrices.
class NetworkPicture {
public:
    NetworkPicture(const Theme& with, const recording::Problem& of, const Box& place)
        : theme(with), problem(of), box(place), line(draw::row_height(with, 3))
    {
    }

    Panel make()
    {
        const float high = std::min(3.2f * line, box.height() * 0.25f);
        add_layers({box.min, {box.max.x, box.min.y + high}});
        add_matrices({{box.min.x, box.min.y + high + line}, box.max});
        return {.id = "network", .box = box, .layers = {std::move(shapes), LabelLayer{std::move(labels)}}};
    }

private:
    // Adds three layers from left to right, and the matrices that pass between them.
    void add_layers(const Box& place)
    {
        static constexpr std::array names{"layer before", "linear layer", "layer after"};
        const float wide = std::min(place.width() / 4.6f, theme.px(190)), gap = (place.width() - 3 * wide) / 2;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const float left = std::round(place.min.x + static_cast<float>(i) * (wide + gap));
            const Box layer{{left, place.min.y + 1}, {left + wide, place.max.y}};
            const bool own = i == 1;
            const Colour fill = own ? theme.accent() : draw::empty_colour(theme);
            shapes.shapes.push_back(said_of({.box = layer, .fill = fill, .radius = 6}, {.name = names[i]}));
            add_words(layer, {own ? "linear layer: C = A B" : names[i], own ? "C = A B" : names[i]}, ink_on(fill));
            if (i + 1 < names.size())
                add_arrow({layer.max.x + theme.px(6), layer.middle().y},
                          {layer.max.x + gap - theme.px(6), layer.middle().y},
                          i == 0 ? std::array<std::string, 2>{size_of("A", problem.M, problem.K), "A"}
                                 : std::array<std::string, 2>{size_of("C", problem.M, problem.N), "C"});
        }
    }

    // Adds A at the left, B above and C at the corner, with one element of C and its row and column.
    void add_matrices(const Box& place)
    {
        const float gap = theme.px(14), words = 2 * line + theme.px(4);
        const auto m = static_cast<float>(problem.M), n = static_cast<float>(problem.N),
                   k = static_cast<float>(problem.K);
        const float width = place.width() - gap, height = place.height() - 2 * words - gap;
        const float across = width * std::clamp(k / (k + n), 0.3f, 0.5f),
                    down = height * std::clamp(k / (k + m), 0.3f, 0.5f);
        const ImVec2 corner{std::round(place.min.x + across + gap), std::round(place.min.y + 2 * words + gap + down)};
        const Box a{{place.min.x, corner.y}, {place.min.x + across, place.max.y}};
        const Box b{{corner.x, place.min.y + words}, {place.max.x, place.min.y + words + down}};
        const Box c{corner, place.max};
        const uint32_t row = problem.M / 3, col = problem.N / 3;
        add_matrix(a, "A", {problem.M, problem.K},
                   {size_of("A", problem.M, problem.K) + ": activations", "A: activations", "A"},
                   {"a row for each input", "row: input"}, {row, 0, 1, problem.K});
        add_matrix(b, "B", {problem.K, problem.N},
                   {size_of("B", problem.K, problem.N) + ": weights", "B: weights", "B"},
                   {"a column for each output", "column: output"}, {0, col, problem.K, 1});
        add_matrix(c, "C", {problem.M, problem.N},
                   {size_of("C", problem.M, problem.N) + ": all outputs of all inputs", "C: all outputs", "C"},
                   {"the marked cell: its row of A times its column of B", "marked: row times column"},
                   {row, col, 1, 1});
    }

    struct Size {
        uint32_t rows, cols;
    };
    void add_matrix(const Box& place, const char* name, Size size, const std::array<std::string, 3>& title,
                    const std::array<std::string, 2>& below_title, const CellRect& lit)
    {
        const MatrixFrame frame{
            place.min, place.width() / static_cast<float>(size.cols), plain_shape(size.rows, size.cols),
            place.height() / static_cast<float>(size.rows) * static_cast<float>(size.cols) / place.width()};
        shapes.shapes.push_back(
            said_of({.box = place, .fill = mix(theme.panel, theme.accent(), 0.35f)}, {.name = name}));
        if (std::min(frame.cell, frame.cell_height()) >= theme.px(6))
            for (uint32_t row = 0; row < size.rows; ++row)
                for (uint32_t col = 0; col < size.cols; ++col)
                    shapes.shapes.push_back({.box = frame.box_of({row, col, 1, 1}), .stroke = theme.background});
        Box bright = frame.box_of(lit);
        bright.max = {std::max(bright.max.x, bright.min.x + theme.px(3)),
                      std::max(bright.max.y, bright.min.y + theme.px(3))};
        shapes.shapes.push_back(said_of({.box = bright, .fill = theme.ink}, {.name = std::string("one of ") + name}));
        const float top = place.min.y - 2 * line - theme.px(2);
        add_line(place, top, title, theme.ink, true);
        add_line(place, top + line, below_title, theme.ink_quiet, false);
    }

    // Adds the first text that fits above a matrix, at its left edge.
    void add_line(const Box& place, float top, std::span<const std::string> words, Colour colour, bool strong)
    {
        const std::string fitting = draw::first_fitting(strong ? theme.mono_bold : theme.text, place.width(), words);
        labels.push_back(
            words_at({place.min.x, top + line / 2}, Label::Side::right, fitting, {.colour = colour, .strong = strong}));
    }

    void add_words(const Box& place, const std::array<std::string, 2>& words, Colour colour)
    {
        labels.push_back(words_at(place.middle(), Label::Side::middle,
                                  draw::first_fitting(theme.text, place.width() - theme.px(8), words),
                                  {.colour = colour, .within = place}));
    }

    void add_arrow(ImVec2 from, ImVec2 until, const std::array<std::string, 2>& words)
    {
        const float size = theme.px(6);
        shapes.shapes.push_back({.kind = Shape::Kind::line,
                                 .points = {from, {until.x - size, until.y}},
                                 .stroke = theme.ink_quiet,
                                 .thick = 2});
        shapes.shapes.push_back({.kind = Shape::Kind::polygon,
                                 .points = {{until.x - size, until.y - size}, {until.x - size, until.y + size}, until},
                                 .fill = theme.ink_quiet});
        labels.push_back(words_at({(from.x + until.x) / 2, from.y - line / 2 - theme.px(3)}, Label::Side::middle,
                                  draw::first_fitting(theme.text, until.x - from.x, words), {.colour = theme.ink}));
    }

    static std::string size_of(const char* name, uint32_t rows, uint32_t cols)
    {
        return fmt::format("{} {} x {}", name, rows, cols);
    }

    const Theme& theme;
    const recording::Problem& problem;
    Box box;
    float line;
    ShapeLayer shapes;
    std::vector<Label> labels;
};

} // namespace

Panel network_panel(const Theme& theme, const recording::Problem& problem, const Box& box)
{
    return NetworkPicture(theme, problem, box).make();
}

void add_axis(ShapeLayer& shapes, std::vector<Label>& labels, const ThreadFacts& facts, const Theme& theme,
              const draw::Box& block)
{
    const float gap = theme.px(6), length = theme.px(24), line = draw::line_height(theme.mono);
    const std::string names[] = {"threadIdx.x", "x"};
    const std::string words = draw::first_fitting(theme.mono, block.width() - length - 4 * gap, names);
    const auto first = std::ranges::find(facts.owned, 0u, &OwnedCell::thread),
               next = std::ranges::find(facts.owned, 1u, &OwnedCell::thread);
    if (next == facts.owned.end() || first == facts.owned.end() || facts.shape.wrapped || block.height() < 4 * line ||
        block.width() < 2 * length + 4 * gap)
        return;
    const bool down = next->cell.col == first->cell.col && next->cell.row > first->cell.row;
    if (!down && (next->cell.row != first->cell.row || next->cell.col < first->cell.col))
        return;
    const float y = block.min.y + gap;
    const ImVec2 from{block.min.x + gap, y + (down ? 0 : line / 2)};
    add_axis_arrow(shapes.shapes, theme, from, length, down);
    shapes.shapes.push_back(said_of({.box = draw::around(from, gap)},
                                    {.name = facts.stage.named(down ? "x downwards" : "x to the right")}));
    labels.push_back(words_at({from.x + (down ? 0 : length) + 2 * gap, y + line / 2}, Label::Side::right, words,
                              {.colour = theme.ink, .plate = true, .mono = true}));
}

} // namespace viz
