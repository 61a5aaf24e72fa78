// What the panels share: what is chosen and looked at, and how the window looks. Changed by panels, views and commands alike.
#pragma once

#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/learning.h"
#include "app/state/palette.h"
#include "app/state/playback.h"
#include "app/state/settings.h"
#include "app/tasks/launch_form.h"
#include "app/workspace/history.h"

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

// The page with the table of counters, and with how far C is off with each type.
struct CounterPage {
    bool all_columns =
        false;          // every counter that was read; else a memory profile: where bytes were found and what that cost
    uint32_t side = 0;  // of the problem; 0: the largest that was counted
    std::string filter; // part of a name
    std::vector<std::string> beside; // names of rows at the top; the others are compared with the first one of them
};

// The page with what published ladders claim.
struct ClaimPage {
    std::string chosen; // id of the claim that is explained; empty: the first that does not hold
};

// In front of a class: large type, where the pointer was, which keys were pressed.
struct Presenting {
    bool on = false;
    std::deque<std::pair<std::string, double>> keys; // and when, in seconds since start; the latest last

    struct Point {
        float x = 0, y = 0;
        double when = 0;
    };
    std::deque<Point> trail; // of the pointer; the latest last

    void press(std::string key, double seconds);
    void move(float x, float y, double seconds);
    void forget(double seconds); // what is too old to be shown
    bool moves() const { return on && (!keys.empty() || trail.size() > 1); }

    static constexpr float scale = 1.35f; // of type, beside what was chosen
    static constexpr double key_seconds = 3, trail_seconds = 0.8;
    static constexpr std::size_t most_keys = 6;
};

// The second stage that a view of two gets where none was chosen: the rung below, as long as the view is looked at.
struct DefaultComparison {
    std::optional<std::pair<std::size_t, std::size_t>> stages; // the first stage and the second
    // It is no part of a place that one comes back to.
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
    Workspace at;    // what is chosen and looked at: the one that there is, which the session follows
    History history; // of its choice
    DefaultComparison default_comparison;
    Page covered = Page::none; // that the list of keys is open over
    Playback playback;
    std::optional<viz::TimeWindow> zoom; // what of the clock's time the timeline shows; none: all
    struct Timed {                       // what the playback's time belongs to
        std::size_t step = 0;
        std::array<const recording::WarpTrace*, viz::most_columns> warps{}; // of each column; compared only
        viz::ClockUnit unit = viz::ClockUnit::wavefronts;
        friend bool operator==(const Timed&, const Timed&) = default;
    };
    Timed timed;
    // The stages whose default step was gone to, the second as it was chosen.
    std::pair<std::string, std::string> opened;
    bool chose_speed = false; // else it is the view's
    std::array<WarpTrack, viz::most_columns>
        tracks;                                 // the selected warp of each column; without steps where there is none
    std::string notice;                         // what the window itself could not do; until the next key
    std::string hint;                           // of the frame being drawn: what is under the mouse
    std::string tip;                            // beside the pointer, of the same frame
    std::vector<viz::Rich> inspector;           // what the view says of what is selected, at length: a paragraph each
    double seconds = 0;                         // since start
    std::optional<std::filesystem::path> opens; // a file that a panel asks for
    std::optional<std::string> finds;           // a panel asks for the field of Ctrl+P, with this typed into it
    Learning learning;
    Palette palette;
    Visits visits;
    Presenting presenting;
    CounterPage counters;
    ClaimPage claims;
    bool source_first = false; // see LayoutInput
    // Where a lesson's step chose another one: what stood there, and comes back with the next place.
    std::optional<CodeView> code_before;
    struct Edit {
        bool open = false;    // the source of one's own file can be typed into
        bool focused = false; // the keys go there
        bool take = false;    // they shall
        bool run = false;     // what was typed is to run
    };
    Edit edit;
    struct TableWish {
        std::string of; // "view", "ladder", "counters", "candidates"
        bool json = false;
    };
    std::optional<TableWish> saves_table;
    bool reveals_speeds = false; // scroll to how the ladder's speeds came about
    std::string program_command; // as typed on the page of another program's kernels
    struct LaunchFields {        // how a kernel of a file is launched, as it is typed
        std::filesystem::path file;
        LaunchForm form;
    };
    std::optional<LaunchFields> launch_fields;              // none: the form is closed
    bool shows_printed = false;                             // what the shown file's main printed
    bool ask_sizes = false;                                 // open the size form
    bool entered = false, escaped = false;                  // Enter or Esc was pressed for the form that is open
    std::optional<std::size_t> pointed_stage;               // in the ladder, under the mouse
    std::optional<std::filesystem::path> pointed_file;      // a file among the user's kernels, under the mouse
    std::array<std::optional<std::size_t>, 2> ladder_shown; // the rungs of columns 0 and 1 when last drawn
    std::optional<std::size_t> ladder_reveals;              // to scroll to
    std::size_t* words_in_view = nullptr;                   // adds up the words that the view shows; null: not counted
    viz::Marks* marks = nullptr; // where things are drawn, for tests of the window; of this frame

    // Changes what is chosen, which undo takes back. What the program chooses by itself is set in `at.choice`.
    void change(const ChoiceEdit& edit) { history.change(at.choice, edit); }
    // The column whose source is shown: the one that was asked for, as long as it is recorded.
    std::size_t read_column() const
    {
        return tracks[at.panels.source_column].recording() != nullptr ? at.panels.source_column : 0;
    }
    const WarpTrack& read() const { return tracks[read_column()]; }

    // Where the view of this name stands among them; beyond the last: there is none.
    std::size_t index_of_view(std::string_view name) const
    {
        return static_cast<std::size_t>(
            std::ranges::find_if(views, [&](const auto& view) { return view->name() == name; }) - views.begin());
    }
    viz::View& view() const { return *views[index_of_view(at.view)]; } // that is shown
    // Opens a page over the view, in place of any other; none: closes it. Who leaves the first page has seen it.
    void open(Page page)
    {
        settings.welcomed |= page != Page::first && (at.page == Page::first || covered == Page::first);
        covered = Page::none;
        at.page = page;
    }
    // Opens a page, or closes it. The list of keys covers another page, which is there again afterwards.
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
