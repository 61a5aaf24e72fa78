#include "viz/views/45_reuse/reads_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace viz {

Colour reads_colour(const Theme& theme, ReadState state)
{
    switch (state) {
    case ReadState::never: return theme.background;
    case ReadState::later: return draw::mix(theme.panel, theme.first, 0.12f);
    case ReadState::now: return theme.first;
    case ReadState::done: break;
    }
    return draw::mix(theme.panel, theme.first, 0.45f);
}

namespace {

float cell_of(const OperandReuse& operand, const Theme& theme, ImVec2 room)
{
    return std::min({room.x / static_cast<float>(std::max(1u, operand.band.cols)),
                     room.y / static_cast<float>(std::max(1u, operand.band.rows)), theme.px(26)});
}

ReadState state_of(const ReadsPicture& picture, std::size_t index)
{
    const StepRange& range = (picture.shared ? picture.operand.shared_steps : picture.operand.global_steps)[index];
    if (range.first > range.last)
        return ReadState::never;
    if (range.meets(picture.first_step, picture.last_step))
        return ReadState::now;
    return range.first > picture.last_step ? ReadState::later : ReadState::done;
}

} // namespace

float reads_height(const OperandReuse& operand, const Theme& theme, ImVec2 room)
{
    return cell_of(operand, theme, room) * static_cast<float>(operand.band.rows);
}

std::optional<Cell> draw_reads(const ReadsPicture& picture, const draw::Box& box)
{
    const OperandReuse& operand = picture.operand;
    const Theme& theme = picture.theme;
    const std::vector<uint32_t>& counts = picture.shared ? operand.shared : operand.global;
    const uint32_t rows = operand.band.rows, cols = operand.band.cols;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (rows == 0 || cols == 0)
        return {};
    const float side = cell_of(operand, theme, {box.width(), box.height()});
    const float space = side >= 8 ? 1.0f : 0.0f;
    const std::string longest = std::to_string(picture.shared ? operand.most_shared : operand.most_global);
    const ImVec2 words = draw::measure(theme.mono, longest);
    const bool printed = side >= words.x + theme.px(3) && side >= words.y;
    std::vector<ReadState> states(counts.size());
    for (std::size_t i = 0; i < states.size(); ++i)
        states[i] = state_of(picture, i);
    // Where cells touch, rows that are the same as the one above and runs within a row are drawn as one.
    for (uint32_t row = 0; row < rows;) {
        const auto line = states.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * cols);
        uint32_t next = row + 1;
        while (space == 0 && next < rows && std::equal(line, line + cols, line + std::ptrdiff_t{cols} * (next - row)))
            ++next;
        for (uint32_t col = 0; col < cols;) {
            uint32_t end = col + 1;
            while (space == 0 && end < cols && line[end] == line[col])
                ++end;
            const draw::Box cell{
                {box.min.x + side * static_cast<float>(col), box.min.y + side * static_cast<float>(row)},
                {box.min.x + side * static_cast<float>(end) - space,
                 box.min.y + side * static_cast<float>(next) - space}};
            const Colour face = reads_colour(theme, line[col]);
            list->AddRectFilled(cell.min, cell.max, face);
            if (printed)
                draw::text_in(list, theme.mono, cell, ink_on(face),
                              std::to_string(counts[std::size_t{row} * cols + col]));
            col = end;
        }
        row = next;
    }
    const ImVec2 size{side * static_cast<float>(cols), side * static_cast<float>(rows)};
    list->AddRect({box.min.x - 1, box.min.y - 1}, {box.min.x + size.x + 1, box.min.y + size.y + 1}, theme.border);
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton(picture.shared ? "shared" : "global", {std::max(1.0f, size.x), std::max(1.0f, size.y)});
    mark_item(picture.marks,
              fmt::format("reads:{} {}", operand.array == 0 ? "A" : "B", picture.shared ? "shared" : "global"));
    if (!ImGui::IsItemHovered())
        return {};
    const ImVec2 mouse = ImGui::GetMousePos();
    return Cell{std::min(rows - 1, static_cast<uint32_t>(std::max(0.0f, (mouse.y - box.min.y) / side))),
                std::min(cols - 1, static_cast<uint32_t>(std::max(0.0f, (mouse.x - box.min.x) / side)))};
}

} // namespace viz
