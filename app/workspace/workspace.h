// Everything that a person chose and looks at, as one plain value. A Patch changes it. Undo restores its choice; back, forward and a
// lesson that is closed restore choice, view, options and selection. What follows from it, such as the steps of the other columns,
// is derived once a frame (derive() in app/state/navigation.h).
#pragma once

#include "app/workspace/choice.h"
#include "app/workspace/patch.h"

#include "viz/selection.h"

#include <optional>
#include <string>

namespace app {

struct Workspace : Location {
    Choice choice;
    viz::Selection selection;
    std::optional<viz::ClockUnit> clock; // none: what tells most
    CodeView code = CodeView::words;
    Panels panels;

    // It is the same place to go back to, whatever is open around the view.
    bool is_where(const Workspace& other) const
    {
        Location there = other;
        there.page = page;
        return choice == other.choice && base_of<Location>(*this) == there && selection == other.selection;
    }
    friend bool operator==(const Workspace&, const Workspace&) = default;
};

// The workspace with what the patch names, and with what it leaves out at its default; the timed size, the clock, the code below the
// source and the panels stay as they are where it says nothing of them. Which step it means is known once its recording is there. Throws
// kernels::Error for what cannot be chosen.
Workspace with(Workspace workspace, const Patch& patch, const std::vector<kernels::Stage>& ladder);

} // namespace app
