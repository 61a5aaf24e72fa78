// The lower half of the source panel on demand: what the compiler made of the source, linked with it both ways.
#pragma once

#include "app/session/details.h"
#include "app/state/state.h"

#include "viz/analysis/waits.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app {

// Words of several lines, as wide as the area; how high they came out.
float draw_wrapped(const State& state, const Area& area, viz::Colour colour, const std::string& words);

class CodeList {
public:
    // Derives what is shown; cheap where it is the same. `counted`: null while it is not.
    // `run`: what ran and what its warps waited for; null: nobody looked. It shows where it is of this machine code.
    void follow(const CodePtr& code, const InstructionsPtr& counted, const recording::RunProfilePtr& run);

    // Beside a source line: "8 × LDS.128", and whether what runs differs from what it says.
    struct Beside {
        std::string text;
        bool differs = false;
    };
    const Beside& beside(uint32_t line) const;

    // What runs instead of what the line says, in words, and what the GPU counted of it; empty where there is nothing to say.
    std::string sentence(uint32_t line) const;

    // Whether the GPU counted something else of the line than is derived.
    bool differs_from_counters(uint32_t line) const;

    bool counted() const { return counted_ && counted_->counters; }
    bool sampled() const { return run_ != nullptr; }
    std::string readings_words() const; // where they are counted: a sentence, or empty
    // Above the instructions, where they are counted; returns their height.
    float draw_column_names(State& state, const Area& area) const;

    // The instructions, or the PTX, with those of the line marked; a click selects the line that one came from.
    // `wheel`: turned over what stands above the list, which scrolls it too.
    void draw(State& state, uint32_t line, const Area& area, float wheel);

private:
    struct Row {
        std::string text, help;
        uint32_t line = 0;          // of the source; 0: none
        bool heading = false;       // a kernel's name
        std::string executed, cost; // as the GPU counted
        std::string waits;          // share of the warps that wait
    };
    void add_instructions(std::size_t number);
    void add_ptx(const kernels::KernelCode& kernel);
    void draw_row(State& state, const Row& row, bool marked, float y);

    std::string counted_sentence(uint32_t line) const;
    std::string executed_sentence(uint32_t line) const;

    bool fits(const recording::RunProfile& run) const;

    CodePtr code_;
    InstructionsPtr counted_;
    recording::RunProfilePtr asked_run_, run_; // as it was given; null where it is of other machine code
    viz::Waits waits_;                         // of all of it
    std::map<std::pair<std::size_t, uint32_t>, viz::Waits> waits_at_;
    std::vector<Row> machine_, ptx_;
    std::vector<Beside> beside_; // by line
    uint32_t shown_line_ = 0;    // last scrolled to
    CodeView shown_ = CodeView::words;
};

} // namespace app
