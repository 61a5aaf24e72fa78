#include "viz/views/01_flow/labels.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// A name beside a row of the memory, as high as it is written.
struct RowName {
    float y = 0;
    std::string words;
    bool first = false; // of its array
    std::string narrow; // where the words have no room
};

// The first element of a row of the array that begins in a row of words; nothing where none does.
std::optional<Cell> row_that_begins(const Elements& elements, const RowBand& band, uint32_t row)
{
    const auto at = elements.at((band.first + row) * row_bytes);
    if (!at)
        return {};
    const auto before = row == 0 ? std::nullopt : elements.at((band.first + row - 1) * row_bytes);
    return before && before->row == at->row ? std::nullopt : at;
}

struct RowInSight {
    float y = 0;
    Cell begins;
    // The array's rows lie in several parts of its columns, and this is the first row of a further one.
    bool again = false;
};

// Each row of the array that begins in sight, with its place.
std::vector<RowInSight> rows_in_sight(const FlowPaint& paint, const RowBand& band)
{
    const Elements elements(paint.recording().arrays[band.array]);
    const draw::Box& memory = paint.scene.memory();
    std::vector<RowInSight> rows;
    std::optional<uint32_t> last;
    for (uint32_t row = 0; row < band.rows; ++row) {
        const auto begins = row_that_begins(elements, band, row);
        if (!begins)
            continue;
        const bool again = last && begins->row < *last && begins->col > 0;
        last = begins->row;
        if (const float y = paint.scene.row_top(band.top + row); y >= memory.min.y && y < memory.max.y)
            rows.push_back({y, *begins, again});
    }
    return rows;
}

// The smallest power of two whose multiples have names that do not overlap.
uint32_t step_of(const std::vector<RowInSight>& rows, float high)
{
    const auto overlap = [&](uint32_t step) {
        std::optional<float> last;
        for (const RowInSight& row : rows) {
            if (row.begins.row % step != 0)
                continue;
            if (last && row.y < *last + high)
                return true;
            last = row.y;
        }
        return false;
    };
    uint32_t step = 1;
    while (step < 1u << 20 && overlap(step))
        step *= 2;
    return step;
}

// "As 0" where a band begins, or comes into sight; then the rows that have room. `goes_on`: the band before is of the array.
void add_names(const FlowPaint& paint, const RowBand& band, bool goes_on, std::vector<RowName>& names)
{
    const float high = draw::measure(paint.theme().mono, "0").y;
    const float down = (paint.scene.row_height() - high) / 2; // beside the middle of the row
    const std::vector<RowInSight> rows = rows_in_sight(paint, band);
    const uint32_t step = step_of(rows, high + paint.theme().px(2));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& [y, begins, again] = rows[i];
        const uint32_t row = begins.row;
        if (i == 0 && (!goes_on || names.empty()))
            names.push_back({y + down, fmt::format("{} {}", paint.recording().arrays[band.array].name, row), true,
                             paint.recording().arrays[band.array].name});
        else if (again)
            names.push_back({y + down, fmt::format("col {}", begins.col), true, std::to_string(begins.col)});
        else if (row % step == 0 || i == 0)
            names.push_back({y + down, std::to_string(row), false, {}});
    }
}

// On the colour that the step gives to a word; see paint_words().
Colour ink_on_word(const FlowPaint& paint, const WordPlace& word)
{
    for (const Way& way : paint.facts.ways.ways)
        for (const WayEnd& end : {way.from, way.to})
            if (paint.facts.rows.covers(end, way.bytes, word))
                return paint.is_there(way, end) ? ink_on(paint.colour(way)) : paint.theme().ink;
    return paint.theme().ink;
}

void paint_words_of(const FlowPaint& paint, const RowBand& band, const draw::Box& sight)
{
    const recording::Array& array = paint.recording().arrays[band.array];
    const Elements& elements = paint.facts.tiling->elements()[band.array];
    for (uint32_t row = 0; row < band.rows; ++row)
        for (uint32_t word = 0; word < 32; ++word) {
            const WordPlace place{band.top + row, word};
            const auto box = paint.scene.words(place, 1);
            const auto cell = elements.at((band.first + row) * row_bytes + word * 4);
            if (!box || !cell || !box->overlaps(sight))
                continue;
            const auto source = paint.facts.source_of(band.array, *cell);
            if (!source || source->first > 1 || array.element_bytes != 4) // of smaller elements a word holds several
                continue;
            const auto value = value_of(paint.recording(), source->first, source->second);
            draw::named_value(paint.list, paint.theme(), *box,
                              {element_name(array.name, {*cell}), value ? short_value(paint.recording(), *value) : "",
                               ink_on_word(paint, place)});
        }
}

// On the colour that the step gives to an element; see paint_operand().
Colour ink_on_element(const FlowPaint& paint, std::size_t array, const Cell& cell)
{
    const Theme& theme = paint.theme();
    const auto has = [&](const std::vector<Cell>& cells) { return std::ranges::find(cells, cell) != cells.end(); };
    if (has(paint.facts.lit.lane[array]))
        return ink_on(theme.ink);
    if (has(paint.facts.lit.all[array]))
        return ink_on(paint.accent());
    if (array == 2 && has(paint.facts.results))
        return ink_on(mix(theme.panel, theme.ink, 0.45f));
    return array == 2 && !std::ranges::binary_search(paint.facts.stored, cell) ? theme.ink_quiet : theme.ink;
}

} // namespace

void paint_row_names(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    std::vector<RowName> names;
    std::optional<uint8_t> last;
    for (const RowBand& band : paint.facts.rows.bands()) {
        add_names(paint, band, last == band.array, names);
        last = band.array;
    }
    const float high = draw::measure(theme.mono, "0").y + theme.px(2);
    const draw::Box &gutter = paint.scene.gutter(), &memory = paint.scene.memory();
    for (RowName& name : names)
        name.y = std::clamp(name.y, memory.min.y, std::max(memory.min.y, memory.max.y - high));
    float free_from = 0; // below the last name
    for (const RowName& name : names) {
        const bool covered = std::ranges::any_of(names, [&](const RowName& other) {
            return other.first && &other != &name && std::abs(other.y - name.y) < high;
        });
        if ((covered || name.y < free_from) && !name.first)
            continue;
        free_from = name.y + high;
        ImFont* const font = name.first ? theme.mono_bold : theme.mono;
        const bool fits = name.narrow.empty() || draw::measure(font, name.words).x <= gutter.width();
        const std::string& words = fits ? name.words : name.narrow;
        draw::text_right(paint.list, font, {gutter.max.x, name.y}, name.first ? theme.ink_quiet : theme.ink_faint,
                         words);
    }
}

void paint_column_numbers(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    const draw::Box& box = paint.scene.memory();
    const float cell = box.width() / 32, high = draw::measure(theme.mono, "0").y, top = box.min.y - high - theme.px(1);
    const int stride = cell >= draw::measure(theme.mono, "31 ").x ? 1 : 4;
    for (int bank = 0; bank < 32; bank += stride) {
        const std::string number = std::to_string(bank);
        const float wide = draw::measure(theme.mono, number).x;
        const float x = box.min.x + cell * static_cast<float>(bank) + std::max(0.0f, (cell - wide) / 2);
        paint.list->AddRectFilled({x - 1, top}, {x + wide + 1, box.min.y - 1},
                                  draw::with_alpha(theme.background, 0.8f));
        draw::text(paint.list, theme.mono, {x, top}, theme.ink_quiet, number);
    }
    draw::text_right(paint.list, theme.mono, {paint.scene.gutter().max.x, top}, theme.ink_faint,
                     paint.facts.lines_below ? "word" : "bank");
}

void paint_numbers(const FlowPaint& paint)
{
    const draw::Box sight{paint.list->GetClipRectMin(), paint.list->GetClipRectMax()};
    const ImVec2 least = draw::measure(paint.theme().mono, widest_value(paint.recording()));
    const float high = least.y - paint.theme().px(4);
    if (paint.scene.memory().width() / 32 > least.x && paint.scene.row_height() >= high)
        for (const RowBand& band : paint.facts.rows.bands())
            paint_words_of(paint, band, sight);
    for (std::size_t array = 0; array < std::min<std::size_t>(paint.scene.operands().size(), 3); ++array)
        draw::element_values(
            paint.list, paint.theme(), paint.scene.operands()[array],
            {paint.recording(), array, [&](const Cell& cell) { return paint.facts.value_now(array, cell); },
             [&](const Cell& cell) { return ink_on_element(paint, array, cell); }});
}

} // namespace viz
