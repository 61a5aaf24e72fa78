#include "viz/views/30_banks/bank_diagram.h"

#include "viz/draw/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace viz {

namespace {

struct Geometry {
    ImVec2 place;
    float label = 0, cell = 0, row = 0, gap = 0, header = 0;
    std::vector<float> tops; // of each row

    draw::Box box(int wavefront, int bank, int banks = 1) const
    {
        const float x = place.x + label + cell * static_cast<float>(bank);
        const float y = tops[static_cast<std::size_t>(wavefront)];
        return {{x, y}, {x + cell * static_cast<float>(banks) - 1, y + row - 1}};
    }
};

float row_height(const BankDiagram& diagram)
{
    const std::size_t rows = std::max(diagram.rows, diagram.picture.rows.size());
    const float text = draw::measure(diagram.theme.mono, "0").y;
    return std::round(text + diagram.theme.px(rows > 16 ? 0.0f : rows > 8 ? 3.0f : rows > 4 ? 6.0f : 9.0f));
}

Geometry geometry_of(const BankDiagram& diagram, ImVec2 place, float width)
{
    Geometry g;
    g.place = {std::round(place.x), std::round(place.y)};
    g.label = std::ceil(draw::measure(diagram.theme.mono, "wave 32").x + diagram.theme.px(10));
    g.cell = std::floor(std::clamp((width - g.label) / model::banks, 4.0f, diagram.theme.px(34)));
    g.row = row_height(diagram);
    g.gap = diagram.theme.px(5);
    g.header = std::round(draw::measure(diagram.theme.mono, "0").y + diagram.theme.px(4));
    float y = g.place.y + g.header;
    for (std::size_t i = 0; i < diagram.picture.rows.size(); ++i) {
        if (i > 0 && diagram.picture.rows[i].group != diagram.picture.rows[i - 1].group)
            y += g.gap;
        g.tops.push_back(y);
        y += g.row;
    }
    return g;
}

Colour colour_of(const BankDiagram& diagram, int group)
{
    return diagram.theme.lane_group[static_cast<std::size_t>(group) % 4];
}

void draw_frame(const BankDiagram& diagram, const Geometry& g, ImDrawList* list)
{
    const Theme& theme = diagram.theme;
    draw::text(list, theme.mono, g.place, theme.ink_quiet, "bank");
    const float number = draw::measure(theme.mono, "28").x + theme.px(4);
    const int stride = g.cell >= number ? 1 : g.cell * 2 >= number ? 2 : 4;
    for (int bank = 0; bank < model::banks; bank += stride) {
        const std::string text = std::to_string(bank);
        const float x = g.place.x + g.label + g.cell * static_cast<float>(bank);
        const float inset = (g.cell - draw::measure(theme.mono, text).x) / 2;
        draw::text(list, theme.mono, {x + std::max(0.0f, inset), g.place.y}, theme.ink_quiet, text);
    }
    for (std::size_t i = 0; i < diagram.picture.rows.size(); ++i) {
        const draw::Box first = g.box(static_cast<int>(i), 0);
        const float text = draw::measure(theme.mono, "0").y;
        draw::text(list, theme.mono, {g.place.x, first.min.y + (first.height() - text) / 2},
                   diagram.picture.rows[i].conflict ? theme.warning : theme.ink_quiet, fmt::format("wave {}", i + 1));
        for (int bank = 0; bank < model::banks; ++bank) {
            const draw::Box box = g.box(static_cast<int>(i), bank);
            list->AddRectFilled(box.min, box.max, draw::mix(theme.background, theme.border, 0.45f));
        }
    }
}

std::string label_of(const BankSpan& span)
{
    if (std::popcount(span.lanes) == 1)
        return std::to_string(std::countr_zero(span.lanes));
    const std::string run = lane_run(span.lanes);
    return run.empty() ? fmt::format("{} lanes", std::popcount(span.lanes)) : run;
}

// Whether banks first ... first + count - 1 of the wavefront are idle.
bool idle(const BankPicture& picture, int wavefront, int first, int count)
{
    if (first < 0 || first + count > model::banks)
        return false;
    return std::none_of(picture.spans.begin(), picture.spans.end(), [&](const BankSpan& span) {
        return span.wavefront == wavefront && span.bank < first + count && first < span.bank + span.banks;
    });
}

// For a narrow cell that many lanes share: the words beside it, where banks are idle.
// `free_from`: where the last such words of this wavefront end; moved on.
void draw_beside(const BankDiagram& diagram, const Geometry& g, ImDrawList* list, const BankSpan& span,
                 float& free_from)
{
    const std::string words = lane_list(span.lanes);
    const ImVec2 size = draw::measure(diagram.theme.mono, words);
    const int banks = static_cast<int>(std::ceil((size.x + diagram.theme.px(8)) / g.cell));
    const draw::Box box = g.box(span.wavefront, span.bank, span.banks);
    const float y = (box.min.y + box.max.y - size.y) / 2;
    const float right = box.max.x + diagram.theme.px(5), left = box.min.x - size.x - diagram.theme.px(5);
    float x = right;
    if (!idle(diagram.picture, span.wavefront, span.bank + span.banks, banks)) {
        if (!idle(diagram.picture, span.wavefront, span.bank - banks, banks) || left < free_from)
            return;
        x = left;
    }
    draw::text(list, diagram.theme.mono, {x, y}, diagram.theme.ink, words);
    free_from = x + size.x + diagram.theme.px(8);
}

// How many lanes further the next word to the right belongs, where both are single words of single lanes; 0 if not so.
int stride(const BankSpan& span, const BankSpan& next)
{
    const bool neighbours = next.wavefront == span.wavefront && next.group == span.group &&
                            next.bank == span.bank + span.banks && next.banks == span.banks;
    if (!neighbours || std::popcount(span.lanes) != 1 || std::popcount(next.lanes) != 1)
        return 0;
    return std::max(0, std::countr_zero(next.lanes) - std::countr_zero(span.lanes));
}

// The longest run from `first` whose lanes go up in equal steps; one past its end.
std::size_t run_end(const std::vector<BankSpan>& spans, std::size_t first)
{
    std::size_t end = first + 1;
    const int step = end < spans.size() ? stride(spans[first], spans[end]) : 0;
    while (step > 0 && end < spans.size() && stride(spans[end - 1], spans[end]) == step)
        ++end;
    return end;
}

std::string run_text(const std::vector<BankSpan>& spans, std::size_t first, std::size_t end)
{
    const auto lane = [&](std::size_t i) { return std::countr_zero(spans[i].lanes); };
    if (end == first + 1)
        return label_of(spans[first]);
    if (lane(first + 1) == lane(first) + 1)
        return fmt::format("{}-{}", lane(first), lane(end - 1));
    return end == first + 2 ? fmt::format("{}, {}", lane(first), lane(first + 1))
                            : fmt::format("{}, {} ... {}", lane(first), lane(first + 1), lane(end - 1));
}

// The number of each lane; where the cells are too narrow, one label for a run of lanes.
void draw_labels(const BankDiagram& diagram, const Geometry& g, ImDrawList* list)
{
    const std::vector<BankSpan>& spans = diagram.picture.spans;
    const float widest = draw::measure(diagram.theme.mono_bold, "31").x;
    std::vector<float> free_from(diagram.picture.rows.size(), g.place.x);
    for (std::size_t i = 0; i < spans.size();) {
        const BankSpan& span = spans[i];
        const Colour ink = ink_on(colour_of(diagram, span.group));
        const draw::Box box = g.box(span.wavefront, span.bank, span.banks);
        std::size_t end = i + 1;
        if (std::popcount(span.lanes) > 1) {
            if (!draw::text_in(list, diagram.theme.mono_bold, box, ink, label_of(span)))
                draw_beside(diagram, g, list, span, free_from[static_cast<std::size_t>(span.wavefront)]);
        } else if (box.width() >= widest) {
            draw::text_in(list, diagram.theme.mono_bold, box, ink, label_of(span));
        } else {
            end = run_end(spans, i);
            const BankSpan& last = spans[end - 1];
            const draw::Box all{box.min, g.box(last.wavefront, last.bank, last.banks).max};
            if (!draw::text_in(list, diagram.theme.mono_bold, all, ink, run_text(spans, i, end)) && end > i + 2)
                draw::text_in(list, diagram.theme.mono_bold, all, ink,
                              fmt::format("{}...{}", label_of(spans[i]), label_of(last)));
        }
        i = end;
    }
}

} // namespace

float bank_diagram_height(const BankDiagram& diagram)
{
    const Geometry g = geometry_of(diagram, {0, 0}, 100);
    const float drawn = g.tops.empty() ? g.header : g.tops.back() + g.row;
    const std::size_t rows = std::max(diagram.rows, diagram.picture.rows.size());
    return std::max(drawn, g.header + g.row * static_cast<float>(rows)) + diagram.theme.px(6);
}

std::optional<BankHit> draw_bank_diagram(const BankDiagram& diagram, ImVec2 place, float width)
{
    const Geometry g = geometry_of(diagram, place, width);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(place);
    ImGui::InvisibleButton("banks", {width, bank_diagram_height(diagram)});
    const bool over = ImGui::IsItemHovered();
    draw_frame(diagram, g, list);
    const float widest = draw::measure(diagram.theme.mono_bold, "31").x;
    std::optional<BankHit> hit;
    for (const BankSpan& span : diagram.picture.spans) {
        const draw::Box whole = g.box(span.wavefront, span.bank, span.banks);
        // A line between lanes, marks between the words of one; marks only, too, where a label spans several lanes.
        const bool own_label = std::popcount(span.lanes) > 1 || whole.width() >= widest;
        list->AddRectFilled(whole.min, {whole.max.x + (own_label ? 0.0f : 1.0f), whole.max.y},
                            colour_of(diagram, span.group));
        for (int bank = 1; bank < span.banks + (own_label ? 0 : 1); ++bank) {
            const float x = whole.min.x + g.cell * static_cast<float>(bank) - 1, tick = std::round(g.row / 5);
            list->AddRectFilled({x, whole.min.y}, {x + 1, whole.min.y + tick}, diagram.theme.background);
            list->AddRectFilled({x, whole.max.y - tick}, {x + 1, whole.max.y}, diagram.theme.background);
        }
        const bool selected = span.lanes >> diagram.selected_lane & 1u;
        const uint32_t lane = selected ? diagram.selected_lane : static_cast<uint32_t>(std::countr_zero(span.lanes));
        if (over && g.box(span.wavefront, span.bank, span.banks).holds(ImGui::GetMousePos()))
            hit = BankHit{lane, &span};
    }
    draw_labels(diagram, g, list);
    for (const BankSpan& span : diagram.picture.spans) {
        if (!(span.lanes >> diagram.selected_lane & 1u))
            continue;
        const draw::Box box = g.box(span.wavefront, span.bank, span.banks);
        const float thick = std::max(2.0f, std::round(diagram.theme.px(2)));
        list->AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, diagram.theme.ink, 0, 0, thick);
    }
    return hit;
}

} // namespace viz
