// What the reuse view has of one stage, its pictures and its table.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/board.h"
#include "viz/draw/background.h"
#include "viz/draw/draw.h"
#include "viz/draw/focus.h"
#include "viz/marks.h"

#include <memory>
#include <optional>
#include <string>

namespace viz {

struct ReuseSide {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    bool known = false;
    std::optional<Reuse> reuse; // nothing, although known: the stage has no operands

    void update(const Subject& subject, const Focus& focus);
    bool settled() const { return !work.busy(); }
    uint32_t element_bytes() const { return recording->arrays[0].element_bytes; }

private:
    Background<std::optional<Reuse>> work;
};

// "Each element of A that this block needs is read once from global memory and 16 times from shared memory ..."
Prose reuse_sentence(const Theme& theme, const ReuseSide& side);

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

// FLOP per byte at each level, by formula, by recording and by the GPU's counters, of the largest launch that was counted.
// Returns its height. `rung` null: nothing is known of it.
float draw_intensities(ImDrawList* list, const Theme& theme, const ReuseSide& side, const RungFacts* rung,
                       const draw::Box& box);

} // namespace viz
