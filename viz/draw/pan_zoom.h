// A camera over a plane of cells: keys, wheel and dragging move it, jumps glide.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <functional>
#include <utility>
#include <vector>

namespace viz {

struct ZoomLimits {
    double stretch = 1;       // cells may become so many times as high as wide, or as wide as high, to fill the box
    double nearest = 400;     // pixels of a cell's width, at the nearest
    bool whole_pixels = true; // where all is shown, unstretched cells of more than two pixels have whole ones
};

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

    // To be called each frame with where the plane is shown and how large it is; fits it when either changes, until
    // the user has moved.
    void follow(const draw::Box& box, double width, double height, const ZoomLimits& limits = {});

    // These leave a plane as it is that was shown nowhere yet.
    void show(const Rect& rect, double room = 0.8); // glides there
    void show_all();
    void zoom(double factor, ImVec2 around);
    void zoom_in() { zoom(1.25, box.middle()); }
    void zoom_out() { zoom(0.8, box.middle()); }
    void move(double right, double down); // in parts of what is seen
    void back();                          // to where one was before the last jump or turn of the wheel
    // For the ImGui item drawn last: wheel, dragging, and a double click, which goes nearer.
    void use_mouse();

    bool gliding() const { return gliding_; }
    double cell() const { return now.cell; } // width in pixels
    double cell_height() const { return now.cell * now.stretch; }
    ImVec2 to_screen(double x, double y) const;
    draw::Box to_screen(const Rect& rect) const;
    std::pair<double, double> from_screen(ImVec2 point) const;
    Rect seen() const;

    // Keys + - 0 h ; k j and Backspace. `shown`: the cameras that are moved, all alike.
    static ViewCommands commands(const std::function<std::vector<PanZoom*>()>& shown);

private:
    struct State {
        double x = 0, y = 0, cell = 1; // of the middle
        double stretch = 1;            // height of a cell as part of its width
    };
    bool placed() const { return plane_width > 0; } // follow() was called
    State whole() const;
    State limited(State state) const;
    void remember(); // where one is, at the beginning of a jump or of a turn of the wheel
    double filling(double width, double height) const; // the stretch with which these cells fill the box

    draw::Box box{};
    double plane_width = 0, plane_height = 0;
    ZoomLimits limits_;
    State now, goal;
    bool fitted = true, gliding_ = false;
    std::vector<State> before; // the last one at the end
    double turned = -1;        // when the wheel was last turned, in ImGui's seconds
};

} // namespace viz
