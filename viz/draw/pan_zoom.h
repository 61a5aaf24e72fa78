// A camera over a plane of cells. Keys, wheel and dragging move it; jumps are animated.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <functional>
#include <utility>
#include <vector>

namespace viz {

// Limits of the zoom.
struct ZoomLimits {
    double stretch = 1;   // largest ratio between height and width of a cell, used to fill the box
    double nearest = 400; // largest width of a cell in pixels
    // If the whole plane is shown, unstretched cells of more than two pixels get a whole number of pixels.
    bool whole_pixels = true;
};

// The camera's position and zoom.
class PanZoom {
public:
    struct Rect { // in cells
        double x = 0, y = 0, width = 1, height = 1;
    };
    static Rect of(const CellRect& cells)
    {
        return {static_cast<double>(cells.col), static_cast<double>(cells.row), static_cast<double>(cells.cols),
                static_cast<double>(cells.rows)};
    }

    // Must be called in each frame with the box in which the plane is shown and the plane's size. Fits the plane to the
    // box when either changes, until the user moves the camera.
    void follow(const draw::Box& box, double width, double height, const ZoomLimits& limits = {});

    // These have no effect before follow() was called.
    void show(const Rect& rect, double room = 0.8); // moves there smoothly
    void show_all();
    void zoom(double factor, ImVec2 around);
    void zoom_in() { zoom(1.25, box.middle()); }
    void zoom_out() { zoom(0.8, box.middle()); }
    void move(double right, double down); // as fractions of the visible part
    void back();                          // returns to the position before the last jump or wheel turn
    // Handles wheel, dragging and double click (which zooms in) on the last ImGui item.
    void use_mouse();

    bool gliding() const { return gliding_; }
    double cell() const { return now.cell; } // width in pixels
    double cell_height() const { return now.cell * now.stretch; }
    ImVec2 to_screen(double x, double y) const;
    draw::Box to_screen(const Rect& rect) const;
    std::pair<double, double> from_screen(ImVec2 point) const;
    Rect seen() const;

    // Returns the commands for the keys + - 0 h ; k j and Backspace. They move all cameras that `shown` returns.
    static ViewCommands commands(const std::function<std::vector<PanZoom*>()>& shown);

private:
    struct State {
        double x = 0, y = 0, cell = 1; // of the centre
        double stretch = 1;            // height of a cell relative to its width
    };
    bool placed() const { return plane_width > 0; } // follow() was called
    State whole() const;
    State limited(State state) const;
    void remember();                                   // saves the position at the beginning of a jump or wheel turn
    double filling(double width, double height) const; // the stretch at which these cells fill the box

    draw::Box box{};
    double plane_width = 0, plane_height = 0;
    ZoomLimits limits_;
    State now, goal;
    bool fitted = true, gliding_ = false;
    std::vector<State> before; // the most recent at the end
    double turned = -1;        // time of the last wheel turn, in ImGui's seconds
};

} // namespace viz
