#include "viz/views/70_faster/layout_picture.h"

#include "viz/analysis/access.h"
#include "viz/text/templates.h"

#include "model/access_cost.h"

#include <algorithm>

namespace viz {

namespace {

bool lies_elsewhere(const recording::Array& array, const recording::Array& other)
{
    if (array.rows != other.rows || array.cols != other.cols)
        return true;
    for (uint32_t row = 0; row < array.rows; ++row)
        for (uint32_t col = 0; col < array.cols; ++col)
            if (array.offset_of(row, col) != other.offset_of(row, col))
                return true;
    return false;
}

} // namespace

const recording::Array* moved_array(const recording::Recording& recording, const recording::Recording& other)
{
    for (const recording::Array& array : recording.arrays) {
        const auto same = std::ranges::find(other.arrays, array.name, &recording::Array::name);
        if (array.space == recording::Space::shared && same != other.arrays.end() && lies_elsewhere(array, *same))
            return &array;
    }
    return nullptr;
}

std::optional<Message> draw_layout(const Theme& theme, const std::string& slug, const recording::Array& array,
                                   const draw::Box& box)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float label = draw::row_height(theme, 3, theme.mono);
    const std::string names[] = {plain({"faster.layout_title", {{"tile", array.name}}}),
                                 plain({"faster.layout_title_short", {{"tile", array.name}}})};
    draw::text(list, theme.mono, box.min, theme.ink_quiet, draw::first_fitting(theme.mono, box.width(), names));
    constexpr uint64_t row_bytes = uint64_t{model::banks} * model::bank_bytes;
    const auto rows = static_cast<float>(std::max<uint64_t>(1, (array.bytes + row_bytes - 1) / row_bytes));
    const float width = box.width() / model::banks, height = (box.height() - label) / rows;
    const ImVec2 corner{box.min.x, box.min.y + label};
    list->AddRectFilled(corner, box.max, theme.panel);
    const float gap = std::min(width, height) > 4 ? 1.0f : 0.0f;
    for (uint32_t row = 0; row < array.rows; ++row)
        for (uint32_t col = 0; col < array.cols; ++col) {
            const uint64_t offset = array.offset_of(row, col);
            const float x = corner.x + width * static_cast<float>(offset % row_bytes) / model::bank_bytes;
            const float y = corner.y + height * static_cast<float>(offset / row_bytes);
            const float wide = width * static_cast<float>(array.element_bytes) / model::bank_bytes;
            // As in the view of layouts: by the bank in which it would lie row after row.
            const uint64_t home = (uint64_t{row} * array.cols + col) * array.element_bytes;
            list->AddRectFilled({x, y}, {x + wide - gap, y + height - gap},
                                lane_colour(theme, static_cast<uint32_t>(model::bank_of(home))));
        }
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!draw::pointed_at({corner, box.max}))
        return {};
    const auto bank = std::min(static_cast<uint64_t>((mouse.x - corner.x) / width), uint64_t{model::banks} - 1);
    const uint64_t offset = static_cast<uint64_t>((mouse.y - corner.y) / height) * row_bytes + bank * model::bank_bytes;
    const auto cell = Elements(array).at(offset);
    if (!cell)
        return {};
    return Message{"layout.element_hint",
                   {{"stage", slug},
                    {"element", element_name(array.name, {*cell})},
                    {"place", offset / array.element_bytes},
                    {"byte", offset},
                    {"bank", bank}}};
}

} // namespace viz
