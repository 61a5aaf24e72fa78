// What the view of registers shows of one stage: the step that moves operands, what lanes hold at it, what is said of that; and
// its pictures.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/matrix_fragments.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct ShownStep {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
    uint32_t warp_index = 0;
    std::size_t step = 0;
    uint32_t lane = 0; // selected
    const std::vector<Phase>& phases;
    const std::optional<Fragments>& fragments; // that the warp holds at this step
    bool elsewhere = false;                    // they lie in local memory, see RegisterUse

    const recording::Access& access() const { return warp.accesses[step]; }
    // What was added up is stored.
    bool stored() const { return !phases.empty() && phase_at(phases, step).kind == PhaseKind::store; }
};

// A stage that is shown, with what its lanes hold. Good for one frame.
struct RegisterStage {
    const StageColumn& column;
    Focus selected, focus; // the selected step, and the one that is shown instead where that one moves no operands
    ShownStep shown;       // of the latter
    const std::vector<Elements>& elements; // by array
    SharedContents& contents;              // at any time
    RunningSums& sums;                     // of C
    const RegisterUse& use;
    bool whole_k; // the block adds up all of K: its sums begin with k = 0

    const recording::Recording& recording() const { return shown.recording; }
    bool shown_instead() const { return focus.warp != selected.warp || focus.step != selected.step; }
    // Of shared memory at the step.
    const SharedContents& contents_now() const;
    // The sums so far hold the products of all k below; nothing in the midst of a k-tile's products, where that is not known.
    std::optional<uint32_t> added_up_to() const;
    // Of an element of a tile in shared memory.
    std::optional<double> value_in_tile(uint8_t array, const Cell& cell) const;
    // Of A (0) and B (1), which WMMA loaded last: lane i of the load stands for row i. Which lane holds it, WMMA does not say.
    std::optional<double> wmma_value(const Board& board, std::size_t matrix, const Cell& cell) const;
};

// Nothing where the stage has no warp to show; focus_on() says why.
std::optional<RegisterStage> register_stage(const ViewScene& scene, const StageColumn& column);

// Of the kernel's instructions, by the type of A.
MmaShape shape_of(const recording::Recording& recording);

// What the picture shows, in one line.
Rich headline(const ShownStep& shown);
// At length: what the step does, and the line of the source.
Rich step_words(const ShownStep& shown);
// What the registers of a thread are spent on.
Rich use_words(const RegisterUse& use);

// What narrow types cost in accuracy: the error of C with each, as the library's results were compared with float64.
struct TypeError {
    std::string type; // "bf16"
    double error = 0; // of C against float64 of the FP32 operands, relative
    recording::Problem problem;
    recording::Provenance from;
};
// Of each type that a library multiplied, at the size that is timed, from the most exact on. FP64 is left out.
std::vector<TypeError> type_errors(const Board& board);

// Where the panels of a stage are made.
struct StagePanels {
    Figure& figure;
    const ViewFrame& frame;
    const RegisterStage& stage;

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return frame.theme.accent(stage.column.number); }
    uint32_t lane() const { return stage.shown.lane; }
    // A name for tests and files; with the stage where it is not the first.
    std::string named(std::string name) const;
    Panel& add(std::string_view name, const Box& box, std::string title, std::vector<Layer> layers);
};
float title_height(const Theme& theme); // of a panel

// What the step does (pictures.cpp). A lane that is clicked becomes the selected one, whose cells are framed.

// The warp's column k of A and row k of B with who computes each product, "product of lane N", where "fragment A" and "fragment B"
// are what the selected lane has of them; beside that the products of that lane alone, with values where there is room.
void add_products(StagePanels& panels, const Box& box);
// A line from each lane that is asked, "from N", to each that gets the value, "to N"; below, which lane holds what of A and B.
void add_shuffle(StagePanels& panels, const Box& box);
// The four 8 x 8 matrices of an ldmatrix: beside each row the lane that points at it, in each element the lane that gets it.
// Marks "row of the lane", "element of matrix N".
void add_matrix_load(StagePanels& panels, const Box& box);
// A, B and the sums of an mma with the lane that holds each element, or the sums alone: "A of lane N", at its first element.
void add_mma(StagePanels& panels, bool only_sums, const Box& box);
// WMMA's fragments are opaque: the elements that all lanes hold together, "fragment A(0,0)". Returns the corner that they leave.
Box add_wmma(StagePanels& panels, const Box& box);

} // namespace viz
