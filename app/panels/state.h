// State that the panels share: what the user chose and looks at, and how the window looks. Panels, views and commands
// change it.
#pragma once

#include "app/engine/launch_file.h"
#include "app/panels/learning.h"
#include "app/panels/playback.h"
#include "app/session/session.h"
#include "app/workspace/commands.h"
#include "app/workspace/layout.h"
#include "app/workspace/state_file.h"
#include "app/workspace/workspace.h"

#include "viz/theme.h"
#include "viz/view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// The page with the table of counters and with the error of C for each type.
struct CounterPage {
    bool all_columns =
        false;          // show every counter; otherwise a memory profile: where bytes were found and what that cost
    uint32_t side = 0;  // problem size; 0: the largest that was counted
    std::string filter; // part of a name
    std::vector<std::string> beside; // names of rows at the top; the other rows are compared with the first of them
};

// The page with the claims of published ladders.
struct ClaimPage {
    std::string chosen; // id of the explained claim; empty: the first one that does not hold
};

// Presentation mode for an audience: large type, no side panels, a pointer trail, the pressed keys, a pen and a blank
// screen.
struct Presenting {
    bool on = false;
    bool pen = false;   // the mouse draws
    bool blank = false; // the screen is blank until the next key or click
    // Whether the ladder and the source panel are opened when the presentation ends. While there is none, whether the
    // next one begins with them open.
    bool ladder = false, source = false;
    std::deque<std::pair<std::string, double>> keys; // each with its time in seconds since start; latest last

    struct Point {
        float x = 0, y = 0;
        double when = 0;
    };
    std::deque<Point> trail; // of the pointer; latest last

    std::vector<std::vector<ImVec2>> drawn;  // lines of the pen
    std::pair<std::string, Page> drawn_over; // view and page that the lines belong to

    void toggle(Panels& panels);
    void press(std::string key, double seconds);
    void move(float x, float y, double seconds);
    void forget(double seconds); // drops what is too old to be shown
    bool moves() const { return on && (!keys.empty() || trail.size() > 1); }

    static constexpr float scale = 1.35f; // scale of type, on top of the user's setting
    static constexpr double key_seconds = 3, trail_seconds = 0.8;
    static constexpr std::size_t most_keys = 6;
};

// The second stage that a view of two stages gets if the user chose none: the default stage to compare with. It lasts
// as long as the view is shown.
struct DefaultComparison {
    std::optional<std::pair<std::size_t, std::size_t>> stages; // the first and the second stage
    // Removes it from a choice, because it is no part of a visited workspace.
    void take_from(Choice& choice) const
    {
        if (stages && choice.columns[0].rung == stages->first && choice.columns[1].rung == stages->second)
            choice.compare(std::nullopt);
    }
};

struct State {
    viz::Theme theme;
    Settings settings;
    std::vector<std::unique_ptr<viz::View>> views;
    Workspace at;    // the only current workspace, which the session follows
    History history; // of the workspace's choice
    DefaultComparison default_comparison;
    Page covered = Page::none; // page covered by the list of keys
    Playback playback;
    std::optional<viz::TimeWindow> zoom; // part of the time that the timeline shows; empty: all
    struct Timed {                       // what the playback's time belongs to
        std::size_t step = 0;
        // Warp of each column. The pointers are only compared, never dereferenced.
        std::array<const recording::WarpTrace*, viz::most_columns> warps{};
        viz::ClockUnit unit = viz::ClockUnit::wavefronts;
        friend bool operator==(const Timed&, const Timed&) = default;
    };
    Timed timed;
    // Stages that were opened at their default step. The second is empty if the user did not choose it.
    std::pair<std::string, std::string> opened;
    bool chose_speed = false; // the user chose the playback speed; otherwise the view determines it
    std::array<WarpTrack, viz::most_columns> tracks; // selected warp of each column; without steps if there is none
    std::string notice;                              // problem of the window itself; shown until the next key
    std::string hint;                                // of the frame being drawn: text for what is under the mouse
    std::string tip;                                 // tooltip of the same frame
    std::vector<viz::Rich> inspector;                // the view's long description of the selection, one paragraph each
    double seconds = 0;                              // since start
    std::optional<std::filesystem::path> opens;      // file that a panel asks to open
    std::optional<std::string> finds;                // initial text with which a panel asks to open the palette
    Learning learning;
    Palette palette;
    Visits visits;
    Presenting presenting;
    CounterPage counters;
    ClaimPage claims;
    bool source_first = false; // see LayoutInput
    // Code view to restore with the next patch, after a lesson's step chose another one.
    std::optional<CodeView> code_before;
    struct Edit {
        bool open = false;    // the source of a user's file is editable
        bool focused = false; // the editor has the keyboard focus
        bool take = false;    // request to focus the editor
        bool run = false;     // request to run the text
    };
    Edit edit;
    struct TableRequest {
        std::string of; // "view", "ladder", "counters", "candidates"
        bool json = false;
    };
    std::optional<TableRequest> saves_table;
    bool reveals_speeds = false; // scroll to how the ladder's speeds came about
    std::string program_command; // as typed on the page of another program's kernels
    struct LaunchFields {        // the launch of a file's kernel as typed in the form
        std::filesystem::path file;
        LaunchForm form;
    };
    std::optional<LaunchFields> launch_fields;              // empty: the form is closed
    bool shows_printed = false;                             // show the output of the shown file's main
    bool ask_sizes = false;                                 // open the size form
    bool entered = false, escaped = false;                  // Enter or Esc was pressed for the form that is open
    std::optional<std::size_t> pointed_stage;               // in the ladder, under the mouse
    std::optional<std::filesystem::path> pointed_file;      // a file among the user's kernels, under the mouse
    std::array<std::optional<std::size_t>, 2> ladder_shown; // the rungs of columns 0 and 1 when last drawn
    std::optional<std::size_t> ladder_reveals;              // to scroll to
    std::size_t* words_in_view = nullptr;                   // adds up the words that the view shows; null: not counted
    viz::Marks* marks = nullptr; // where things are drawn, for tests of the window; of this frame

    // Changes the choice so that undo can revert it. Choices of the program itself are written to `at.choice` directly.
    void change(const ChoiceEdit& edit) { history.change(at.choice, edit); }
    // Returns the column whose source is shown: the requested one if it has a recording, otherwise column 0.
    std::size_t read_column() const
    {
        return tracks[at.panels.source_column].recording() != nullptr ? at.panels.source_column : 0;
    }
    const WarpTrack& read() const { return tracks[read_column()]; }

    // Returns the index of the view with this name, or the number of views if there is none.
    std::size_t index_of_view(std::string_view name) const
    {
        return static_cast<std::size_t>(
            std::ranges::find_if(views, [&](const auto& view) { return view->name() == name; }) - views.begin());
    }
    viz::View& view() const { return *views[index_of_view(at.view)]; } // the shown view
    // Opens a page over the view in place of any other; none closes it. Leaving the first page marks it as seen.
    void open(Page page)
    {
        settings.welcomed |= page != Page::first && (at.page == Page::first || covered == Page::first);
        covered = Page::none;
        at.page = page;
    }
    // Opens or closes a page. The list of keys covers another page, which reappears when the list is closed.
    void toggle(Page page)
    {
        if (at.page == page && page == Page::keys)
            at.page = std::exchange(covered, Page::none);
        else if (page == Page::keys)
            covered = std::exchange(at.page, page);
        else
            open(at.page == page ? Page::none : page);
    }
};

} // namespace app
