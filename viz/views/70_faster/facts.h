// Explains why one stage is faster than another, in parts: the mapping of results to threads, the work per
// multiplication, the executed instructions, cuBLAS's launches, and the changed source lines.
#pragma once

#include "recording/recording.h"

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

// The results that a warp and a thread of a block hold, within the block's tile of C.
struct BlockMapping {
    CellRect tile;               // the whole tile according to the parameters, even if it extends beyond C
    uint32_t rows = 0, cols = 0; // the part of the tile that lies in C
    // The owner of each of these elements, row by row; recording::no_owner if another block owns it.
    std::vector<uint32_t> threads;
    std::vector<CellRect> thread; // part of the tile that the selected lane computes
    uint64_t warp_results = 0, thread_results = 0;
    // A trace treated C as one long row, of which the block has scattered parts. Rows and columns are not known.
    bool scattered = false;
    bool passed_on = false; // shows the threads that store; see sums_pass_through_shared()
    bool reaches_out() const { return rows < tile.rows || cols < tile.cols; }
};
BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane);
Panel mapping_panel(const Theme& theme, const StageColumn& stage, const BlockMapping& mapping, uint32_t warp,
                    const Box& box);

// Returns the index of the first shared array whose layout differs from the other recording's.
std::optional<std::size_t> moved_array(const recording::Recording& recording, const recording::Recording& other);

// Shows a shared tile in memory, 32 banks wide. Each word has the colour of the bank that it would have in a row-major
// layout.
Panel layout_panel(const Theme& theme, const StageColumn& stage, std::size_t array, const Box& box);

// Two compared stages, and the work of `first` compared with a third one.
struct Comparison {
    const Theme& theme;
    const ComparedRung& first;
    const ComparedRung& second;
    std::vector<WorkPair> work;
    std::optional<std::vector<WorkPair>> further; // of `first` and column 2; empty if only two stages are compared
    // The size at which all stages were counted. Empty if not counted, or at different sizes.
    std::optional<recording::Problem> counted_at;
    Per per = Per::multiplications;

    // Both are recordings of what the machine code does.
    bool traced() const
    {
        return recording::is_as_executed(first.recording) && recording::is_as_executed(second.recording);
    }
    std::size_t sides() const { return further ? 3 : 2; }
};

// Returns "14.6 cycles". For work of which an SM processes several per cycle, adds the division: "8.83 cycles (35.3 ÷
// 4)".
std::string cycle_words(const WorkPair& pair, double count);

// Shows the stages' work on one scale, in cycles of an SM, next to the elapsed cycles. The cause of the difference is
// highlighted. Marks "work:NAME COLUMN".
BarLayer cost_bars(const Comparison& comparison);
// Describes which work takes most of each stage's time, and whether it limits the stage. Empty without times.
Rich limit_words(std::span<const WorkPair> work, const std::string& first, const std::string& second);

// Shows a row for each measure, each on its own scale. Omits measures that are zero or unknown for both, and
// per-multiplication measures unless both are known. If the height does not suffice, also omits equal ones. Marks
// "bar:NAME COLUMN".
BarLayer measure_bars(const Comparison& comparison, float height);

// Shows the instructions that two stages execute, on one scale: the share of arithmetic and the purpose of the rest.
// Marks "mix:PART COLUMN".
enum class MixKind : uint8_t { by_class, by_pipe };
struct MixPair {
    MixKind kind = MixKind::by_class;
    std::array<MixOfLaunch, 2> mixes;
    std::array<std::string, 2> slugs;
};
std::vector<std::string> mix_titles(const MixPair& pair); // the longest first
BarLayer mix_bars(const Theme& theme, const MixPair& pair);

// Adds cuBLAS's launch at LadderFacts::timed next to those of two stages: tiles, registers, shared memory, blocks,
// waves. Without that data, adds the reason and what to run. `under_way` is k_tiles_under_way() of the recordings.
// Marks "library:LINE".
void add_library(Figure& figure, const ViewFrame& frame, std::span<const std::optional<int>> under_way, const Box& box);

// Returns whether both run the same kernel, ignoring comments.
bool same_kernel(const recording::Recording& a, const recording::Recording& b);

// Returns the language of the source, from its file name: "cu", "sass", "py".
std::string language(const recording::Recording& recording);

// The changed lines of the device code of two stages, in a scrolling list with wrapped lines.
class SourceChanges {
public:
    // The changes from `before` to `after`.
    SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments);

    std::size_t removed() const { return removed_; }
    std::size_t added() const { return added_; }

    // Returns the height of all lines in a list of that width.
    float height(const Theme& theme, float width);

    // Draws an ImGui child. Lines only in `before` have the second accent, lines only in `after` the first.
    void draw(const Theme& theme, const draw::Box& box, Marks* marks);

private:
    struct Row {
        const DiffLine* line = nullptr; // null between two hunks
        std::string text;               // between two hunks: name of the next hunk's file if it changes
        bool continued = false;         // the line began in an earlier row
    };
    void lay_out(const Theme& theme, float width); // recomputes the rows if their width in characters changes
    void wrap(std::size_t row);
    void draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const;

    RecordingPtr after_, before_;
    std::vector<Hunk> hunks_;
    std::vector<Row> rows_;
    std::size_t letters_ = 0; // characters per row in the current layout; 0 before the first one
    std::size_t removed_ = 0, added_ = 0;
};

} // namespace viz
