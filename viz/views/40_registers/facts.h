// Facts, texts and pictures of the registers view for one stage: a step that moves operands, and what the lanes hold at
// that step.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// The visible step, and the operands that the warp holds.
struct ShownStep {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
    uint32_t warp_index = 0;
    std::size_t step = 0;
    uint32_t lane = 0; // the selected lane
    const std::vector<Phase>& phases;
    const std::optional<Fragments>& fragments; // held by the warp at this step
    bool elsewhere = false;                    // the fragments are in local memory, see RegisterUse

    const recording::Access& access() const { return warp.accesses[step]; }
    // Returns whether the step stores the sums.
    bool stored() const { return !phases.empty() && phase_at(phases, step).kind == PhaseKind::store; }
};

// A stage with the contents of its lanes' registers. Valid for one frame.
struct RegisterStage {
    const StageColumn& column;
    Focus selected, focus;                 // `focus` is another step if the selected one moves no operands
    ShownStep shown;                       // of `focus`
    const std::vector<Elements>& elements; // by array
    SharedContents& contents;              // at any tick
    RunningSums& sums;                     // of C
    const RegisterUse& use;
    bool whole_k; // the block sums products over all of K, from k = 0 on

    const recording::Recording& recording() const { return shown.recording; }
    bool shown_instead() const { return focus.warp != selected.warp || focus.step != selected.step; }
    // Returns the contents of shared memory at the step.
    const SharedContents& contents_now() const;
    // Returns the k up to which all sums are complete. Returns nothing if it is not known, in the middle of a k-tile's
    // products.
    std::optional<uint32_t> summed_up_to() const;
    // Returns the value of an element of a tile in shared memory.
    std::optional<double> value_in_tile(uint8_t array, const Cell& cell) const;
    // Returns a value of the A (0) or B (1) fragment that WMMA loaded last. Lane i of the load represents row i; WMMA
    // does not specify which lane holds it.
    std::optional<double> wmma_value(const LadderFacts& ladder_facts, std::size_t matrix, const Cell& cell) const;
};

// Returns nothing if the stage has no warp to show. focus_on() says why.
std::optional<RegisterStage> register_stage(const ViewScene& scene, const StageColumn& column);

// Returns the shape of the kernel's mma instructions, from the type of A.
MmaShape shape_of(const recording::Recording& recording);

// Returns the picture's contents in one line.
Rich headline(const ShownStep& shown);
// Describes the step and its source line. `passed` is what the selected lane gets by a shuffle, if that is known.
Rich step_words(const ShownStep& shown, const std::optional<PassedValue>& passed = {});
// Describes which lanes get the value of a lane by a shuffle.
Rich given_words(const recording::Access& access, uint32_t lane);
// Describes what a thread's registers are used for.
Rich use_words(const RegisterUse& use);

// The accuracy of a narrow type: the error of C, from the library's results compared with float64.
struct TypeError {
    std::string type; // "bf16"
    double error = 0; // relative error of C against float64 of the FP32 operands
    recording::Problem problem;
    recording::Provenance from;
};
// Returns the errors of all types that a library multiplied at the timed size, the most exact one first. Omits FP64.
std::vector<TypeError> type_errors(const LadderFacts& ladder_facts);

// Where the panels of a stage are added.
struct StagePanels {
    Figure& figure;
    const ViewFrame& frame;
    const RegisterStage& stage;

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return frame.theme.accent(stage.column.number); }
    uint32_t lane() const { return stage.shown.lane; }
    // Returns a name for tests and files, with the stage's slug appended unless it is the first.
    std::string named(std::string name) const;
    Panel& add(std::string_view name, const Box& box, std::string title, std::vector<Layer> layers);
};

// Returns the elements of a matrix that ldmatrix loads: "As(0..7, 8..15)". Empty if they are not a rectangle of the
// tile.
std::string loaded_rectangle(const StagePanels& panels, uint32_t matrix);
// Returns the numbers of rows and columns, beside and above cells that fill the box.
LabelLayer numbers_of(const Cell& extent, const Box& box);

// Pictures of the step (pictures.cpp). A click on a lane selects it. The cells of the selected lane are framed.

// Shows the warp's column k of A and row k of B, with the lane that computes each product ("product of lane N").
// "fragment A" and "fragment B" are the selected lane's parts. Beside that it shows the products of that lane, with
// values if there is room.
void add_products(StagePanels& panels, const Box& box);
// Shows a line from each source lane ("from N") to each lane that gets its value ("to N"). Below, it shows the same
// with values for four lanes, and the parts of A and B that each lane holds.
void add_shuffle(StagePanels& panels, const Box& box);
// Shows the four 8 x 8 matrices of an ldmatrix: beside each row the lane with its address, and in each element the lane
// that receives it. Marks "row of the lane", "element of matrix N".
void add_matrix_load(StagePanels& panels, const Box& box);
// Shows A, B and the sums of an mma, or only the sums, with the lane that holds each element. Marks "A of lane N", at
// the lane's first element.
// Below A and the sums it leaves `strip` pixels empty. Returns the room below A.
Box add_mma(StagePanels& panels, bool only_sums, const Box& box, float strip);
// WMMA's fragments are opaque, so this shows the elements that all lanes hold together: "fragment A(0,0)". Returns the
// unused corner.
Box add_wmma(StagePanels& panels, const Box& box);

} // namespace viz
