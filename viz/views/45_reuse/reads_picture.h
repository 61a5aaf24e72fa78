// The elements of A or B that a block reads, each with the number of its reads.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/draw/stage_part.h"

#include <optional>
#include <string_view>

namespace viz {

// An element of an operand at the present time.
enum class ReadState : uint8_t { never, later, now, done };

// `share`: of the most reads there are, 0 to 1, which get the full accent.
Colour reads_colour(const Theme& theme, std::size_t column, double share, ReadState state);

// On a logarithmic scale, so that 1 and 16 are told apart beside 128.
double reads_share(double reads, double most);

// From where elements are read; `used`: multiplied, whatever registers they then lie in.
enum class ReadLevel : uint8_t { global, shared, used };
std::string_view name(ReadLevel level);

// The band of an operand at one level, all of the box. One ImGui item; returns the element under the mouse.
struct ReadsPicture {
    const StagePart& part;
    const Reuse& reuse;
    const OperandReuse& operand;
    ReadLevel level = ReadLevel::global;
    double most = 1;                           // reads that get the full colour: of both stages
    std::size_t first_step = 0, last_step = 0; // that count as now
};
std::optional<Cell> draw_reads(const ReadsPicture& picture, const draw::Box& box);

// How often an element is read there, on average.
double reads_at(const Reuse& reuse, const OperandReuse& operand, ReadLevel level);

} // namespace viz
