// The lines of a stage's source with the cost of each. The costs are to the right of the code if it has enough room,
// otherwise in the margin below the line's number. Code that is wider than the panel continues on the next row. A line
// that computes an index is followed by its values for the selected thread.
#pragma once

#include "app/panels/source/code.h"
#include "app/panels/source/editor.h"
#include "app/panels/source/highlight.h"
#include "app/panels/state.h"

#include "viz/analysis/waits.h"

#include <imgui.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace app {

class SourceLines {
public:
    void follow(const std::shared_ptr<const recording::Recording>& recording);

    // Sets the profile with the stall reasons of these lines; null: none.
    void follow_run(const recording::RunProfilePtr& run);
    viz::Rich waits_at(uint32_t line) const; // description; empty if no warp stalled

    struct Shown {
        const CodeList* code = nullptr; // machine code of each line, shown instead of costs; may be null
        bool hides_costs = false;       // while a question is open
        bool beside = false;            // the names of the figures are in the row above, if they fit
    };
    void draw(State& state, const Shown& shown, const Area& area);

    // Returns the width of the names at the right above the lines.
    float names_width(const State& state, const Area& area) const;

    // Returns the conflicts of a line, otherwise its sectors, otherwise nothing.
    LineFigure figure_of(const viz::Theme& theme, uint32_t line) const;

private:
    struct Cost {
        struct Pair {
            uint64_t left = 0, right = 0; // for example "8,192 · 4,096"
            bool there = false;
            std::string text() const;
        };
        Pair shared, global;
        bool conflicts() const { return shared.right > 0; }
        bool there() const { return shared.there || global.there; }
    };
    // Content of a row: a part of a line, or only the figures of the line above it.
    struct Row {
        LinePart part;
        std::size_t line = 0; // index
        enum class Margin { nothing, number, figure } margin = Margin::nothing;
        bool beside = false; // this row shows the line's instructions
        bool given = false;  // this row shows what the line gave for the selected thread
    };
    struct View { // layout of one frame
        const viz::Theme& theme;
        const Shown& shown;
        uint32_t current = 0; // line number; 0: none
        viz::Colour accent = 0;
        float row_height = 0, column = 0, number_width = 0, cost_width = 0;
        bool margin = false;      // figures are below the line's number
        bool two_columns = false; // shared and global figures in separate columns
        std::size_t outdent = 0;  // characters of indentation that are not shown
    };

    View view_of(const State& state, const Shown& shown, const Area& area) const;
    void arrange(const View& view, float width);
    void follow_thread(const State& state);
    std::size_t indented(const View& view, const SourceLine& line) const; // in characters, as shown
    void draw_names(State& state, const View& view, const Area& area) const;
    void reveal(const View& view);
    void draw_row(State& state, const View& view, const Row& row, float y, bool hovered);
    void draw_margin(State& state, const View& view, const Row& row, ImVec2 at, bool hovered) const;
    void draw_columns(const View& view, std::size_t line, ImVec2 at) const;
    void draw_given(State& state, const View& view, const Row& row, ImVec2 at) const;
    void draw_pair(const View& view, const Cost::Pair& pair, ImVec2 right_top, viz::Colour colour) const;
    void draw_waits(State& state, const View& view, const Row& row, ImVec2 at) const;
    float code_right(const View& view, const Row& row) const;
    void point_out(State& state, const View& view, std::size_t line) const;
    std::string help_of(const View& view, std::size_t line) const;

    std::shared_ptr<const recording::Recording> recording_; // recording that the other members are derived from
    std::vector<SourceLine> lines_;
    std::vector<Cost> costs_; // by line
    std::vector<Row> rows_;
    struct Given {
        std::string words;    // "= 3, 4"
        std::string names;    // "row = 3, col = 4"
        std::size_t room = 0; // characters, for any thread
    };
    std::map<uint32_t, Given> given_; // by line, for the selected thread
    std::pair<const recording::BlockTrace*, uint32_t> given_for_{};
    recording::RunProfilePtr run_;
    viz::Waits waits_; // of the whole launch
    std::map<uint32_t, viz::Waits> waits_by_line_;
    uint64_t most_waiting_ = 0; // at one line
    std::size_t longest_ = 0;   // characters
    bool any_shared_ = false, any_global_ = false;
    std::size_t widest_left_ = 0, widest_right_ = 0; // characters of the figures
    uint32_t shown_line_ = 0;                        // last line scrolled to
    std::pair<std::size_t, float> shown_in_;         // number of rows and height at that time
};

} // namespace app
