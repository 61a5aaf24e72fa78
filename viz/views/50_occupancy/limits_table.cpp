#include "viz/views/50_occupancy/limits_table.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace viz {

float draw_limits(ImDrawList* list, const Theme& theme, const SmLimits& limits, const OccupancyCase& one,
                  const draw::Box& box)
{
    if (!one.now.refusal.empty())
        return 0;
    const uint32_t warps = (one.needs.threads + recording::warp_size - 1) / recording::warp_size;
    const uint32_t of_warp = registers_of_warp(limits, one.needs.registers);
    const uint32_t per_part = limits.registers / sm_parts / of_warp;
    const uint32_t shared = one.needs.shared_bytes + limits.shared_reserved;
    const uint32_t fit = per_part * sm_parts;
    // In full where there is room, else in short.
    const std::pair<std::string, std::string> sums[limit_count] = {
        {fmt::format("4 x ({} / {}) = {} warps, / {}", thousands(uint64_t{limits.registers / sm_parts}),
                     thousands(uint64_t{of_warp}), fit, warps),
         fmt::format("{} warps / {}", fit, warps)},
        {shared == 0
             ? "none is used"
             : fmt::format("{} / ({} + {}) bytes", thousands(uint64_t{limits.shared_bytes}),
                           thousands(uint64_t{one.needs.shared_bytes}), thousands(uint64_t{limits.shared_reserved})),
         fmt::format("{} / {} KiB", limits.shared_bytes / 1024, (shared + 1023) / 1024)},
        {fmt::format("{} warps / {}", limits.warps, warps), ""},
        {"fixed", ""}};
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(6));
    const float names = draw::measure(theme.text, "shared memory").x + theme.px(16);
    float y = box.min.y;
    for (int i = 0; i < limit_count; ++i, y += row) {
        const bool least = one.now.limited_by(static_cast<Limit>(i));
        if (least)
            list->AddRectFilled({box.min.x, y}, {box.max.x, y + row - theme.px(1)},
                                draw::mix(theme.panel, theme.warning, 0.25f));
        draw::text(list, theme.text, {box.min.x + theme.px(4), y + theme.px(2)}, theme.ink, limit_names[i]);
        const std::string blocks = counted(one.now.allowed[static_cast<std::size_t>(i)], "block");
        const float room = box.width() - names - draw::measure(theme.mono_bold, blocks).x - theme.px(16);
        const bool whole = draw::measure(theme.mono, sums[i].first).x <= room;
        draw::text(list, theme.mono, {box.min.x + names, y + theme.px(2)}, theme.ink_quiet,
                   whole ? sums[i].first : sums[i].second);
        draw::text_right(list, theme.mono_bold, {box.max.x - theme.px(4), y + theme.px(2)}, theme.ink, blocks);
    }
    return y - box.min.y;
}

} // namespace viz
