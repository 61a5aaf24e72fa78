#include "viz/views/30_banks/bank_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace viz {

namespace {

constexpr float tallest_row = 130; // pixels at scale 1, where an access takes the most wavefronts

struct DiagramGeometry {
    ImVec2 place;
    float label = 0, cell = 0, row = 0, header = 0;
    bool words = false;      // a cell has room for the number of its word below the lane's
    bool beside = false;     // "lane" and "word" stand at the right of the wavefront's name, else below it
    std::vector<float> tops; // of each row

    float x(int bank) const { return std::round(place.x + label + cell * static_cast<float>(bank)); }
    draw::Box box(int wavefront, int bank, int banks = 1) const
    {
        const float y = tops[static_cast<std::size_t>(wavefront)];
        return {{x(bank), y}, {x(bank + banks) - 1, y + row - 1}};
    }
};

float header_height(const Theme& theme)
{
    return std::round(draw::line_height(theme.mono) + theme.px(4));
}

// A number for the word of every lane, in the cell of one bank or of several.
bool words_fit(const BankDiagram& diagram, const DiagramGeometry& g)
{
    const float line = draw::line_height(diagram.theme.mono);
    if (g.row < 2 * line + diagram.theme.px(4))
        return false;
    return std::ranges::all_of(diagram.picture.spans, [&](const BankSpan& span) {
        return draw::measure(diagram.theme.mono, std::to_string(span.word)).x <=
               g.cell * static_cast<float>(span.banks) - 2;
    });
}

DiagramGeometry geometry_of(const BankDiagram& diagram)
{
    const Theme& theme = diagram.theme;
    DiagramGeometry g;
    g.place = {std::round(diagram.box.min.x), std::round(diagram.box.min.y)};
    g.header = header_height(theme);
    const std::size_t rows = std::max({diagram.rows, diagram.picture.rows.size(), std::size_t{1}});
    g.row = std::floor(std::max(3.0f, (diagram.box.height() - g.header) / static_cast<float>(rows)));
    g.beside = g.row < 4 * draw::line_height(theme.mono);
    const auto use_label = [&](const char* widest) {
        g.label = std::ceil(draw::measure(theme.mono, widest).x + theme.px(6));
        g.cell = (diagram.box.width() - g.label) / model::banks;
        g.words = words_fit(diagram, g);
    };
    use_label(g.beside ? "wave 32 lane" : "wave 32");
    if (g.beside && !g.words)
        use_label("wave 32");
    for (std::size_t i = 0; i < rows; ++i)
        g.tops.push_back(g.place.y + g.header + g.row * static_cast<float>(i));
    return g;
}

Colour colour_of(const BankDiagram& diagram, int group)
{
    return diagram.theme.lane_group[static_cast<std::size_t>(group) % 4];
}

void draw_frame(const BankDiagram& diagram, const DiagramGeometry& g, ImDrawList* list)
{
    const Theme& theme = diagram.theme;
    draw::text(list, theme.mono, g.place, theme.ink_quiet, "bank");
    const float number = draw::measure(theme.mono, "28").x + theme.px(4);
    const int stride = g.cell >= number ? 1 : g.cell * 2 >= number ? 2 : 4;
    for (int bank = 0; bank < model::banks; bank += stride) {
        const std::string text = std::to_string(bank);
        const float x = g.x(bank);
        const float inset = (g.cell - draw::measure(theme.mono, text).x) / 2;
        draw::text(list, theme.mono, {x + std::max(0.0f, inset), g.place.y}, theme.ink_quiet, text);
    }
    // Also below the access: while the other stage's goes on, all banks are free again.
    for (std::size_t i = 0; i < g.tops.size(); ++i)
        for (int bank = 0; bank < model::banks; ++bank) {
            const draw::Box box = g.box(static_cast<int>(i), bank);
            list->AddRectFilled(box.min, box.max, draw::empty_colour(theme));
        }
    const float line = draw::line_height(theme.mono);
    for (std::size_t i = 0; i < diagram.picture.rows.size(); ++i) {
        const BankRow& row = diagram.picture.rows[i];
        const draw::Box first = g.box(static_cast<int>(i), 0);
        const bool new_group = i == 0 || diagram.picture.rows[i - 1].group != row.group;
        // Where wavefronts are too low for words, only the first one of each group has a name.
        const float middle = first.min.y + first.height() / 2;
        const bool named = g.words && !g.beside;
        if (g.row >= line - 1 || (new_group && g.row * 2 >= line))
            draw::text(list, theme.mono,
                       {g.place.x, middle - line * (named     ? 2.0f
                                                    : g.words ? 1.0f
                                                              : 0.5f)},
                       row.conflict ? theme.warning : theme.ink_quiet, fmt::format("wave {}", i + 1));
        const float right = g.place.x + g.label - theme.px(6);
        const float numbers = named ? g.place.x : right - draw::measure(theme.mono, "lane").x;
        if (g.words) {
            draw::text(list, theme.mono, {numbers, middle - line}, theme.ink_faint, "lane");
            draw::text(list, theme.mono, {numbers, middle}, theme.ink_faint, "word");
        }
        if (new_group && i > 0)
            list->AddRectFilled({g.x(0), first.min.y - 2}, {g.x(model::banks), first.min.y}, theme.ink_faint);
    }
}

// Around the banks that a group makes answer more than once.
void draw_clashes(const BankDiagram& diagram, const DiagramGeometry& g, ImDrawList* list)
{
    for (const BankClash& clash : diagram.picture.clashes) {
        int first = -1, last = -1;
        for (int i = 0; i < static_cast<int>(diagram.picture.rows.size()); ++i)
            if (diagram.picture.rows[static_cast<std::size_t>(i)].group == clash.group) {
                first = first < 0 ? i : first;
                last = i;
            }
        if (first < 0)
            continue;
        for (int bank = 0; bank < model::banks;) {
            int end = bank;
            while (end < model::banks && clash.banks >> end & 1u)
                ++end;
            if (end > bank) {
                const ImVec2 min = g.box(first, bank).min, max = g.box(last, end - 1).max;
                list->AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, diagram.theme.warning, 0, 0,
                              std::max(1.0f, std::round(diagram.theme.px(2))));
                mark(diagram.marks, "clash", min, max);
            }
            bank = std::max(end, bank + 1);
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

// Words beside a cell that is too narrow for them.
struct Beside {
    draw::Box box;
    std::string words;
};

// For a narrow cell that many lanes share: the words beside it, where banks are idle.
// `free_from`: where the last such words of this wavefront end; moved on.
std::optional<Beside> beside(const BankDiagram& diagram, const DiagramGeometry& g, const BankSpan& span,
                             float& free_from)
{
    const std::string lanes = lane_list(span.lanes); // an arrow says whose they are
    const ImVec2 size = draw::measure(diagram.theme.mono, "← " + lanes);
    const int banks = static_cast<int>(std::ceil((size.x + diagram.theme.px(8)) / g.cell));
    const draw::Box box = g.box(span.wavefront, span.bank, span.banks);
    const float y = (box.min.y + box.max.y - size.y) / 2;
    const float right = box.max.x + diagram.theme.px(5), left = box.min.x - size.x - diagram.theme.px(5);
    float x = right;
    std::string words = "← " + lanes;
    if (!idle(diagram.picture, span.wavefront, span.bank + span.banks, banks)) {
        if (!idle(diagram.picture, span.wavefront, span.bank - banks, banks) || left < free_from)
            return {};
        x = left;
        words = lanes + " →";
    }
    free_from = x + size.x + diagram.theme.px(8);
    return Beside{{{x, y}, {x + size.x, y + size.y}}, words};
}

// Where the number of a span's lanes stands: above that of its word, where there is one.
draw::Box place_of_lanes(const BankDiagram& diagram, const DiagramGeometry& g, const BankSpan& span)
{
    const draw::Box box = g.box(span.wavefront, span.bank, span.banks);
    if (!g.words)
        return box;
    const float middle = (box.min.y + box.max.y) / 2;
    return {{box.min.x, middle - draw::line_height(diagram.theme.mono_bold)}, {box.max.x, middle}};
}

// Of all spans that many lanes share and that have no room for their names.
std::vector<Beside> words_beside(const BankDiagram& diagram, const DiagramGeometry& g)
{
    std::vector<Beside> all;
    std::vector<float> free_from(diagram.picture.rows.size(), g.place.x);
    for (const BankSpan& span : diagram.picture.spans) {
        if (std::popcount(span.lanes) == 1)
            continue;
        const draw::Box box = place_of_lanes(diagram, g, span);
        const ImVec2 size = draw::measure(diagram.theme.mono_bold, label_of(span));
        if (size.x <= box.width() && size.y <= box.height() + 3)
            continue;
        if (auto words = beside(diagram, g, span, free_from[static_cast<std::size_t>(span.wavefront)]))
            all.push_back(std::move(*words));
    }
    return all;
}

// What is left of a box at the right or the left of the words, whichever is wider.
draw::Box without(draw::Box box, const std::vector<Beside>& all, float margin)
{
    for (const Beside& words : all) {
        const draw::Box taken = words.box;
        if (taken.max.y <= box.min.y || taken.min.y >= box.max.y || taken.max.x <= box.min.x ||
            taken.min.x >= box.max.x)
            continue;
        if (taken.min.x - box.min.x > box.max.x - taken.max.x)
            box.max.x = taken.min.x - margin;
        else
            box.min.x = taken.max.x + margin;
    }
    return box;
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
void draw_labels(const BankDiagram& diagram, const DiagramGeometry& g, ImDrawList* list)
{
    const std::vector<BankSpan>& spans = diagram.picture.spans;
    const ImVec2 widest = draw::measure(diagram.theme.mono_bold, "31");
    const float roomy = widest.x + diagram.theme.px(3); // or neighbours run together
    const bool staggered = g.cell < roomy && 2 * g.cell >= widest.x + 4 && g.row >= 2 * widest.y;
    for (const Beside& one : words_beside(diagram, g))
        draw::text(list, diagram.theme.mono, one.box.min, diagram.theme.ink, one.words);
    for (std::size_t i = 0; i < spans.size();) {
        const BankSpan& span = spans[i];
        const Colour ink = ink_on(colour_of(diagram, span.group));
        const draw::Box box = place_of_lanes(diagram, g, span);
        std::size_t end = i + 1;
        if (g.words)
            draw::text_in(list, diagram.theme.mono, {{box.min.x, box.max.y}, {box.max.x, box.max.y + widest.y}},
                          draw::with_alpha(ink, 0.7f), std::to_string(span.word));
        if (std::popcount(span.lanes) > 1 || box.width() >= roomy) {
            draw::text_in(list, diagram.theme.mono_bold, box, ink, label_of(span));
        } else if (staggered) {
            // Neighbours stand at two heights, so that each has the width of two cells.
            const float middle = (box.min.y + box.max.y) / 2, y = span.bank % 2 == 0 ? middle - widest.y : middle;
            const draw::Box wide{{box.min.x - g.cell / 2, y}, {box.max.x + g.cell / 2, y + widest.y}};
            draw::text_in(list, diagram.theme.mono_bold, wide, ink, label_of(span));
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

float bank_diagram_height(const Theme& theme, std::size_t rows, float room)
{
    const auto count = static_cast<float>(std::max<std::size_t>(rows, 1));
    // Few wavefronts leave more to what stands below.
    const float share = std::min(0.48f + 0.04f * (count - 1), 0.64f);
    return std::floor(std::min(room * share, header_height(theme) + count * theme.px(tallest_row)));
}

std::optional<draw::Box> idle_box(const BankDiagram& diagram, const std::function<bool(const draw::Box&)>& holds)
{
    const DiagramGeometry g = geometry_of(diagram);
    const std::vector<Beside> words = words_beside(diagram, g);
    std::optional<draw::Box> best;
    for (const IdleRoom& room : idle_rooms(diagram.picture, static_cast<int>(g.tops.size()))) {
        const draw::Box box = without({g.box(room.wavefront, room.bank).min,
                                       g.box(room.wavefront + room.wavefronts - 1, room.bank + room.banks - 1).max},
                                      words, diagram.theme.px(8));
        const bool larger = !best || box.width() * box.height() > best->width() * best->height();
        if (larger && holds(box))
            best = box;
    }
    return best;
}

std::optional<uint32_t> draw_bank_diagram(const BankDiagram& diagram)
{
    const DiagramGeometry g = geometry_of(diagram);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool over = draw::item("banks", diagram.box);
    draw_frame(diagram, g, list);
    std::optional<uint32_t> hit;
    for (const BankSpan& span : diagram.picture.spans) {
        const draw::Box whole = g.box(span.wavefront, span.bank, span.banks);
        list->AddRectFilled(whole.min, whole.max, colour_of(diagram, span.group));
        // Marks between the words of one lane.
        for (int bank = 1; bank < span.banks; ++bank) {
            const float x = g.x(span.bank + bank) - 1, tick = std::round(g.row / 5);
            list->AddRectFilled({x, whole.min.y}, {x + 1, whole.min.y + tick}, diagram.theme.background);
            list->AddRectFilled({x, whole.max.y - tick}, {x + 1, whole.max.y}, diagram.theme.background);
        }
        const bool selected = span.lanes >> diagram.selected_lane & 1u;
        if (over && whole.holds(ImGui::GetMousePos()))
            hit = selected ? diagram.selected_lane : static_cast<uint32_t>(std::countr_zero(span.lanes));
    }
    draw_labels(diagram, g, list);
    draw_clashes(diagram, g, list);
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
