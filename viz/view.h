// A view draws one aspect of the chosen stage, or of those that are compared, side by side, into the middle of the window. Each view is a
// folder in viz/views; all share one selection and one position in time. No view knows another, none knows the window.
#pragma once

#include "viz/board.h"
#include "viz/marks.h"
#include "viz/origin.h"
#include "viz/selection.h"
#include "viz/stage_column.h"
#include "viz/text/rich.h"
#include "viz/theme.h"

#include "recording/recording.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

class Surface;    // viz/figure/surface.h
struct Figure;    // viz/figure/figure.h
struct FigureRow; // viz/figure/rows.h
namespace draw {
struct Box; // viz/draw/draw.h
}

// How things move in this frame.
struct Movement {
    bool wanted = true; // else words are drawn where they arrive
    // While a clock runs: how much of its step each column has done, 0 ... 1; none for a column without steps.
    std::array<std::optional<double>, most_columns> shares = {};
};

// What is shown, for the commands of a view as well as for its picture; both may change `selection` and ask for something.
struct ViewScene {
    std::span<const StageColumn> columns; // one, or those that are compared; each has its recording
    Selection& selection;
    const Board& board;
    Requests& requests;

    bool comparing() const { return columns.size() > 1; }
};

// What a view gets each frame. It fills the whole content region of the current ImGui window.
struct ViewFrame : ViewScene {
    std::string& hint; // one line of plain words about what is selected, shown under the timeline
    const Theme& theme;
    double seconds = 0;     // since start, for animation
    Marks* marks = nullptr; // where things are drawn, for tests of the window
    // What the mouse is over: what it is, its number, how that is known. Shown beside the pointer.
    std::optional<Rich>* tip = nullptr;
    // The same at length for what is selected, a paragraph each; shown in the inspector, below the source.
    std::vector<Rich>* inspector = nullptr;
    Movement motion = {};
    Surface* surface = nullptr;             // that figures are drawn on; null: the window
    std::vector<FigureRow>* rows = nullptr; // what figures show, for a table
    bool interactive = true;                // else the picture goes into a file, without buttons and fields

    void point_out(Rich words) const
    {
        if (tip != nullptr)
            *tip = std::move(words);
    }
    void explain(Rich paragraph) const
    {
        if (inspector != nullptr)
            inspector->push_back(std::move(paragraph));
    }
};

// What a view is about; the window shows the views of one group at a time.
enum class ViewGroup : uint8_t {
    who,    // computes what, and where
    flow,   // of values through memory and time
    memory, // and what serves an access
    inside, // an SM and a thread
    speed,  // and what bounds it
};
inline constexpr int view_groups = 5;
inline std::string_view name(ViewGroup group) // "Who"
{
    constexpr std::string_view names[view_groups] = {"Who", "Flow", "Memory", "Inside", "Speed"};
    return names[static_cast<std::size_t>(group)];
}

// What a view can be told to do by a key of its own, or by name in the field of Ctrl+P. It is done between two frames, so it uses
// what the view holds and the scene, and nothing that was kept from an earlier scene without owning it.
struct ViewCommand {
    std::string key;   // "n", "Backspace": it is the command's id within the view
    std::string words; // what it does, for the page of keys
    std::function<void(const ViewScene&)> action;
};
using ViewCommands = std::vector<ViewCommand>;

class View {
public:
    virtual ~View() = default;
    virtual std::string_view name() const = 0;  // for --view: "banks"
    virtual std::string_view title() const = 0; // for the tab: "Shared memory"
    virtual ViewGroup group() const = 0;
    // What it shows, by how it was had; of the last figure, and so none while a page hides it, unless the view says more.
    virtual std::vector<Numbers> numbers() const { return numbers_; }
    // They live no longer than the view.
    virtual ViewCommands commands() { return {}; }
    // True for a view of two stages: where nobody chose a second one, the window compares with the rung below.
    virtual bool compares() const { return false; }
    // False for a view that shows something where no stage has a recording: its frames may have no columns then.
    virtual bool needs_recording() const { return true; }
    // Played slowly enough for each access to be seen.
    virtual bool shows_single_accesses() const { return group() == ViewGroup::memory; }
    // What a person has set in it beyond the selection (a formula that is tried, a tile), as text that set_options() reads back
    // (viz/view_options.h); empty: as it opens.
    virtual std::string options() const { return {}; }
    // From the next frame on; what it cannot be there is left out.
    virtual void set_options(std::string_view /*text*/) {}

    // Its picture of what the frame shows, in the box.
    virtual Figure figure(const ViewFrame& frame, const draw::Box& box) = 0;
    // Buttons and fields, drawn over the figure.
    virtual void draw_controls(ViewFrame& /*frame*/) {}

    // Figure and controls, in the whole content region (viz/figure/draw_figure.cpp).
    void draw(ViewFrame& frame);
    // False while the last frame's picture was still being prepared; a screenshot draws frames until it is true.
    bool settled() const { return settled_; }

private:
    std::vector<Numbers> numbers_; // of the last frame
    bool settled_ = true;
};

// All views in the order of their tabs. Needs a current OpenGL context.
std::vector<std::unique_ptr<View>> make_views();

} // namespace viz
