// The source of a file of one's own, to be changed: typed in ImGui's field, run with Ctrl+Enter, with what is wrong beside its
// line. Below it the versions that ran, each of which can be gone back to.
#pragma once

#include "app/panels/source/problems.h"
#include "app/state/state.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct ImGuiInputTextCallbackData;

namespace app {

// What is shown behind a line of the source as it ran.
struct LineFigure {
    std::string text, brief; // brief: its conflicts, or its sectors, in five letters
    viz::Colour colour = 0;
    const char* name = ""; // of the text
};

class SourceEditor {
public:
    // Whether there is something to be edited, and it is.
    static bool edits(const Snapshot& snapshot, const State& state);

    // The settings, with room for whole lines of code where it is edited and nobody chose a width.
    static Panels with_room(const Snapshot& snapshot, const State& state, float window_width);

    // The row of buttons, where it ends at the right, and its height; 0: there are none.
    struct Buttons {
        float right = 0, height = 0;
    };
    Buttons draw_buttons(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    // `figure`: of a line, counted from 1.
    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area,
              const std::function<LineFigure(uint32_t)>& figure);
    // The versions; returns their height, 0 where there is none to go back to.
    float draw_versions(const Snapshot& snapshot, Session& session, State& state, const Area& area) const;

private:
    void follow(const Snapshot& snapshot);
    void draw_text_field(State& state, float width, float height);
    void draw_line(const State& state, uint32_t line, ImVec2 at, float code_end, float right,
                   const std::function<LineFigure(uint32_t)>& figure, bool as_run) const;
    void reveal_cursor(float row, float visible);
    static int on_event(ImGuiInputTextCallbackData* data);

    std::filesystem::path file_;
    std::shared_ptr<const std::string> loaded_; // what the field was last filled with
    std::string text_;
    int revision_ = 0; // of the field: another one where it is filled anew
    std::string said_; // what problems_ was made of
    std::vector<SourceProblem> problems_;
    int cursor_ = 0, shown_cursor_ = -1; // bytes
    int frames_since_focus_ = 100;
    ImVec2 scroll_{0, 0};
    uint32_t revealed_problem_ = 0;
};

} // namespace app
