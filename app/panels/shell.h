// Everything inside the window, on the screen or rendered to a picture: the session, the shared state, the panels and
// the commands. Needs a current ImGui context and OpenGL context.
#pragma once

#include "app/panels/export_dialog.h"
#include "app/panels/header/top_bar.h"
#include "app/panels/learn/lesson_column.h"
#include "app/panels/opening.h"
#include "app/panels/panels.h"
#include "app/panels/source/source.h"

#include "viz/figure/rows.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app {

class Shell {
public:
    // `wake`: see SessionOptions. Throws kernels::Error for an unknown stage or view and lists the valid ones.
    Shell(const WindowOptions& options, const Settings& settings, std::function<void()> wake);

    void press(const KeyChord& chord);
    void open(const std::filesystem::path& file); // a recording, a source or a saved state
    bool poll();
    // Draws one frame, `seconds` after the last one, in a window of this size in pixels.
    void draw(float width, float height, double seconds);

    // Draws one frame of the view without the panels and with the given theme, for a file. Throws kernels::Error if
    // there is nothing to show.
    struct DrawTarget {
        viz::Surface* surface = nullptr;             // null: ImGui's surface
        std::vector<viz::FigureRow>* rows = nullptr; // receives the view's content
        viz::Marks* marks = nullptr;                 // receives the positions of what was drawn
        std::vector<viz::TipArea>* tips = nullptr;   // receives the tips of what was drawn
        bool timeline = false;                       // see PictureLook
    };
    void draw_alone(const viz::Theme& theme, ImVec2 size, double seconds, const DrawTarget& target);

    // Returns whether something changes without input: the clock, or what the view moves or prepares.
    bool moves()
    {
        return state_.playback.playing() || !state_.view().settled() || !snapshot()->derived() ||
               (state_.at.page == Page::first && state_.settings.motion) || state_.presenting.moves() ||
               export_dialog_.writes();
    }
    bool quits() const { return quits_; }
    bool presents() const { return state_.presenting.on; }
    bool ready();                                // no work in progress would change the picture
    Settings settings() const;                   // including the current panels
    viz::Theme& theme() { return state_.theme; } // the window sets it whenever the settings require it
    // Returns the factor on the type size of the settings. It is below 1 if the window has no room for that size.
    float type_fits() const { return type_fits_; }
    void set_type_fits(float share) { type_fits_ = share; } // called by the window whenever the settings require it

    // Functions of the commands.
    Session& session() { return session_; }
    SnapshotPtr snapshot() { return snapshot_of(session_, state_); }
    State& state() { return state_; }
    ExportDialog& export_dialog() { return export_dialog_; }
    void quit() { quits_ = true; }
    void say(std::string notice) { state_.notice = std::move(notice); } // in the status line until the next key
    void search(); // starts a search for the first stage's parameters
    void escape();
    void toggle_launch_form();
    void ask_compare() { asks_compare_ = true; } // in the next frame, with the stage under the mouse
    void move_stage(int by, bool second);
    void toggle_panel(bool source);
    void choose_view(std::size_t index);
    void act_in_view(const ViewAction& action);
    void save();           // asks for a file and saves what is shown
    void save_recording(); // into the current directory
    void ask_export();     // opens the form
    void save_table(const State::TableRequest& request) { state_.saves_table = request; } // in the next frame
    void copy_command(); // command that shows the current workspace
    void go_back();      // to the previously visited workspace
    void go_forward();
    void open_palette();
    const Commands& commands() const { return commands_; }
    void edit();                     // edits the source, or a copy of it
    void next_code(int by);          // changes the content below the source
    void set_step(std::size_t step); // for a picture of a given step
    void set_time(double time);      // for a picture of a race, in clock units

private:
    bool answer_for_main(const KeyChord& chord); // true: the key was an answer
    void write_table();
    void draw_areas(const Snapshot& snapshot, const Layout& layout);
    void draw_middle(const Snapshot& snapshot, const Layout& layout);
    void draw_view(const Snapshot& snapshot, const Area& area);
    void advance(double seconds);
    void note_visit();
    void compare_pointed_or_below();

    Session session_;
    State state_;
    StateFiles files_;
    std::vector<viz::FigureRow> drawn_; // set while a table of the view is requested
    Commands commands_;
    TopBar top_bar_;
    Card card_;
    ExportDialog export_dialog_;
    std::optional<SavedState> saves_; // what was shown when its file was asked for
    SourcePanel source_;
    bool quits_ = false;
    bool shows_ladder_ = true, shows_source_ = true; // in the last frame; there may be no room for both
    bool asks_compare_ = false, had_form_ = false;   // a form was open at the start of the last frame
    float type_fits_ = 1;
    ImVec2 pressed_at_{-1, -1}; // mouse position at the last key
};

} // namespace app
