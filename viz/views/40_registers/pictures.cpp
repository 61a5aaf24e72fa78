#include "viz/draw/matrix_picture.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/40_registers/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace viz {

using recording::warp_size;

namespace {

// Shows the lines of one operand: those that the selected lane has already loaded, those that it will load, and those
// of other lanes.
CellLayer operand_strip(const StagePanels& panels, const UsedLines& used, bool of_a, const Box& box)
{
    const Fragments& fragments = *panels.stage.shown.fragments;
    const auto mine = used.places(fragments.lanes[panels.lane()]), held = used.places(fragments.held_by(panels.lane()));
    CellLayer cells{.rows = of_a ? used.count() : 1, .cols = of_a ? 1 : used.count(), .box = box, .bordered = false};
    const Colour full = draw::operand_colour(panels.theme(), of_a ? 0 : 1), ground = panels.theme().panel;
    cells.colour = [=](uint32_t row, uint32_t col) {
        const uint32_t place = row + col;
        return held.contains(place) ? full : mix(ground, full, mine.contains(place) ? 0.55f : 0.3f);
    };
    if (const auto runs = used.runs(fragments.lanes[panels.lane()]); !runs.empty()) {
        const auto [first, count] = runs.front();
        cells.frames = {{.row = of_a ? first : 0,
                         .col = of_a ? 0 : first,
                         .rows = of_a ? count : 1,
                         .cols = of_a ? 1 : count,
                         .name = panels.named(of_a ? "fragment A" : "fragment B")}};
    }
    return cells;
}

// Shows which lane computes each product. Each run of products has its lane's number. The first run of a lane is named
// "product of lane N".
CellLayer warp_products(const StagePanels& panels, const UsedLines& rows, const UsedLines& cols, const Box& box)
{
    constexpr uint32_t none = warp_size;
    const Theme& theme = panels.theme();
    const Fragments& fragments = *panels.stage.shown.fragments;
    std::vector<uint32_t> lanes(std::size_t{rows.count()} * cols.count(), none);
    CellLayer cells{.rows = rows.count(), .cols = cols.count(), .box = box, .bordered = false};
    std::vector<CellLayer::Frame> own; // drawn above the frames of other lanes
    for (uint32_t lane = 0; lane < warp_size; ++lane) {
        const bool selected = lane == panels.lane();
        std::string name = panels.named(fmt::format("product of lane {}", lane));
        for (const auto& [row, down] : rows.runs(fragments.lanes[lane]))
            for (const auto& [col, across] : cols.runs(fragments.lanes[lane])) {
                for (uint32_t i = 0; i < down; ++i)
                    std::fill_n(lanes.begin() + (row + i) * cols.count() + col, across, lane);
                (selected ? own : cells.frames)
                    .push_back({row, col, down, across, selected ? theme.ink : theme.background, selected ? 2.5f : 1.0f,
                                std::exchange(name, {}), std::to_string(lane)});
            }
    }
    std::ranges::move(own, std::back_inserter(cells.frames));
    const auto lane_at = [lanes, across = cols.count()](uint32_t row, uint32_t col) {
        return lanes[std::size_t{row} * across + col];
    };
    cells.colour = [lane_at, &theme](uint32_t row, uint32_t col) {
        const uint32_t lane = lane_at(row, col);
        return lane == none ? 0 : lane_colour(theme, lane);
    };
    cells.tip = [lane_at, rows, cols, k = index(fragments.k)](uint32_t row, uint32_t col) {
        const Index down = index(rows[row]), across = index(cols[col]);
        return rich("lane {} multiplies A({}, {}) by B({}, {}) and adds it to its sum for C({}, {})",
                    index(lane_at(row, col)), down, k, k, across, down, across);
    };
    cells.click = [lane_at](const ViewScene& scene, uint32_t row, uint32_t col) {
        scene.selection.lane = lane_at(row, col);
    };
    return cells;
}

// A value with the name of its owner above it, if there is room. If the value is not known, the name alone.
struct ValueCell {
    std::string name, brief; // `brief` replaces a name that does not fit
    std::optional<double> value;
    Colour colour = 0;
    Rich tip = {};
};
// Shows values in rows of `across`, with equal numbers of decimals.
CellLayer value_cells(const StagePanels& panels, const std::string& name, uint32_t across, const Box& box,
                      std::vector<ValueCell> of)
{
    const Theme& theme = panels.theme();
    const recording::Recording& recording = panels.stage.recording();
    CellLayer cells{.name = panels.named(name), .rows = static_cast<uint32_t>(of.size()) / across, .cols = across};
    const auto at = [all = std::make_shared<const std::vector<ValueCell>>(std::move(of)),
                     across](uint32_t row, uint32_t col) -> const ValueCell& {
        return (*all)[std::size_t{row} * across + col];
    };
    const bool roomy =
        draw::measure(theme.mono, widest_value(recording)).x + theme.px(5) <= box.width() / static_cast<float>(across);
    const auto value_of = [at, roomy, &recording](uint32_t row, uint32_t col) {
        const auto value = at(row, col).value;
        const std::string words = !value  ? std::string()
                                  : roomy ? short_value(recording, *value)
                                          : brief_value(recording, *value);
        return words != ".0" ? words : *value == 0 ? "0" : ""; // a rounded value that is near 0 says nothing
    };
    cells.box = box;
    cells.colour = [at](uint32_t row, uint32_t col) { return at(row, col).colour; };
    cells.value = [at](uint32_t row, uint32_t col) { return at(row, col).value; };
    cells.words = [at, value_of](uint32_t row, uint32_t col) {
        return at(row, col).value ? value_of(row, col) : at(row, col).name;
    };
    cells.widest = "0";
    cells.shorter = {[at](uint32_t row, uint32_t col) { return at(row, col).brief; }};
    cells.lines = {[at, value_of](uint32_t row, uint32_t col) {
        return std::vector{at(row, col).name, value_of(row, col)};
    }};
    cells.tip = [at](uint32_t row, uint32_t col) { return at(row, col).tip; };
    cells.bordered = false;
    return cells;
}

std::string name_of(char matrix, const Cell& cell)
{
    return fmt::format("{}({},{})", matrix, cell.row, cell.col);
}

// Returns " = -0.43".
Rich equals(const recording::Recording& recording, std::optional<double> value)
{
    return value ? rich(" = {}", exact_value(recording, *value)) : Rich();
}

// Shows the elements in a column of A or a row of B that the selected lane multiplies.
CellLayer lane_operands(const StagePanels& panels, bool of_a, const Box& box)
{
    const Theme& theme = panels.theme();
    const ShownStep& shown = panels.stage.shown;
    const std::vector<Cell>& mine = shown.fragments->lanes[panels.lane()].part(of_a);
    const LaneFragment here_now = shown.fragments->held_by(panels.lane());
    const std::vector<Cell>& held = here_now.part(of_a);
    const Colour own = draw::operand_colour(theme, of_a ? 0 : 1);
    std::vector<ValueCell> cells;
    for (const Cell& cell : mine) {
        const bool here = std::ranges::find(held, cell) != held.end();
        const auto value = value_of(shown.recording, of_a ? array_A : array_B, cell);
        const char* does = here && shown.elsewhere ? "keeps in local memory"
                           : here                  ? "holds"
                           : shown.stored()        ? "multiplied last"
                                                   : "will hold";
        const std::string name = name_of(of_a ? 'A' : 'B', cell);
        cells.push_back({name, std::to_string(of_a ? cell.row : cell.col), here ? value : std::nullopt,
                         here ? own : mix(theme.panel, own, 0.25f),
                         rich("Lane {} {} {}{}", index(panels.lane()), does, name, equals(shown.recording, value))});
    }
    CellLayer layer =
        value_cells(panels, of_a ? "value A" : "value B", of_a ? 1 : static_cast<uint32_t>(mine.size()), box, cells);
    if (shown.elsewhere)
        layer.frames = {{.rows = layer.rows, .cols = layer.cols, .colour = theme.warning, .thick = 1.5f}};
    return layer;
}

CellLayer lane_sums(const StagePanels& panels, const Box& box)
{
    const RegisterStage& stage = panels.stage;
    const LaneFragment& mine = stage.shown.fragments->lanes[panels.lane()];
    const std::optional<uint32_t> end = stage.summed_up_to();
    std::vector<ValueCell> cells;
    for (const Cell& a : mine.a)
        for (const Cell& b : mine.b) {
            const std::string name = name_of('C', {a.row, b.col});
            const auto sum = end ? stage.sums.up_to({a.row, b.col}, *end) : std::nullopt;
            cells.push_back({name, "", sum, panels.accent(),
                             rich("Lane {} adds up {}{}{}", index(panels.lane()), name, equals(stage.recording(), sum),
                                  sum ? rich(", all products below k = {}", index(*end)) : Rich())});
        }
    return value_cells(panels, "sum", static_cast<uint32_t>(mine.b.size()), box, std::move(cells));
}

// Shows the products of the selected lane: its elements of A at the left, of B above, and the sums between them. Cells
// have whole numbers of pixels.
std::vector<Layer> lane_products(const StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const LaneFragment& mine = panels.stage.shown.fragments->lanes[panels.lane()];
    if (mine.a.empty() || mine.b.empty())
        return {};
    const auto across = static_cast<float>(mine.b.size()), down = static_cast<float>(mine.a.size());
    const float line = draw::row_height(theme, 4, theme.mono);
    const float head = draw::measure(theme.mono, name_of('A', mine.a.back())).x + theme.px(8);
    const float width = std::floor((box.width() - head - theme.px(2)) / across);
    // The header cells are as high as others, if that leaves room for a name and a value.
    const float top = std::max(line, std::floor(std::min(box.height() / (down + 1), 2 * line)));
    const float height = std::floor((box.height() - top) / down);
    if (width < 2 || height < 2)
        return {};
    const ImVec2 corner{std::round(box.min.x + head), std::round(box.min.y + top)},
        end{corner.x + width * across, corner.y + height * down};
    return {lane_operands(panels, true, {{box.min.x, corner.y}, {corner.x, end.y}}),
            lane_operands(panels, false, {{corner.x, box.min.y}, {end.x, corner.y}}), lane_sums(panels, {corner, end})};
}

using LaneAt = std::function<std::optional<uint32_t>(uint32_t, uint32_t)>; // takes (row, col)

// Shows cells with their lanes. The cells of the selected lane are framed, and the first one is named `first`.
CellLayer lane_cells(const StagePanels& panels, const std::string& name, const Cell& extent, const LaneAt& lane_at,
                     const std::string& first = "")
{
    const Theme& theme = panels.theme();
    CellLayer cells{.name = panels.named(name), .rows = extent.row, .cols = extent.col, .value = lane_at};
    cells.colour = [lane_at, &theme](uint32_t row, uint32_t col) {
        const auto lane = lane_at(row, col);
        return lane ? lane_colour(theme, *lane) : 0;
    };
    cells.words = [lane_at](uint32_t row, uint32_t col) { return std::to_string(lane_at(row, col).value_or(0)); };
    cells.click = [lane_at](const ViewScene& scene, uint32_t row, uint32_t col) {
        scene.selection.lane = lane_at(row, col).value_or(scene.selection.lane);
    };
    cells.bordered = false;
    for (uint32_t row = 0; row < extent.row; ++row)
        for (uint32_t col = 0; col < extent.col; ++col)
            if (lane_at(row, col) == panels.lane())
                cells.frames.push_back({.row = row,
                                        .col = col,
                                        .colour = theme.ink,
                                        .name = cells.frames.empty() && !first.empty() ? panels.named(first) : ""});
    return cells;
}

// Shows all lanes side by side. Each is labelled with the name and its number.
CellLayer lane_row(const StagePanels& panels, const std::string& name, const Box& band)
{
    CellLayer cells{.rows = 1, .cols = warp_size, .box = band};
    cells.words = [](uint32_t, uint32_t lane) { return std::to_string(lane); };
    cells.click = [](const ViewScene& scene, uint32_t, uint32_t lane) { scene.selection.lane = lane; };
    cells.bordered = false;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        cells.frames.push_back({.col = lane,
                                .colour = lane == panels.lane() ? panels.theme().ink : 0,
                                .name = panels.named(fmt::format("{} {}", name, lane))});
    return cells;
}

// Shows the elements of A and B that each lane holds to pass on.
void add_held(StagePanels& panels, const Box& box)
{
    const ShownStep& shown = panels.stage.shown;
    const auto held = held_for_shuffles(shown.recording, shown.warp, shown.phases, shown.step);
    const std::vector<Box> sides = columns(box, {share_of_rest(0.3f), share_of_rest(0.7f)}, panels.theme().px(20));
    for (const bool of_a : {true, false}) {
        std::map<Cell, uint32_t> holders;
        std::optional<CellRect> extent;
        for (uint32_t lane = 0; lane < warp_size; ++lane)
            for (const Cell& element : held[lane].part(of_a)) {
                holders[element] = lane;
                grow(extent, element);
            }
        if (!extent)
            continue;
        const std::string matrix = of_a ? "A" : "B";
        const LaneAt lane_at = [holders, from = *extent](uint32_t row, uint32_t col) -> std::optional<uint32_t> {
            const auto found = holders.find({from.row + row, from.col + col});
            return found == holders.end() ? std::nullopt : std::optional(found->second);
        };
        CellLayer cells = lane_cells(panels, "held " + matrix, {extent->rows, extent->cols}, lane_at);
        cells.tip = [lane_at, matrix, from = *extent](uint32_t row, uint32_t col) {
            return rich("lane {} holds {}({}, {})", index(lane_at(row, col).value_or(0)), matrix, index(from.row + row),
                        index(from.col + col));
        };
        panels.add("held " + matrix, sides[of_a ? 0 : 1],
                   fmt::format("who holds {}({}..{}, {}..{})", matrix, extent->row, extent->row + extent->rows - 1,
                               extent->col, extent->col + extent->cols - 1),
                   {std::move(cells)});
    }
}

// An element of 4 bytes occupies two positions of 16 bits.
CellLayer loaded_elements(const StagePanels& panels, uint32_t matrix)
{
    const recording::Access& access = panels.stage.shown.access();
    const recording::Array& tile = panels.stage.recording().arrays[access.array];
    const uint32_t wide = std::max(tile.element_bytes / 2, 1u);
    // Otherwise the lanes of elements are not known either.
    const bool known = access.transposed != recording::Transposed::unknown;
    const LaneAt lane_at = [&access, wide, known](uint32_t row, uint32_t col) {
        const bool transposed = access.transposed == recording::Transposed::yes;
        return known ? std::optional(ldmatrix_holder({row, col * wide}, transposed).lane) : std::nullopt;
    };
    CellLayer cells = lane_cells(panels, fmt::format("matrix {}", matrix), {8, 8 / wide}, lane_at,
                                 fmt::format("element of matrix {}", matrix));
    if (!known) {
        cells.colour = [empty = draw::empty_colour(panels.theme())](uint32_t, uint32_t) { return empty; };
        cells.words = nullptr;
        return cells;
    }
    const auto element = [&access, &of = panels.stage.elements[access.array], matrix, wide](uint32_t row,
                                                                                            uint32_t col) {
        return of.at(uint64_t{access.offset[matrix * 8 + row]} + uint64_t{col} * wide * sizeof(uint16_t));
    };
    cells.lines = {[element, lane_at, stage = panels.stage](uint32_t row, uint32_t col) {
        const auto cell = element(row, col);
        const auto value = cell ? stage.value_in_tile(stage.shown.access().array, *cell) : std::nullopt;
        return std::vector{std::to_string(*lane_at(row, col)),
                           value ? short_value(stage.recording(), *value) : std::string()};
    }};
    cells.tip = [element, lane_at, matrix, &tile](uint32_t row, uint32_t col) {
        const auto cell = element(row, col);
        return rich("{} lies in the row that lane {} points at; lane {} gets it",
                    cell ? element_name(tile.name, {*cell}) : "This element", index(matrix * 8 + row),
                    index(*lane_at(row, col)));
    };
    return cells;
}

CellLayer row_pointers(const StagePanels& panels, uint32_t matrix)
{
    const LaneAt lane_at = [matrix](uint32_t row, uint32_t) { return matrix * 8 + row; };
    CellLayer cells = lane_cells(panels, "", {8, 1}, lane_at, "row of the lane");
    cells.colour = [empty = draw::empty_colour(panels.theme())](uint32_t, uint32_t) { return empty; };
    cells.value = nullptr;
    cells.shorter = {cells.words}; // only the number, like those of rows
    cells.words = [lane_at](uint32_t row, uint32_t col) { return fmt::format("lane {} →", *lane_at(row, col)); };
    cells.widest = "31";
    cells.tip = [lane_at](uint32_t row, uint32_t col) {
        return rich("lane {} points at this row", index(*lane_at(row, col)));
    };
    return cells;
}

// Adds A (0), B (1) or the sums (2) of WMMA.
void add_fragment(StagePanels& panels, const std::string& name, std::size_t matrix, const Cell& extent, const Box& box)
{
    const Theme& theme = panels.theme();
    const Colour own = matrix < 2 ? draw::operand_colour(theme, matrix) : panels.accent();
    const std::string what =
        fmt::format("A fragment of {} × {}: all 32 lanes hold it together, {} elements each if none "
                    "is held twice. Which ones, the interface leaves open.",
                    extent.row, extent.col, extent.row * extent.col / warp_size);
    std::vector<ValueCell> cells;
    for (uint32_t row = 0; row < extent.row; ++row)
        for (uint32_t col = 0; col < extent.col; ++col) {
            const auto value = panels.stage.wmma_value(panels.frame.ladder_facts, matrix, {row, col});
            cells.push_back({"", "", value, mix(theme.panel, own, value ? 0.55f : 0.3f),
                             rich("{}({}, {}){}. {}", name, index(row), index(col),
                                  equals(panels.stage.recording(), value), what)});
        }
    panels.add("fragment " + name, box, fmt::format("{} {} x {}", name, extent.row, extent.col),
               {value_cells(panels, "fragment " + name, extent.col, below_title(theme, box), std::move(cells))});
}

} // namespace

void add_products(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const std::vector<Box> places = box.width() > theme.px(620)
                                        ? columns(box, 2, theme.px(14))
                                        : rows(box, {share_of_rest(0.6f), share_of_rest(0.4f)}, theme.px(12));
    const Fragments& fragments = *panels.stage.shown.fragments;
    const UsedLines used_rows(fragments, true), used_cols(fragments, false);
    const std::vector<Track> rooms{pixels(theme.px(14)), share_of_rest()};
    const std::vector<Box> bands = rows(below_title(theme, places[0]), rooms, theme.px(4));
    const std::vector<Box> upper = columns(bands[0], rooms, theme.px(4)), lower = columns(bands[1], rooms, theme.px(4));
    panels.add("products", places[0],
               fmt::format("A(rows, {}) × B({}, columns): the lane of each product", fragments.k, fragments.k),
               {operand_strip(panels, used_rows, true, lower[0]), operand_strip(panels, used_cols, false, upper[1]),
                warp_products(panels, used_rows, used_cols, lower[1])});
    Panel& own = panels.add("products of the lane", places[1], fmt::format("lane {}", panels.lane()),
                            lane_products(panels, below_title(theme, places[1])));
    if (panels.stage.shown.elsewhere)
        own.figure = rich("**{}**", Value("a and b: in local memory").as(Meaning::conflict));
}

namespace {

// Shows the shuffle for four lanes that compute 2 x 2 elements of C. The source lanes are above, each with an element
// and its value ("given N"). The receiving lanes are below ("got N").
void add_square(StagePanels& panels, const LaneSquare& square, const PassedValues& passed, const Box& box)
{
    const Theme& theme = panels.theme();
    const recording::Recording& recording = panels.stage.recording();
    struct Passing {
        uint32_t from = 0, to = 0;
        PassedValue value;
        Cell result;
    };
    std::vector<Passing> all;
    for (uint32_t i = 0; i < square.lanes.size(); ++i) {
        const uint32_t lane = square.lanes[i];
        const PassedValue value = passed[lane].value();
        const Cell own{square.corner.row + i / 2, square.corner.col + i % 2};
        const Cell result = value.array == array_A ? Cell{value.cell.row, own.col} : Cell{own.row, value.cell.col};
        all.push_back({panels.stage.shown.access().offset[lane], lane, value, result});
    }
    std::ranges::stable_sort(all, {}, &Passing::from); // so that lines do not cross
    const float high = draw::row_height(theme, 6, theme.mono);
    const std::vector<Box> bands = rows(below_title(theme, box), {pixels(high), share_of_rest(), pixels(high)}, 0);
    const auto count = static_cast<uint32_t>(all.size());
    const auto element = [](const PassedValue& value) {
        return name_of(value.array == array_A ? 'A' : 'B', value.cell);
    };
    const auto value = [&recording](const PassedValue& of) {
        const auto known = value_of(recording, of.array, of.cell);
        return known ? " = " + short_value(recording, *known) : std::string();
    };
    CellLayer given{.rows = 1, .cols = count, .box = bands[0], .widest = "A(0,0)"}, got = given;
    got.box = bands[2];
    given.colour = got.colour = [all, &theme](uint32_t, uint32_t i) { return lane_colour(theme, all[i].from); };
    given.joined = [all](uint32_t, uint32_t i) { return all[i].from; };
    given.words = [=](uint32_t, uint32_t i) {
        return fmt::format("lane {} gives {}{}", all[i].from, element(all[i].value), value(all[i].value));
    };
    given.shorter = {[=](uint32_t, uint32_t i) { return element(all[i].value) + value(all[i].value); },
                     [=](uint32_t, uint32_t i) { return element(all[i].value); }};
    got.words = [all](uint32_t, uint32_t i) {
        return fmt::format("lane {} gets it for {}", all[i].to, name_of('C', all[i].result));
    };
    got.shorter = {
        [all](uint32_t, uint32_t i) { return fmt::format("{}: {}", all[i].to, name_of('C', all[i].result)); },
        [all](uint32_t, uint32_t i) { return std::to_string(all[i].to); }};
    given.tip = got.tip = [=](uint32_t, uint32_t i) {
        return rich("lane {} gets {}{} of lane {} and multiplies it for its part of {}", index(all[i].to),
                    element(all[i].value), value(all[i].value), index(all[i].from), name_of('C', all[i].result));
    };
    given.id = [all, name = panels.named("given")](uint32_t, uint32_t i) {
        return fmt::format("{} {}", name, all[i].from);
    };
    got.id = [all, name = panels.named("got")](uint32_t, uint32_t i) { return fmt::format("{} {}", name, all[i].to); };
    got.click = [all](const ViewScene& scene, uint32_t, uint32_t i) { scene.selection.lane = all[i].to; };
    const std::vector<Box> upper = columns(bands[0], count, 0), lower = columns(bands[2], count, 0);
    ShapeLayer lines;
    for (uint32_t i = 0; i < count; ++i) {
        const auto same = [&](const Passing& one) { return one.from == all[i].from; };
        const auto first = static_cast<std::size_t>(std::ranges::find_if(all, same) - all.begin());
        const auto last = first + static_cast<std::size_t>(std::ranges::count_if(all, same)) - 1;
        lines.shapes.push_back({.kind = Shape::Kind::line,
                                .points = {{(upper[first].min.x + upper[last].max.x) / 2, bands[0].max.y},
                                           {lower[i].middle().x, bands[2].min.y}},
                                .stroke = all[i].to == panels.lane() ? theme.ink : lane_colour(theme, all[i].from),
                                .thick = all[i].to == panels.lane() ? 3.0f : 2.0f});
    }
    panels.add("square", box, "the same for 4 lanes, which compute 2 x 2 elements of C",
               {std::move(lines), std::move(given), std::move(got)});
    panels.figure.panels.back().shorter = {"4 lanes, 2 x 2 elements of C", "4 lanes"};
}

// Returns the bands of the picture: all lanes, four lanes, and what lanes hold. The band of four lanes is empty if it
// is not known what they get, or if there is no room.
std::vector<Box> shuffle_bands(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const Focus& focus = panels.stage.focus;
    const auto& memo = panels.stage.column;
    const PassedValues& passed = memo.memo<passed_by_shuffle>(*focus.block, focus.warp_index, focus.step);
    const auto& square = memo.memo<lane_square>(*focus.block, focus.warp_index, panels.lane());
    const bool known =
        square && std::ranges::all_of(square->lanes, [&](uint32_t lane) { return passed[lane].has_value(); });
    if (!known || box.height() < theme.px(330))
        return rows(box, {share_of_rest(), share_of_rest()}, theme.px(16));
    std::vector<Box> bands =
        rows(box, {share_of_rest(), pixels(title_height(theme) + theme.px(96)), share_of_rest()}, theme.px(12));
    add_square(panels, *square, passed, bands[1]);
    bands.erase(bands.begin() + 1);
    return bands;
}

} // namespace

void add_shuffle(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const recording::Access& access = panels.stage.shown.access();
    const std::vector<Box> halves = shuffle_bands(panels, box);
    const float high = draw::row_height(theme, 6, theme.mono);
    const std::vector<Box> bands = rows(below_title(theme, halves[0]),
                                        {pixels(high), share_of_rest(), pixels(high), pixels(title_height(theme))}, 0);
    const std::vector<Box> upper = columns(bands[0], warp_size, 0), lower = columns(bands[2], warp_size, 0);
    const auto source_of = [&access](uint32_t lane) -> std::optional<uint32_t> {
        return takes_part(access, lane) && access.offset[lane] < warp_size ? std::optional(access.offset[lane])
                                                                           : std::nullopt;
    };
    std::set<uint32_t> asked;
    ShapeLayer lines;
    for (const int rank : {0, 1, 2}) // of the selected lane: what it gives, then what it gets
        for (uint32_t lane = 0; lane < warp_size; ++lane)
            if (const auto from = source_of(lane);
                from && rank == (lane == panels.lane() ? 2 : *from == panels.lane())) {
                asked.insert(*from);
                lines.shapes.push_back(
                    {.kind = Shape::Kind::line,
                     .points = {{upper[*from].middle().x, upper[*from].max.y},
                                {lower[lane].middle().x, lower[lane].min.y}},
                     .stroke = mix(lane_colour(theme, *from), theme.ink, 0.5f * static_cast<float>(rank)),
                     .thick = rank > 0 ? 3.0f : 1.5f});
            }
    CellLayer from = lane_row(panels, "from", bands[0]), to = lane_row(panels, "to", bands[2]);
    from.colour = [asked, &theme](uint32_t, uint32_t lane) {
        return asked.contains(lane) ? lane_colour(theme, lane) : draw::empty_colour(theme);
    };
    to.colour = [source_of, &theme](uint32_t, uint32_t lane) { // colour of the source lane
        const auto source = source_of(lane);
        return source ? lane_colour(theme, *source) : 0;
    };
    from.tip = [&access](uint32_t, uint32_t lane) { return given_words(access, lane); };
    to.tip = [source_of](uint32_t, uint32_t lane) {
        const auto source = source_of(lane);
        return source ? rich("lane {} gets the value of lane {}", index(lane), index(*source)) : Rich();
    };
    LabelLayer label{{words_at({bands[3].min.x, bands[3].middle().y}, Label::Side::right, "who gets the value")}};
    Panel& panel = panels.add("shuffle", halves[0], "whose register is read",
                              {std::move(lines), std::move(from), std::move(to), std::move(label)});
    panel.figure = rich("mask **{}**", fmt::format("0x{:08x}", access.mask));
    add_held(panels, halves[1]);
}

void add_matrix_load(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const std::vector<Box> sides = columns(box, 2, theme.px(22));
    for (uint32_t matrix = 0; matrix < 4; ++matrix) {
        const Box place = rows(sides[matrix / 2], {share_of_rest(), share_of_rest()}, theme.px(10))[matrix % 2];
        const std::vector<Box> parts =
            columns(below_title(theme, place), {share_of_rest(1.5f), share_of_rest(8)}, theme.px(10));
        CellLayer pointers = row_pointers(panels, matrix), elements = loaded_elements(panels, matrix);
        pointers.box = parts[0];
        elements.box = parts[1];
        const std::string loaded = loaded_rectangle(panels, matrix);
        const std::string name = fmt::format("matrix {}{}{}", matrix, loaded.empty() ? "" : ": ", loaded);
        Panel& panel = panels.add(fmt::format("matrix {}", matrix), place,
                                  fmt::format("{}, register {} of each lane", name, matrix), {});
        panel.layers.emplace_back(std::move(pointers));
        panel.layers.emplace_back(std::move(elements));
        panel.shorter = {fmt::format("{}, register {}", name, matrix), name, fmt::format("matrix {}", matrix)};
    }
}

Box add_mma(StagePanels& panels, bool only_sums, const Box& box, float strip)
{
    const MmaShape shape = shape_of(panels.stage.recording());
    std::vector<std::pair<MmaPart, std::string>> parts{{MmaPart::sums, "sums"}};
    if (!only_sums)
        parts.insert(parts.begin(), {{MmaPart::a, "A"}, {MmaPart::b, "B"}});
    const bool wide = !only_sums && shape.depth > mma_rows; // needs room for two digits in each cell
    std::vector<Track> rooms;
    for (const auto& [part, name] : parts)
        rooms.push_back(share_of_rest(static_cast<float>(extent_of(shape, part).col) + (wide ? 1.3f : 0)));
    std::vector<Box> places = columns(box, rooms, panels.theme().px(wide ? 12 : 26));
    const Theme& theme = panels.theme();
    const float title = title_height(theme) + draw::line_height(theme.mono) + theme.px(2);
    const float left = draw::measure(theme.mono, "00").x + theme.px(6); // numbers of rows
    const float height = box.height() - title;
    Box below;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& [part, name] = parts[i];
        const Cell extent = extent_of(shape, part);
        const auto holder = [shape, part = part](uint32_t at, uint32_t col) {
            return mma_holder(shape, part, {at, col});
        };
        CellLayer cells = lane_cells(
            panels, name, extent, [holder](uint32_t at, uint32_t col) { return holder(at, col).lane; },
            fmt::format("{} of lane {}", name, panels.lane()));
        cells.tip = [holder, shape, part = part, name = name](uint32_t at, uint32_t col) {
            const Holder held = holder(at, col);
            return rich("{}({}, {}) of this product is held by lane {}, as number {} of its {}", name, index(at),
                        index(col), index(held.lane), index(held.index), held_by_lane(shape, part, held.lane).size());
        };
        const float room = extent.row > mma_rows ? height : height - strip;
        const float row = std::floor(room / static_cast<float>(std::max(extent.row, mma_rows)));
        places[i].max.y = places[i].min.y + title + row * static_cast<float>(extent.row);
        if (i == 0)
            below = {{places[i].min.x, places[i].max.y + theme.px(10)}, {places[i].max.x, box.max.y}};
        cells.box = {{places[i].min.x + left, places[i].min.y + title}, places[i].max};
        LabelLayer numbers = numbers_of(extent, *cells.box);
        panels.add(name, places[i], fmt::format("{} {} x {}", name, extent.row, extent.col),
                   {std::move(cells), std::move(numbers)});
    }
    return below;
}

// A is at the left of the sums and B above them, so that a sum is in line with its row of A and its column of B.
Box add_wmma(StagePanels& panels, const Box& box)
{
    constexpr uint32_t side = 16;
    const uint32_t depth = shape_of(panels.stage.recording()).depth;
    const std::vector<Track> rooms{share_of_rest(static_cast<float>(depth)), share_of_rest(side)};
    const float gap = panels.theme().px(14);
    const std::vector<Box> bands = rows(box, rooms, gap);
    const std::vector<Box> upper = columns(bands[0], rooms, gap), lower = columns(bands[1], rooms, gap);
    add_fragment(panels, "A", 0, {side, depth}, lower[0]);
    add_fragment(panels, "B", 1, {depth, side}, upper[1]);
    add_fragment(panels, "sums", 2, {side, side}, lower[1]);
    return upper[0];
}

} // namespace viz
