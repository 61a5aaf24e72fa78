// The right place: the stage's source with what each line cost, and the current line in plain words.
#pragma once

#include "app/highlight.h"
#include "app/state.h"
#include "app/words.h"

#include <imgui.h>

#include <memory>
#include <vector>

namespace app {

class SourcePanel {
public:
    void draw(Session& session, State& state, const Area& area);

private:
    struct Cost {
        std::string shared, global; // "8,192 · 4,096"; empty where the line has no such access
        bool conflicts = false;
    };
    struct View { // of one frame
        const viz::Theme& theme;
        const Track& track;
        uint32_t current = 0; // lines; 0: none
        float row_height = 0, column = 0, number_width = 0, shared_width = 0, global_width = 0;
    };

    void follow(const std::shared_ptr<const recording::Recording>& recording);
    void draw_heading(Session& session, State& state, const Area& area);
    void draw_lines(State& state, const Area& area);
    void draw_line(State& state, const View& view, std::size_t index);
    void draw_costs(const View& view, std::size_t index, ImVec2 row);
    void draw_column_names(const View& view, const Area& area) const;
    void draw_explanation(const State& state, const Area& area);
    void click(State& state, uint32_t line) const;
    std::string line_help(std::size_t index) const;

    std::shared_ptr<const recording::Recording> recording_; // what the rest is derived from
    std::vector<SourceLine> lines_;
    std::vector<Cost> costs_; // by line
    std::size_t longest_ = 0; // characters
    std::size_t widest_shared_ = 0, widest_global_ = 0;
    uint32_t shown_line_ = 0; // last scrolled to
    const recording::Access* explained_ = nullptr;
    Explanation explanation_;
};

} // namespace app
