// The elements of A or B that a block reads, each with the number of its reads.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <optional>

namespace viz {

// An element of an operand at the present time.
enum class ReadState : uint8_t { never, later, now, done };
Colour reads_colour(const Theme& theme, ReadState state);

// The height that a picture of the band takes in that room: elements are drawn square.
float reads_height(const OperandReuse& operand, const Theme& theme, ImVec2 room);

// The band of an operand, from global or from shared memory. One ImGui item; returns the element under the mouse.
struct ReadsPicture {
    const OperandReuse& operand;
    bool shared = false;
    std::size_t first_step = 0, last_step = 0; // that count as now
    const Theme& theme;
    Marks* marks = nullptr;
};
std::optional<Cell> draw_reads(const ReadsPicture& picture, const draw::Box& box);

} // namespace viz
