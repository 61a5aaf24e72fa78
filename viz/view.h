// A view draws one aspect of one stage, or of the compared stages side by side, in the middle of the window. Each view
// is a folder in viz/views. All views share one selection and one position in time. A view depends neither on other
// views nor on the window.
#pragma once

#include "viz/ladder_facts.h"
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

// Animation state of this frame.
struct Movement {
    bool wanted = true; // false: text is drawn at its destination instead of moving there
    // While a clock runs: the fraction of its current step that each column has done, from 0 to 1. Empty for a column
    // without steps.
    std::array<std::optional<double>, most_columns> shares = {};
};

// What a view shows. Pictures and commands both receive it, and both may change `selection` and add to `requests`.
struct ViewScene {
    std::span<const StageColumn> columns; // one stage, or the compared stages; each has its recording
    Selection& selection;
    const LadderFacts& ladder_facts;
    Requests& requests;

    bool comparing() const { return columns.size() > 1; }
};

// What a view receives in each frame. The view fills the whole content region of the current ImGui window.
struct ViewFrame : ViewScene {
    std::string& hint; // one line of plain text about the selection, shown under the timeline
    const Theme& theme;
    double seconds = 0;     // since program start, for animation
    Marks* marks = nullptr; // positions of drawn items, for tests of the window
    // Describes the item under the mouse: its name, its number, and the origin of the number. Shown beside the pointer.
    std::optional<Rich>* tip = nullptr;
    // Describes the selection in detail, one paragraph each. Shown in the inspector, below the source.
    std::vector<Rich>* inspector = nullptr;
    Movement motion = {};
    Surface* surface = nullptr;             // the surface to draw figures on; null: the window
    std::vector<FigureRow>* rows = nullptr; // receives the values of the figures as table rows
    bool hides_headlines = false;           // a question mark replaces each headline
    std::vector<TipArea>* tips = nullptr;   // receives the tips of all marks that are large enough to point at
    bool interactive = true;                // false: the picture goes into a file, without buttons and fields

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

// One compared stage in one frame. Views derive from it what the layers of a stage refer to.
struct StagePart {
    const ViewFrame& frame;
    const StageColumn& stage;

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return theme().accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    const recording::Recording& recording() const { return *stage.recording; }
    std::string name(const std::string& thing) const { return stage.named(thing); } // of a mark
};

// The topic of a view. The window shows the views of one group at a time.
enum class ViewGroup : uint8_t {
    who,    // which thread computes what, and on which SM
    flow,   // how values move through memory and time
    memory, // which memory serves an access
    inside, // inside an SM and a thread
    speed,  // the speed and what limits it
};
inline constexpr int view_groups = 5;
inline std::string_view name(ViewGroup group) // "Who"
{
    constexpr std::string_view names[view_groups] = {"Who", "Flow", "Memory", "Inside", "Speed"};
    return names[static_cast<std::size_t>(group)];
}

// A command of a view, run by its own key or by name in the field of Ctrl+P. It runs between two frames, so it may use
// only the view's own state and the scene, never references into an earlier scene.
struct ViewCommand {
    std::string key;   // "n", "Backspace"; also the id of the command within the view
    std::string words; // what it does, for the list of keys
    std::function<void(const ViewScene&)> action;
};
using ViewCommands = std::vector<ViewCommand>;

// The interface of a view.
class View {
public:
    virtual ~View() = default;
    virtual std::string_view name() const = 0;  // for --view: "banks"
    virtual std::string_view title() const = 0; // for the tab: "Shared memory"
    virtual ViewGroup group() const = 0;
    // Returns the origins of the numbers in the last figure. Empty while a page hides the figure, unless the view
    // overrides this.
    virtual std::vector<Numbers> numbers() const { return numbers_; }
    // Returns the view's commands, which must not outlive the view.
    virtual ViewCommands commands() { return {}; }
    // Returns whether the view compares two stages. If no second stage was chosen, the window compares with the rung
    // below.
    virtual bool compares() const { return false; }
    // False for a view that shows something where no stage has a recording: its frames may have no columns then.
    virtual bool needs_recording() const { return true; }
    // Played slowly enough for each access to be seen.
    virtual bool shows_single_accesses() const { return group() == ViewGroup::memory; }
    // Returns what the user set in this view beyond the selection (such as a formula or a tile), as text for
    // set_options() (viz/view_options.h). Empty means defaults.
    virtual std::string options() const { return {}; }
    // Applies options from the next frame on. Values that are not possible there are ignored.
    virtual void set_options(std::string_view /*text*/) {}

    // Returns the picture of the frame, laid out in the box.
    virtual Figure figure(const ViewFrame& frame, const draw::Box& box) = 0;
    // Draws buttons and fields over the figure.
    virtual void draw_controls(ViewFrame& /*frame*/) {}

    // Draws figure and controls in the whole content region (viz/figure/draw_figure.cpp).
    void draw(ViewFrame& frame);
    // Returns false while the last picture was incomplete. A screenshot draws frames until this is true.
    bool settled() const { return settled_; }

private:
    std::vector<Numbers> numbers_; // of the last frame
    bool settled_ = true;
};

// Makes all views, in the order of their tabs. Needs a current OpenGL context.
std::vector<std::unique_ptr<View>> make_views();

} // namespace viz
