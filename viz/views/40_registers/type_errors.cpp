#include "viz/views/40_registers/type_errors.h"

#include "viz/origin.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

std::vector<TypeError> type_errors(const Board& board)
{
    std::vector<TypeError> errors;
    for (const RungFigures& rung : board.rungs) {
        const bool known = std::ranges::find(errors, rung.type, &TypeError::type) != errors.end();
        const bool comparable = errors.empty() || (rung.speed && rung.speed->problem == errors.front().problem);
        if (rung.library && !known && comparable && rung.speed && rung.speed->total_error.value_or(0) > 0)
            errors.push_back({rung.type, *rung.speed->total_error, rung.speed->problem, rung.speed.from()});
    }
    std::ranges::stable_sort(errors, {}, &TypeError::error);
    return errors;
}

void draw_type_errors(const StagePart& part, const std::vector<TypeError>& errors, const std::string& own,
                      const draw::Box& box)
{
    const Theme& theme = part.theme();
    const float line = draw::row_height(theme, 3);
    const auto count = static_cast<float>(errors.size());
    const float names = draw::measure(theme.mono, "TF32").x + theme.px(18);
    const float numbers = draw::measure(theme.mono_bold, "0.0e-00").x + theme.px(8);
    const float left = box.min.x + names, right = box.max.x - numbers;
    if (errors.empty() || box.height() < line * (count + 1) || right - left < theme.px(30))
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string titles[] = {
        plain(Message{"registers.type_errors", {{"size", size_words(errors.front().problem)}}}),
        plain(Message{"registers.type_errors_short"})};
    draw::text(list, theme.text, box.min, theme.ink_quiet, draw::first_fitting(theme.text, box.width(), titles));
    const bool labelled = box.height() - 2 * line >= 0.85f * line * count; // of the powers of ten, below
    const float row = std::min((box.height() - line * (labelled ? 2 : 1)) / count, 2.5f * line);
    const float bottom = box.min.y + line + row * count;
    float last = box.min.x; // where the label before ends
    const double least = std::log10(errors.front().error) - 0.5, most = std::log10(errors.back().error);
    for (double power = std::ceil(least); power <= most; ++power) {
        const float x = left + (right - left) * static_cast<float>((power - least) / std::max(most - least, 1e-3));
        list->AddRectFilled({std::round(x), box.min.y + line}, {std::round(x) + 1, bottom}, theme.border);
        const std::string label = fmt::format("1e{:03.0f}", power);
        const float half = draw::measure(theme.mono, label).x / 2;
        if (labelled && x - half > last && x + half < box.max.x) {
            draw::text(list, theme.mono, {x - half, bottom}, theme.ink_faint, label);
            last = x + half + theme.px(8);
        }
    }
    // Powers of ten have no zero: a bar's length from here means nothing, where it ends does.
    list->AddRectFilled({std::round(left) - 1, box.min.y + line}, {std::round(left), bottom}, theme.ink_faint);
    float y = box.min.y + line;
    for (const TypeError& one : errors) {
        const float middle = y + (row - line) / 2;
        const bool is_own = one.type == own;
        draw::text(list, theme.mono, {box.min.x, middle}, is_own ? theme.ink : theme.ink_quiet, upper_case(one.type));
        draw_origin(*list, origin_of(one.from), {left - theme.px(9), middle + line / 2 - theme.px(1)}, theme.px(3),
                    theme.ink_faint);
        const auto share = static_cast<float>((std::log10(one.error) - least) / std::max(most - least, 1e-3));
        const ImVec2 end{left + (right - left) * share, y + row - theme.px(2)};
        list->AddRectFilled({left, y + theme.px(2)}, end, is_own ? part.accent() : mix(theme.panel, theme.ink, 0.3f));
        draw::text(list, theme.mono_bold, {end.x + theme.px(6), middle}, theme.ink, fmt::format("{:.1e}", one.error));
        mark(part.marks(), "error of " + one.type, {left, y + theme.px(2)}, end);
        y += row;
    }
}

} // namespace viz
