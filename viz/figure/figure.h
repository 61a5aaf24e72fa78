// Describes a picture as data: panels, which contain layers of marks over facts. A view makes a Figure. viz/figure
// draws it, finds what the mouse is over, keeps labels apart and writes it as JSON. Nothing in this header depends on
// how a figure is drawn.
//
// Choose the layer that fits the content:
//     BarLayer     name | a bar for each stage | number
//     CurveLayer   points and lines over two axes
//     CellLayer    rows and columns of cells: banks, lanes, blocks
//     MatrixLayer  a matrix drawn to scale, with coloured parts, and with values where elements are large enough
//     LaneLayer    intervals over a time axis, one row below another
//     ShapeLayer   free form: boxes, circles, lines, curves and polygons
//     LabelLayer   words next to the points that they describe
//     RichTextLayer   a paragraph, wrapped to its box
//     CalloutLayer lines on a background of their own, placed where they hide the least
//     ImageLayer   a texture, for more cells than shapes could draw
//
// Tips and actions of marks are functions, which run only for the mark under the mouse. A layer of 10,000 cells
// therefore costs no more than its colours.
#pragma once

#include "viz/draw/draw.h"
#include "viz/draw/matrix_picture.h"
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

class PanZoom;     // viz/draw/camera.h
class Raster;      // viz/figure/raster.h
struct LaneRaster; // viz/figure/raster.h
struct ViewScene;  // viz/view.h

using draw::Box;
using Action = std::function<void(const ViewScene&)>; // run by a click, or while the mouse is over a mark
using Tip = std::function<Rich()>;                    // text shown beside the mouse
inline Tip said_tip(Rich words)
{
    return [words = std::move(words)] { return words; };
}

// Marks a value, such as a limit, by a line across a bar or a chart.
struct LimitLine {
    std::string name; // for tests and files
    double value = 0;
    Colour colour = 0;
    std::string words = {}; // label beside the line, drawn if there is room
};

// Bars with names and numbers, one row for each bar.
struct BarLayer {
    struct Part {
        std::string series;          // the stage of the bar, or the part of a stacked bar
        std::optional<double> value; // empty if missing, which differs from zero
        std::string words;           // the number as printed
        Colour colour = 0;
        // The total of which the value is a part, drawn as an empty bar. 0: see the layer's `on_ground`.
        double ground = 0;
        std::string brief = {}; // of a stacked part: shown if `words` do not fit inside
        Tip tip = {};           // replaces the bar's tip
        std::string id = {};    // for tests and files; replaces the bar's id and the series
    };
    struct Bar {
        std::string name;
        std::vector<Part> parts; // if parts and `missing` are empty, the name is a heading for the bars below
        std::vector<LimitLine> limits;
        Tip tip;
        Action click;
        bool lit = false;    // highlighted
        std::string id = {}; // for tests and files; empty means the name
        // The total of all parts. Printed at the bar's end, or at the right edge if `on_ground`.
        std::string words = {};
        std::optional<NumberOrigin> origin = {}; // the origin mark after its name
        bool quiet = false;                      // in faint text, because it adds no information
        bool rule = false;                       // drawn below a separator line
        std::string missing = {};                // shown instead of parts: why they cannot be compared
        Action hover = {};                       // runs while the pointer is over the bar
    };
    enum class Names : uint8_t { before, above };
    // Where numbers are printed. in_columns: before the bars, in a column for each part in the part's colour.
    enum class Numbers : uint8_t { at_ends, in_columns };
    std::string name = {};   // prefix of the bars' ids in tests and files: "waits"
    std::vector<Bar> bars;   // the last ones are omitted if there is no room
    double most = 0;         // the value of a bar of full length; 0: the largest one
    bool stacked = false;    // parts are placed one after another instead of one below another
    bool on_ground = false;  // the remainder of the full length is drawn as an empty bar
    bool own_scales = false; // each bar is scaled so that its longest part has full length
    Names names = Names::before;
    Numbers numbers = Numbers::at_ends;
    // For stacked parts: a sentence below all bars. A part that is too short for its words has them after the bar, with
    // a square in its colour, if there is room (mark "mix name:PART"). Parts that are named nowhere else follow `foot`.
    std::optional<Rich> foot = {};
    // Places bars on this axis, with ticks below the bars, instead of scaling them from zero. On a logarithmic axis the
    // end of a bar has a meaning, but its length has none.
    std::optional<Axis> axis = {};
};

// Returns the minimum height at which all bars are drawn.
float bars_height(const Theme& theme, const BarLayer& layer);

// Points and lines over two axes.
struct CurveLayer {
    // Marker of a point. `arrow` points to the right; `tick` is a thin vertical line, for many adjacent points.
    enum class Glyph : uint8_t { disc, ring, square, frame, diamond, arrow, tick };
    struct Point {
        double right = 0, up = 0; // if `up` is NaN, the line is interrupted here
        std::string name = {};    // for tests and files
        // Drawn beside the point if there is room. Earlier curves and later points have priority.
        std::string label = {};
        Tip tip = {};
        Action click = {};
        Glyph glyph = Glyph::disc;
        Colour colour = 0;                // 0 means the colour of the curve
        float moved = 0;                  // shift to the right, in pixels at scale 1, of points at the same position
        std::optional<double> value = {}; // for tests and files; empty means `up`
        Action hover = {};                // runs while this point is the nearest to the mouse
        // If there is no room beside the point, the label may be farther away, at the end of a line. For files and
        // tests, the label's name is then "label:NAME".
        bool leads = false;
    };
    struct Curve {
        std::string name = {};
        std::vector<Point> points;
        Colour colour = 0;
        float line = 2, radius = 0; // pixels at scale 1; 0 draws none
        bool filled = false;        // filled down to the axis
        bool dashed = false;
        std::string label = {}; // beside the end of the curve
        bool on_line = false;   // the label is where the line enters the chart
    };
    struct Region {
        std::vector<std::pair<double, double>> corners; // (right, up) of a convex area
        Colour colour = 0;
    };
    std::string name = {}; // for tests and files
    Axis right, up;
    std::vector<Region> regions = {};   // drawn below all curves
    std::vector<Curve> curves;          // the first one is drawn on top
    std::vector<LimitLine> limits = {}; // values of `up`
    // Tip for a position in the chart that is not near a point. `drag` runs there while the button is down.
    std::function<Rich(double right, double up)> tip = {};
    std::function<void(const ViewScene&, double right)> drag = {};
};

// Cells in rows and columns, each with a colour and words.
struct CellLayer {
    using Row = uint32_t;
    using Col = uint32_t;
    std::string name = {};
    uint32_t rows = 0, cols = 0;
    std::optional<Box> box = {};                          // within the panel; empty means the whole panel
    std::function<Colour(Row, Col)> colour;               // 0: there is no such cell
    std::function<std::optional<double>(Row, Col)> value; // for files; empty: the cells have no numbers
    std::function<std::string(Row, Col)> words;
    std::string widest; // the longest words; words are printed if they fit
    std::function<Rich(Row, Col)> tip;
    std::function<void(const ViewScene&, Row, Col)> click;
    struct Frame { // an outline around some cells
        uint32_t row = 0, col = 0, rows = 1, cols = 1;
        Colour colour = 0;
        float thick = 2; // pixels at scale 1
        std::string name = {};
        std::string words = {}; // centred in these cells, if they fit
    };
    std::vector<Frame> frames = {};
    bool square = false; // cells are square; the rest of the box stays empty
    bool bordered = true;
    // Shorter words, tried in order if words do not fit. `widest` is then the shortest text worth printing.
    std::vector<std::function<std::string(Row, Col)>> shorter = {};
    bool large = false; // words are drawn in large letters if they fit
    // Cached pixels for thousands of cells, owned by the maker of the layer (viz/figure/raster.h). If cells are too
    // small for gaps, each pixel has the colour of the cell at its centre. Null: cells are drawn as rectangles.
    std::shared_ptr<Raster> kept = {};
    // Neighbouring cells of a row with the same number are drawn as one wide cell, with the words and the id of the
    // leftmost one.
    std::function<uint32_t(Row, Col)> joined = {};
    std::function<std::string(Row, Col)> id = {}; // for tests and files; replaces the name with row and column
    bool rows_apart = false;                      // keeps gaps between rows even if columns are too narrow for gaps
    // Lists of lines that replace the words, such as an element and its value. The first list whose lines all fit is
    // printed, with its last line emphasized. If it is empty or has an empty line, the words are printed.
    std::vector<std::function<std::vector<std::string>(Row, Col)>> lines = {};
};

// A matrix drawn to scale. Tips and actions get an element, even if a long vector is wrapped.
struct MatrixLayer {
    struct Part {
        std::vector<CellRect> cells; // in coordinates of the frame: see placed()
        Colour colour = 0;
        float least = 2;       // minimum thickness in pixels, which keeps single elements visible
        std::string name = {}; // for tests and files
    };
    std::string name = {}; // for tests and files
    MatrixFrame frame;
    std::vector<Part> parts = {}; // the last one is drawn on top
    bool bare = false;            // other layers draw the matrix; this layer prints values and handles the mouse
    std::function<draw::NamedValue(const Cell&)> value = {};
    std::string widest = {}; // the widest value; values are printed if it fits
    std::function<Rich(const Cell&)> tip = {};
    std::function<Action(const Cell&)> click = {}; // an empty action: a click does nothing
    // Numbers of rows at the left edge and of columns at the upper edge of this box, for the elements within it.
    std::optional<Box> ruled = {};
};
// Returns the room for these numbers at the left and above.
ImVec2 ruler_size(const Theme& theme, const MapShape& shape);

// Rows of intervals over a common time axis.
struct LaneLayer {
    struct Interval {
        double from = 0, until = 0;
        Colour colour = 0;
        float level = 1; // fraction of the row's height, from the bottom
    };
    struct Row {
        std::string name;
        std::size_t count = 0; // of intervals, which are ascending and disjoint
        std::function<Interval(std::size_t)> at;
        std::function<Rich(std::size_t)> tip = {};
        std::function<void(const ViewScene&, std::size_t)> click = {};
        float height = 1; // relative to the other rows
        bool gap_before = false;
        std::string id = {}; // for tests and files, with the last interval's end as value; empty: no mark
        float pixels = 0;    // fixed height at scale 1 instead of the relative one
        // Replaces the name by a scale: this number at the top of the row, and 0 at the bottom.
        std::string most = {};
        std::function<std::string(std::size_t)> words = {};                  // printed in an interval if they fit
        std::function<std::optional<NumberOrigin>(std::size_t)> origin = {}; // the origin mark after these words
        // For tests and files: the name of an interval that is completely visible. Empty means no mark.
        std::function<std::string(std::size_t)> mark = {};
        std::function<std::string(std::size_t)> shorter = {}; // replaces words without room
        bool beside = false; // words without room are printed after their interval if they fit before the next one
        Rich after = {};     // printed after the last interval if there is room for all of it
    };
    Axis time{.least = 0, .most = 1, .logarithmic = false};
    std::vector<Row> rows;
    std::optional<double> cursor = {}; // the current time
    bool with_axis = true;
    // Length of the current event, drawn as a translucent band. 0, or a narrow band, draws a line. Words of a partly
    // covered interval move to its uncovered part.
    double cursor_length = 0;
    struct Frame { // an outline around an interval of time in one row
        std::size_t row = 0;
        double from = 0, until = 0;
        Colour colour = 0;
        bool inside = false;   // inside the interval's own box, if it fits
        std::string name = {}; // for tests and files
    };
    struct Bracket { // marks a stretch of time above all rows, labelled with its length
        double from = 0, until = 0;
        std::string words;
        std::string name = {}; // for tests and files
    };
    std::string name = {};              // of the area of all rows, for tests and files
    std::optional<Box> box = {};        // within the panel; empty means the whole panel
    float names = 0;                    // minimum width in pixels of the names, so that layers can share an axis
    float gap = 3;                      // before a row with `gap_before`, in pixels at scale 1
    bool apart = false;                 // wide intervals end one pixel earlier than the next one begins
    std::vector<LimitLine> limits = {}; // times, drawn as lines through all rows with words beside them
    std::vector<Frame> frames = {};     // the last one is drawn on top
    std::optional<Bracket> bracket = {};
    std::string axis_name = {}; // printed before the axis' numbers
    // Called with the time at the mouse while the button is down on the rows.
    std::function<void(const ViewScene&, double)> drag = {};
    // Cached pixels for thousands of intervals, owned by the maker of the layer (viz/figure/raster.h). Null: all
    // visible intervals are drawn in each frame.
    std::shared_ptr<LaneRaster> kept = {};
};
// Returns the width in pixels of names of this length, to the left of the rows.
float lane_names(const Theme& theme, std::string_view longest);

// One shape of a ShapeLayer.
struct Shape {
    enum class Kind : uint8_t { box, circle, line, curve, polygon };
    // Name, words and actions of a shape. They are not in Shape, because most shapes have none.
    struct Said {
        std::string name = {}; // empty: no mark for tests and files
        std::optional<double> value = {};
        std::string words = {}; // centred in the shape, if they fit
        Tip tip = {};
        Action click = {};
        Action hover = {}; // runs while the pointer is over the shape
    };
    Kind kind = Kind::box;
    Box box = {}; // of a box, or around a circle
    // The points of a line, of a convex polygon, or of a curve: start, two control points, end.
    std::vector<ImVec2> points = {};
    Colour fill = 0, stroke = 0;
    float thick = 1, radius = 0; // pixels at scale 1; the radius rounds the corners of a box
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
// Returns a line around the box, at a distance of a pixel.
inline Shape outline_around(const Box& box, Colour colour, float thick = 2)
{
    return {.box = {{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}}, .stroke = colour, .thick = thick};
}
// Adds a frame around the box. A wider frame below it, in the window's colour, separates it from its surroundings.
void add_frame(std::vector<Shape>& shapes, const Theme& theme, const Box& box, Colour colour, float thick);
// Returns the point of a cubic curve at the parameter `share`, from 0 to 1.
ImVec2 curve_at(std::span<const ImVec2> points, float share);

struct ShapeLayer {
    std::vector<Shape> shapes; // the last one is drawn on top
    bool clipped = true;       // clipped to the panel
};

// Words beside a point.
struct Label {
    std::string words = {};
    ImVec2 at{};        // the point that the label describes, in pixels
    float distance = 4; // from that point, in pixels at scale 1
    Colour colour = 0;  // 0 means ink_quiet
    enum class Side : uint8_t { any, right, left, above, below, middle } side = Side::any;
    bool strong = false;              // in the bold monospace font
    bool plate = false;               // with its own background
    bool must = false;                // drawn even if it overlaps other text; without `must` it is then omitted
    bool mono = false, large = false; // in the monospace font, or in the heading font
    std::string name = {};            // for tests and files
    std::optional<Box> within = {};   // the words are centred in this box instead of at the point, if they fit
};
// Returns words at the right of a point, at its left, or centred on it.
inline Label words_at(ImVec2 at, Label::Side side, std::string words, Label look = {})
{
    look.words = std::move(words);
    look.at = at;
    look.distance = 0;
    look.side = side;
    return look;
}

// Returns a monospaced label at the right of a point, at its left, or centred on it. If it `must`, it is drawn even if
// it overlaps other text.
inline Label mono_label(std::string words, ImVec2 at, Colour colour, Label::Side side, bool must = false)
{
    return {
        .words = std::move(words), .at = at, .distance = 0, .colour = colour, .side = side, .must = must, .mono = true};
}
struct LabelLayer {
    std::vector<Label> labels; // the most important first
};

// The sum of an element of C with a term for each k. Terms have values if these are known.
struct SumTerms {
    const recording::Recording& recording;
    Cell element;
    Colour ink = 0;
    std::optional<uint32_t> pointed = {}; // this k is always shown, and highlighted
    Colour lit = 0;                       // colour of the highlighted term
};
// Returns the width of the longest term without its values.
float longest_term(const Theme& theme, const recording::Recording& recording);
// Returns the labels of the terms, in as many columns as fit, including the last term. The sum is a label named "sum"
// for tests and files, if it is known and fits.
std::vector<Label> sum_terms(const Theme& theme, const Box& box, const SumTerms& what);

// A paragraph, wrapped to the width of its box.
struct RichTextLayer {
    Rich words;
    std::optional<Box> box = {}; // within the panel; empty means the whole panel
    bool whole = false;          // omitted if the box is too low for all of it
    std::string name = {};       // for tests and files
    bool plate = false;          // drawn on a background of its own
};

// Lines on a background of their own, placed at that of fifteen positions in the box at which it hides least.
// The last lines are omitted as long as it would hide an obstacle of a weight above 1.
struct CalloutLayer {
    struct Line {
        std::string words;
        Colour colour = 0;
        bool large = false, mono = false; // a large line becomes small, and is omitted only if it is still too wide
    };
    struct Obstacle {
        Box box;
        int weight = 1; // cost of hiding a part of it
    };
    std::vector<Line> lines;
    Box over;      // its lower right corner is preferred
    Box otherwise; // used, from its top on, if `over` would have less than `spare` pixels of height left
    float spare = 0;
    std::vector<Obstacle> obstacles = {};
};

// A texture with the resolution of the screen, for more cells than shapes could draw.
struct ImageLayer {
    Box box; // within the panel
    // Returns an OpenGL texture of this number of screen pixels.
    std::function<uint32_t(int width, int height)> texture;
};

using Layer = std::variant<BarLayer, CurveLayer, CellLayer, MatrixLayer, LaneLayer, ShapeLayer, LabelLayer,
                           RichTextLayer, CalloutLayer, ImageLayer>;

// An entry of a panel's legend.
struct LegendEntry {
    Colour colour = 0; // 0 means no square
    std::string words;
};

// One picture with its title and legend.
struct Panel {
    std::string id;
    Box box;                                 // includes title and legend
    std::string title = {};                  // shortened if it does not fit
    std::vector<std::string> shorter = {};   // shorter titles; the first one that fits is drawn
    std::optional<NumberOrigin> origin = {}; // the origin mark after the title
    Rich figure = {}; // a number at the right end of the title line; omitted if the title needs the room
    std::vector<LegendEntry> legend = {}; // below the title
    std::vector<Layer> layers = {};       // the last one is drawn on top
    // Called after the panel's ImGui item was made. Handles wheel and dragging.
    std::function<void(const Box&)> use_mouse = {};
    bool is_picture = true; // the view counts it as one of its pictures
    // The mouse moves and zooms this camera. The view makes the layers as the camera shows them. What is outside of the
    // box is clipped.
    PanZoom* camera = nullptr;
};

// The heading above the pictures of a stage: its name at the left and the headline at the right, or below the name if
// both are too wide. A headline has at most twelve words. Its number is amber for waste, and green if nothing is
// wasted.
struct Heading {
    Rich name, headline;
    Box box; // its height is heading_height()
};

// Everything that a view shows in one frame.
struct Figure {
    std::vector<Heading> headings = {};
    std::vector<Panel> panels = {};
    std::vector<Rich> said = {};       // detailed description of the picture for the inspector, one paragraph each
    std::vector<Numbers> numbers = {}; // origins of the numbers shown
    bool settled = true;               // false while a part of it is being computed
};

} // namespace viz
