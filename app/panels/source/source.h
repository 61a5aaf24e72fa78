// The right panel: the stage's source with the cost of each line, and a description of the current line.
#pragma once

#include "app/panels/source/code.h"
#include "app/panels/source/editor.h"
#include "app/panels/source/highlight.h"
#include "app/panels/source/source_lines.h"
#include "app/panels/state.h"
#include "viz/analysis/access_messages.h"
#include "viz/analysis/counted.h"

#include <memory>
#include <optional>
#include <vector>

namespace app {

class SourcePanel {
public:
    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area);

private:
    void follow(const std::shared_ptr<const recording::Recording>& recording);
    void draw_source(const Snapshot& snapshot, Session& session, State& state, const Area& area, float top,
                     bool beside);
    void draw_heading(const Snapshot& snapshot, State& state, const Area& area);
    void draw_explanation(const State& state, const Area& area);
    void follow_code(const Snapshot& snapshot, Session& session);
    void follow_tab(const State& state);
    float draw_tabs(State& state, const Area& area);
    float draw_counting(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    void draw_code(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    uint32_t chosen_line(const State& state) const;
    std::string file_name() const; // without its folder

    void follow_run(const Snapshot& snapshot);
    viz::Rich waits_at(const State& state) const;

    std::shared_ptr<const recording::Recording> recording_; // recording that the other members are derived from
    uint32_t source_ = 0;                                   // checksum of its text
    std::optional<viz::CountedRun> run_;                    // what ran, and the stall reasons of its warps
    SourceLines lines_;
    LayoutStrip layout_strip_;
    SourceEditor editor_;
    CodeList code_;
    bool hides_costs_ = false; // while a question is open
    // Content below the source; an open question hides content that would reveal the answer.
    CodeView below_ = CodeView::words;
    bool shows_code_ = false; // show machine code beside the lines instead of costs
    const recording::Access* explained_ = nullptr;
    std::string explained_in_; // name of the view that explained_ belongs to
    std::vector<viz::Rich> explanation_;
};

} // namespace app
