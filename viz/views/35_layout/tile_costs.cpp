#include "viz/views/35_layout/tile_costs.h"

#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr const char* names_shown[SharedTile::kinds] = {"as recorded", "row after row", "padded", "XOR",
                                                        "your formula"};

constexpr float between_rows = 4; // pixels at scale 1

class Table {
public:
    explicit Table(const TileCosts& what)
        : costs(what), theme(what.part.theme()), accent(what.part.accent()), marks(what.part.marks()),
          list(ImGui::GetWindowDrawList()), row(draw::row_height(what.part.theme(), between_rows)),
          pitch(what.formulas ? 2 * row + theme.px(2) : row)
    {
        for (std::size_t i = 0; i < SharedTile::kinds; ++i) {
            const TriedPlaces& tried = costs.side.tried(static_cast<Mapping::Kind>(i));
            if (tried.refused() || !tried.cost)
                continue;
            lines = std::max(lines, tried.cost->lines.size());
            most = std::max(most, tried.cost->totals.conflicts);
            longest = std::max(longest, tried.cost->totals.wavefronts);
            for (const LineCost& line : tried.cost->lines)
                worst = std::max(worst, line.totals.conflicts);
        }
        left = costs.box.min.x + tile_costs_names(theme);
        const float number = draw::measure(theme.mono, thousands(most)).x + theme.px(8);
        right = costs.box.max.x - number;
        // The bars of the sums take a quarter at least; without room for cells, all.
        const float least = std::max(draw::measure(theme.mono, thousands(worst)).x, label_width()) + 2;
        cell = std::min((right - left) * 0.55f / static_cast<float>(std::max<std::size_t>(lines, 1)), theme.px(90));
        if (cell < least)
            cell = 0;
        bars = left + cell * static_cast<float>(lines) + theme.px(6);
        if (const auto& recorded = costs.side.recorded().cost)
            time = costs.side.done() * static_cast<double>(recorded->totals.wavefronts);
    }

    std::optional<CostHit> draw()
    {
        draw_head();
        std::optional<CostHit> hit;
        for (std::size_t i = 0; i < SharedTile::kinds; ++i)
            if (auto one =
                    draw_kind(static_cast<Mapping::Kind>(i), costs.box.min.y + row + pitch * static_cast<float>(i)))
                hit = std::move(one);
        return hit;
    }

private:
    static std::string label_of(const LineCost& line)
    {
        return fmt::format("{} {}", line.line, line.store ? "w" : "r");
    }

    float label_width() const
    {
        float width = 0;
        if (const auto& recorded = costs.side.recorded().cost)
            for (const LineCost& line : recorded->lines)
                width = std::max(width, draw::measure(theme.mono, label_of(line)).x);
        return width;
    }

    void draw_head() const
    {
        const auto& recorded = costs.side.recorded().cost;
        const float y = costs.box.min.y + (row - draw::line_height(theme.mono)) / 2;
        for (std::size_t i = 0; cell > 0 && recorded && i < recorded->lines.size(); ++i)
            draw::text_in(list, theme.mono, cell_of(i, costs.box.min.y), theme.ink_quiet, label_of(recorded->lines[i]));
        draw::text_right(list, theme.text, {costs.box.max.x, y}, theme.ink_quiet, "conflicts");
    }

    draw::Box cell_of(std::size_t line, float y) const
    {
        const float x = left + cell * static_cast<float>(line);
        return {{x, y}, {x + cell - 1, y + row - 1}};
    }

    std::optional<CostHit> draw_kind(Mapping::Kind kind, float y)
    {
        const TriedPlaces& tried = costs.side.tried(kind);
        const char* name = names_shown[static_cast<std::size_t>(kind)];
        const draw::Box whole{{costs.box.min.x, y}, {costs.box.max.x, y + row - 1}};
        const bool hovered = draw::item(name, {whole.min, {whole.max.x, y + pitch}});
        const bool clicked = ImGui::IsItemClicked();
        mark_item(marks, fmt::format("places {}", name));
        const bool chosen = costs.side.kind() == kind;
        if (chosen || hovered)
            list->AddRectFilled(whole.min, {left - theme.px(4), whole.max.y},
                                mix(theme.panel, theme.ink, chosen ? 0.24f : 0.1f), theme.px(3));
        const float text_y = y + (row - draw::line_height(theme.text)) / 2;
        draw::text(list, theme.text, {whole.min.x + theme.px(4), text_y}, chosen ? theme.ink : theme.ink_quiet, name);
        if (tried.refused())
            draw::text(list, theme.text, {left, text_y}, theme.warning, why_refused(tried, costs.box.max.x - left));
        else if (tried.cost && tried.cost->lines.empty())
            draw::text(list, theme.text, {left, text_y}, theme.ink_faint, "-");
        else if (tried.cost)
            draw_costs(name, *tried.cost, y, &tried == &costs.side.shown());
        if (costs.formulas)
            draw_formula(tried, y + row - theme.px(1), chosen);
        if (!hovered)
            return {};
        return CostHit{kind, said_of(tried, name), clicked};
    }

    void draw_costs(const char* name, const TileCost& cost, float y, bool shown)
    {
        for (std::size_t i = 0; i < cost.lines.size(); ++i) {
            const LineCost& line = cost.lines[i];
            const draw::Box face = cell_of(i, y);
            const Colour colour = conflict_colour(theme, line.totals.conflicts, worst);
            if (cell > 0) {
                list->AddRectFilled(face.min, face.max, colour);
                draw::text_in(list, theme.mono, face, ink_on(colour), thousands(line.totals.conflicts));
            }
            if (marks != nullptr && shown && cell > 0)
                marks->cells.push_back({line.line, 0, line.totals.conflicts,
                                        static_cast<float>(line.totals.conflicts) / static_cast<float>(worst), face.min,
                                        face.max});
        }
        draw_race(name, cost.totals, {{bars, y + theme.px(3)}, {right - theme.px(4), y + row - theme.px(4)}});
        const uint64_t conflicts = cost.totals.conflicts;
        draw::text_right(list, theme.mono_bold, {costs.box.max.x, y + (row - draw::line_height(theme.mono)) / 2},
                         conflicts > 0 ? theme.warning : theme.good, thousands(conflicts));
    }

    // All wavefronts, the conflicts among them as what makes the bar longer; what is done by now is full.
    void draw_race(const char* name, const recording::SharedTotals& totals, const draw::Box& box) const
    {
        const auto at = [&](double wavefronts) {
            return box.min.x + box.width() * static_cast<float>(wavefronts / static_cast<double>(longest));
        };
        const auto all = static_cast<double>(totals.wavefronts), free = all - static_cast<double>(totals.conflicts);
        const auto part = [&](double from, double until, Colour colour) {
            if (until > from)
                list->AddRectFilled({at(from), box.min.y}, {at(until), box.max.y}, colour);
        };
        part(0, free, mix(theme.panel, accent, 0.4f));
        part(free, all, mix(theme.panel, theme.warning, 0.5f));
        part(0, std::min(time, free), accent);
        part(free, std::min(time, all), theme.warning);
        mark(marks, fmt::format("race {}", name), box.min, {at(all), box.max.y});
        mark(marks, fmt::format("done {}", name), box.min, {at(std::min(time, all)), box.max.y});
        const float now = at(std::min(time, static_cast<double>(longest)));
        list->AddRectFilled({now, box.min.y - theme.px(3)}, {now + theme.px(1), box.max.y + theme.px(4)}, theme.ink);
    }

    // Where the element would lie, as a formula, and its bank, bit by bit: those that differ from its bank row after row
    // in colour.
    void draw_formula(const TriedPlaces& tried, float y, bool chosen) const
    {
        const Mapping& mapping = costs.side.explained(tried.mapping);
        const std::string formula = mapping.kind == Mapping::Kind::recorded ? "" : formula_of(mapping);
        draw::text(list, theme.mono, {costs.box.min.x + theme.px(4), y}, chosen ? theme.ink : theme.ink_quiet, formula);
        if (!costs.cell || !tried.places->valid())
            return;
        const recording::Array& tile = costs.side.tile();
        const auto bank_at = [&](uint64_t place) {
            return static_cast<uint32_t>(model::bank_of(place * tile.element_bytes));
        };
        const std::size_t element = costs.side.index(*costs.cell);
        const uint32_t bank = bank_at(tried.places->place[element]), flipped = bank ^ bank_at(element);
        constexpr int bits = std::bit_width(static_cast<uint32_t>(model::banks - 1));
        const ImVec2 digit = draw::measure(theme.mono, "0");
        const float side = digit.x + theme.px(6), begin = costs.box.max.x - side * bits;
        const std::string words = fmt::format("bank {}", bank);
        if (begin - theme.px(60) < costs.box.min.x + draw::measure(theme.mono, formula).x)
            return;
        draw::text_right(list, theme.mono, {begin - theme.px(6), y}, theme.ink_quiet, words);
        for (int bit = bits - 1; bit >= 0; --bit) {
            const float x = begin + side * static_cast<float>(bits - 1 - bit);
            const draw::Box face_box{{x, y}, {x + side - 1, y + digit.y}};
            const Colour face = flipped >> bit & 1u ? accent : draw::empty_colour(theme);
            list->AddRectFilled(face_box.min, face_box.max, face);
            draw::text_in(list, theme.mono, face_box, ink_on(face), bank >> bit & 1u ? "1" : "0");
        }
    }

    // The reason in few words; the tooltip has all of it, with the elements.
    static Message in_few_words(const Message& refusal)
    {
        if (refusal.id.ends_with(".twice"))
            return {"layout.twice_short"};
        if (refusal.id.ends_with(".before_tile"))
            return {"layout.before_tile_short"};
        if (refusal.id.ends_with(".tile_too_large"))
            return {"layout.tile_too_large_short"};
        return refusal.id.ends_with(".torn") ? Message{"layout.torn_short"} : refusal;
    }

    // As far as it has room.
    std::string why_refused(const TriedPlaces& tried, float room) const
    {
        std::string words = "refused: " + plain(in_few_words(tried.refusal()));
        bool cut = false;
        while (words.size() > 8 && draw::measure(theme.text, words).x > room) {
            words.erase(words.rfind(' ') == std::string::npos ? 7 : words.rfind(' '));
            cut = true;
            if (draw::measure(theme.text, words + " ...").x <= room)
                break;
        }
        return cut ? words + " ..." : words;
    }

    // Against the recorded places.
    Messages race_words(const TileCost& cost) const
    {
        const auto& recorded = costs.side.recorded().cost;
        if (!recorded || recorded->totals.wavefronts == cost.totals.wavefronts)
            return {};
        const uint64_t own = cost.totals.wavefronts, other = recorded->totals.wavefronts;
        return {{"layout.race",
                 {{"wavefronts",
                   Value(own < other ? other - own : own - other).as(own < other ? Meaning::good : Meaning::conflict)},
                  {"sooner", own < other}}}};
    }

    Message said_of(const TriedPlaces& tried, const char* name) const
    {
        const std::string places =
            tried.mapping.kind == Mapping::Kind::recorded ? std::string(name) : formula_of(tried.mapping);
        if (tried.refused())
            return {"layout.row_refused",
                    {{"stage", costs.part.stage.slug},
                     {"places", places},
                     {"refused", Value("refused").as(Meaning::conflict)},
                     {"why", tried.refusal()}}};
        if (!tried.cost)
            return {"layout.counting"};
        if (tried.cost->lines.empty())
            return {"layout.row_unknown", {{"stage", costs.part.stage.slug}, {"places", places}}};
        return {"layout.row",
                {{"race", race_words(*tried.cost)},
                 {"stage", costs.part.stage.slug},
                 {"places", places},
                 {"bytes", tried.places->bytes},
                 {"wavefronts", tried.cost->totals.wavefronts},
                 {"conflicts", tried.cost->totals.conflicts}}};
    }

    const TileCosts& costs;
    const Theme& theme;
    Colour accent;
    Marks* marks;
    ImDrawList* list;
    float row = 0, pitch = 0, left = 0, right = 0, cell = 0, bars = 0;
    std::size_t lines = 0;
    uint64_t worst = 1, most = 0; // conflicts of a line, of all
    uint64_t longest = 1;         // wavefronts
    double time = 0;              // wavefronts that the recorded places have needed by now
};

} // namespace

float tile_costs_names(const Theme& theme)
{
    float width = 0;
    for (const char* name : names_shown)
        width = std::max(width, draw::measure(theme.text, name).x);
    return std::ceil(width + theme.px(16));
}

float tile_costs_height(const Theme& theme, bool formulas)
{
    const float row = draw::row_height(theme, between_rows);
    return row + (formulas ? 2 * row + theme.px(2) : row) * static_cast<float>(SharedTile::kinds);
}

std::optional<CostHit> draw_tile_costs(const TileCosts& costs)
{
    return Table(costs).draw();
}

} // namespace viz
