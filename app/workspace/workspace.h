// Everything that the user chose and looks at, as one plain value. A Patch changes it. Undo restores its choice. Back,
// forward and closing a lesson restore choice, view, options and selection. Values that follow from it, such as the
// steps of the other columns, are derived once per frame (derive() in app/panels/navigation.h).
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

} // namespace app
