// What the reuse view says of the block of one stage: facts, without any picture.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/analysis/timeline.h"
#include "viz/board.h"
#include "viz/draw/focus.h"
#include "viz/text/rich.h"

#include <optional>
#include <vector>

namespace viz {

struct BlockReuse {
    const recording::Recording& recording;
    const recording::BlockTrace& block;
    const Reuse& reuse;

    uint32_t element_bytes() const { return recording.arrays[0].element_bytes; }
};

// A stage that is shown, with what is known of its block.
struct ReuseStage {
    const StageColumn& stage;
    Focus focus;
    BlockReuse shown;
    const RungFigures* rung = nullptr; // null: nothing is known of it
    Phase now;                         // steps that count as now

    const Reuse& reuse() const { return shown.reuse; }
    bool tiles() const { return reuse().shared_bytes > 0; }
    const std::string& name_of(const OperandReuse& operand) const { return shown.recording.arrays[operand.array].name; }
    const HardwareFigures* counted() const { return largest_counted(rung); }
};

// Of a block of the column; empty where the stage has no operands, null while it is being computed.
const std::optional<Reuse>* reuse_in(const StageColumn& column, const recording::BlockTrace& block);

// The element of an operand that is followed: in the row of `c` (of A), or in its column (of B), the first one that is read between
// two steps, else the last one that was read before; of the band the first one where none was.
Cell followed_element(const Reuse& reuse, const OperandReuse& operand, const Cell& c, std::size_t first_step,
                      std::size_t last_step);

// How often each element is read, and what that leaves out.
Rich reads_paragraph(const BlockReuse& block);

// Arithmetic intensity at a level of memory, in FLOP per byte.
struct LevelIntensity {
    std::string level;               // "shared", "sectors", "DRAM"
    CellRect tile;                   // of C, for which a value that was fetched there is used
    std::optional<double> recorded;  // of the block
    std::optional<double> counted;   // by the GPU, of a whole launch
    recording::Problem counted_at{}; // its size
};

// From the registers outwards. Counted is the recording's own launch where a recorded figure stands beside it, else the largest one
// that was: of a small one L2 looks up little but code. `rung` null: nothing is known of it.
std::vector<LevelIntensity> intensities_of(const BlockReuse& block, const RungFigures* rung);

} // namespace viz
