// Draws the layers of a panel: what they share. Within viz/figure only.
#pragma once

#include "viz/figure/figure.h"
#include "viz/figure/surface.h"
#include "viz/marks.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// What the mouse is over, by the layer that was drawn last.
struct Hit {
    Tip tip;
    Action click;
    Action drag; // while the button is down
    Action hover = {};
};

class Painter {
public:
    // `pointer`: none where the mouse is elsewhere. `marks`: null where nothing asks what was drawn.
    Painter(Surface& on, const Theme& with, std::optional<ImVec2> pointer, Marks* marks)
        : surface(on), theme(with), pointer_(pointer), marks_(marks)
    {
    }

    Surface& surface;
    const Theme& theme;

    void begin(const Panel& panel); // what follows is of it
    void draw(const Layer& layer, const Box& box);

    float px(float pixels) const { return theme.px(pixels); }
    std::optional<ImVec2> pointer() const { return pointer_; }
    Box sight(const Box& all) const; // of a layer's box: what a camera shows of it, else all
    bool points_at(const Box& box) const { return pointer_ && box.holds(*pointer_); }
    // The button is down, and was pressed there: what is dragged follows the pointer beyond its box, too.
    void held_since(ImVec2 pressed) { pressed_ = pressed; }
    bool drags(const Box& box) const { return pointer_ && pressed_ && box.holds(*pressed_); }
    void hit(Hit what) { hit_ = std::move(what); }
    const std::optional<Hit>& hit() const { return hit_; }

    // For tests and files.
    bool marks_wanted() const { return marks_ != nullptr; }
    struct Mark {
        std::optional<double> value = {};
        Colour colour = 0;
        std::string label = {};
    };
    void mark(std::string_view name, const Box& box, Mark what);

    // Words at a place, which later ones keep away from. `shortened`: they end in dots.
    void text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words, bool shortened = false);
    void text_right(ImFont* font, ImVec2 right_top, Colour colour, std::string_view words);
    bool text_in(ImFont* font, const Box& box, Colour colour, std::string_view words); // in the middle, if it fits
    // The beginning of the words that has room, with dots after it.
    std::string shortened(ImFont* font, std::string_view words, float room) const;
    // Beside the point where no other words are; false: there is no such place within the panel.
    bool label(const Label& label);
    bool is_free(const Box& box) const;
    void take(const Box& box) { taken_.push_back(box); } // no label goes there
    // Returns the height. The words count as one box.
    float prose(const Rich& words, ImVec2 place, float width);

private:
    ImFont* font_of(const Label& label) const;
    void note(const Box& box, std::string_view words, bool shortened);

    std::optional<ImVec2> pointer_, pressed_;
    Marks* marks_;
    std::optional<Hit> hit_;
    std::vector<Box> taken_;
    const Panel* panel_ = nullptr;
};

// Each in a file of its own, in the box that is left of the panel.
void paint(Painter& painter, const BarLayer& layer, const Box& box);
void paint(Painter& painter, const CurveLayer& layer, const Box& box);
void paint(Painter& painter, const CellLayer& layer, const Box& box);
void paint(Painter& painter, const MatrixLayer& layer, const Box& box);
void paint(Painter& painter, const LaneLayer& layer, const Box& box);
void paint(Painter& painter, const ShapeLayer& layer, const Box& box);
void paint(Painter& painter, const LabelLayer& layer, const Box& box);
void paint(Painter& painter, const ProseLayer& layer, const Box& box);
void paint(Painter& painter, const CalloutLayer& layer, const Box& box);
void paint(Painter& painter, const ImageLayer& layer, const Box& box);

// Axes around the area of a chart: ticks with their numbers, and titles (axis.cpp).

// The area that is left of a box for axes with these ticks and titles.
Box chart_area(const Painter& painter, const Axis& right, const Axis& up, const Box& box);

// On the area's own ground: a line at each tick, a number where it has room.
void paint_axes(Painter& painter, const Scale& right, const Scale& up, const Box& box, const Box& area);

// Lines down at the ticks of an axis to the right, with numbers below `area` as far as `within` reaches.
void paint_ticks_below(Painter& painter, const Scale& scale, const Box& area, const Box& within);

} // namespace viz
