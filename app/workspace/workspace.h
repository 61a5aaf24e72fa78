// Everything that the user chose and looks at, as one plain value. A Patch changes it. Undo restores its choice. Back,
// forward and closing a lesson restore choice, view, options and selection. Values that follow from it, such as the
// steps of the other columns, are derived once per frame (derive() in app/panels/navigation.h).
#pragma once

#include "app/workspace/choice.h"
#include "app/workspace/patch.h"

#include "viz/selection.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace app {

struct Workspace : Location {
    Choice choice;
    viz::Selection selection;
    std::optional<viz::ClockUnit> clock; // empty: the most informative clock
    CodeView code = CodeView::words;
    Panels panels;

    // Returns whether both are the same visit, regardless of the open page and panels.
    bool is_where(const Workspace& other) const
    {
        Location there = other;
        there.page = page;
        return choice == other.choice && base_of<Location>(*this) == there && selection == other.selection;
    }
    friend bool operator==(const Workspace&, const Workspace&) = default;
};

// Returns the workspace after applying the patch. Settings that the patch omits get their default values. The timed
// size, the clock, the code below the source and the panels keep their values instead. The step is resolved later, when
// its recording is available. Throws kernels::Error for an invalid choice.
Workspace with(Workspace workspace, const Patch& patch, const std::vector<kernels::Stage>& ladder);

// History of the workspace: undo and redo of choices, and back and forward among visited workspaces. The owner keeps
// the current workspace.

using ChoiceEdit = std::function<void(Choice&)>;

// The choices before and after the current one.
class History {
public:
    // Applies the edit so that undo() can revert it, together with the previous edit while changes are joined. Ignores
    // an edit that changes nothing.
    void change(Choice& now, const ChoiceEdit& edit);
    void join_changes(bool joins) { joins_ = joins; } // set while a key is held down
    // Return false if there is no earlier or later choice.
    bool undo(Choice& now) { return go(now, before_, after_); }
    bool redo(Choice& now) { return go(now, after_, before_); }

private:
    static bool go(Choice& now, std::vector<Choice>& from, std::vector<Choice>& to);

    static constexpr std::size_t most_kept = 1000;

    std::vector<Choice> before_, after_; // nearest last
    bool joins_ = false;
};

// The workspaces that the user visited.
class Visits {
public:
    // Notes what is shown; call it in each frame. Another choice or view is a new visit. Steps, lanes and elements of
    // one picture are a single visit while no more than `pause` lies between the changes.
    void note(const Workspace& where, double seconds);

    // Return the workspace to show, or nothing if there is none. Showing it is no new visit.
    std::optional<Workspace> back() { return at_ > 0 ? go(at_ - 1) : std::nullopt; }
    std::optional<Workspace> forward() { return at_ + 1 < places_.size() ? go(at_ + 1) : std::nullopt; }

    std::size_t size() const { return places_.size(); }

    static constexpr double pause = 3; // seconds
    static constexpr std::size_t most = 200;

private:
    std::optional<Workspace> go(std::size_t place);

    std::vector<Workspace> places_; // oldest first
    std::size_t at_ = 0;
    double changed_ = 0;
    bool moved_ = false; // went back or forward, and the result has not been noted since
};

} // namespace app
