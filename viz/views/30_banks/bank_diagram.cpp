#include "viz/draw/prose.h"
#include "viz/figure/draw_figure.h"
#include "viz/views/30_banks/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr float tallest_row = 130; // pixels at scale 1, for an access with the maximum number of wavefronts

float header_height(const Theme& theme)
{
    return std::round(draw::line_height(theme.mono) + theme.px(4));
}

float callout_line(const Theme& theme)
{
    return draw::line_height(theme.text) + theme.px(6);
}

std::string label_of(const BankSpan& span)
{
    if (std::popcount(span.lanes) == 1)
        return std::to_string(std::countr_zero(span.lanes));
    const std::string run = lane_run(span.lanes);
    return run.empty() ? fmt::format("{} lanes", std::popcount(span.lanes)) : run;
}

// Returns whether these banks are idle in the wavefront.
bool idle(const BankPicture& picture, int wavefront, int first, int count)
{
    return first >= 0 && first + count <= model::banks &&
           std::ranges::none_of(picture.spans, [&](const BankSpan& span) {
               return span.wavefront == wavefront && span.bank < first + count && first < span.bank + span.banks;
           });
}

class BankLayers {
public:
    BankLayers(const ViewFrame& frame, const Shown& what, const Box& room, std::size_t rows)
        : shown(what), picture(what->picture), busy(picture), theme(frame.theme), box(room), lane(frame.selection.lane)
    {
        box.max.y -= callout_line(theme);
        measure(std::max({rows, picture.rows.size(), std::size_t{1}}));
        add_cells();
        add_lines();
        name_banks();
        name_rows();
        name_beside();
        name_lanes();
        layers.emplace_back(std::move(labels));
        add_callout(room);
    }

    std::vector<Layer> layers;

private:
    void measure(std::size_t count)
    {
        const float line = draw::line_height(theme.mono), header = header_height(theme);
        const ImVec2 place{std::round(box.min.x), std::round(box.min.y)};
        row = std::floor(std::max(3.0f, (box.height() - header) / static_cast<float>(count)));
        beside = row < 4 * line;
        const auto use_names = [&](const char* widest) {
            const float left = place.x + std::ceil(draw::measure(theme.mono, widest).x + theme.px(6));
            cell = (box.max.x - left) / model::banks;
            cells = {{left, place.y + header}, {box.max.x, place.y + header + row * static_cast<float>(count)}};
            words = words_fit();
        };
        use_names(beside ? "wave 32 lane" : "wave 32");
        if (beside && !words)
            use_names("wave 32");
        rows = static_cast<uint32_t>(count);
    }

    // Returns whether the word number of every lane fits into its cell, which can span several banks.
    bool words_fit() const
    {
        return row >= 2 * draw::line_height(theme.mono) + theme.px(4) &&
               std::ranges::all_of(picture.spans, [&](const BankSpan& span) {
                   return draw::measure(theme.mono, std::to_string(span.word)).x <=
                          cell * static_cast<float>(span.banks) - 2;
               });
    }

    Box box_of(int wavefront, int bank, int banks = 1) const
    {
        const ImVec2 corner{cells.min.x + cell * static_cast<float>(bank),
                            cells.min.y + row * static_cast<float>(wavefront)};
        return {corner, {corner.x + cell * static_cast<float>(banks) - 1, corner.y + row - 1}};
    }

    Colour colour_of(const BankSpan& span) const { return theme.lane_group[static_cast<std::size_t>(span.group) % 4]; }

    // Draws cells also below the access: all banks are free again while the other stage's access continues.
    void add_cells()
    {
        const Colour empty = draw::empty_colour(theme);
        CellLayer ground{.rows = rows, .cols = model::banks, .box = cells, .bordered = false, .rows_apart = true};
        CellLayer moved = ground;
        ground.colour = [empty](uint32_t, uint32_t) { return empty; };
        std::vector<uint32_t> span_at(std::size_t{rows} * model::banks); // number of the span, from 1 on; 0 for none
        for (std::size_t i = 0; i < picture.spans.size(); ++i) {
            const BankSpan& span = picture.spans[i];
            const auto first = span_at.begin() + span.wavefront * model::banks + span.bank;
            std::fill_n(first, span.banks, static_cast<uint32_t>(i + 1));
        }
        moved.joined = [span_at](uint32_t row, uint32_t col) { return span_at[row * model::banks + col]; };
        const auto span = [joined = moved.joined, shown = shown](uint32_t row, uint32_t col) -> const BankSpan& {
            return shown->picture.spans[joined(row, col) - 1];
        };
        const auto lane_of = [span, lane = lane](uint32_t row, uint32_t col) {
            const uint32_t lanes = span(row, col).lanes;
            return lanes >> lane & 1u ? lane : static_cast<uint32_t>(std::countr_zero(lanes));
        };
        moved.colour = [span, joined = moved.joined, groups = std::to_array(theme.lane_group)](uint32_t row,
                                                                                               uint32_t col) {
            return joined(row, col) == 0 ? 0 : groups[static_cast<std::size_t>(span(row, col).group) % groups.size()];
        };
        moved.value = [lane_of](uint32_t row, uint32_t col) { return lane_of(row, col); };
        moved.id = [stage = shown->stage](uint32_t row, uint32_t col) {
            return mark_of(*stage, fmt::format("bank {} in wave {}", col, row + 1));
        };
        moved.tip = [shown = shown, lane_of](uint32_t row, uint32_t col) {
            return lane_words(*shown, lane_of(row, col));
        };
        moved.click = [lane_of](const ViewScene& scene, uint32_t row, uint32_t col) {
            scene.selection.lane = lane_of(row, col);
        };
        add_frames(moved);
        layers.emplace_back(std::move(ground));
        layers.emplace_back(std::move(moved));
    }

    // Frames the banks that serve a group more than once, and the words that the selected lane moves.
    void add_frames(CellLayer& layer) const
    {
        for (const BankClash& clash : picture.clashes) {
            const auto of_group = [&](const BankRow& one) { return one.group == clash.group; };
            const auto first = std::ranges::find_if(picture.rows, of_group);
            const auto count = std::ranges::count_if(picture.rows, of_group);
            for (uint32_t bank = 0, next = 0; bank < model::banks; bank = next) {
                next = bank + static_cast<uint32_t>(std::max(std::countr_one(clash.banks >> bank), 1));
                if (clash.banks >> bank & 1u && count > 0)
                    layer.frames.push_back({.row = static_cast<uint32_t>(first - picture.rows.begin()),
                                            .col = bank,
                                            .rows = static_cast<uint32_t>(count),
                                            .cols = next - bank,
                                            .colour = theme.warning,
                                            .name = mark_of(*shown->stage, "clash")});
            }
        }
        for (const BankSpan& span : picture.spans)
            if (span.lanes >> lane & 1u)
                layer.frames.push_back({.row = static_cast<uint32_t>(span.wavefront),
                                        .col = static_cast<uint32_t>(span.bank),
                                        .cols = static_cast<uint32_t>(span.banks),
                                        .colour = theme.ink});
    }

    // Adds lines between the words of a lane, and between groups.
    void add_lines()
    {
        ShapeLayer lines;
        const float tick = std::round(row / 5);
        for (const BankSpan& span : picture.spans)
            for (int bank = 1; bank < span.banks; ++bank) {
                const Box word = box_of(span.wavefront, span.bank + bank);
                const float left = word.min.x - 1;
                lines.shapes.push_back(
                    box_shape({{left, word.min.y}, {left + 1, word.min.y + tick}}, theme.background));
                lines.shapes.push_back(
                    box_shape({{left, word.max.y - tick}, {left + 1, word.max.y}}, theme.background));
            }
        for (std::size_t i = 1; i < picture.rows.size(); ++i)
            if (const float y = box_of(static_cast<int>(i), 0).min.y;
                picture.rows[i - 1].group != picture.rows[i].group)
                lines.shapes.push_back(box_shape({{cells.min.x, y - 2}, {cells.max.x, y}}, theme.ink_faint));
        layers.emplace_back(std::move(lines));
    }

    void name(std::string of, ImVec2 left_middle, Colour colour)
    {
        labels.labels.push_back({.words = std::move(of),
                                 .at = left_middle,
                                 .distance = 0,
                                 .colour = colour,
                                 .side = Label::Side::right,
                                 .must = true,
                                 .mono = true});
    }

    void name_banks()
    {
        const float number = draw::measure(theme.mono, "28").x + theme.px(4);
        const float top = std::round(box.min.y), middle = top + draw::line_height(theme.mono) / 2;
        name("bank", {std::round(box.min.x), middle}, theme.ink_quiet);
        for (int bank = 0; bank < model::banks; bank += cell >= number ? 1 : cell * 2 >= number ? 2 : 4)
            labels.labels.push_back({.words = std::to_string(bank),
                                     .at = {box_of(0, bank).middle().x, middle},
                                     .side = Label::Side::middle,
                                     .must = true,
                                     .mono = true});
    }

    // Names the wavefronts. If they are too low for text, only the first one of each group is named.
    void name_rows()
    {
        const float line = draw::line_height(theme.mono), left = std::round(box.min.x);
        const bool named = words && !beside;
        const float numbers = named ? left : cells.min.x - theme.px(6) - draw::measure(theme.mono, "lane").x;
        for (std::size_t i = 0; i < picture.rows.size(); ++i) {
            const bool new_group = i == 0 || picture.rows[i - 1].group != picture.rows[i].group;
            const float middle = box_of(static_cast<int>(i), 0).middle().y;
            if (row >= line - 1 || (new_group && row * 2 >= line))
                name(fmt::format("wave {}", i + 1),
                     {left, middle - line * (named   ? 1.5f
                                             : words ? 0.5f
                                                     : 0.0f)},
                     picture.rows[i].conflict ? theme.warning : theme.ink_quiet);
            if (words) {
                name("lane", {numbers, middle - line / 2}, theme.ink_faint);
                name("word", {numbers, middle + line / 2}, theme.ink_faint);
            }
        }
    }

    // Returns the box for the lane number of a span: above the word's number if there is one.
    Box place_of_lanes(const BankSpan& span) const
    {
        Box place = box_of(span.wavefront, span.bank, span.banks);
        if (words)
            place = {{place.min.x, place.middle().y - draw::line_height(theme.mono_bold)},
                     {place.max.x, place.middle().y}};
        return place;
    }

    // Puts the names of lanes that share a narrow cell beside it if banks are idle there, with an arrow to the cell.
    void name_beside()
    {
        for (const BankSpan& span : picture.spans) {
            const Box place = place_of_lanes(span);
            const ImVec2 own = draw::measure(theme.mono_bold, label_of(span));
            if (std::popcount(span.lanes) == 1 || (own.x <= place.width() && own.y <= place.height() + 3))
                continue;
            const std::string lanes = lane_list(span.lanes);
            const float width = draw::measure(theme.mono, "← " + lanes).x;
            const int banks = static_cast<int>(std::ceil((width + theme.px(8)) / cell));
            const Box whole = box_of(span.wavefront, span.bank, span.banks);
            for (const bool right : {true, false}) {
                const int first = right ? span.bank + span.banks : span.bank - banks;
                if (!idle(busy, span.wavefront, first, banks))
                    continue;
                name(right ? "← " + lanes : lanes + " →",
                     {right ? whole.max.x + theme.px(5) : whole.min.x - theme.px(5) - width, whole.middle().y},
                     theme.ink);
                busy.spans.push_back({.wavefront = span.wavefront, .bank = first, .banks = banks});
                break;
            }
        }
    }

    // Adds each lane's number. If its cell is too narrow, the number extends over its neighbours, provided that they
    // exist and are busy.
    void name_lanes()
    {
        const ImVec2 widest = draw::measure(theme.mono_bold, "31");
        const float roomy = widest.x + theme.px(3); // otherwise the numbers of neighbours run together
        const bool staggered = 2 * cell >= widest.x + 4 && row >= 2 * widest.y;
        for (const BankSpan& span : picture.spans) {
            const Box place = place_of_lanes(span);
            Label lanes{.words = label_of(span), .colour = ink_on(colour_of(span)), .strong = true, .within = place};
            if (words)
                labels.labels.push_back(
                    {.words = std::to_string(span.word),
                     .colour = draw::with_alpha(lanes.colour, 0.7f),
                     .mono = true,
                     .within = Box{{place.min.x, place.max.y}, {place.max.x, place.max.y + widest.y}}});
            if (std::popcount(span.lanes) == 1 && place.width() < roomy) {
                lanes.within.reset();
                lanes.at = {std::min(place.middle().x, cells.max.x - widest.x / 2), place.middle().y};
                lanes.side = Label::Side::middle;
                // Neighbours alternate between two heights, so that each number has the width of two cells.
                if (staggered)
                    lanes.at.y += span.bank % 2 == 0 ? -widest.y / 2 : widest.y / 2;
                else if (!is_busy(span, static_cast<int>(std::ceil((widest.x / cell - 1) / 2))))
                    continue;
            }
            labels.labels.push_back(std::move(lanes));
        }
    }

    // Returns whether the `reach` existing banks on each side of the span are busy in its wavefront.
    bool is_busy(const BankSpan& span, int reach) const
    {
        const int end = std::min(span.bank + span.banks + reach, model::banks);
        for (int bank = std::max(span.bank - reach, 0); bank < end; ++bank)
            if (idle(picture, span.wavefront, bank, 1))
                return false;
        return true;
    }

    // Returns the largest idle area that has room for these words.
    std::optional<Box> idle_box(const Prose& said, float margin) const
    {
        std::optional<Box> best;
        for (const IdleRoom& room : idle_rooms(busy, static_cast<int>(rows))) {
            const Box place{box_of(room.wavefront, room.bank).min,
                            box_of(room.wavefront + room.wavefronts - 1, room.bank + room.banks - 1).max};
            const float width = place.width() - 2 * margin;
            const bool larger = !best || place.width() * place.height() > best->width() * best->height();
            if (larger && width >= theme.px(100) && said.height(width) + margin <= place.height())
                best = place;
        }
        return best;
    }

    // Adds the reason for the number of wavefronts over idle banks, or on the line below if there is no room.
    void add_callout(const Box& room)
    {
        if (picture.callout.empty())
            return;
        const float margin = theme.px(6);
        Rich in_a_row;
        std::vector<Rich> parts;
        for (const Message& message : picture.callout) {
            parts.push_back(rich(message));
            in_a_row.insert(in_a_row.end(), parts.back().begin(), parts.back().end());
            in_a_row.push_back({.kind = Run::Kind::gap});
        }
        const Rich stacked = in_lines(parts);
        const Prose prose = Prose(theme).write(stacked);
        if (const auto free = idle_box(prose, margin)) {
            const float width = std::min(free->width() - 2 * margin, prose.width() + 1), height = prose.height(width);
            const ImVec2 corner{free->min.x + margin, free->middle().y - height / 2};
            layers.emplace_back(ProseLayer{.words = stacked,
                                           .box = Box{corner, {corner.x + width, corner.y + height}},
                                           .name = mark_of(*shown->stage, "callout"),
                                           .plate = true});
            return;
        }
        const bool all = Prose(theme).write(in_a_row).width() <= room.width();
        layers.emplace_back(ProseLayer{.words = all ? in_a_row : parts.front(),
                                       .box = Box{{room.min.x, box.max.y + theme.px(3)}, room.max},
                                       .name = mark_of(*shown->stage, "callout")});
    }

    const Shown& shown;
    const BankPicture& picture;
    BankPicture busy; // includes the banks covered by words beside a cell
    const Theme& theme;
    Box box, cells{};
    uint32_t lane, rows = 1;
    float row = 0, cell = 0;
    bool words = false;  // a cell has room for its word's number below the lane's
    bool beside = false; // "lane" and "word" are at the right of the wavefront's name, otherwise below it
    LabelLayer labels;
};

} // namespace

float bank_panel_height(const Theme& theme, std::size_t rows, float room)
{
    const auto count = static_cast<float>(std::max<std::size_t>(rows, 1));
    // With few wavefronts, the pictures below get more room.
    const float share = std::min(0.48f + 0.04f * (count - 1), 0.64f), line = callout_line(theme);
    return std::floor(std::min((room - line) * share, header_height(theme) + count * theme.px(tallest_row))) + line;
}

Panel bank_panel(const ViewFrame& frame, const Shown& shown, const Box& box, std::size_t rows)
{
    return {.id = stage_panel(*shown->stage), .box = box, .layers = BankLayers(frame, shown, box, rows).layers};
}

} // namespace viz
