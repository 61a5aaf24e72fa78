// Draws the layers of a panel, with the state that they share. Used only within viz/figure.
#pragma once

#include "viz/figure/figure.h"
#include "viz/figure/surface.h"
#include "viz/marks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The tip and the actions of the mark under the mouse, in the topmost layer.
struct Hit {
    Tip tip;
    Action click;
    Action drag; // runs while the button is down
    Action hover = {};
};

// Draws the layers of panels, and finds the mark under the mouse.
class Painter {
public:
    // `pointer` is empty if the mouse is elsewhere. `marks` is null if no marks are recorded.
    Painter(Surface& on, const Theme& with, std::optional<ImVec2> pointer, Marks* marks)
        : surface(on), theme(with), pointer_(pointer), marks_(marks)
    {
    }

    Surface& surface;
    const Theme& theme;

    void begin(const Panel& panel); // sets the panel of the following calls
    void draw(const Layer& layer, const Box& box);

    float px(float pixels) const { return theme.px(pixels); }
    std::optional<ImVec2> pointer() const { return pointer_; }
    // Returns the visible part of a layer's box: the panel's box if it has a camera, otherwise all.
    Box sight(const Box& all) const;
    bool points_at(const Box& box) const { return pointer_ && box.holds(*pointer_); }
    // Sets where the button was pressed. A drag continues outside of the box in which it began.
    void held_since(ImVec2 pressed) { pressed_ = pressed; }
    bool drags(const Box& box) const { return pointer_ && pressed_ && box.holds(*pressed_); }
    void hit(Hit what) { hit_ = std::move(what); }
    const std::optional<Hit>& hit() const { return hit_; }

    // For files: collects each tip with its area, and does not look for the mouse. A mark smaller than `least_tip`
    // pixels at scale 1 has no tip.
    void collect_tips(std::vector<TipArea>* tips) { tips_ = tips; }
    bool tips_wanted() const { return tips_ != nullptr; }
    bool has_room_for_tip(float width, float height) const { return std::min(width, height) >= px(least_tip); }
    void tip(const Box& box, const Tip& tip);
    static constexpr float least_tip = 4;

    // The names of marks are for tests and files.
    bool marks_wanted() const { return marks_ != nullptr; }
    struct Mark {
        std::optional<double> value = {};
        Colour colour = 0;
        std::string label = {};
    };
    void mark(std::string_view name, const Box& box, Mark what);

    // Draws text that later labels avoid. `shortened` means that the text ends in an ellipsis.
    void text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words, bool shortened = false);
    void text_right(ImFont* font, ImVec2 right_top, Colour colour, std::string_view words);
    // Draws centred text. Returns false and draws nothing if it does not fit.
    bool text_in(ImFont* font, const Box& box, Colour colour, std::string_view words);
    // Returns the longest beginning of the words that fits, followed by an ellipsis.
    std::string shortened(ImFont* font, std::string_view words, float room) const;
    // Draws a label beside its point where it does not overlap other text. Returns false if the panel has no free
    // position.
    bool label(const Label& label);
    bool is_free(const Box& box) const;
    void take(const Box& box) { taken_.push_back(box); } // keeps labels away from the box
    // Draws rich text and returns its height. Labels avoid it as one box.
    float prose(const Rich& words, ImVec2 place, float width);

private:
    ImFont* font_of(const Label& label) const;
    void note(const Box& box, std::string_view words, bool shortened);

    std::optional<ImVec2> pointer_, pressed_;
    Marks* marks_;
    std::vector<TipArea>* tips_ = nullptr;
    std::optional<Hit> hit_;
    std::vector<Box> taken_;
    const Panel* panel_ = nullptr;
};

// `box` is the panel's box without title and legend. Each overload has its own source file.
void paint(Painter& painter, const BarLayer& layer, const Box& box);
void paint(Painter& painter, const CurveLayer& layer, const Box& box);
void paint(Painter& painter, const CellLayer& layer, const Box& box);
void paint(Painter& painter, const MatrixLayer& layer, const Box& box);
void paint(Painter& painter, const LaneLayer& layer, const Box& box);
void paint(Painter& painter, const ShapeLayer& layer, const Box& box);
void paint(Painter& painter, const LabelLayer& layer, const Box& box);
void paint(Painter& painter, const RichTextLayer& layer, const Box& box);
void paint(Painter& painter, const CalloutLayer& layer, const Box& box);
void paint(Painter& painter, const ImageLayer& layer, const Box& box);

// Returns the area of the chart: the box without the room for ticks and titles of the axes (axis.cpp).
Box chart_area(const Painter& painter, const Axis& right, const Axis& up, const Box& box);

// Draws a line at each tick on the area's background, and a number at each tick that has room for one.
void paint_axes(Painter& painter, const Scale& right, const Scale& up, const Box& box, const Box& area);

// Draws ticks and numbers of a horizontal axis below `area`. Numbers stay within `within`.
void paint_ticks_below(Painter& painter, const Scale& scale, const Box& area, const Box& within);

} // namespace viz
