// What a picture shows, as data: panels, and in each of them layers of marks over facts. A view makes it; viz/figure draws it,
// finds what the mouse is over, keeps labels apart and writes it as JSON. Nothing here knows how anything is drawn.
//
// To draw something, choose the layer that says it:
//     BarLayer     name | a bar for each stage | number
//     CurveLayer   points and lines over two axes
//     CellLayer    rows and columns of cells: banks, lanes, blocks
//     MatrixLayer  a matrix to scale with coloured parts, and values where elements are large enough
//     LaneLayer    intervals over an axis of time, row below row
//     ShapeLayer   free form: boxes, lines, polygons and ways along which something moves
//     LabelLayer   words beside what they speak of
//     CalloutLayer lines on a ground of their own, where they hide the least
//     ImageLayer   a texture, of more cells than shapes could draw
// What is said or done of a mark is a function, which is called for the one that the mouse is over; so a layer of 10,000 cells
// costs no more than its colours.
#pragma once

#include "viz/draw/draw.h"
#include "viz/draw/matrix_picture.h"
#include "viz/draw/numbers.h"
#include "viz/figure/axis.h"
#include "viz/origin.h"
#include "viz/text/rich.h"
#include "viz/theme.h"

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace viz {

class PanZoom;     // viz/draw/pan_zoom.h
class Raster;      // viz/figure/raster.h
struct LaneRaster; // viz/figure/raster.h
struct ViewScene;  // viz/view.h

using draw::Box;
using Action = std::function<void(const ViewScene&)>; // of a click, or while the pointer is there
using Tip = std::function<Rich()>;                    // beside the pointer

// A line across a bar or a chart at a value, such as a limit.
struct LimitLine {
    std::string name; // for tests and files
    double value = 0;
    Colour colour = 0;
    std::string words = {}; // beside it, where they have room
};

struct BarLayer {
    struct Part {
        std::string series;          // the stage whose it is, or the part of a stacked bar
        std::optional<double> value; // none: it is missing, which is no zero
        std::string words;           // the number as it is printed
        Colour colour = 0;
        double spared = 0;      // at its end, in a quieter colour: what is taken away of it
        double ground = 0;      // what it is a part of, shown as empty up to this value; 0: what the layer says
        std::string brief = {}; // of a stacked part: instead of the words where these have no room in it
        Tip tip = {};           // instead of the bar's
        std::string id = {};    // in tests and files, instead of the bar's and the series
    };
    struct Bar {
        std::string name;
        std::vector<Part> parts; // none: the name is a heading of the bars below
        std::vector<LimitLine> limits;
        Tip tip;
        Action click;
        bool lit = false;       // it is the one that is spoken of
        std::string id = {};    // in tests and files; empty: its name
        std::string words = {}; // of all its parts: at its end, or at the right where it lies on a ground
        std::optional<NumberOrigin> origin = {}; // the sign after its name
        bool quiet = false;                      // in faint words: it says nothing new
        bool rule = false;                       // a line parts it from the ones above
        std::string missing = {};                // instead of its parts: why they cannot be compared
        Action hover = {};                       // while the pointer is over it
    };
    enum class Names : uint8_t { before, above };
    enum class Numbers : uint8_t { at_ends, in_columns }; // columns before the bars, one for each part, in its colour
    std::string name = {};                                // before each bar's own in tests and files: "waits"
    std::vector<Bar> bars;                                // the first ones where not all have room
    double most = 0;                                      // that a whole length stands for; 0: the longest bar's
    bool stacked = false;    // the parts one after the other instead of one below the other
    bool on_ground = false;  // the rest of the length is shown as empty
    bool own_scales = false; // the longest part of each bar has the whole length
    Names names = Names::before;
    Numbers numbers = Numbers::at_ends;
    // Of stacked parts: what is too short for its words has them behind the bar, with a square of its colour, as far as they have
    // room: "mix name:PART". Then come, below all bars, this sentence and what is named nowhere yet, with each bar's square.
    std::optional<Rich> foot = {};
    // Instead of lengths from zero on, with ticks below the bars. A logarithmic one has no zero: where a bar ends says something,
    // its length does not.
    std::optional<Axis> axis = {};
};

// The least height in which all of its bars are drawn.
float bars_height(const Theme& theme, const BarLayer& layer);

struct CurveLayer {
    // An arrow points to the right; a tick is a thin line upwards, one of many beside each other.
    enum class Glyph : uint8_t { disc, ring, square, frame, diamond, arrow, tick };
    struct Point {
        double right = 0, up = 0;
        std::string name = {};  // for tests and files
        std::string label = {}; // beside it, where it has room; the earlier curve's and the later point's come first
        Tip tip = {};
        Action click = {};
        Glyph glyph = Glyph::disc;
        Colour colour = 0;                // 0: the curve's
        float moved = 0;                  // to the right, in pixels at scale 1: beside another one of the same place
        std::optional<double> value = {}; // for tests and files; none: `up`
        Action hover = {};                // while it is the one that the pointer is at
    };
    struct Curve {
        std::string name = {};
        std::vector<Point> points;
        Colour colour = 0;
        float line = 2, radius = 0; // pixels at scale 1; 0: none
        bool filled = false;        // down to the axis
        bool dashed = false;
        std::string label = {}; // beside its end
        bool on_line = false;   // the label stands on the line instead, where that comes into the chart
    };
    struct Region {
        std::vector<std::pair<double, double>> corners; // (right, up), convex
        Colour colour = 0;
    };
    std::string name = {}; // in tests and files
    Axis right, up;
    std::vector<Region> regions = {};   // below all curves
    std::vector<Curve> curves;          // the first one on top
    std::vector<LimitLine> limits = {}; // of `up`
    // Where no point is near: of a place within the axes. `drag` is done while the button is down.
    std::function<Rich(double right, double up)> tip = {};
    std::function<void(const ViewScene&, double right)> drag = {};
};

struct CellLayer {
    using Row = uint32_t;
    using Col = uint32_t;
    std::string name = {};
    uint32_t rows = 0, cols = 0;
    std::optional<Box> box = {};                          // within the panel; none: all of it
    std::function<Colour(Row, Col)> colour;               // 0: there is no such cell
    std::function<std::optional<double>(Row, Col)> value; // for files; none: a cell has no number
    std::function<std::string(Row, Col)> words;
    std::string widest; // the longest of the words: they are printed where it fits
    std::function<Rich(Row, Col)> tip;
    std::function<void(const ViewScene&, Row, Col)> click;
    struct Frame { // around some cells
        uint32_t row = 0, col = 0, rows = 1, cols = 1;
        Colour colour = 0;
        float thick = 2; // pixels at scale 1
        std::string name = {};
        std::string words = {}; // in the middle of these cells, where they fit
    };
    std::vector<Frame> frames = {};
    bool square = false; // cells are as high as wide, and the rest of the box stays empty
    bool bordered = true;
    // In place of words that do not fit, one after the other; `widest` is then the least that is worth printing.
    std::vector<std::function<std::string(Row, Col)>> shorter = {};
    bool large = false; // words are in large letters where they fit so
    // For cells by the thousand: their pixels, which stay with who makes the layer (viz/figure/raster.h). Where cells have no
    // room for a gap each pixel then shows the one in its middle. None: all cells are drawn as rectangles.
    std::shared_ptr<Raster> kept = {};
    // Cells that stand side by side in one row and for which this gives the same number are drawn as one wide cell. It has the words
    // and the id of the leftmost of them.
    std::function<uint32_t(Row, Col)> joined = {};
    std::function<std::string(Row, Col)> id = {}; // in tests and files, instead of the name with row and column
    bool rows_apart = false;                      // also where columns are too narrow to be
    // Instead of the words the first of these whose lines all have room, one below the other, such as an element and its value. The last
    // line stands out. No lines, or an empty one: the words stay.
    std::vector<std::function<std::vector<std::string>(Row, Col)>> lines = {};
};

// A matrix drawn to scale. What is said or done is of an element, also where a long vector is wrapped into rows.
struct MatrixLayer {
    struct Part {
        std::vector<CellRect> cells; // in places of the frame: placed()
        Colour colour = 0;
        float least = 2;       // pixels: it becomes no thinner, so that single elements stay visible
        std::string name = {}; // for tests and files
    };
    std::string name = {}; // in tests and files
    MatrixFrame frame;
    std::vector<Part> parts = {}; // the last one on top
    bool bare = false;            // other layers draw it: this one has its values, and says what is pointed at
    std::function<draw::NamedValue(const Cell&)> value = {};
    std::string widest = {}; // of the values: they are printed where it fits
    std::function<Rich(const Cell&)> tip = {};
    std::function<Action(const Cell&)> click = {}; // an empty action: nothing is done there
    // Numbers of rows and columns at the left and at the upper edge of this box, of what lies within it.
    std::optional<Box> ruled = {};
};
// The room that these numbers need at the left, and above.
ImVec2 ruler_size(const Theme& theme, const MapShape& shape);

// On the axis of its panel.
struct LaneLayer {
    struct Interval {
        double from = 0, until = 0;
        Colour colour = 0;
        float level = 1; // share of the row's height that it has, from the bottom
    };
    struct Row {
        std::string name;
        std::size_t count = 0; // of intervals, ascending and apart from each other
        std::function<Interval(std::size_t)> at;
        std::function<Rich(std::size_t)> tip = {};
        std::function<void(const ViewScene&, std::size_t)> click = {};
        float height = 1; // as a share of the others'
        bool gap_before = false;
        std::string id = {}; // in tests and files, with when its last interval ends; empty: it has none there
        float pixels = 0;    // its height at scale 1 instead of a share
        std::string most =
            {}; // that a level of 1 stands for: at the row's top, and 0 at its bottom, in place of the name
        std::function<std::string(std::size_t)> words = {};                  // in an interval where they fit
        std::function<std::optional<NumberOrigin>(std::size_t)> origin = {}; // the sign after these words
        // In tests and files, of an interval that shows whole; empty: none.
        std::function<std::string(std::size_t)> mark = {};
        std::function<std::string(std::size_t)> shorter = {}; // instead of words that do not fit
        Rich after = {};                                      // behind its last interval, where all of it has room
    };
    Axis time{.least = 0, .most = 1, .logarithmic = false};
    std::vector<Row> rows;
    std::optional<double> cursor = {}; // now
    bool with_axis = true;
    // Of what happens now, through which the intervals show where it is wide; 0: the cursor is a line. Words of an interval that it
    // covers in part stand beside it.
    double cursor_length = 0;
    struct Frame { // around a time of a row
        std::size_t row = 0;
        double from = 0, until = 0;
        Colour colour = 0;
        bool inside = false;   // within the interval's own box, where that has room for it
        std::string name = {}; // in tests and files
    };
    struct Bracket { // above all rows: a part of the time, with its length in words beside it
        double from = 0, until = 0;
        std::string words;
        std::string name = {}; // in tests and files
    };
    std::string name = {};              // of the area of all rows, in tests and files
    std::optional<Box> box = {};        // within the panel; none: all of it
    float names = 0;                    // pixels left of the rows, at the least: for layers with one axis
    float gap = 3;                      // pixels at scale 1, before a row that has one
    bool apart = false;                 // wide intervals end a pixel before the next one
    std::vector<LimitLine> limits = {}; // of time, through all rows; their words beside the line
    std::vector<Frame> frames = {};     // the last one on top
    std::optional<Bracket> bracket = {};
    std::string axis_name = {}; // before the numbers of the axis
    // While the button is down on the rows: the time where it is.
    std::function<void(const ViewScene&, double)> drag = {};
    // For intervals by the thousand: their pixels, which stay with who makes the layer (viz/figure/raster.h). None: all
    // intervals in sight are gone through for each frame.
    std::shared_ptr<LaneRaster> kept = {};
};
// In which pixels to the left of the rows names of this length have room.
float lane_names(const Theme& theme, std::string_view longest);

struct Shape {
    enum class Kind : uint8_t { box, circle, line, curve, polygon };
    // Most shapes of a picture say nothing, and take no room for it.
    struct Said {
        std::string name = {}; // empty: no mark for tests and files
        std::optional<double> value = {};
        std::string words = {}; // in its middle, where they fit
        Tip tip = {};
        Action click = {};
        Action hover = {}; // while the pointer is over it
    };
    Kind kind = Kind::box;
    Box box = {}; // of a box, and around a circle
    std::vector<ImVec2> points =
        {}; // of the others; a polygon is convex; a curve has where it begins, two that pull it, its end
    Colour fill = 0, stroke = 0;
    float thick = 1, radius = 0; // pixels at scale 1; the radius rounds a box
    std::shared_ptr<const Said> said = {};
};
inline Shape box_shape(const Box& box, Colour fill)
{
    return {.box = box, .fill = fill};
}
inline Shape said_of(Shape shape, Shape::Said said)
{
    shape.said = std::make_shared<const Shape::Said>(std::move(said));
    return shape;
}
// A frame around the box, on a broader one of the window's colour, so that it stands out from what it lies on.
void add_frame(std::vector<Shape>& shapes, const Theme& theme, const Box& box, Colour colour, float thick);
// On a curve's points, share 0 ... 1 of its parameter from its beginning.
ImVec2 curve_at(std::span<const ImVec2> points, float share);

struct ShapeLayer {
    std::vector<Shape> shapes; // the last one on top
    bool clipped = true;       // to the panel
};

struct Label {
    std::string words;
    ImVec2 at{};        // the point that it speaks of, in pixels
    float distance = 4; // from there, in pixels at scale 1
    Colour colour = 0;  // 0: quiet ink
    enum class Side : uint8_t { any, right, left, above, below, middle } side = Side::any;
    bool strong = false;              // in the bold font of numbers
    bool plate = false;               // on a ground of its own
    bool must = false;                // drawn wherever others are; else it goes where it would touch one
    bool mono = false, large = false; // in the font of numbers, or of headings
    std::string name = {};            // for tests and files
    std::optional<Box> within = {};   // in the middle of this box, where they fit there, instead of at the point
};
struct LabelLayer {
    std::vector<Label> labels; // the most important first
};

// A paragraph, wrapped to the width of its box.
struct ProseLayer {
    Rich words;
    std::optional<Box> box = {}; // within the panel; none: all of it
    bool whole = false;          // it goes where the box is too low for all of it
    std::string name = {};       // for tests and files
    bool plate = false;          // on a ground that reaches over what is around the words
};

// Lines on a ground of their own, beside what they speak of: of nine places over the box the one that hides the least.
struct CalloutLayer {
    struct Line {
        std::string words;
        Colour colour = 0;
        bool large = false, mono = false; // large letters become small ones before the line goes, for it is too wide
    };
    struct Obstacle {
        Box box;
        int weight = 1; // of hiding any of it
    };
    std::vector<Line> lines;
    Box over;      // the lower right corner is the first choice
    Box otherwise; // where that leaves less than `spare` pixels of its height: over this one, from its top on
    float spare = 0;
    std::vector<Obstacle> obstacles = {};
};

// More cells than shapes could draw: a texture that is made for the pixels which it fills.
struct ImageLayer {
    Box box;                                                // within the panel
    std::function<uint32_t(int width, int height)> texture; // its name in OpenGL, for so many pixels of the screen
};

using Layer = std::variant<BarLayer, CurveLayer, CellLayer, MatrixLayer, LaneLayer, ShapeLayer, LabelLayer, ProseLayer,
                           CalloutLayer, ImageLayer>;

struct LegendEntry {
    Colour colour = 0; // 0: words alone
    std::string words;
};

struct Panel {
    std::string id;
    Box box;                                 // with title and legend
    std::string title = {};                  // shortened where it has no room
    std::optional<NumberOrigin> origin = {}; // the sign after the title
    Rich figure = {}; // its one number, at the right end of the title; goes where the title needs the room
    std::vector<LegendEntry> legend = {};           // below the title
    std::vector<Layer> layers = {};                 // the last one on top
    std::function<void(const Box&)> use_mouse = {}; // of its ImGui item, which was just made: wheel and dragging
    bool is_picture = true;                         // it counts among the pictures of a view
    // Moved and zoomed with the mouse on the panel; the view makes the layers as it shows them. What lies beyond the box is cut off.
    PanZoom* camera = nullptr;
};

// Above the pictures of a stage: its name at the left, what its picture says at the right, or below where both are too wide. A
// headline has twelve words at most, its number coloured by what it says: amber for waste, green for its absence.
struct Heading {
    Rich name, headline;
    Box box; // as high as heading_height() says
};

struct Figure {
    std::vector<Heading> headings = {};
    std::vector<Panel> panels = {};
    std::vector<Rich> said = {};       // of what is shown, at length: a paragraph each, for the inspector
    std::vector<Numbers> numbers = {}; // what it shows, by how it was had
    bool settled = true;               // false: something in it is still being computed
};

} // namespace viz
