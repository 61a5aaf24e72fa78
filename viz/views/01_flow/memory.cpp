#include "viz/views/01_flow/flow_part.h"

#include "viz/analysis/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace viz {

namespace {

using draw::with_alpha;

void add_matrix(std::vector<Layer>& layers, const FlowPart& part, std::size_t array)
{
    const Theme& theme = part.theme();
    const MatrixFrame& frame = part.scene.operands()[array];
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    const std::string& name = part.recording().arrays[array].name;
    MatrixLayer matrix{.name = part.name("matrix " + name), .frame = frame};
    const auto fill = [&](const auto& cells, Colour colour, float least) {
        matrix.parts.push_back({placed(frame, cells), colour, least});
    };
    // The accent is reserved for moving values and their k-tile.
    const Colour used = mix(theme.panel, theme.ink, 0.14f);
    const BlockTiling& tiling = *part.facts.tiling;
    if (array == array_C)
        fill(tiling.tile(), used, 2);
    else if (const auto band = array < array_C ? tiling.bands()[array].bounds : std::nullopt)
        fill(std::vector<CellRect>{*band}, used, 2);
    if (array < array_C)
        fill(part.facts.slice[array], mix(theme.panel, part.accent(), 0.6f), 2);
    if (array == array_C)
        fill(part.facts.thread_tile, mix(theme.panel, theme.ink, 0.45f), 3);
    fill(part.facts.lit.all[array], part.accent(), 2);
    fill(part.facts.lit.lane[array], theme.ink, 3);
    layers.emplace_back(std::move(matrix));
    const Box box = frame.box();
    Label label{.words = name,
                .at = {box.min.x, box.min.y - theme.px(2) - draw::line_height(theme.mono_bold) / 2},
                .distance = 0,
                .side = Label::Side::right,
                .strong = true};
    if (array != array_B && multiplies(part.recording()) && !frame.shape.wrapped) { // placed beside A or C
        label.at = {array == array_A ? box.min.x : box.max.x, box.middle().y};
        label.distance = 5;
        label.side = array == array_A ? Label::Side::left : Label::Side::right;
    }
    layers.emplace_back(LabelLayer{{std::move(label)}});
}

// Adds the arrays' rows with the words that hold elements, those of A and of B separately. Colours are quiet, so that
// moving values stand out.
void add_rows(ShapeLayer& layer, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& box = part.scene.memory();
    const auto fill = [&](const Box& place, Colour colour) { layer.shapes.push_back(box_shape(place, colour)); };
    const std::vector<RowBand>& bands = part.facts.rows.bands();
    for (std::size_t i = 0; i < bands.size(); ++i) {
        const float top = std::max(box.min.y, part.scene.row_top(bands[i].top));
        const float bottom = std::min(box.max.y, part.scene.row_top(bands[i].top + bands[i].rows));
        if (top >= bottom)
            continue;
        fill({{box.min.x, top}, {box.max.x, bottom}}, draw::empty_colour(theme));
        if (i > 0 && bands[i - 1].array != bands[i].array)
            fill({{box.min.x, top - theme.px(1)}, {box.max.x, top + theme.px(1)}}, theme.ink_faint);
    }
    for (const HeldWords& held : part.facts.held)
        if (const auto place = part.scene.words(held))
            fill(*place, mix(theme.panel, theme.ink, held.array == array_B ? 0.34f : 0.24f));
    const Colour line = with_alpha(theme.background, part.scene.row_height() < 8 ? 0.25f : 0.5f);
    for (int bank = 0; bank <= 32; ++bank) {
        const float x = std::round(box.min.x + box.width() / 32 * static_cast<float>(bank));
        fill({{x - 1, box.min.y}, {x, box.max.y}}, line);
    }
    if (part.scene.row_height() >= 4)
        for (uint32_t row = 0; row <= part.scene.rows_shown(); ++row) {
            const float y = part.scene.row_top(part.scene.first_row() + row);
            fill({{box.min.x, y - 1}, {box.max.x, y}}, line);
        }
}

// Adds the 32-byte sector that is moved as a whole for the words at this endpoint.
void add_sector(ShapeLayer& layer, const FlowPart& part, const Transfer& transfer, const Endpoint& end)
{
    constexpr uint32_t words = model::sector_bytes / 4;
    const auto place = part.facts.rows.place(end);
    const auto box = place ? part.scene.words(WordPlace{place->row, place->word / words * words}, words) : std::nullopt;
    if (box && part.motion.along(transfer.turn) > 0)
        layer.shapes.push_back(box_shape(*box, mix(part.theme().panel, part.theme().warning, 0.45f)));
}

// Adds the words at this endpoint; faint until they are served.
void add_words(ShapeLayer& layer, const FlowPart& part, const Transfer& transfer, const Endpoint& end)
{
    const auto box = part.scene.words(end, transfer.bytes);
    if (!box)
        return;
    const Colour colour = part.colour(transfer);
    layer.shapes.push_back(box_shape(*box, part.is_there(transfer, end) ? colour : with_alpha(colour, 0.35f)));
    if (transfer.lane == part.lane())
        layer.shapes.push_back({.box = {{box->min.x - 1, box->min.y - 1}, {box->max.x + 1, box->max.y + 1}},
                                .stroke = part.theme().ink,
                                .thick = 2});
}

// Returns the first element of the array's row that begins in a row of words, or nothing if none begins there.
std::optional<Cell> row_that_begins(const Elements& elements, const RowBand& band, uint32_t row)
{
    const auto at = elements.at((band.first + row) * row_bytes);
    if (!at)
        return {};
    const auto before = row == 0 ? std::nullopt : elements.at((band.first + row - 1) * row_bytes);
    return before && before->row == at->row ? std::nullopt : at;
}

struct RowName {
    Label label;
    int importance = 0; // even rows get room before odd ones, and so on recursively, which keeps distances equal
};

// Adds the name "As 0" at the first visible row of a band, and row numbers below. `goes_on` means that the previous
// band belongs to the same array.
void add_row_names(std::vector<RowName>& names, const FlowPart& part, const RowBand& band, bool goes_on)
{
    constexpr int first = 64;
    const Theme& theme = part.theme();
    const Elements& elements = part.facts.tiling->elements()[band.array];
    const std::string& array = part.recording().arrays[band.array].name;
    const Box &memory = part.scene.memory(), &gutter = part.scene.gutter();
    const float half = draw::line_height(theme.mono) / 2 + theme.px(1);
    std::optional<uint32_t> last;
    bool begun = goes_on && !names.empty();
    for (uint32_t row = 0; row < band.rows; ++row) {
        const auto begins = row_that_begins(elements, band, row);
        if (!begins)
            continue;
        // The array is stored in several column blocks, and this is the first row of a further block.
        const bool again = last && begins->row < *last && begins->col > 0;
        last = begins->row;
        const float top = part.scene.row_top(band.top + row);
        if (top < memory.min.y || top >= memory.max.y)
            continue;
        const float middle = std::clamp(top + part.scene.row_height() / 2, memory.min.y + half,
                                        std::max(memory.min.y + half, memory.max.y - half));
        std::vector<std::string> words{std::to_string(begins->row)};
        if (!begun)
            words = {fmt::format("{} {}", array, begins->row), array};
        else if (again)
            words = {fmt::format("col {}", begins->col), std::to_string(begins->col)};
        const bool strong = !begun || again;
        begun = true;
        names.push_back({{.words = draw::first_fitting(strong ? theme.mono_bold : theme.mono, gutter.width(), words),
                          .at = {gutter.max.x, middle},
                          .distance = 0,
                          .colour = strong ? theme.ink_quiet : theme.ink_faint,
                          .side = Label::Side::left,
                          .strong = strong,
                          .mono = true},
                         strong ? first : std::countr_zero(begins->row)});
    }
}

// Returns the content of a word, or nothing if it is not an element of A or B.
draw::NamedValue word_value(const FlowPart& part, const WordPlace& place)
{
    const RowBand* const band = part.facts.rows.band_of(place.row);
    const auto cell =
        band != nullptr ? part.facts.tiling->elements()[band->array].at(band->offset_of(place)) : std::nullopt;
    const auto source = cell ? part.facts.source_of(band->array, *cell) : std::nullopt;
    if (!source || source->first > array_B ||
        part.recording().arrays[band->array].element_bytes != 4) // a word holds several smaller elements
        return {};
    Colour ink = part.theme().ink; // contrasts with the colour that the step gives to the word
    const auto covering = std::ranges::find_if(part.facts.transfers.transfers, [&](const Transfer& transfer) {
        return part.facts.rows.covers(transfer.from, transfer.bytes, place) ||
               part.facts.rows.covers(transfer.to, transfer.bytes, place);
    });
    if (covering != part.facts.transfers.transfers.end()) {
        const bool begins = part.facts.rows.covers(covering->from, covering->bytes, place);
        if (part.is_there(*covering, begins ? covering->from : covering->to))
            ink = ink_on(part.colour(*covering));
    }
    const auto value = value_of(part.recording(), source->first, source->second);
    return {element_name(part.recording().arrays[band->array].name, {*cell}),
            value ? short_value(part.recording(), *value) : "", ink};
}

// Returns an ink that contrasts with the colour that the step gives to an element; see add_matrix().
Colour ink_on_element(const FlowPart& part, std::size_t array, const Cell& cell)
{
    const Theme& theme = part.theme();
    const auto has = [&](const std::vector<Cell>& cells) { return std::ranges::find(cells, cell) != cells.end(); };
    if (has(part.facts.lit.lane[array]))
        return ink_on(theme.ink);
    if (has(part.facts.lit.all[array]))
        return ink_on(part.accent());
    if (array == array_C && has(part.facts.results))
        return ink_on(mix(theme.panel, theme.ink, 0.45f));
    return array == array_C && !std::ranges::binary_search(part.facts.stored, cell) ? theme.ink_quiet : theme.ink;
}

MatrixLayer values_of_matrix(const FlowPart& part, std::size_t array)
{
    const MatrixFrame& frame = part.scene.operands()[array];
    const recording::Array& of = part.recording().arrays[array];
    MatrixLayer values{.frame = frame, .bare = true, .widest = std::string(widest_value(part.recording()))};
    if (array <= array_C)
        values.value = [&part, &of, array, named = draw::names_fit(part.theme(), of, frame.cell)](const Cell& cell) {
            const auto value = part.facts.value_now(array, cell);
            return draw::NamedValue{element_name(of.name, {cell}), value ? short_value(part.recording(), *value) : "",
                                    ink_on_element(part, array, cell), named};
        };
    values.tip = [&part, array](const Cell& cell) { return element_words(part.facts, array, cell); };
    return values;
}

MatrixLayer values_of_memory(const FlowPart& part)
{
    const FlowScene& scene = part.scene;
    const float cell = scene.memory().width() / 32;
    const auto word = [first = scene.first_row()](const Cell& at) { return WordPlace{first + at.row, at.col}; };
    return {.frame = {scene.memory().min, cell, plain_shape(scene.rows_shown(), 32), scene.row_height() / cell},
            .bare = true,
            .value = [&part, word](const Cell& at) { return word_value(part, word(at)); },
            .widest = std::string(widest_value(part.recording())),
            .tip = [&part, word](const Cell& at) { return word_words(part.facts, word(at)); },
            .click = [&part, word](const Cell& at) -> Action {
                const uint32_t lanes = lanes_that_want(part.facts, word(at));
                if (lanes == 0)
                    return {};
                return [lanes](const ViewScene& shown) {
                    shown.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
                };
            }};
}

} // namespace

uint32_t lanes_that_want(const FlowFacts& facts, const WordPlace& word)
{
    uint32_t lanes = 0;
    for (const Transfer& transfer : facts.transfers.transfers)
        if (facts.rows.covers(transfer.from, transfer.bytes, word) ||
            facts.rows.covers(transfer.to, transfer.bytes, word))
            lanes |= 1u << transfer.lane;
    return lanes;
}

void add_matrices(std::vector<Layer>& layers, const FlowPart& part)
{
    for (std::size_t array = 0; array < part.scene.operands().size(); ++array)
        add_matrix(layers, part, array);
}

void add_memory(std::vector<Layer>& layers, const FlowPart& part)
{
    if (part.facts.rows.rows() == 0)
        return;
    ShapeLayer layer;
    add_rows(layer, part);
    const std::vector<Transfer>& transfers = part.facts.transfers.transfers;
    for (std::size_t i = 0; part.facts.lines_below && i < transfers.size(); ++i)
        for (const Endpoint& end : {transfers[i].from, transfers[i].to})
            add_sector(layer, part, transfers[i], end);
    for (const Transfer& transfer : transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            add_words(layer, part, transfer, end);
    layer.shapes.push_back(said_of({.box = part.scene.memory()}, {.name = part.name("flow memory")}));
    layers.emplace_back(std::move(layer));
}

void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part)
{
    if (part.facts.rows.rows() == 0)
        return;
    std::vector<RowName> names;
    std::optional<uint8_t> last;
    for (const RowBand& band : part.facts.rows.bands()) {
        add_row_names(names, part, band, last == band.array);
        last = band.array;
    }
    std::ranges::stable_sort(names, std::ranges::greater{}, &RowName::importance);
    LabelLayer labels;
    for (RowName& name : names)
        labels.labels.push_back(std::move(name.label));

    const Theme& theme = part.theme();
    const Box& box = part.scene.memory();
    const float cell = box.width() / 32, high = draw::line_height(theme.mono), top = box.min.y - high - theme.px(1);
    const int stride = cell >= draw::measure(theme.mono, "31 ").x ? 1 : 4;
    ShapeLayer grounds;
    for (int word = 0; word < 32; word += stride) {
        const std::string number = std::to_string(word);
        const float half = draw::measure(theme.mono, number).x / 2;
        const float middle = box.min.x + cell * static_cast<float>(word) + std::max(half, cell / 2);
        grounds.shapes.push_back(box_shape({{middle - half - 1, top}, {middle + half + 1, box.min.y - 1}},
                                           draw::with_alpha(theme.background, 0.8f)));
        labels.labels.push_back(
            {.words = number, .at = {middle, top + high / 2}, .side = Label::Side::middle, .must = true, .mono = true});
    }
    labels.labels.push_back({.words = part.facts.lines_below ? "word" : "bank",
                             .at = {part.scene.gutter().max.x, top + high / 2},
                             .distance = 0,
                             .colour = theme.ink_faint,
                             .side = Label::Side::left,
                             .must = true,
                             .mono = true});
    layers.emplace_back(std::move(grounds));
    layers.emplace_back(std::move(labels));
}

void add_values(std::vector<Layer>& layers, const FlowPart& part)
{
    for (std::size_t array = 0; array < part.scene.operands().size(); ++array)
        layers.emplace_back(values_of_matrix(part, array));
    layers.emplace_back(values_of_memory(part));
}

} // namespace viz
