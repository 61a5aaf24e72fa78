// The right place: the stage's source with what each line cost, and the current line in plain words.
#pragma once

#include "app/panels/source/code.h"
#include "app/panels/source/editor.h"
#include "app/panels/source/highlight.h"
#include "app/panels/source/layout_strip.h"
#include "app/state/state.h"
#include "viz/analysis/access_messages.h"

#include <imgui.h>

#include <memory>
#include <vector>

namespace app {

class SourcePanel {
public:
    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area);

private:
    struct Cost {
        struct Pair {
            std::string left, right; // "8,192", "4,096"; empty where the line has no such access
            bool empty() const { return left.empty(); }
            std::string text() const { return left + " · " + right; }
        };
        Pair shared, global;
        bool conflicts = false;
    };
    struct View { // of one frame
        const viz::Theme& theme;
        const WarpTrack& track;
        uint32_t current = 0; // lines; 0: none
        float row_height = 0, column = 0, number_width = 0, cost_width = 0;
        bool beside_name = false; // the column names stand in the file name's row, where they fit
        bool two_columns = false; // shared and global beside each other
        bool narrow = false;      // only the second figure of each pair: conflicts, sectors
        std::size_t outdent = 0;  // characters of indentation that are not shown
    };

    void follow(const std::shared_ptr<const recording::Recording>& recording);
    void draw_source(const Snapshot& snapshot, Session& session, State& state, const Area& area, float top);
    void draw_heading(const Snapshot& snapshot, State& state, const Area& area);
    void draw_lines(State& state, bool beside_name, const Area& area);
    void draw_line(State& state, const View& view, std::size_t index);
    void draw_costs(const View& view, std::size_t index, ImVec2 row);
    void draw_pair(const View& view, const Cost::Pair& pair, ImVec2 right_top, viz::Colour colour) const;
    float code_right(const View& view, std::size_t index) const;
    LineFigure figure_of(const viz::Theme& theme, uint32_t line) const;
    void draw_column_names(State& state, const View& view, const Area& area) const;
    void draw_explanation(const State& state, const Area& area);
    void follow_code(const Snapshot& snapshot, Session& session, State& state);
    float draw_tabs(State& state, const Area& area) const;
    float draw_counting(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    void draw_code(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    uint32_t chosen_line(const State& state) const;
    void click(State& state, uint32_t line) const;
    std::string file_name() const; // without its folder
    std::string line_help(std::size_t index) const;

    std::shared_ptr<const recording::Recording> recording_; // what the rest is derived from
    std::vector<SourceLine> lines_;
    std::vector<Cost> costs_; // by line
    std::size_t longest_ = 0; // characters
    bool any_shared_ = false, any_global_ = false;
    LayoutStrip layout_strip_;
    SourceEditor editor_;
    CodeList code_;
    bool hides_costs_ = false;                       // while a question is open
    bool shows_code_ = false;                        // beside the lines, instead of what they cost
    std::size_t widest_left_ = 0, widest_right_ = 0; // characters of the figures
    uint32_t shown_line_ = 0;                        // last scrolled to
    const recording::Access* explained_ = nullptr;
    std::size_t explained_in_ = 0; // the view
    std::vector<viz::Messages> explanation_;
};

} // namespace app
