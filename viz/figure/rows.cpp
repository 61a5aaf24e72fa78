#include "viz/figure/rows.h"

#include "viz/figure/figure.h"

#include <utility>

namespace viz {

namespace {

// Adds the rows of one panel.
class Rows {
public:
    Rows(const Theme& theme, const Panel& panel, std::vector<FigureRow>& all) : theme_(theme), panel_(panel), all_(all)
    {
    }

    void add(const BarLayer& layer)
    {
        for (const BarLayer::Bar& bar : layer.bars) {
            const std::string name = layer.name.empty() ? bar.name : layer.name + ": " + bar.name;
            for (const BarLayer::Part& part : bar.parts)
                row({.name = name, .series = part.series, .value = part.value, .words = part.words});
            if (bar.parts.empty() && !bar.missing.empty())
                row({.name = name, .words = bar.missing});
            else if (!bar.words.empty())
                row({.name = name, .words = bar.words});
            for (const LimitLine& limit : bar.limits)
                row({.name = name, .series = limit.name, .value = limit.value, .words = limit.words});
        }
    }

    void add(const CurveLayer& layer)
    {
        for (const CurveLayer::Curve& curve : layer.curves)
            for (const CurveLayer::Point& point : curve.points) {
                FigureRow one{.name = point.name,
                              .series = curve.name.empty() ? curve.label : curve.name,
                              .from = point.right,
                              .value = point.value.value_or(point.up),
                              .words = point.label};
                if (!one.name.empty() || !one.series.empty()) // points without a name are only visual guides
                    row(std::move(one));
            }
        for (const LimitLine& limit : layer.limits)
            row({.name = limit.name, .value = limit.value, .words = limit.words});
    }

    void add(const CellLayer& layer)
    {
        if (!layer.value && !layer.words)
            return;
        for (uint32_t at = 0; at < layer.rows; ++at)
            for (uint32_t col = 0; col < layer.cols; ++col) {
                if (layer.colour(at, col) == 0)
                    continue;
                FigureRow one{.name = layer.name, .row = at, .col = col};
                if (layer.value)
                    one.value = layer.value(at, col);
                if (layer.words)
                    one.words = layer.words(at, col);
                if (one.value || !one.words.empty())
                    row(std::move(one));
            }
    }

    // Adds values only if they are printed. All values of a matrix could be millions of rows.
    void add(const MatrixLayer& layer)
    {
        if (!layer.value || !draw::values_fit(theme_, layer.widest, layer.frame))
            return;
        draw::each_element(layer.frame, panel_.box, [&](const Cell& cell, const Box&) {
            const draw::NamedValue value = layer.value(cell);
            if (!value.name.empty() || !value.value.empty())
                row({.name = value.name.empty() ? layer.name : value.name,
                     .row = cell.row,
                     .col = cell.col,
                     .words = value.value});
        });
    }

    void add(const LaneLayer& layer)
    {
        for (const LaneLayer::Row& lane : layer.rows)
            for (std::size_t i = 0; i < lane.count; ++i) {
                const LaneLayer::Interval interval = lane.at(i);
                row({.name = lane.name,
                     .series = lane.mark ? lane.mark(i) : "",
                     .from = interval.from,
                     .until = interval.until,
                     .words = lane.words ? lane.words(i) : ""});
            }
    }

    void add(const ShapeLayer& layer)
    {
        for (const Shape& shape : layer.shapes)
            if (shape.said != nullptr && (shape.said->value || !shape.said->words.empty()))
                row({.name = shape.said->name, .value = shape.said->value, .words = shape.said->words});
    }

    void add(const LabelLayer& layer)
    {
        for (const Label& label : layer.labels)
            row({.name = label.name, .words = label.words});
    }

    void add(const ImageLayer&) {} // only its tips describe its cells
    void add(const RichTextLayer& layer) { row({.name = layer.name, .words = plain(layer.words)}); }

    void add(const CalloutLayer& layer)
    {
        for (const CalloutLayer::Line& line : layer.lines)
            row({.words = line.words});
    }

    void row(FigureRow one)
    {
        one.panel = panel_.id;
        all_.push_back(std::move(one));
    }

private:
    const Theme& theme_;
    const Panel& panel_;
    std::vector<FigureRow>& all_;
};

} // namespace

std::vector<FigureRow> rows_of(const Theme& theme, const Figure& figure)
{
    std::vector<FigureRow> all;
    for (const Heading& heading : figure.headings)
        all.push_back({.series = plain(heading.name), .words = plain(heading.headline)});
    for (const Panel& panel : figure.panels) {
        Rows rows(theme, panel, all);
        if (!panel.title.empty() || !panel.figure.empty())
            rows.row({.name = panel.title, .words = plain(panel.figure)});
        for (const Layer& layer : panel.layers)
            std::visit([&](const auto& one) { rows.add(one); }, layer);
    }
    return all;
}

} // namespace viz
