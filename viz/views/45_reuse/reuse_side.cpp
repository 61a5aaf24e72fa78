#include "viz/views/45_reuse/reuse_side.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace viz {

namespace {

constexpr std::size_t at_once = 6'000; // accesses that are followed within the frame

std::string times(double count)
{
    if (count == 1)
        return "once";
    return std::abs(count - std::round(count)) < 0.005 ? counted(static_cast<uint64_t>(std::llround(count)), "time")
                                                       : fmt::format("{:.2f} times", count);
}

} // namespace

void ReuseSide::update(const Subject& subject, const Focus& focus)
{
    if (recording != subject.recording || block != focus.block) {
        recording = subject.recording;
        block = focus.block;
        known = false;
        reuse.reset();
        work.start([kept = recording, which = block] { return reuse_of(*kept, *which); },
                   access_count(*block) <= at_once);
    }
    if (auto done = work.take()) {
        reuse = std::move(*done);
        known = true;
    }
}

Prose reuse_sentence(const Theme& theme, const ReuseSide& side)
{
    const Reuse& reuse = *side.reuse;
    Prose prose(theme);
    for (const OperandReuse& operand : reuse.operands) {
        prose.say(operand.array == 0 ? "Each element of " : " Each of ");
        prose.code(side.recording->arrays[operand.array].name);
        prose.say(operand.array == 0 ? " that this block needs is read " : " ");
        prose.figure(times(operand.from_global())).say(" from global memory");
        if (operand.shared_reads > 0)
            prose.say(" and ").figure(times(operand.from_shared())).say(" from shared memory");
        prose.say(".");
    }
    if (reuse.derived)
        prose.faint(" Derived, not recorded: TMA copies boxes and wgmma reads its operands by itself, so no lane's "
                    "address says "
                    "it; the boxes follow from the descriptors and the tiles. One wgmma counts as one read.");
    const uint64_t across = side.recording->launch.grid.volume();
    const auto& p = side.recording->problem;
    if (across > 1 && reuse.block_tile.rows > 0 && reuse.block_tile.cols > 0 && p.K > 1) {
        const uint64_t cols = (p.N + reuse.block_tile.cols - 1) / reuse.block_tile.cols;
        const uint64_t rows = (p.M + reuse.block_tile.rows - 1) / reuse.block_tile.rows;
        prose.say(" ").figure(counted(cols, "block")).say(" of the grid need the same rows of A, and ");
        prose.figure(counted(rows, "block"))
            .say(" the same columns of B: each reads them again, from L2 if it still "
                 "has them.");
    }
    if (reuse.surplus_reads > 0)
        prose.say(" ")
            .figure(counted(reuse.surplus_reads, "read"))
            .say(" of these are of fragments for a k-tile after the last one, which does not come: they are read ahead "
                 "as "
                 "in every pass, and nobody needs them. So the averages are no whole numbers.");
    if (reuse.unknown_reads > 0)
        prose.say(" ")
            .figure(counted(reuse.unknown_reads, "read"), theme.warning)
            .say(" of shared memory are not of A or B, or could not be followed to an element: they are left out.");
    return prose;
}

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
