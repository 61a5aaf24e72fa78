#include "viz/figure/draw_figure.h"
#include "viz/text/figures.h"
#include "viz/views/35_layout/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace viz {

namespace {

constexpr uint32_t banks = model::banks;

// Adds a frame with a wider frame below it, in the window's colour.
void add_outline(ShapeLayer& shapes, const Theme& theme, const Box& box, Colour colour, Shape::Said said = {})
{
    shapes.shapes.push_back({.box = box, .stroke = theme.background, .thick = 4});
    shapes.shapes.push_back(said_of({.box = box, .stroke = colour, .thick = 2}, std::move(said)));
}

// Returns how many distinct words of each bank a group requests at once.
std::map<int, std::size_t> asked_of_banks(const BankPicture& access)
{
    std::map<std::pair<int, int>, std::set<uint64_t>> wanted; // by bank and group
    for (const BankSpan& span : access.spans)
        for (int i = 0; i < span.banks; ++i)
            wanted[{span.bank + i, span.group}].insert(span.word + static_cast<uint64_t>(i));
    std::map<int, std::size_t> times;
    for (const auto& [place, different] : wanted)
        times[place.first] = std::max(times[place.first], different.size());
    return times;
}

// Returns the lanes that request a word, "0-3 16-19", or their number if there is no room.
std::string lanes_that_want(const BankPicture& access, uint64_t word, ImFont* font, float room)
{
    uint32_t lanes = 0;
    std::string all;
    for (const BankSpan& span : access.spans)
        if (span.word == word) {
            lanes |= span.lanes;
            const std::string run = lane_run(span.lanes);
            all += (all.empty() ? "" : " ") + (run.empty() ? std::string("..") : run);
        }
    const std::string words[] = {all, fmt::format("{} lanes", std::popcount(lanes))};
    return draw::first_fitting(font, room, words);
}

} // namespace

TileMemory::TileMemory(const ViewFrame& of, SharedTile& shown, const Box& room)
    : frame(of), theme(of.theme), tile(shown), box(room)
{
    const ImVec2 text = draw::measure(theme.mono, "0");
    // A bank has several elements of less than 4 bytes.
    per_line = banks * model::bank_bytes / tile.tile().element_bytes;
    width = static_cast<double>(banks) / per_line;
    lines = std::max(1u, static_cast<uint32_t>((tile.places() + per_line - 1) / per_line));
    inner = {{box.min.x + std::ceil(text.x * 5 + theme.px(6)), box.min.y + std::ceil(2 * text.y + theme.px(5))},
             box.max};
    // Lines are as high as the room allows.
    stretch = std::max(0.05, double{inner.height()} / lines / (std::max(1.0f, inner.width()) / banks));
    tile.camera.follow(inner, banks, lines * stretch);
}

Box TileMemory::words(double bank, double line, double count) const
{
    return {tile.camera.to_screen(bank, line * stretch), tile.camera.to_screen(bank + count, (line + 1) * stretch)};
}

Box TileMemory::box_of(Cell cell) const
{
    const uint32_t place = tile.place_of(cell);
    return words(place % per_line * width, place / per_line, width);
}

uint32_t TileMemory::element_in(uint32_t line, uint32_t number) const
{
    return tile.element_at(std::size_t{line} * per_line + number);
}

std::optional<Cell> TileMemory::element_at(ImVec2 point) const
{
    const auto [x, y] = tile.camera.from_screen(point);
    if (!inner.holds(point) || x < 0 || y < 0 || x >= banks || y >= lines * stretch)
        return {};
    const uint32_t element = element_in(static_cast<uint32_t>(y / stretch), static_cast<uint32_t>(x / width));
    if (element == SharedTile::none)
        return {};
    return Cell{element / tile.tile().cols, element % tile.tile().cols};
}

void TileMemory::show_access()
{
    if (!tile.access || tile.access->spans.empty())
        return;
    double top = lines, bottom = 0, left = banks, right = 0;
    for (const BankSpan& span : tile.access->spans) {
        const auto line = static_cast<double>(span.word / banks);
        top = std::min(top, line);
        bottom = std::max(bottom, line + 1);
        left = std::min(left, double(span.bank));
        right = std::max(right, double(span.bank + span.banks));
    }
    tile.camera.show({left, top * stretch, right - left, (bottom - top) * stretch});
}

void TileMemory::add(Figure& figure, std::optional<Cell> selected, const std::string& elsewhere) const
{
    figure.panels.push_back(heads(tile.access ? std::string() : elsewhere));
    figure.panels.push_back(names());
    const Box all{words(0, 0, 1).min, words(banks - 1, lines - 1.0, 1).max};
    ShapeLayer ground{{box_shape(all, theme.panel)}}, shapes;
    LabelLayer labels;
    if (tile.access)
        add_access(shapes, labels);
    if (selected)
        add_outline(shapes, theme, box_of(*selected), theme.ink, {.name = mark_of(tile.stage(), "tile cell")});
    figure.panels.push_back({.id = stage_panel(tile.stage()),
                             .box = inner,
                             .layers = {std::move(ground), cells(), std::move(shapes), std::move(labels), callout()},
                             .camera = &tile.camera});
}

// Shows above each bank its number, and how many distinct words it must serve at once. More than one is a conflict.
Panel TileMemory::heads(const std::string& elsewhere) const
{
    const auto asked = tile.access ? asked_of_banks(*tile.access) : std::map<int, std::size_t>();
    const float text = draw::line_height(theme.mono);
    Panel panel{.id = mark_of(tile.stage(), "asks"), .box = {{inner.min.x, box.min.y}, {inner.max.x, inner.min.y}}};
    if (!elsewhere.empty()) {
        panel.layers.emplace_back(
            RichTextLayer{.words = rich("*no lane asks here: this step goes to {}*", elsewhere),
                          .box = Box{{inner.min.x + theme.px(4), box.min.y + text}, panel.box.max},
                          .name = mark_of(tile.stage(), "step elsewhere")});
    }
    uint32_t step = 1;
    while (step < banks && static_cast<double>(step) * tile.camera.cell() < draw::measure(theme.mono, "00 ").x)
        step *= 2;
    ShapeLayer counts;
    LabelLayer numbers;
    for (uint32_t bank = 0; bank < banks; ++bank) {
        const Box column = words(bank, 0, 1);
        if (bank % step == 0)
            numbers.labels.push_back({.words = std::to_string(bank),
                                      .at = {column.middle().x, box.min.y + text / 2},
                                      .side = Label::Side::middle,
                                      .mono = true});
        const auto found = asked.find(static_cast<int>(bank));
        const std::size_t count = found == asked.end() ? 0 : found->second;
        const Colour face = count > 1 ? theme.warning : count == 1 ? theme.good : draw::empty_colour(theme);
        counts.shapes.push_back(said_of(
            box_shape({{column.min.x, box.min.y + text + 1}, {column.max.x - 1, inner.min.y - theme.px(2)}}, face),
            {.words = count > 1 ? std::to_string(count) : ""}));
    }
    if (elsewhere.empty())
        panel.layers.emplace_back(std::move(counts));
    panel.layers.emplace_back(std::move(numbers));
    return panel;
}

// Shows the name of each row at the line that contains its first element. If names would touch, some are omitted.
Panel TileMemory::names() const
{
    const float text = draw::line_height(theme.mono);
    LabelLayer labels;
    const auto name = [&](std::string words, float top, std::string id) {
        labels.labels.push_back({.words = std::move(words),
                                 .at = {box.min.x, top + text / 2},
                                 .distance = 0,
                                 .side = Label::Side::right,
                                 .mono = true,
                                 .name = std::move(id)});
    };
    name("bank", box.min.y, {});
    name("words", box.min.y + text + theme.px(1), {});
    const Shape asked = said_of(
        box_shape({box.min, {inner.min.x, inner.min.y}}, 0),
        {.tip = said_tip(rich("How many different words the lanes ask of each bank in this step. More than one is a "
                              "conflict: the bank serves them one after another."))});
    std::map<uint32_t, uint32_t> row_of_line; // the first row that begins in a line
    for (uint32_t row = 0; row < tile.tile().rows; ++row)
        row_of_line.try_emplace(tile.place_of({row, 0}) / per_line, row);
    for (const auto& [line, row] : row_of_line)
        if (const float top = words(0, line, 1).min.y; top >= inner.min.y - 1)
            name(fmt::format("r{}", row), top, mark_of(tile.stage(), fmt::format("name of row {}", row)));
    return {.id = mark_of(tile.stage(), "rows of the tile"),
            .box = {box.min, {inner.min.x, box.max.y}},
            .layers = {std::move(labels), ShapeLayer{{asked}}}};
}

// An element has the colour of its bank in a row-major layout, so that moved elements are conspicuous.
CellLayer TileMemory::cells() const
{
    const PanZoom::Rect seen = tile.camera.seen();
    const auto limited = [&](double line) { return static_cast<uint32_t>(std::clamp(line, 0.0, double(lines))); };
    const uint32_t first = limited(std::floor(seen.y / stretch)),
                   end = std::max(limited(std::ceil((seen.y + seen.height) / stretch)), first);
    // If elements are small and several share a word, one cell is drawn for each word.
    const uint32_t stride = tile.camera.cell() * width < 3 && width < 1 ? static_cast<uint32_t>(1 / width) : 1;
    const auto element = [&shown = tile, first, stride, each = per_line](uint32_t row, uint32_t col) {
        return shown.element_at((std::size_t{first} + row) * each + std::size_t{col} * stride);
    };
    const auto cell = [&shown = tile, element](uint32_t row, uint32_t col) {
        const uint32_t number = element(row, col);
        return Cell{number / shown.tile().cols, number % shown.tile().cols};
    };
    std::set<uint64_t> asked; // the words that lanes access
    if (tile.access)
        for (const BankSpan& span : tile.access->spans)
            for (int i = 0; i < span.banks; ++i)
                asked.insert(span.word + static_cast<uint64_t>(i));
    CellLayer layer{.rows = end - first,
                    .cols = per_line / stride,
                    .box = Box{words(0, first, 1).min, words(banks - 1, end - 1.0, 1).max}};
    layer.colour = [&shown = tile, &theme = theme, element](uint32_t row, uint32_t col) -> Colour {
        const uint32_t number = element(row, col);
        if (number == SharedTile::none)
            return 0;
        const int home = model::bank_of(uint64_t{number} * shown.tile().element_bytes);
        return mix(theme.background, lane_colour(theme, static_cast<uint32_t>(home)), 0.45f);
    };
    layer.words = [cell, asked, first, stride, width = width](uint32_t row, uint32_t col) {
        const auto word = (std::size_t{first} + row) * banks + static_cast<std::size_t>(col * stride * width);
        const Cell at = cell(row, col);
        return asked.contains(word) ? "" : fmt::format("{}, {}", at.row, at.col);
    };
    layer.widest = fmt::format("{}, {}", tile.tile().rows - 1, tile.tile().cols - 1);
    layer.tip = [&shown = tile, cell](uint32_t row, uint32_t col) { return element_words(shown, cell(row, col)); };
    layer.click = [&shown = tile, cell](const ViewScene&, uint32_t row, uint32_t col) {
        shown.chosen = cell(row, col);
    };
    layer.bordered = false;
    return layer;
}

// Adds the words of each group's first wavefront in the group's colour, and the waiting words in amber.
void TileMemory::add_access(ShapeLayer& shapes, LabelLayer& labels) const
{
    const std::vector<BankSpan>& spans = tile.access->spans;
    for (const BankSpan& span : spans) {
        const BankRow& row = tile.access->rows[static_cast<std::size_t>(span.wavefront)];
        const Colour face = row.conflict ? theme.warning : theme.lane_group[static_cast<std::size_t>(row.group) % 4];
        Box whole = words(span.bank, static_cast<double>(span.word / banks), span.banks);
        whole.max = {whole.max.x - 1, whole.max.y - 1};
        // If several groups request the same words, each group has a part of the cell, below that of the previous
        // wavefront.
        const auto same = [&](const BankSpan& other) { return other.word == span.word; };
        const auto parts = std::ranges::count_if(spans, same), part = std::count_if(spans.data(), &span, same);
        const float high = whole.height() / static_cast<float>(parts),
                    top = whole.min.y + high * static_cast<float>(part);
        const Box own{{whole.min.x, top}, {whole.max.x, top + high}};
        shapes.shapes.push_back(said_of(
            box_shape(own, face), {.name = mark_of(tile.stage(), row.conflict ? "waiting words" : "first words")}));
        if (span.lanes >> frame.selection.lane & 1u)
            add_outline(shapes, theme, own, theme.accent(tile.stage().number));
        if (part + 1 == parts)
            labels.labels.push_back({.words = lanes_that_want(*tile.access, span.word, theme.mono_bold, whole.width()),
                                     .colour = ink_on(face),
                                     .strong = true,
                                     .within = whole});
    }
}

// Shows why the access takes so many wavefronts: below or above its words, or else where it hides the fewest of them.
CalloutLayer TileMemory::callout() const
{
    CalloutLayer layer{.over = inner, .otherwise = inner};
    if (!tile.access || tile.access->spans.empty())
        return layer;
    const float line = draw::line_height(theme.text), pad = theme.px(8);
    float wide = 0, top = inner.max.y, bottom = inner.min.y, left = inner.max.x;
    for (const Message& message : tile.access->callout) {
        const bool conflict = layer.lines.empty() && tile.access->bank_conflicts() > 0;
        for (std::string rest = plain(message); !rest.empty();) { // broken at spaces if it is too long for one line
            std::size_t end = rest.size();
            while (end != std::string::npos && end > 0 &&
                   draw::measure(theme.text, rest.substr(0, end)).x + 4 * pad + 1 > inner.width())
                end = rest.rfind(' ', end - 1);
            end = std::min(end, rest.size());
            layer.lines.push_back({rest.substr(0, end), conflict ? theme.warning : theme.ink});
            rest.erase(0, end + 1);
            wide = std::max(wide, draw::measure(theme.text, layer.lines.back().words).x + 4 * pad + 1);
        }
    }
    for (const BankSpan& span : tile.access->spans) {
        layer.obstacles.push_back({words(span.bank, static_cast<double>(span.word / banks), span.banks)});
        const Box& box = layer.obstacles.back().box;
        top = std::min(top, box.min.y);
        bottom = std::max(bottom, box.max.y);
        left = std::min(left, box.min.x);
    }
    const auto count = static_cast<float>(layer.lines.size());
    const float high = count * (line + theme.px(2)) + 4 * pad;
    if (3 * count * line > inner.height())
        layer.lines.clear(); // it would hide what it is about
    left = std::max(std::min(left, inner.max.x - wide), inner.min.x);
    if (bottom + high <= inner.max.y && bottom >= inner.min.y)
        layer.over = layer.otherwise = {{left, bottom}, {left + wide, bottom + high}};
    else if (top - high >= inner.min.y && top <= inner.max.y)
        layer.over = layer.otherwise = {{left, top - high}, {left + wide, top}};
    return layer;
}

namespace {

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
        uint64_t most = 0; // conflicts on all lines
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
        // The bars have at least a quarter of the width. If cells do not fit, they have all of it.
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
        for (std::size_t i = 0; cell > 0 && recorded != nullptr && i < recorded->lines.size(); ++i) {
            const std::string words[] = {
                fmt::format("{} {}", recorded->lines[i].line, recorded->lines[i].store ? "write" : "read"),
                label_of(recorded->lines[i])};
            labels.labels.push_back({.words = draw::first_fitting(theme.mono, cell - theme.px(4), words),
                                     .at = {left + cell * (static_cast<float>(i) + 0.5f), middle},
                                     .side = Label::Side::middle,
                                     .must = true,
                                     .mono = true});
        }
        labels.labels.push_back(mono_label("conflicts", {box.max.x, middle}, theme.ink_quiet, Label::Side::left, true));
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
            labels.labels.push_back(mono_label(std::move(words), {x, middle}, colour, Label::Side::right, true));
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
        labels.labels.push_back(mono_label(thousands(conflicts), {box.max.x, y + row / 2},
                                           conflicts > 0 ? theme.warning : theme.good, Label::Side::left, true));
        labels.labels.back().strong = true;
    }

    // Adds a bar of all wavefronts, which is longer by the conflicts among them. The completed part is filled.
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

    // Adds the formula of the element's place, and the bits of its bank. Bits that differ from its row-major bank are
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
        labels.labels.push_back(mono_label(formula, {box.min.x + theme.px(4), middle},
                                           chosen ? theme.ink : theme.ink_quiet, Label::Side::right, true));
        labels.labels.back().must = false; // a typed formula may be too long; then only the tooltip has it
        if (!costs.cell || !tried.places->valid() || !room)
            return;
        const recording::Array& of = tile.tile();
        const auto bank_at = [&](uint64_t place) {
            return static_cast<uint32_t>(model::bank_of(place * of.element_bytes));
        };
        const std::size_t element = tile.index(*costs.cell);
        const uint32_t bank = bank_at(tried.places->place[element]), flipped = bank ^ bank_at(element);
        labels.labels.push_back(mono_label(fmt::format("bank {}", bank), {begin - theme.px(6), middle},
                                           chosen ? theme.ink : theme.ink_quiet, Label::Side::left, true));
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
    uint64_t worst = 1;   // conflicts of a line
    uint64_t longest = 1; // wavefronts of a layout
    double time = 0;      // wavefronts of the recorded layout so far
    std::vector<Layer> layers;
    ShapeLayer ground, shapes, hits;
    LabelLayer labels;
};

} // namespace

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
