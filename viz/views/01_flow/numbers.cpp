#include "viz/views/01_flow/numbers.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"
#include "viz/views/01_flow/messages.h"

#include <algorithm>

namespace viz {

namespace {

// On the colour that the step gives to a word; see paint_words().
Colour ink_on_word(const FlowPaint& paint, const WordPlace& word)
{
    for (const Way& way : paint.facts.ways.ways)
        for (const WayEnd& end : {way.from, way.to}) {
            const auto place = end.in_lane ? std::nullopt : paint.facts.rows.place(end.array, end.offset);
            if (!place || place->row != word.row || word.word < place->word || word.word >= place->word + way.bytes / 4)
                continue;
            const double along = paint.motion.along(way.turn);
            const bool there = end == way.from ? along > 0 : along >= 1;
            return there ? ink_on(paint.colour(way)) : paint.theme.ink;
        }
    return paint.theme.ink;
}

void paint_words_of(const FlowPaint& paint, const RowBand& band, const draw::Box& sight)
{
    const recording::Array& array = paint.recording.arrays[band.array];
    const Elements& elements = paint.facts.tiling->elements()[band.array];
    for (uint32_t row = 0; row < band.rows; ++row)
        for (uint32_t word = 0; word < 32; ++word) {
            const WordPlace place{band.top + row, word};
            const auto box = paint.scene.words(place, 1);
            const auto cell = elements.at((band.first + row) * row_bytes + word * 4);
            if (!box || !cell || box->max.x < sight.min.x || box->min.x > sight.max.x || box->max.y < sight.min.y ||
                box->min.y > sight.max.y)
                continue;
            const auto source = source_of(paint.recording, paint.facts, band.array, *cell);
            if (!source || source->first > 1 || array.element_bytes != 4) // of smaller elements a word holds several
                continue;
            const auto value = value_of(paint.recording, source->first, source->second);
            draw::named_value(paint.list, paint.theme, *box,
                              {element_name(array.name, {*cell}), value ? short_value(paint.recording, *value) : "",
                               ink_on_word(paint, place)});
        }
}

// What an element holds now: of C the lanes' sums, from the registers until they are stored.
std::optional<double> shown_value(const FlowPaint& paint, std::size_t array, const Cell& cell)
{
    if (array < 2)
        return value_of(paint.recording, array, cell);
    return std::ranges::binary_search(paint.facts.warp_results, cell) ? paint.facts.result_so_far(cell) : std::nullopt;
}

// On the colour that the step gives to an element; see paint_operand().
Colour ink_on_element(const FlowPaint& paint, std::size_t array, const Cell& cell)
{
    const Theme& theme = paint.theme;
    const auto has = [&](const std::vector<Cell>& cells) { return std::ranges::find(cells, cell) != cells.end(); };
    if (has(paint.facts.lit.lane[array]))
        return ink_on(theme.ink);
    if (has(paint.facts.lit.all[array]))
        return ink_on(paint.accent);
    if (array == 2 && has(paint.facts.results))
        return ink_on(mix(theme.panel, theme.ink, 0.45f));
    return array == 2 && !std::ranges::binary_search(paint.facts.stored, cell) ? theme.ink_quiet : theme.ink;
}

} // namespace

void paint_numbers(const FlowPaint& paint)
{
    const draw::Box sight{paint.list->GetClipRectMin(), paint.list->GetClipRectMax()};
    const ImVec2 least = draw::measure(paint.theme.mono, widest_value(paint.recording));
    const float high = least.y - paint.theme.px(4);
    if (paint.scene.memory().width() / 32 > least.x && paint.scene.row_height() >= high)
        for (const RowBand& band : paint.facts.rows.bands())
            paint_words_of(paint, band, sight);
    for (std::size_t array = 0; array < std::min<std::size_t>(paint.scene.operands().size(), 3); ++array)
        draw::element_values(paint.list, paint.theme, paint.scene.operands()[array],
                             {paint.recording, array, [&](const Cell& cell) { return shown_value(paint, array, cell); },
                              [&](const Cell& cell) { return ink_on_element(paint, array, cell); }});
}

} // namespace viz
