#include "viz/views/55_roofline/roofline_chart.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/views/55_roofline/roofline_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

struct Roof {
    std::string name;
    Ceiling ceiling;
    Colour colour = 0;
};

// Types whose peaks are within a few per cent share a line.
std::vector<Roof> arithmetic_roofs(const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    for (const Ceilings::Arithmetic& one : ceilings.arithmetic) {
        const auto near = std::ranges::find_if(roofs, [&](const Roof& roof) {
            return std::abs(std::log(roof.ceiling.value / one.ceiling.value)) < 0.06 &&
                   roof.ceiling.measured == one.ceiling.measured;
        });
        if (near != roofs.end()) {
            near->name += ", " + upper_case(one.type);
            near->ceiling.value = std::max(near->ceiling.value, one.ceiling.value);
        } else {
            roofs.push_back({upper_case(one.type), one.ceiling});
        }
    }
    return roofs;
}

std::vector<Roof> bandwidth_roofs(const Theme& theme, const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    uint32_t index = 0;
    for (const auto& [name, ceiling] :
         {std::pair{"L1", ceilings.l1}, std::pair{"L2", ceilings.l2}, std::pair{"DRAM", ceilings.dram}}) {
        if (ceiling)
            roofs.push_back({name, *ceiling, category_colour(theme, index)});
        ++index;
    }
    return roofs;
}

// Words on a plot: on the plot's own colour, so that lines below do not cross them.
void label(ImDrawList* list, const Theme& theme, ImVec2 place, Colour colour, const std::string& words)
{
    const ImVec2 size = draw::measure(theme.text, words);
    list->AddRectFilled({place.x - theme.px(3), place.y}, {place.x + size.x + theme.px(3), place.y + size.y},
                        draw::with_alpha(theme.panel, 0.9f));
    draw::text(list, theme.text, place, colour, words);
}

class Roofline {
public:
    Roofline(const ChartFrame& what, const std::vector<RooflinePoint>& all, const draw::Box& box)
        : frame(what), points(all), theme(what.theme), list(ImGui::GetWindowDrawList()),
          bandwidths(bandwidth_roofs(what.theme, what.ceilings)), peaks(arithmetic_roofs(what.ceilings)),
          plot(right_axis(), up_axis(), box, what.theme)
    {
    }

    void draw() const
    {
        plot.draw_axes(list);
        ImGui::PushClipRect(plot.area().min, plot.area().max, true);
        for (const Roof& roof : bandwidths)
            draw_slope(roof);
        for (const Roof& roof : peaks)
            draw_peak(roof);
        draw_names();
        for (const RooflinePoint& point : points)
            draw_potential(point);
        for (const bool emphasised : {false, true})
            for (const RooflinePoint& point : points)
                if ((frame.emphasis.colour(theme, point.rung->slug) != 0) == emphasised)
                    draw_point(point);
        ImGui::PopClipRect();
    }

    std::optional<std::string> pointed() const
    {
        if (!plot.item("roofline", frame.marks))
            return std::nullopt;
        Curve places;
        for (const RooflinePoint& point : points)
            places.points.push_back({point.intensity.value, point.gflops});
        const auto hit = plot.nearest({&places, 1}, ImGui::GetMousePos());
        return hit ? std::optional(points[hit->point].rung->slug) : std::nullopt;
    }

private:
    double highest_peak() const
    {
        double most = 0;
        for (const Roof& roof : peaks)
            most = std::max(most, roof.ceiling.value);
        return most;
    }

    Axis right_axis() const
    {
        double least = 0.25, most = 128;
        for (const RooflinePoint& point : points) {
            least = std::min(least, point.intensity.value);
            most = std::max(most, point.intensity.value);
            if (frame.emphasis.colour(theme, point.rung->slug) != 0)
                most = std::max(most, point.most_intensity);
        }
        for (const Roof& roof : bandwidths)
            most = std::max(most, highest_peak() / roof.ceiling.value);
        return {least / 2, most * 1.5, true, 2, "FLOP per byte that its requests move"};
    }
    Axis up_axis() const
    {
        double least = 1000, most = std::max(10000.0, highest_peak());
        for (const RooflinePoint& point : points) {
            least = std::min(least, point.gflops);
            most = std::max(most, point.gflops);
        }
        return {least / 2, most * 1.8, true, 10, "GFLOPS"};
    }

    void draw_slope(const Roof& roof) const
    {
        const double top = peaks.empty() ? 1e9 : highest_peak();
        const double from = 1e-6, until = top / roof.ceiling.value;
        list->AddLine(plot.at(from, from * roof.ceiling.value), plot.at(until, top), roof.colour, theme.px(2));
    }
    // Left of the steepest slope nothing can be: there the name stands.
    void draw_peak(const Roof& roof) const
    {
        double widest = 0;
        for (const Roof& bandwidth : bandwidths)
            widest = std::max(widest, bandwidth.ceiling.value);
        const float y = plot.up().at(roof.ceiling.value);
        const float from = widest > 0 ? plot.right().at(roof.ceiling.value / widest) : plot.area().min.x;
        list->AddLine({plot.area().min.x, y}, {from, y}, draw::with_alpha(theme.ink_faint, 0.4f), theme.px(1));
        list->AddLine({from, y}, {plot.area().max.x, y}, theme.ink_quiet, theme.px(2));
        mark(frame.marks, "roof:" + roof.name, {from, y - 1}, {plot.area().max.x, y + 1});
    }

    void draw_names() const
    {
        const float height = draw::measure(theme.text, "0").y;
        std::vector<Roof> sorted = peaks;
        std::ranges::sort(sorted, std::ranges::greater{}, [](const Roof& roof) { return roof.ceiling.value; });
        float below = plot.area().min.y;
        for (const Roof& roof : sorted) {
            const std::string words = fmt::format("{} {} TFLOPS{}", roof.name, thousands(roof.ceiling.value * 1e-3),
                                                  roof.ceiling.measured ? "" : ", theoretical");
            const float y = std::max(below, plot.up().at(roof.ceiling.value) - height - theme.px(2));
            label(list, theme, {plot.area().min.x + theme.px(6), y}, theme.ink_quiet, words);
            below = y + height + theme.px(2);
        }
    }

    // From the point to where it would stand if every value moved once.
    void draw_potential(const RooflinePoint& point) const
    {
        const Colour accent = frame.emphasis.colour(theme, point.rung->slug);
        if (accent == 0 || point.most_intensity <= 0)
            return;
        const ImVec2 from = plot.at(point.intensity.value, point.gflops);
        const ImVec2 until = plot.at(point.most_intensity, point.gflops);
        for (float x = from.x; x < until.x; x += theme.px(7))
            list->AddLine({x, from.y}, {std::min(x + theme.px(3), until.x), from.y}, accent, theme.px(1));
        const float size = theme.px(5);
        list->AddTriangleFilled({until.x - size, until.y - size}, {until.x - size, until.y + size}, until, accent);
        mark(frame.marks, "once:" + point.rung->slug, {until.x - size, until.y - size}, {until.x, until.y + size});
    }

    // Recorded: a disc; by formula: a ring. Tensor cores: a square.
    void draw_point(const RooflinePoint& point) const
    {
        const Colour accent = frame.emphasis.colour(theme, point.rung->slug);
        const Colour colour = accent != 0 ? accent : theme.ink_quiet;
        const float radius = theme.px(accent != 0 ? 6.5f : 4);
        const ImVec2 at = plot.at(point.intensity.value, point.gflops);
        const bool square = uses_tensor_cores(*point.rung);
        const auto shape = [&](float size, Colour fill) {
            square ? list->AddRectFilled({at.x - size, at.y - size}, {at.x + size, at.y + size}, fill)
                   : list->AddCircleFilled(at, size, fill);
        };
        shape(radius + theme.px(1.5f), theme.panel);
        shape(radius, colour);
        if (!point.intensity.recorded)
            shape(radius - theme.px(1.5f), theme.panel);
        mark(frame.marks, "point:" + point.rung->slug, {at.x - radius, at.y - radius}, {at.x + radius, at.y + radius});
        if (accent == 0)
            return;
        const ImVec2 size = draw::measure(theme.text, point.rung->slug);
        const float x = std::clamp(at.x - size.x / 2, plot.area().min.x + theme.px(4),
                                   std::max(plot.area().min.x, plot.area().max.x - size.x - theme.px(4)));
        const float below = at.y + radius + theme.px(3);
        const float y = below + size.y > plot.area().max.y ? at.y - radius - theme.px(3) - size.y : below;
        label(list, theme, {x, y}, accent, point.rung->slug);
    }

    const ChartFrame& frame;
    const std::vector<RooflinePoint>& points;
    const Theme& theme;
    ImDrawList* list;
    std::vector<Roof> bandwidths, peaks;
    Plot plot;
};

} // namespace

std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis)
{
    std::vector<RooflinePoint> points;
    for (const RungFacts& rung : board.rungs) {
        const bool emphasised = rung.slug == emphasis.first || rung.slug == emphasis.second;
        if (!rung.speed || (!rung.tile && !emphasised))
            continue;
        const recording::Problem& problem = rung.speed->problem;
        const auto intensity = intensity_of(rung.traffic, rung.tile, problem);
        if (!intensity || intensity->value <= 0)
            continue;
        RooflinePoint point{&rung, *intensity, rung.speed->gflops};
        if (rung.tile) {
            const Floor least = floor_of(problem, rung.tile->element_bytes, false, nullptr, nullptr);
            point.most_intensity = least.flops / least.bytes;
        }
        points.push_back(point);
    }
    return points;
}

Messages roof_legend(const Theme& theme, const Ceilings& ceilings)
{
    Messages legend;
    for (const Roof& roof : bandwidth_roofs(theme, ceilings))
        legend.push_back({"roofline.roof",
                          {{"colour", Swatch{roof.colour}},
                           {"name", roof.name},
                           {"bandwidth", number(roof.ceiling.value * 1e-3)},
                           {"measured", roof.ceiling.measured}}});
    if (legend.empty())
        legend.push_back({"roofline.no_roofs"});
    legend.push_back({"roofline.marks"});
    return legend;
}

std::optional<std::string> draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points,
                                         const draw::Box& box)
{
    const Roofline chart(frame, points, box);
    chart.draw();
    return chart.pointed();
}

} // namespace viz
