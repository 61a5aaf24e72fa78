// Explains why one stage is faster than another. Compares the mapping of results to threads, the work per
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
    CellRect tile;               // by the parameters, even if it extends beyond C
    uint32_t rows = 0, cols = 0; // of the tile's part in C
    // The owner of each element of that part, row by row; recording::no_owner if another block owns it.
    std::vector<uint32_t> threads;
    std::vector<CellRect> thread; // the part of the tile that the selected lane computes
    uint64_t warp_results = 0, thread_results = 0;
    // A trace took C for one long row, of which the block has separate parts. Rows and columns are not known.
    bool scattered = false;
    bool passed_on = false; // the threads are those that store; see sums_pass_through_shared()
    bool reaches_out() const { return rows < tile.rows || cols < tile.cols; }
};
BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane);
Panel mapping_panel(const Theme& theme, const StageColumn& stage, const BlockMapping& mapping, uint32_t warp,
                    const Box& box);

// Returns the index of the first shared array whose layout differs from that of the other recording.
std::optional<std::size_t> moved_array(const recording::Recording& recording, const recording::Recording& other);

// Shows a shared tile in memory, 32 banks wide. A word has the colour of its bank in a row-major layout.
Panel layout_panel(const Theme& theme, const StageColumn& stage, std::size_t array, const Box& box);

// Two compared stages, and the comparison of `first` with a third one.
struct Comparison {
    const Theme& theme;
    const ComparedRung& first;
    const ComparedRung& second;
    std::vector<WorkPair> work;
    std::optional<std::vector<WorkPair>> further; // of `first` and column 2; empty without a third stage
    // The size at which all stages were counted. Empty if there is no such size.
    std::optional<recording::Problem> counted_at;
    Per per = Per::multiplications;

    // Returns whether both recordings are of machine code.
    bool traced() const
    {
        return recording::is_as_executed(first.recording) && recording::is_as_executed(second.recording);
    }
    std::size_t sides() const { return further ? 3 : 2; }
};

// Returns "14.6 cycles". For work of which an SM does several per cycle, adds the division: "8.83 cycles (35.3 ÷ 4)".
std::string cycle_words(const WorkPair& pair, double count);

// Shows the stages' work on one scale, in cycles of an SM, beside the elapsed cycles. Highlights the cause of the
// difference. Marks "work:NAME COLUMN".
BarLayer cost_bars(const Comparison& comparison);
// Describes which work takes most of each stage's time, and whether it limits the stage. Empty if times are not known.
Rich limit_words(std::span<const WorkPair> work, const std::string& first, const std::string& second);

// Shows a row for each measure, which has its own scale. Omits measures that are zero or unknown for both, and measures
// per multiplication unless both are known. If there is no room, omits equal measures, too. Marks "bar:NAME COLUMN".
BarLayer measure_bars(const Comparison& comparison, float height);

// Shows the executed instructions of two stages on one scale: the share of arithmetic, and the purpose of the others.
// Marks "mix:PART COLUMN".
enum class MixKind : uint8_t { by_class, by_pipe };
struct MixPair {
    MixKind kind = MixKind::by_class;
    std::array<MixOfLaunch, 2> mixes;
    std::array<std::string, 2> slugs;
};
std::vector<std::string> mix_titles(const MixPair& pair); // the longest first
BarLayer mix_bars(const Theme& theme, const MixPair& pair);

// Adds cuBLAS's launch at LadderFacts::timed beside those of two stages: tiles, registers, shared memory, blocks,
// waves. Without data, adds the reason and what to run. `under_way` is k_tiles_under_way() of the recordings. Marks
// "library:LINE".
void add_library(Figure& figure, const ViewFrame& frame, std::span<const std::optional<int>> under_way, const Box& box);

// Returns whether both run the same kernel, apart from comments.
bool same_kernel(const recording::Recording& a, const recording::Recording& b);

// Returns the language of the source by the name of its file: "cu", "sass", "py".
std::string language(const recording::Recording& recording);

// The changed lines in the device code of two stages: a scrolling list with wrapped lines.
class SourceChanges {
public:
    // The changes from `before` to `after`.
    SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments);

    std::size_t removed() const { return removed_; }
    std::size_t added() const { return added_; }

    // Returns the height of all lines in a list of that width.
    float height(const Theme& theme, float width);

    // Draws an ImGui child. Removed lines have the second accent, and added lines the first.
    void draw(const Theme& theme, const draw::Box& box, Marks* marks);

private:
    struct Row {
        const DiffLine* line = nullptr; // null between two hunks
        std::string text;               // between two hunks: the name of the next file if it is another one
        bool continued = false;         // the line began in an earlier row
    };
    void lay_out(const Theme& theme, float width); // lays out again if the width in characters has changed
    void wrap(std::size_t row);
    void draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const;

    RecordingPtr after_, before_;
    std::vector<Hunk> hunks_;
    std::vector<Row> rows_;
    std::size_t letters_ = 0; // characters per row; 0 before the first layout
    std::size_t removed_ = 0, added_ = 0;
};

} // namespace viz
