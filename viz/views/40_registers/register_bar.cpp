#include "viz/views/40_registers/register_bar.h"

#include "viz/analysis/occupancy.h"
#include "viz/views/40_registers/fragment_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

float draw_register_bar(const StagePart& stage, const RegisterUse& use)
{
    if (!use.registers)
        return 0;
    const Theme& theme = stage.theme();
    const draw::Box& box = stage.box;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = theme.px(24);
    list->AddRectFilled(box.min, {box.max.x, box.min.y + height}, draw::empty_colour(theme));
    const uint32_t sums = std::min(use.results, *use.registers);
    const uint32_t operands = use.elsewhere() ? 0 : std::min(use.fragments, *use.registers - sums);
    struct Part {
        const char* name;
        uint32_t count;
        Colour colour;
    };
    float x = box.min.x;
    for (const Part& part :
         {Part{"results", sums, stage.accent()}, Part{"fragments", operands, fragment_colour(theme, false)},
          Part{"other", *use.registers - sums - operands, theme.barrier}}) {
        const float width = std::round(box.width() * static_cast<float>(part.count) / most_registers);
        const draw::Box place{{x, box.min.y}, {x + width, box.min.y + height}};
        list->AddRectFilled(place.min, {std::max(place.min.x, place.max.x - 1), place.max.y}, part.colour);
        if (!draw::text_in(list, theme.text, place, ink_on(part.colour), fmt::format("{} {}", part.name, part.count)))
            draw::text_in(list, theme.mono, place, ink_on(part.colour), std::to_string(part.count));
        mark(stage.marks(), fmt::format("registers:{}", part.name), place);
        x += width;
    }
    const std::string used = fmt::format("{} of {}", *use.registers, most_registers);
    const float room = box.max.x - theme.px(6) - x;
    const char* const words = use.registers_left ? "+ {} B in local memory" : "+ {} B spilled";
    const std::string local = use.local.value_or(0) == 0 ? "" : fmt::format(fmt::runtime(words), *use.local);
    const bool full = draw::measure(theme.mono, used).x > room; // then the number stands on what is full
    const Colour ink = full ? ink_on(theme.barrier) : theme.ink_quiet;
    const ImVec2 end{box.max.x - theme.px(6), box.min.y + theme.px(4)};
    if (!local.empty())
        draw::text_right(list, theme.mono_bold, end, theme.warning, local);
    else
        draw::text_right(list, theme.mono, end, ink, used);
    list->AddRect(box.min, {box.max.x, box.min.y + height}, theme.border);
    return height;
}

} // namespace viz
