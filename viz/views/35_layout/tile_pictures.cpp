#include "viz/figure/draw_figure.h"
#include "viz/text/figures.h"
#include "viz/views/35_layout/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

// Returns how many bits the numbers below `count` have.
int bits_of(uint64_t count)
{
    return std::max(1, static_cast<int>(std::bit_width(std::max<uint64_t>(count, 1) - 1)));
}

// Returns a label that begins or ends at a point.
Label text(std::string words, ImVec2 left_middle, Colour colour)
{
    return {.words = std::move(words),
            .at = left_middle,
            .distance = 0,
            .colour = colour,
            .side = Label::Side::right,
            .must = true,
            .mono = true};
}
Label text_right(std::string words, ImVec2 right_middle, Colour colour)
{
    Label label = text(std::move(words), right_middle, colour);
    label.side = Label::Side::left;
    return label;
}

class BitsPicture {
public:
    BitsPicture(const Theme& with, const SharedTile& tile, const Cell& of, const Box& where)
        : side(tile), theme(with), accent(with.accent(tile.stage().number)), cell(of), box(where),
          mapping(tile.explained(tile.shown().mapping)), place(tile.place_of(of)), row_bits(bits_of(tile.tile().rows)),
          col_bits(bits_of(tile.tile().cols))
    {
        line = draw::line_height(theme.mono);
        place_bits = std::max(bits_of(side.places()), row_bits + col_bits);
        names = draw::measure(theme.mono, "place 0000").x + theme.px(8);
        gap = theme.px(6);
        width = std::clamp((box.width() - names - gap) / static_cast<float>(place_bits), theme.px(7), theme.px(40));
    }

    Panel panel()
    {
        const float agreeing = 2 * line + theme.px(10);
        const bool agrees = mapping.kind == Mapping::Kind::xored && box.height() >= bits_height(theme) + agreeing;
        // Height beyond the text goes to the bits and to the lines between them.
        const float more = std::max(0.0f, box.height() - bits_height(theme) - (agrees ? agreeing : 0)) / 3;
        high = line + theme.px(3) + std::min(more, theme.px(24));
        const float top = box.min.y + line + theme.px(5), below = top + high + theme.px(14) + more;
        const FlippedBits bits = flipped_bits(mapping, cell.row, cell.col);
        const bool of_row = mapping.bits == Mapping::Bits::of_row;
        labels.labels = {text(fmt::format("{}, {}", cell.row, cell.col), {box.min.x, top + high / 2}, theme.ink_quiet),
                         text(fmt::format("place {}", place), {box.min.x, below + high / 2}, theme.ink_quiet)};
        add_bits(cell.row, row_bits, col_bits, top, of_row ? bits.decide : 0, false);
        add_bits(cell.col, col_bits, 0, top, of_row ? 0 : bits.decide, false);
        add_bits(place & ((1u << col_bits) - 1), col_bits, 0, below, bits.flipped, true);
        add_bits(place >> col_bits, place_bits - col_bits, col_bits, below, bits.flipped >> col_bits, true);
        for (int bit = 0; bit < 32; ++bit)
            if (bits.decide >> bit & 1u)
                add_way(bit + (of_row ? col_bits : 0), bit + bits.up, top + high, below,
                        bits.flipped >> (bit + bits.up) & 1u);
        add_bank(below + high);
        if (agrees)
            add_loads(box.max.y - agreeing + theme.px(6));
        // One tip for the whole panel.
        shapes.shapes.push_back(
            said_of(box_shape(box, 0), {.tip = [&tile = side, cell = cell] { return element_words(tile, cell); }}));
        layers.emplace_back(std::move(labels));
        layers.emplace_back(std::move(shapes));
        const bool recorded = mapping.kind == Mapping::Kind::recorded;
        return {.id = "bits of " + stage_panel(side.stage()),
                .box = box,
                .title = recorded ? "place: as recorded" : formula_of(mapping),
                .layers = std::move(layers)};
    }

private:
    // Bits of the column and of the place are right-aligned. Bits of the row are above their targets.
    float x_of(int bit) const
    {
        const float right = box.min.x + names + width * static_cast<float>(place_bits) + gap;
        return right - width * static_cast<float>(bit + 1) - (bit >= col_bits ? gap : 0);
    }

    // Adds bits, the lowest one at position `first`. `special` bits are framed if they decide, and coloured if they are
    // flipped.
    void add_bits(uint32_t number, int count, int first, float y, uint32_t special, bool flipped)
    {
        if (count <= 0)
            return;
        const auto bit_of = [count](uint32_t col) { return count - 1 - static_cast<int>(col); };
        const auto is_one = [=](uint32_t col) { return (number >> bit_of(col) & 1u) != 0; };
        const auto marked = [=](uint32_t col) { return (special >> bit_of(col) & 1u) != 0; };
        CellLayer bits{.rows = 1,
                       .cols = static_cast<uint32_t>(count),
                       .box = Box{{x_of(first + count - 1), y}, {x_of(first) + width, y + high}},
                       .widest = "0",
                       .bordered = false};
        bits.colour = [=, flip = accent, one = mix(theme.panel, theme.ink, 0.4f),
                       zero = draw::empty_colour(theme)](uint32_t, uint32_t col) {
            return flipped && marked(col) ? flip : is_one(col) ? one : zero;
        };
        bits.words = [=](uint32_t, uint32_t col) { return is_one(col) ? "1" : "0"; };
        bits.value = [=](uint32_t, uint32_t col) { return is_one(col) ? 1 : 0; };
        const int begin = flipped ? first : 0; // a place has one row of bits, drawn by two layers
        bits.id = [=, &stage = side.stage()](uint32_t, uint32_t col) {
            return marked(col)
                       ? mark_of(stage, fmt::format("{} bit {}", flipped ? "flipped" : "deciding", begin + bit_of(col)))
                       : "";
        };
        for (uint32_t col = 0; !flipped && col < bits.cols; ++col)
            if (marked(col))
                bits.frames.push_back({.col = col, .colour = accent});
        layers.emplace_back(std::move(bits));
    }

    // Adds a line from a deciding bit down to the bit that it flips, or would flip.
    void add_way(int from, int to, float top, float bottom, bool flips)
    {
        const ImVec2 a{x_of(from) + width / 2, top}, b{x_of(to) + width / 2, bottom};
        const float middle = (top + bottom) / 2;
        shapes.shapes.push_back({.kind = Shape::Kind::curve,
                                 .points = {a, {a.x, middle}, {b.x, middle}, b},
                                 .stroke = flips ? accent : theme.ink_faint,
                                 .thick = flips ? 2.0f : 1.0f});
    }

    // Marks the bits of the place that select the bank.
    void add_bank(float y)
    {
        const uint32_t bytes = side.tile().element_bytes;
        if (bytes > model::bank_bytes)
            return;
        const int least = std::countr_zero(model::bank_bytes / std::max(1u, bytes)), most = least + 4;
        const float left = x_of(most), right = x_of(least) + width - 1;
        shapes.shapes.push_back(box_shape({{left, y + theme.px(2)}, {right, y + theme.px(4)}}, theme.ink_quiet));
        labels.labels.push_back(
            text(fmt::format("bank {}", side.bank_of(cell)), {left, y + theme.px(5) + line / 2}, theme.ink));
    }

    // Shows what two loads get: one that computes the place like the store, and one that assumes a row-major layout and
    // gets another element if the XOR flips bits.
    void add_loads(float y)
    {
        const recording::Array& tile = side.tile();
        const uint32_t plain = cell.row * tile.cols + cell.col, found = side.element_at(plain);
        const auto add = [&](const char* how, uint32_t from, const Cell& gets, Colour colour) {
            const std::string element = element_name(tile.name, {gets});
            const float right = x_of(0) + width, left = right - draw::measure(theme.mono_bold, element).x - line;
            labels.labels.push_back(text(fmt::format("{} {}", how, from), {box.min.x, y + line / 2}, theme.ink_quiet));
            labels.labels.push_back(text_right(element, {right, y + line / 2}, colour));
            labels.labels.back().strong = true;
            shapes.shapes.push_back(
                said_of(box_shape({{left, y + line * 0.2f}, {left + line * 0.7f, y + line * 0.9f}}, colour),
                        {.name = mark_of(side.stage(), fmt::format("{} found", how))}));
            y += line + theme.px(2);
        };
        add("with XOR", place, cell, theme.good);
        if (found != SharedTile::none)
            add("without", plain, {found / tile.cols, found % tile.cols}, plain == place ? theme.good : theme.warning);
    }

    const SharedTile& side;
    const Theme& theme;
    Colour accent; // colour of flipped bits
    Cell cell;
    Box box;
    const Mapping& mapping;
    uint32_t place;
    int row_bits, col_bits, place_bits = 1;
    float line = 0, names = 0, gap = 0, width = 0, high = 0; // width and height: of a bit
    std::vector<Layer> layers;
    ShapeLayer shapes;
    LabelLayer labels;
};

constexpr float between_rows = 4; // pixels at scale 1

class CostsPicture {
public:
    explicit CostsPicture(const TileCosts& what)
        : costs(what), tile(what.tile), theme(what.theme), box(what.box), accent(theme.accent(tile.stage().number)),
          row(draw::row_height(theme, between_rows)), pitch(costs.formulas ? 2 * row + theme.px(2) : row)
    {
        measure();
        add_heads();
        for (std::size_t i = 0; i < SharedTile::kinds; ++i)
            add_kind(static_cast<Mapping::Kind>(i), box.min.y + row + pitch * static_cast<float>(i));
    }

    Panel panel()
    {
        layers.insert(layers.begin(), std::move(ground));
        layers.insert(layers.end(), {std::move(shapes), std::move(labels), std::move(hits)});
        return {.id = "costs of " + stage_panel(tile.stage()), .box = box, .layers = std::move(layers)};
    }

private:
    static std::string label_of(const LineCost& line)
    {
        return fmt::format("{} {}", line.line, line.store ? "w" : "r");
    }

    void measure()
    {
        std::size_t lines = 0;
        uint64_t most = 0; // conflicts of all lines
        for (std::size_t i = 0; i < SharedTile::kinds; ++i) {
            const TriedPlaces& tried = tile.tried(static_cast<Mapping::Kind>(i));
            if (tried.refused() || !tried.cost)
                continue;
            lines = std::max(lines, tried.cost->lines.size());
            most = std::max(most, tried.cost->totals.conflicts);
            longest = std::max(longest, tried.cost->totals.wavefronts);
            for (const LineCost& line : tried.cost->lines)
                worst = std::max(worst, line.totals.conflicts);
        }
        left = box.min.x + costs_names(theme);
        right = box.max.x - draw::measure(theme.mono_bold, thousands(most)).x - theme.px(8);
        float least = draw::measure(theme.mono, thousands(worst)).x;
        const TileCost* recorded = tile.recorded().cost;
        for (std::size_t i = 0; recorded != nullptr && i < recorded->lines.size(); ++i)
            least = std::max(least, draw::measure(theme.mono, label_of(recorded->lines[i])).x);
        // The bars of totals take at least a quarter of the width, or all of it if cells do not fit.
        cell = std::min((right - left) * 0.55f / static_cast<float>(std::max<std::size_t>(lines, 1)), theme.px(90));
        if (cell < least + theme.px(4))
            cell = 0;
        bars = left + cell * static_cast<float>(lines) + theme.px(6);
        if (recorded != nullptr)
            time = tile.done() * static_cast<double>(recorded->totals.wavefronts);
    }

    void add_heads()
    {
        const float middle = box.min.y + row / 2;
        const TileCost* recorded = tile.recorded().cost;
        for (std::size_t i = 0; cell > 0 && recorded != nullptr && i < recorded->lines.size(); ++i)
            labels.labels.push_back({.words = label_of(recorded->lines[i]),
                                     .at = {left + cell * (static_cast<float>(i) + 0.5f), middle},
                                     .side = Label::Side::middle,
                                     .must = true,
                                     .mono = true});
        labels.labels.push_back(text_right("conflicts", {box.max.x, middle}, theme.ink_quiet));
        labels.labels.back().mono = false;
    }

    void add_kind(Mapping::Kind kind, float y)
    {
        const TriedPlaces& tried = tile.tried(kind);
        const std::string name(places_name(kind));
        const bool chosen = tile.kind() == kind;
        if (chosen) {
            Shape face =
                box_shape({{box.min.x, y}, {left - theme.px(4), y + row - 1}}, mix(theme.panel, theme.ink, 0.24f));
            face.radius = 3;
            ground.shapes.push_back(std::move(face));
        }
        const float middle = y + row / 2;
        const auto say = [&](std::string words, float x, Colour colour) {
            labels.labels.push_back(text(std::move(words), {x, middle}, colour));
            labels.labels.back().mono = false;
        };
        say(name, box.min.x + theme.px(4), chosen ? theme.ink : theme.ink_quiet);
        const std::string why[] = {tried.refused() ? "refused: " + refusal_in_short(tried) : "", "refused"};
        if (tried.refused())
            say(draw::first_fitting(theme.text, box.max.x - left, why), left, theme.warning);
        else if (tried.cost && tried.cost->lines.empty())
            say("-", left, theme.ink_faint);
        else if (tried.cost)
            add_costs(name, *tried.cost, y, &tried == &tile.shown());
        if (costs.formulas)
            add_formula(tried, y + row - theme.px(1), chosen);
        const Box whole{{box.min.x, y}, {box.max.x, y + pitch}};
        hits.shapes.push_back(
            said_of(box_shape(whole, 0), {.name = mark_of(tile.stage(), "places " + name),
                                          .tip = [&of = tile, kind] { return places_words(of, kind); },
                                          .click = [choose = costs.choose, kind](const ViewScene&) { choose(kind); }}));
    }

    void add_costs(const std::string& name, const TileCost& cost, float y, bool shown)
    {
        if (cell > 0) {
            CellLayer cells{.rows = 1,
                            .cols = static_cast<uint32_t>(cost.lines.size()),
                            .box = Box{{left, y}, {left + cell * static_cast<float>(cost.lines.size()), y + row}},
                            .widest = "0",
                            .bordered = false};
            const auto conflicts = [&cost](uint32_t col) { return cost.lines[col].totals.conflicts; };
            cells.colour = [conflicts, &theme = theme, worst = worst](uint32_t, uint32_t col) {
                return conflict_colour(theme, conflicts(col), worst);
            };
            cells.words = [conflicts](uint32_t, uint32_t col) { return thousands(conflicts(col)); };
            if (shown)
                cells.value = [conflicts](uint32_t, uint32_t col) { return static_cast<double>(conflicts(col)); };
            cells.id = [&stage = tile.stage(), &cost](uint32_t, uint32_t col) {
                return mark_of(stage, "conflicts " + label_of(cost.lines[col]));
            };
            layers.emplace_back(std::move(cells));
        }
        add_race(name, cost.totals, {{bars, y + theme.px(3)}, {right - theme.px(4), y + row - theme.px(4)}});
        const uint64_t conflicts = cost.totals.conflicts;
        labels.labels.push_back(
            text_right(thousands(conflicts), {box.max.x, y + row / 2}, conflicts > 0 ? theme.warning : theme.good));
        labels.labels.back().strong = true;
    }

    // Adds a bar of all wavefronts, in which conflicts are the part that makes it longer. The part done so far is
    // filled.
    void add_race(const std::string& name, const recording::SharedTotals& totals, const Box& place)
    {
        const auto all = static_cast<double>(totals.wavefronts), free = all - static_cast<double>(totals.conflicts);
        const auto at = [&](double wavefronts) {
            return place.min.x + place.width() * static_cast<float>(wavefronts / static_cast<double>(longest));
        };
        const auto part = [&](double from, double until, Colour colour, std::string id = {}, double value = 0) {
            const Box of{{at(from), place.min.y}, {at(std::max(until, from)), place.max.y}};
            shapes.shapes.push_back(said_of(box_shape(of, colour), {.name = std::move(id), .value = value}));
        };
        part(0, free, mix(theme.panel, accent, 0.4f));
        part(free, all, mix(theme.panel, theme.warning, 0.5f));
        part(0, std::min(time, free), accent);
        part(free, std::min(time, all), theme.warning);
        part(0, all, 0, mark_of(tile.stage(), "race " + name), all);
        part(0, std::min(time, all), 0, mark_of(tile.stage(), "done " + name), std::min(time, all));
        const float now = at(std::min(time, static_cast<double>(longest)));
        shapes.shapes.push_back(
            box_shape({{now, place.min.y - theme.px(3)}, {now + theme.px(1), place.max.y + theme.px(4)}}, theme.ink));
    }

    // Adds the element's place as a formula, and its bank bit by bit. Bits that differ from its row-major bank are
    // coloured.
    void add_formula(const TriedPlaces& tried, float y, bool chosen)
    {
        const Mapping& mapping = tile.explained(tried.mapping);
        const std::string formula = mapping.kind == Mapping::Kind::recorded ? "" : formula_of(mapping);
        const ImVec2 digit = draw::measure(theme.mono, "0");
        const float middle = y + digit.y / 2;
        constexpr int bits = std::bit_width(static_cast<uint32_t>(model::banks - 1));
        const float side = digit.x + theme.px(6), begin = box.max.x - side * bits;
        const bool room = begin - theme.px(60) >= box.min.x + draw::measure(theme.mono, formula).x;
        labels.labels.push_back(text(formula, {box.min.x + theme.px(4), middle}, chosen ? theme.ink : theme.ink_quiet));
        labels.labels.back().must = false; // a typed formula may be too long; the tooltip shows it
        if (!costs.cell || !tried.places->valid() || !room)
            return;
        const recording::Array& of = tile.tile();
        const auto bank_at = [&](uint64_t place) {
            return static_cast<uint32_t>(model::bank_of(place * of.element_bytes));
        };
        const std::size_t element = tile.index(*costs.cell);
        const uint32_t bank = bank_at(tried.places->place[element]), flipped = bank ^ bank_at(element);
        labels.labels.push_back(text_right(fmt::format("bank {}", bank), {begin - theme.px(6), middle},
                                           chosen ? theme.ink : theme.ink_quiet));
        CellLayer cells{.rows = 1,
                        .cols = bits,
                        .box = Box{{begin, y}, {box.max.x, y + digit.y + 1}},
                        .widest = "0",
                        .bordered = false};
        cells.colour = [flipped, flip = accent, empty = draw::empty_colour(theme)](uint32_t, uint32_t col) {
            return flipped >> (bits - 1 - col) & 1u ? flip : empty;
        };
        cells.words = [bank](uint32_t, uint32_t col) { return bank >> (bits - 1 - col) & 1u ? "1" : "0"; };
        layers.emplace_back(std::move(cells));
    }

    const TileCosts& costs;
    const SharedTile& tile;
    const Theme& theme;
    const Box& box;
    Colour accent;
    float row = 0, pitch = 0, left = 0, right = 0, cell = 0, bars = 0;
    uint64_t worst = 1;   // conflicts of one line
    uint64_t longest = 1; // wavefronts
    double time = 0;      // wavefronts that the recorded layout has needed so far
    std::vector<Layer> layers;
    ShapeLayer ground, shapes, hits;
    LabelLayer labels;
};

} // namespace

float bits_height(const Theme& theme)
{
    return 4 * draw::line_height(theme.mono) + theme.px(32);
}

Panel bits_panel(const Theme& theme, const SharedTile& tile, const Cell& cell, const Box& box)
{
    return BitsPicture(theme, tile, cell, box).panel();
}

float costs_names(const Theme& theme)
{
    float width = 0;
    for (std::size_t i = 0; i < SharedTile::kinds; ++i)
        width = std::max(width, draw::measure(theme.text, places_name(static_cast<Mapping::Kind>(i))).x);
    return std::ceil(width + theme.px(16));
}

float costs_height(const Theme& theme, bool formulas)
{
    const float row = draw::row_height(theme, between_rows);
    return row + (formulas ? 2 * row + theme.px(2) : row) * static_cast<float>(SharedTile::kinds);
}

Panel costs_panel(const TileCosts& costs)
{
    return CostsPicture(costs).panel();
}

} // namespace viz
