// A view shows one aspect of one stage, or of the compared stages side by side. Each view is a folder in viz/views. All
// views share one selection and one position in time. A view depends neither on other views nor on the window.
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
    bool wanted = true; // false: words are drawn at their destination at once
    // While a clock runs: the fraction, 0 to 1, of its current step that each column has completed. Empty for a column
    // without steps.
    std::array<std::optional<double>, most_columns> shares = {};
};

// The input of a view's pictures and commands. Both may change `selection` and add to `requests`.
struct ViewScene {
    std::span<const StageColumn> columns; // one stage, or the compared stages; each has its recording
    Selection& selection;
    const LadderFacts& ladder_facts;
    Requests& requests;

    bool comparing() const { return columns.size() > 1; }
};

// The input of a view in each frame. The view fills the content region of the current ImGui window.
struct ViewFrame : ViewScene {
    std::string& hint; // plain text about the selection: one line below the timeline
    const Theme& theme;
    double seconds = 0;     // since program start, for animation
    Marks* marks = nullptr; // positions of drawn items, for tests of the window
    // Set to text about the item under the mouse: its name, its number, and the origin of the number. Shown beside the
    // mouse.
    std::optional<Rich>* tip = nullptr;
    // Receives paragraphs about the selection, shown in the inspector below the source.
    std::vector<Rich>* inspector = nullptr;
    Movement motion = {};
    Surface* surface = nullptr;             // target of the figures; null: the window
    std::vector<FigureRow>* rows = nullptr; // receives the figures' values as table rows
    bool hides_headlines = false;           // headlines are replaced by a question mark
    std::vector<TipArea>* tips = nullptr;   // receives the tips of all marks that are large enough for the mouse
    bool interactive = true;                // false: for a file, without buttons and fields

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

// One compared stage in one frame. Views add the data that the layers of the stage refer to.
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
    who,    // which thread computes what, on which SM
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
// the view's state and the scene, but no references into an earlier scene.
struct ViewCommand {
    std::string key;   // "n", "Backspace"; also the command's id in the view
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
    // Returns the origins of the numbers in the last figure. Empty while a page hides the figure, unless overridden.
    virtual std::vector<Numbers> numbers() const { return numbers_; }
    // Returns the view's commands, which must not outlive the view.
    virtual ViewCommands commands() { return {}; }
    // Returns whether the view compares two stages. Unless the user chose a second one, it is the rung below.
    virtual bool compares() const { return false; }
    // Returns false for a view that also works without any recording. Its frames may have no columns.
    virtual bool needs_recording() const { return true; }
    // Returns whether a clock plays this view slowly enough for each access to be seen.
    virtual bool shows_single_accesses() const { return group() == ViewGroup::memory; }
    // Returns the user's choices in this view besides the selection (such as a formula or a tile), as text for
    // set_options() (viz/view_options.h). Empty means defaults.
    virtual std::string options() const { return {}; }
    // Applies options from the next frame on. Ignores invalid values.
    virtual void set_options(std::string_view /*text*/) {}

    // Returns the picture of the frame, laid out in the box.
    virtual Figure figure(const ViewFrame& frame, const draw::Box& box) = 0;
    // Draws buttons and fields over the figure.
    virtual void draw_controls(ViewFrame& /*frame*/) {}

    // Draws the figure and the controls in the content region (viz/figure/draw_figure.cpp).
    void draw(ViewFrame& frame);
    // Returns whether the last picture was complete. A screenshot draws frames until it is.
    bool settled() const { return settled_; }

private:
    std::vector<Numbers> numbers_; // of the last frame
    bool settled_ = true;
};

// Makes all views, in the order of their tabs. Needs a current OpenGL context.
std::vector<std::unique_ptr<View>> make_views();

} // namespace viz
