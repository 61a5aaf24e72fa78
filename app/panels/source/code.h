// The optional lower half of the source panel: the machine code of the source. Source lines and instructions are linked
// in both directions.
#pragma once

#include "app/panels/state.h"
#include "app/session/recordings.h"

#include "viz/analysis/waits.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app {

// Draws words wrapped to the area's width. Returns their height.
float draw_wrapped(const State& state, const Area& area, viz::Colour colour, const std::string& words);

class CodeList {
public:
    // Derives what is shown, which is cheap if nothing changed. `counted` is null if nothing is counted. `run` holds
    // what ran and the stall reasons of its warps; null: no profile. It is shown only if it belongs to this machine
    // code.
    void follow(const CodePtr& code, const InstructionsPtr& counted, const recording::RunProfilePtr& run);

    // Text beside a source line, for example "8 × LDS.128", and whether the machine code differs from the source line.
    struct Beside {
        std::string text;
        bool differs = false;
    };
    const Beside& beside(uint32_t line) const;

    // Returns a description of what runs instead of what the line says, and of the GPU's counters for it. Empty if
    // there is nothing to say.
    std::string sentence(uint32_t line) const;

    // Returns whether the GPU's counters of the line differ from the derived figures.
    bool differs_from_counters(uint32_t line) const;

    bool counted() const { return counted_ && counted_->counters; }
    bool sampled() const { return run_ != nullptr; }
    std::string readings_words() const; // sentence on the readings; empty if nothing is counted
    // Draws the names of the counter columns above the instructions. Returns their height.
    float draw_column_names(State& state, const Area& area) const;

    // Draws the instructions or the PTX and highlights those of `line`. A click selects the source line of an
    // instruction. `wheel` is the wheel movement over the text above the list, which also scrolls it.
    void draw(State& state, uint32_t line, const Area& area, float wheel);

private:
    struct Row {
        std::string text, help;
        uint32_t line = 0;          // source line; 0: none
        bool heading = false;       // name of a kernel
        std::string executed, cost; // counted by the GPU
        std::string waits;          // share of the stalled warps
    };
    void add_instructions(std::size_t number);
    void add_ptx(const kernels::KernelCode& kernel);
    void draw_row(State& state, const Row& row, bool marked, float y);

    std::string counted_sentence(uint32_t line) const;
    std::string executed_sentence(uint32_t line) const;

    bool fits(const recording::RunProfile& run) const;

    CodePtr code_;
    InstructionsPtr counted_;
    // The given profile, and the profile in use, which is null if the given one belongs to other machine code.
    recording::RunProfilePtr asked_run_, run_;
    viz::Waits waits_; // of the whole profile
    std::map<std::pair<std::size_t, uint32_t>, viz::Waits> waits_at_;
    std::vector<Row> machine_, ptx_;
    std::vector<Beside> beside_; // by line
    uint32_t shown_line_ = 0;    // last line scrolled to
    CodeView shown_ = CodeView::words;
};

} // namespace app
