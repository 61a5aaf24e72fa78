#include "viz/views/22_patterns/pictures.h"

#include "viz/analysis/sectors.h"
#include "viz/figure/sector_panel.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

float lane_height(const Theme& theme)
{
    return std::round(theme.px(24));
}

// Rows that have room: so many that most patterns leave the others where they are.
int rows_of_picture(int rows)
{
    return std::max(4, static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(rows, 1)))));
}

Box between(const Box& from, const Box& to, double share)
{
    const auto s = static_cast<float>(share);
    const auto mixed = [s](ImVec2 a, ImVec2 b) { return ImVec2{a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s}; };
    return {mixed(from.min, to.min), mixed(from.max, to.max)};
}

std::string lanes_text(uint32_t lanes)
{
    std::vector<uint32_t> all;
    for (uint32_t lane = 0; lane < model::lanes; ++lane)
        if (lanes >> lane & 1u)
            all.push_back(lane);
    std::string text;
    for (const std::string& run : number_runs(all))
        text += (text.empty() ? "" : ", ") + run;
    return text;
}

const PatternWord* word_of(const PatternCost& cost, int lane)
{
    const auto found =
        std::ranges::find_if(cost.words, [&](const PatternWord& word) { return (word.lanes >> lane & 1u) != 0; });
    return found == cost.words.end() ? nullptr : &*found;
}

std::string row_word(const AccessPattern& pattern)
{
    return pattern.shared() ? "wave" : "line";
}

// Of lanes that are served together; of global memory, of neighbours.
Colour group_colour(const Theme& theme, const AccessPattern& pattern, const PatternWord& word)
{
    const int group = pattern.shared() ? word.group : std::countr_zero(word.lanes) * 4 / pattern.lanes();
    return theme.lane_group[static_cast<std::size_t>(group) % 4];
}

class PatternLayers {
public:
    explicit PatternLayers(const PatternPicture& of) : picture(of), grid(of.grid), theme(of.theme()) {}

    std::vector<Layer> make()
    {
        add_ground();
        add_ways();
        add_words();
        add_lanes();
        name_rows();
        return {std::move(shapes), std::move(labels)};
    }

private:
    bool chosen(const PatternWord& word) const
    {
        const uint32_t lane = picture.frame.selection.lane;
        return lane < static_cast<uint32_t>(picture.pattern.lanes()) && (word.lanes >> lane & 1u) != 0;
    }

    // Banks in every wavefront, idle ones too; or the lines that are touched, with the sectors that are moved.
    void add_ground()
    {
        const Colour empty = draw::empty_colour(theme), wasted = wasted_colour(theme);
        const bool shared = picture.pattern.shared();
        for (int column = 0; column < grid.columns(); ++column)
            shapes.shapes.push_back(box_shape(grid.head(column), mix(theme.panel, theme.ink, shared ? 0.16f : 0.08f)));
        for (int row = 0; row < picture.cost.rows; ++row)
            for (int column = 0; column < grid.columns(); ++column) {
                const uint64_t sector = shared ? 0
                                               : picture.cost.lines[static_cast<std::size_t>(row)] * 4 +
                                                     static_cast<uint64_t>(column / static_cast<int>(words_of_sector));
                const bool moved = !shared && std::ranges::binary_search(picture.cost.sectors, sector);
                shapes.shapes.push_back(box_shape(grid.cell(row, column), moved ? wasted : empty));
            }
        const int sector = static_cast<int>(words_of_sector);
        for (int column = sector; !shared && column < grid.columns(); column += sector) { // sectors apart
            const float x = grid.cell(0, column).min.x, bottom = grid.cell(picture.cost.rows - 1, column).max.y;
            shapes.shapes.push_back(box_shape({{x - 3, grid.head(column).min.y}, {x, bottom}}, theme.background));
        }
        for (int row = picture.cost.rows; shared && row < grid.rows(); ++row) // what a worse pattern would take
            shapes.shapes.push_back({.box = {grid.cell(row, 0).min, grid.cell(row, grid.columns() - 1).max},
                                     .stroke = draw::with_alpha(theme.border, 0.5f)});
        const float digit = draw::measure(theme.mono, "32").x + theme.px(4), cell = grid.head(0).width();
        const int step = cell >= digit ? 1 : cell * 4 >= digit ? 4 : 8;
        for (int column = 0; column < grid.columns(); column += step)
            label(std::to_string(column), grid.head(column).middle(), theme.ink_quiet, Label::Side::middle);
        label(shared ? "bank" : "word", {grid.left() - theme.px(6), grid.head(0).middle().y}, theme.ink_quiet,
              Label::Side::left);
    }

    // From each lane down to the head of its bank or word.
    void add_ways()
    {
        const bool few = picture.pattern.machine == AccessPattern::Machine::eight;
        for (int lane = 0; lane < picture.pattern.lanes(); ++lane) {
            const PatternWord* const word = word_of(picture.cost, lane);
            if (word == nullptr)
                continue;
            const Box from = grid.lane(lane);
            const float x = picture.box_of(*word, lane).middle().x, y = grid.head(0).min.y;
            const ImVec2 begin{from.middle().x, from.max.y};
            const float half = (y - begin.y) / 2;
            const bool lit = static_cast<uint32_t>(lane) == picture.frame.selection.lane;
            const Colour colour = lit ? theme.ink : picture.colour_of(*word);
            shapes.shapes.push_back(said_of({.kind = Shape::Kind::curve,
                                             .points = {begin, {begin.x, begin.y + half}, {x, y - half}, {x, y}},
                                             .stroke = draw::with_alpha(colour, lit ? 1.0f : 0.75f),
                                             .thick = (few ? 2.5f : 1.5f) + (lit ? 1.0f : 0.0f)},
                                            {.name = fmt::format("way {}", lane), .tip = tip_of(lane)}));
        }
    }

    Tip tip_of(int lane) const
    {
        return [pattern = picture.pattern, cost = picture.cost, lane] { return lane_words(pattern, cost, lane); };
    }

    static Action choose(int lane)
    {
        return [lane](const ViewScene& scene) { scene.selection.lane = static_cast<uint32_t>(lane); };
    }

    // What is served lies in its bank; what waits is still at its lane.
    void add_words()
    {
        for (const PatternWord& word : picture.cost.words) {
            const double served = picture.served(word);
            const Colour colour = picture.colour_of(word);
            const int first = std::countr_zero(word.lanes);
            for (int lane = picture.pattern.lanes(); lane-- > 0;)
                if (word.lanes >> lane & 1u && (served > 0 || lane == first)) {
                    const Box target = picture.box_of(word, lane);
                    if (served > 0)
                        shapes.shapes.push_back(box_shape(between(start_of(lane, target), target, served), colour));
                }
            const bool rests = served >= 1 && picture.slide.share(picture.frame.seconds) >= 1;
            const Box box = grid.cell(word.row, word.column, word.columns);
            shapes.shapes.push_back(
                said_of({.box = box}, {.name = fmt::format("{} {} in {} {}", picture.pattern.shared() ? "bank" : "word",
                                                           word.column, row_word(picture.pattern), word.row + 1),
                                       .value = first,
                                       .tip = tip_of(first),
                                       .click = choose(first)}));
            if (chosen(word) && served >= 1)
                add_frame(shapes.shapes, theme, picture.box_of(word, first), theme.ink, 2);
            if (rests)
                name_word(word, box, colour);
        }
    }

    // A word sets out below its lane, as wide as there.
    Box start_of(int lane, const Box& target) const
    {
        const Box at = grid.lane(lane);
        const float half = std::min(at.width(), target.width()) / 2;
        return {{at.middle().x - half, at.max.y - target.height()}, {at.middle().x + half, at.max.y}};
    }

    // The lanes that it is for, and below them the number of the word where both have room.
    void name_word(const PatternWord& word, const Box& box, Colour ground)
    {
        const std::string lanes = lanes_text(word.lanes);
        const float line = draw::line_height(theme.mono);
        const Colour ink = ink_on(ground);
        const std::string number = fmt::format("word {}", word.word);
        const std::string who = (std::popcount(word.lanes) == 1 ? "lane " : "lanes ") + lanes;
        const auto fits = [&](const std::string& words) {
            return draw::measure(theme.mono, words).x + theme.px(2) <= box.width();
        };
        const bool both = fits(number) && fits(who) && box.height() >= 2 * line + theme.px(6);
        const float up = both ? line / 2 + theme.px(2) : 0;
        const ImVec2 middle = box.middle();
        if (const std::string& words = fits(who) ? who : lanes; fits(words) && box.height() >= line - theme.px(3))
            label(words, {middle.x, middle.y - up}, ink, Label::Side::middle);
        if (both)
            label(number, {middle.x, middle.y + up}, ink, Label::Side::middle);
    }

    void add_lanes()
    {
        for (int lane = 0; lane < picture.pattern.lanes(); ++lane) {
            const PatternWord* const word = word_of(picture.cost, lane);
            const Box box = grid.lane(lane);
            const Colour face = word != nullptr ? picture.colour_of(*word) : draw::empty_colour(theme);
            shapes.shapes.push_back(
                said_of({.box = box, .fill = face, .radius = 3},
                        {.name = fmt::format("lane {}", lane),
                         .value = word != nullptr ? std::optional<double>(word->column) : std::nullopt,
                         .tip = tip_of(lane),
                         .click = choose(lane)}));
            if (static_cast<uint32_t>(lane) == picture.frame.selection.lane)
                add_frame(shapes.shapes, theme, box, theme.ink, 2);
            if (draw::measure(theme.mono, "31").x <= box.width() || lane % 4 == 0)
                label(std::to_string(lane), box.middle(), ink_on(face), Label::Side::middle);
        }
        label("lane", {grid.left() - theme.px(6), grid.lanes().middle().y}, theme.ink_quiet, Label::Side::left);
    }

    void name_rows()
    {
        for (int row = 0; row < picture.cost.rows; ++row) {
            const Box name = grid.row_name(row);
            if (name.height() < draw::line_height(theme.mono) - theme.px(3) && row % 4 != 3 && row != 0)
                continue;
            const bool waits = std::ranges::any_of(
                picture.cost.words, [&](const PatternWord& word) { return word.row == row && word.waits; });
            const uint64_t number = picture.pattern.shared() ? static_cast<uint64_t>(row) + 1
                                                             : picture.cost.lines[static_cast<std::size_t>(row)];
            label(fmt::format("{} {}", row_word(picture.pattern), number), {name.max.x, name.middle().y},
                  waits ? theme.warning : theme.ink_quiet, Label::Side::left);
        }
    }

    void label(std::string words, ImVec2 at, Colour colour, Label::Side side)
    {
        labels.labels.push_back(
            {.words = std::move(words), .at = at, .distance = 0, .colour = colour, .side = side, .mono = true});
    }

    const PatternPicture& picture;
    const PatternGrid& grid;
    const Theme& theme;
    ShapeLayer shapes;
    LabelLayer labels;
};

} // namespace

PatternGrid::PatternGrid(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost, const Box& box)
    : lane_count_(pattern.lanes()), columns_(pattern.shared() ? pattern.banks() : static_cast<int>(words_of_line)),
      rows_(rows_of_picture(cost.rows))
{
    const float left = std::ceil(box.min.x + draw::measure(theme.mono, "line 000").x + theme.px(8));
    const float high = lane_height(theme), head = draw::line_height(theme.mono) + theme.px(4);
    const float below = box.height() - high - head;
    const float ways = std::round(std::clamp(below * 0.3f, theme.px(24), theme.px(110)));
    const float top = std::round(box.min.y + theme.px(3)); // for the frame of the selected lane
    lanes_ = {{left, top}, {box.max.x, top + high}};
    heads_ = {{left, lanes_.max.y + ways}, {box.max.x, lanes_.max.y + ways + head}};
    row_ = std::clamp((box.max.y - heads_.max.y - theme.px(8)) / static_cast<float>(rows_), 1.0f, theme.px(90));
    cells_ = {{left, heads_.max.y + 2}, {box.max.x, heads_.max.y + 2 + row_ * static_cast<float>(rows_)}};
}

Box PatternGrid::lane(int lane) const
{
    const float width = lanes_.width() / static_cast<float>(lane_count_);
    const float x = lanes_.min.x + width * static_cast<float>(lane);
    return {{x, lanes_.min.y}, {x + width - (lane_count_ < 32 ? 4.0f : 1.0f), lanes_.max.y}};
}

Box PatternGrid::head(int column, int columns) const
{
    const float width = heads_.width() / static_cast<float>(columns_);
    const float x = heads_.min.x + width * static_cast<float>(column);
    return {{x, heads_.min.y}, {x + width * static_cast<float>(columns) - (columns_ < 32 ? 4.0f : 1.0f), heads_.max.y}};
}

Box PatternGrid::cell(int row, int column, int columns) const
{
    const Box above = head(column, columns);
    const float y = cells_.min.y + row_ * static_cast<float>(row);
    return {{above.min.x, y}, {above.max.x, y + std::max(row_ - 1, 1.0f)}};
}

Box PatternGrid::row_name(int row) const
{
    const Box first = cell(row, 0);
    return {{first.min.x - lanes_.min.x, first.min.y}, {lanes_.min.x - 6, first.max.y}};
}

std::optional<int> PatternGrid::lane_at(ImVec2 point) const
{
    for (int one = 0; one < lane_count_; ++one)
        if (lane(one).holds(point))
            return one;
    return {};
}

int PatternGrid::column_at(float x) const
{
    const float width = heads_.width() / static_cast<float>(columns_);
    return std::clamp(static_cast<int>(std::floor((x - heads_.min.x) / width)), 0, columns_ - 1);
}

int PatternGrid::row_at(float y) const
{
    return std::clamp(static_cast<int>(std::floor((y - cells_.min.y) / row_)), 0, rows_ - 1);
}

double PatternSlide::share(double seconds) const
{
    const double gone = std::clamp((seconds - began) / takes, 0.0, 1.0);
    return gone * gone * (3 - 2 * gone);
}

double PatternPicture::served(const PatternWord& word) const
{
    if (pattern.wavefront > 0)
        return word.row < pattern.wavefront ? 1 : 0;
    return motion.along(word.row);
}

Box PatternPicture::box_of(const PatternWord& word, int lane) const
{
    const Box target = grid.cell(word.row, word.column, word.columns);
    const auto& from = slide.from[static_cast<std::size_t>(lane)];
    return from ? between(*from, target, slide.share(frame.seconds)) : target;
}

Colour PatternPicture::colour_of(const PatternWord& word) const
{
    return word.waits ? theme().warning : group_colour(theme(), pattern, word);
}

Panel pattern_panel(const PatternPicture& picture, const Box& box)
{
    return {.id = "pattern", .box = box, .layers = PatternLayers(picture).make()};
}

Rich lane_words(const AccessPattern& pattern, const PatternCost& cost, int lane)
{
    if (!cost.valid() || lane >= pattern.lanes())
        return {};
    const uint64_t byte = cost.pattern.offset[static_cast<std::size_t>(lane)];
    const PatternWord* const word = word_of(cost, lane);
    const uint64_t element = byte / static_cast<uint64_t>(pattern.bytes());
    if (!pattern.shared())
        return rich("Lane {} asks for element {}: byte {}, sector {} of line {}.", index(lane),
                    index(static_cast<int64_t>(element)), index(static_cast<int64_t>(byte)),
                    index(static_cast<int64_t>(byte % 128 / model::sector_bytes)),
                    index(static_cast<int64_t>(byte / 128)));
    const std::string others = std::popcount(word->lanes) > 1
                                   ? fmt::format(" Lanes {} get the same word.", lanes_text(word->lanes))
                                   : std::string();
    return rich("Lane {} asks for element {}: word {}, bank {} = {} mod {}, wavefront {}.{}{}", index(lane),
                index(static_cast<int64_t>(element)), index(static_cast<int64_t>(word->word)), index(word->column),
                index(static_cast<int64_t>(word->word)), index(pattern.banks()), index(word->row + 1),
                word->waits ? " It waits: the bank serves another word first." : "", others);
}

} // namespace viz
