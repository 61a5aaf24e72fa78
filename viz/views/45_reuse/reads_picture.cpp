#include "viz/views/45_reuse/reads_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace viz {

Colour reads_colour(const Theme& theme, std::size_t column, double share, ReadState state)
{
    const Colour full = mix(theme.panel, theme.accent(column), 0.12f + 0.88f * static_cast<float>(share));
    switch (state) {
    case ReadState::never: return theme.background;
    case ReadState::later: return mix(theme.background, full, 0.6f);
    case ReadState::now: return mix(full, theme.ink, 0.4f);
    case ReadState::done: break;
    }
    return full;
}

double reads_share(double reads, double most)
{
    return reads <= 0 ? 0 : std::log2(1 + reads) / std::log2(1 + std::max(most, reads));
}

std::string_view name(ReadLevel level)
{
    switch (level) {
    case ReadLevel::global: return "global";
    case ReadLevel::shared: return "shared";
    case ReadLevel::used: break;
    }
    return "multiplied";
}

double reads_at(const Reuse& reuse, const OperandReuse& operand, ReadLevel level)
{
    switch (level) {
    case ReadLevel::global: return operand.from_global();
    case ReadLevel::shared: return operand.from_shared();
    case ReadLevel::used: break;
    }
    return reuse.uses(operand);
}

namespace {

// An element's number of reads and its state, by one number: cells of the same look are drawn as one.
struct Look {
    uint32_t reads = 0;
    ReadState state = ReadState::never;
    bool operator==(const Look&) const = default;
};

class ReadsPainter {
public:
    ReadsPainter(const ReadsPicture& what, const draw::Box& where)
        : picture(what), operand(what.operand), theme(what.part.theme()), box(where), list(ImGui::GetWindowDrawList()),
          // Without tiles an element is multiplied when it comes from global memory.
          by_shared(what.level == ReadLevel::shared || (what.level == ReadLevel::used && what.reuse.shared_bytes > 0))
    {
        width = box.width() / static_cast<float>(operand.band.cols);
        height = box.height() / static_cast<float>(operand.band.rows);
        space = std::min(width, height) >= 8 ? 1.0f : 0.0f;
        const ImVec2 words = draw::measure(theme.mono, "0000");
        printed = width >= words.x && height >= words.y && picture.level != ReadLevel::used;
        const std::size_t count = operand.global.size();
        looks.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            looks.push_back(look_of(i));
    }

    // Where cells touch, rows that are the same as the one above and runs within a row are drawn as one.
    void draw()
    {
        const uint32_t rows = operand.band.rows, cols = operand.band.cols;
        for (uint32_t row = 0; row < rows;) {
            const auto line = looks.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * cols);
            uint32_t next = row + 1;
            while (space == 0 && next < rows &&
                   std::equal(line, line + cols, line + std::ptrdiff_t{cols} * (next - row)))
                ++next;
            for (uint32_t col = 0; col < cols;) {
                uint32_t end = col + 1;
                while (space == 0 && end < cols && line[end] == line[col])
                    ++end;
                draw_cells(line[col], row, next, col, end);
                col = end;
            }
            row = next;
        }
        list->AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, theme.border);
    }

private:
    Look look_of(std::size_t index) const
    {
        const StepRange& range = (by_shared ? operand.shared_steps : operand.global_steps)[index];
        const uint32_t reads = picture.level == ReadLevel::used
                                   ? static_cast<uint32_t>(std::lround(picture.reuse.uses(operand)))
                                   : (by_shared ? operand.shared : operand.global)[index];
        if (range.first > range.last)
            return {0, ReadState::never};
        if (range.meets(picture.first_step, picture.last_step))
            return {reads, ReadState::now};
        return {reads, range.first > picture.last_step ? ReadState::later : ReadState::done};
    }

    void draw_cells(const Look& look, uint32_t row, uint32_t next, uint32_t col, uint32_t end) const
    {
        const auto x = [&](uint32_t at) { return box.min.x + width * static_cast<float>(at); };
        const auto y = [&](uint32_t at) { return box.min.y + height * static_cast<float>(at); };
        const draw::Box cell{{x(col), y(row)}, {x(end) - space, y(next) - space}};
        const Colour face =
            reads_colour(theme, picture.part.stage.number, reads_share(look.reads, picture.most), look.state);
        list->AddRectFilled(cell.min, cell.max, face);
        if (printed)
            draw::text_in(list, theme.mono, cell, ink_on(face), std::to_string(look.reads));
    }

    const ReadsPicture& picture;
    const OperandReuse& operand;
    const Theme& theme;
    draw::Box box;
    ImDrawList* list;
    bool by_shared = false, printed = false;
    float width = 1, height = 1, space = 0; // of an element
    std::vector<Look> looks;
};

} // namespace

std::optional<Cell> draw_reads(const ReadsPicture& picture, const draw::Box& box)
{
    const CellRect& band = picture.operand.band;
    if (band.rows == 0 || band.cols == 0 || box.width() <= 0 || box.height() <= 0)
        return {};
    ReadsPainter(picture, box).draw();
    const std::string label = fmt::format("{} {}", picture.operand.array == 0 ? "A" : "B", name(picture.level));
    const bool hovered = draw::item(label.c_str(), box);
    mark_item(picture.part.marks(), "reads:" + label);
    if (!hovered)
        return {};
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto part = [](float at, float from, float length, uint32_t count) {
        return std::min(count - 1,
                        static_cast<uint32_t>(std::max(0.0f, (at - from) / length * static_cast<float>(count))));
    };
    return Cell{part(mouse.y, box.min.y, box.height(), band.rows), part(mouse.x, box.min.x, box.width(), band.cols)};
}

} // namespace viz
