// Why one stage is faster than another, in parts: who computes what, what each does per multiplication and executes, what
// cuBLAS launches, and which lines of the source changed.
#pragma once

#include "recording/as_executed.h"

#include "viz/analysis/instruction_mix.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/source_diff.h"
#include "viz/analysis/step_cost.h"
#include "viz/figure/figure.h"
#include "viz/stage_column.h"
#include "viz/view.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// Whose results a warp and a thread of a block hold: the block's tile of C.
struct BlockMapping {
    CellRect tile;               // whole, as its parameters say, also where it reaches beyond C
    uint32_t rows = 0, cols = 0; // of it that lie in C
    std::vector<uint32_t>
        threads; // the owner of each of these elements, row by row; recording::no_owner: another block's
    std::vector<CellRect> thread; // of the tile, what the selected lane computes
    uint64_t warp_results = 0, thread_results = 0;
    // A trace that took C as one long row, of which the block has parts here and there: its rows and columns are not known.
    bool scattered = false;
    bool passed_on = false; // shown is who stores, see sums_pass_through_shared
    bool reaches_out() const { return rows < tile.rows || cols < tile.cols; }
};
BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane);
Panel mapping_panel(const Theme& theme, const StageColumn& stage, const BlockMapping& mapping, uint32_t warp,
                    const Box& box);

// The number of the first shared array whose elements lie elsewhere than in the other recording.
std::optional<std::size_t> moved_array(const recording::Recording& recording, const recording::Recording& other);

// A shared tile as it lies in memory: 32 banks wide, each word in the colour of the bank that it would have row after row.
Panel layout_panel(const Theme& theme, const StageColumn& stage, std::size_t array, const Box& box);

// Two compared stages, and what their costs take of a third one.
struct Comparison {
    const Theme& theme;
    const ComparedRung& first;
    const ComparedRung& second;
    std::vector<WorkPair> work;
    std::optional<std::vector<WorkPair>> further; // of `first` and column 2; none: two are compared
    std::optional<recording::Problem> counted_at; // all of them; none: not, or at different sizes
    Per per = Per::multiplications;

    // Both are recordings of what the machine code does.
    bool traced() const
    {
        return recording::is_as_executed(first.recording) && recording::is_as_executed(second.recording);
    }
    std::size_t sides() const { return further ? 3 : 2; }
};

// "14.6 cycles"; of what an SM serves several of in a cycle also how many: "8.83 cycles (35.3 ÷ 4)".
std::string cycle_words(const WorkPair& pair, double count);

// The work of the stages on one scale: cycles of an SM, before those that the stage takes; the cause of the difference is lit.
// Marks "work:NAME COLUMN".
BarLayer cost_bars(const Comparison& comparison);

// A row for each measure on a scale of its own. Measures that are zero in both, or known of neither, are left out, and those per
// multiplication where they are not known of both; below that height those that are alike, too. Marks "bar:NAME COLUMN".
BarLayer measure_bars(const Comparison& comparison, float height);

// What two stages execute, on one scale: how much of it is arithmetic, and what the rest is for. Marks "mix:PART COLUMN".
enum class MixKind : uint8_t { by_class, by_pipe };
struct MixPair {
    MixKind kind = MixKind::by_class;
    std::array<MixOfLaunch, 2> mixes;
    std::array<std::string, 2> slugs;
};
std::string mix_title(const Theme& theme, const MixPair& pair, float room); // the longest that has room
BarLayer mix_bars(const Theme& theme, const MixPair& pair);

// What cuBLAS launches at Board::timed beside what two stages launch: tiles, registers, shared memory, blocks, waves. Or why
// that is not known and what to run. `under_way`: of their recordings, see k_tiles_under_way(). Marks "library:LINE".
void add_library(Figure& figure, const ViewFrame& frame, std::span<const std::optional<int>> under_way, const Box& box);

// Whether both run the same kernel, comments aside.
bool same_kernel(const recording::Recording& a, const recording::Recording& b);

// What its lines are written in, by its file's name: "cu", "sass", "py".
std::string language(const recording::Recording& recording);

// The device code of two stages as the lines that changed, in a list that scrolls; long lines are wrapped.
class SourceChanges {
public:
    // From `before` to `after`.
    SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments);

    std::size_t removed() const { return removed_; }
    std::size_t added() const { return added_; }

    // Of all lines, in a list of that width.
    float height(const Theme& theme, float width);

    // One ImGui child; lines only of `before` in the second accent, lines only of `after` in the first.
    void draw(const Theme& theme, const draw::Box& box, Marks* marks);

private:
    struct Row {
        const DiffLine* line = nullptr; // null between two hunks
        std::string text;               // likewise: the file of the next, where it is another one
        bool continued = false;         // the line began in a row above
    };
    void lay_out(const Theme& theme, float width); // anew where that is room for another number of letters
    void wrap(std::size_t row);
    void draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const;

    RecordingPtr after_, before_;
    std::vector<Hunk> hunks_;
    std::vector<Row> rows_;
    std::size_t letters_ = 0; // in a row, that these are made for; 0: there are none yet
    std::size_t removed_ = 0, added_ = 0;
};

} // namespace viz
