// Editor for the source of a user's file, based on ImGui's text field. Ctrl+Enter runs the source, and errors appear
// beside their lines. Below are the versions that ran, and the user can restore each of them.
#pragma once

#include "app/panels/state.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ImGuiInputTextCallbackData;

namespace app {

// Errors that a compiler or a running kernel reports for a source, by line. Pure.

struct SourceProblem {
    uint32_t line = 0; // 0: no line
    std::string words;
};

// Returns the errors in their order. `file` is the source's name without its folder. If no error names a line, the
// whole text becomes one error without a line.
std::vector<SourceProblem> problems_in(std::string_view said, std::string_view file);

// Text shown after the code of a line that ran.
struct LineFigure {
    std::string text, brief; // brief: conflicts or sectors in at most five characters
    viz::Colour colour = 0;
    const char* name = ""; // meaning of the text
};

class SourceEditor {
public:
    // Returns whether there is an editable source and it is being edited.
    static bool edits(const Snapshot& snapshot, const State& state);

    // Returns the panel widths. While a source is edited, the source panel has room for whole lines of code, unless the
    // user chose a width.
    static Panels with_room(const Snapshot& snapshot, const State& state, float window_width);

    // Right end and height of the row of buttons; 0: there are none.
    struct Buttons {
        float right = 0, height = 0;
    };
    Buttons draw_buttons(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    // `figure` returns the text of a line, counted from 1.
    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area,
              const std::function<LineFigure(uint32_t)>& figure);
    // Draws the versions. Returns their height, which is 0 if there is none to restore.
    float draw_versions(const Snapshot& snapshot, Session& session, State& state, const Area& area) const;

private:
    void follow(const Snapshot& snapshot);
    void draw_text_field(State& state, float width, float height);
    void draw_line(const State& state, uint32_t line, ImVec2 at, float code_end, float right,
                   const std::function<LineFigure(uint32_t)>& figure, bool as_run) const;
    void reveal_cursor(float row, float visible);
    static int on_event(ImGuiInputTextCallbackData* data);

    std::filesystem::path file_;
    std::shared_ptr<const std::string> loaded_; // last content that was loaded into the field
    std::string text_;
    int revision_ = 0; // identifies the field; changes when it is filled anew
    std::string said_; // compiler output that problems_ was made from
    std::vector<SourceProblem> problems_;
    int cursor_ = 0, shown_cursor_ = -1; // bytes
    int frames_since_focus_ = 100;
    ImVec2 scroll_{0, 0};
    uint32_t revealed_problem_ = 0;
};

} // namespace app
