#include "app/panels/claims/claim_scale.h"

#include <algorithm>
#include <cmath>

namespace app {

ClaimScale scale_of(const ClaimTable& table)
{
    ClaimScale scale;
    for (const ClaimRow& row : table.rows) {
        if (!compares_two(row.claim->measure))
            continue;
        for (const std::optional<double>& times : {row.claimed, row.theirs_here, row.ours.value()}) {
            if (!times)
                continue;
            scale.low = std::min(scale.low, static_cast<int>(std::floor(std::log2(*times))));
            scale.high = std::max(scale.high, static_cast<int>(std::ceil(std::log2(*times))));
        }
    }
    return scale;
}

viz::Colour colour_of(const viz::Theme& theme, Agreement agreement)
{
    switch (agreement) {
    case Agreement::agrees: return theme.good;
    case Agreement::opposite:
    case Agreement::less:
    case Agreement::more: return theme.warning;
    case Agreement::no_difference: return theme.ink;
    case Agreement::unknown: break;
    }
    return theme.ink_faint;
}

void draw_claim(const viz::Theme& theme, const ClaimScale& scale, const ClaimRow& row, const viz::draw::Box& box)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float margin = theme.px(8), radius = std::min(box.height() / 2 - theme.px(3), theme.px(5));
    const float middle = (box.min.y + box.max.y) / 2;
    const auto x_of = [&](double times) {
        const double part = (std::log2(times) - scale.low) / (scale.high - scale.low);
        return box.min.x + margin + (box.width() - 2 * margin) * static_cast<float>(part);
    };
    for (int power = scale.low; power <= scale.high; ++power) {
        const float x = std::round(x_of(std::exp2(power)));
        list->AddLine({x, box.min.y}, {x, box.max.y}, power == 0 ? theme.ink_faint : theme.border);
    }
    if (!compares_two(row.claim->measure))
        return;
    const viz::Colour colour = colour_of(theme, row.agreement);
    const std::optional<double> ours = row.ours.value();
    if (row.claimed && ours)
        list->AddLine({x_of(*row.claimed), middle}, {x_of(*ours), middle}, viz::draw::with_alpha(colour, 0.7f),
                      theme.px(2));
    if (row.theirs_here) {
        const float x = x_of(*row.theirs_here);
        list->AddRectFilled({x - theme.px(1), middle - radius}, {x + theme.px(1), middle + radius}, theme.ink_quiet);
    }
    if (row.claimed)
        list->AddCircle({x_of(*row.claimed), middle}, radius, theme.ink, 0, theme.px(1.5f));
    else if (row.claim->order) { // no figure: an arrow to that side
        const float to = *row.claim->order == ClaimOrder::faster ? theme.px(14) : -theme.px(14), from = x_of(1),
                    head = to / 3;
        list->AddLine({from, middle}, {from + to, middle}, theme.ink, theme.px(1.5f));
        list->AddTriangleFilled({from + to + head, middle}, {from + to - head / 2, middle - radius * 0.8f},
                                {from + to - head / 2, middle + radius * 0.8f}, theme.ink);
    }
    if (ours)
        list->AddCircleFilled({x_of(*ours), middle}, radius * 0.75f, colour);
}

} // namespace app
