#include "viz/views/55_roofline/roofline_chart.h"

#include "viz/analysis/counted.h"
#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/views/55_roofline/label_room.h"
#include "viz/views/55_roofline/roofline_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

struct Roof {
    std::string name;
    Ceiling ceiling; // of types that share a line, the highest
    Colour colour = 0;
    std::string values{}; // "BF16 963, FP16 919": of each type's, in TFLOPS
};

double ceiling_of(const Roof& roof)
{
    return roof.ceiling.value;
}

double highest(const std::vector<Roof>& roofs)
{
    return roofs.empty() ? 0 : ceiling_of(*std::ranges::max_element(roofs, {}, ceiling_of));
}

// Types whose peaks are within a few per cent share a line. The highest first.
std::vector<Roof> arithmetic_roofs(const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    for (const Ceilings::Arithmetic& one : ceilings.arithmetic) {
        const std::string value = fmt::format("{} {}", upper_case(one.type), thousands(one.ceiling.value * 1e-3));
        const auto near = std::ranges::find_if(roofs, [&](const Roof& roof) {
            return std::abs(std::log(roof.ceiling.value / one.ceiling.value)) < 0.06 &&
                   roof.ceiling.measured == one.ceiling.measured;
        });
        if (near != roofs.end()) {
            near->name += ", " + upper_case(one.type);
            near->values += ", " + value;
            near->ceiling.value = std::max(near->ceiling.value, one.ceiling.value);
        } else {
            roofs.push_back({upper_case(one.type), one.ceiling, 0, value});
        }
    }
    std::ranges::stable_sort(roofs, std::ranges::greater{}, ceiling_of);
    return roofs;
}

std::vector<Roof> bandwidth_roofs(const Theme& theme, const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    const auto add = [&](const char* name, const std::optional<Ceiling>& ceiling, uint32_t colour) {
        if (ceiling)
            roofs.push_back({name, *ceiling, category_colour(theme, colour)});
    };
    add("shared memory", ceilings.shared, 6);
    add("L1", ceilings.l1, 0);
    add("L2", ceilings.l2, 1);
    add("DRAM", ceilings.dram, 2);
    return roofs;
}

class Roofline {
public:
    Roofline(const ChartFrame& what, const std::vector<RooflinePoint>& all, const draw::Box& box)
        : frame(what), points(all), theme(what.theme), list(ImGui::GetWindowDrawList()),
          bandwidths(bandwidth_roofs(what.theme, what.ceilings)), peaks(arithmetic_roofs(what.ceilings)),
          plot(right_axis(), up_axis(), box, what.theme), room(plot.area())
    {
    }

    void draw()
    {
        plot.draw_axes(list);
        ImGui::PushClipRect(plot.area().min, plot.area().max, true);
        draw_grounds();
        for (const Roof& roof : bandwidths)
            draw_slope(roof);
        for (const Roof& roof : peaks)
            draw_peak(roof);
        draw_names();
        for (const RooflinePoint& point : points)
            draw_used(point), draw_potential(point);
        for (const bool emphasised : {false, true})
            for (const RooflinePoint& point : points)
                if (is_emphasised(point) == emphasised)
                    draw_point(point);
        for (const RooflinePoint& point : points)
            draw_shared(point), draw_other_intensities(point);
        draw_slope_names();
        for (const bool emphasised : {true, false})
            for (const RooflinePoint& point : points)
                if (is_emphasised(point) == emphasised)
                    name_point(point);
        ImGui::PopClipRect();
    }

    float lowest() const { return lowest_arrow; }
    std::optional<RooflineHit> pointed() const
    {
        if (!plot.item("roofline", frame.marks))
            return std::nullopt;
        Curve places;
        for (const RooflinePoint& point : points)
            places.points.push_back({point.intensity.value, point.gflops});
        const auto hit = plot.nearest({&places, 1}, ImGui::GetMousePos());
        if (hit)
            return RooflineHit{points[hit->point].rung->slug, {}};
        const ImVec2 mouse = ImGui::GetMousePos();
        return RooflineHit{{}, allowed_at(plot.right().value_at(mouse.x), plot.up().value_at(mouse.y))};
    }

private:
    // "At 4 FLOP per byte DRAM feeds 18,160 GFLOPS, ..."; whether a kernel can be there.
    Message allowed_at(double intensity, double gflops) const
    {
        Value::List roofs;
        for (const Roof& roof : bandwidths)
            roofs.emplace_back(
                Message{"roofline.allowed", {{"roof", roof.name}, {"gflops", number(intensity * roof.ceiling.value)}}});
        return {"roofline.allowed_at",
                {{"intensity", number(intensity)},
                 {"roofs", roofs},
                 {"peak", number(highest(peaks))},
                 {"above", gflops > std::min(intensity * highest(bandwidths), highest(peaks))}}};
    }

    Colour accent_of(const RooflinePoint& point) const { return frame.emphasis.colour(theme, point.rung->slug); }
    bool is_emphasised(const RooflinePoint& point) const { return accent_of(point) != 0; }

    // On the plot's own colour, so that lines below do not cross it; nothing where other words or marks stand.
    bool label(ImVec2 place, Colour colour, const std::string& words)
    {
        const ImVec2 size = draw::measure(theme.text, words);
        const draw::Box box{{place.x - theme.px(3), place.y}, {place.x + size.x + theme.px(3), place.y + size.y}};
        if (!room.is_free(box))
            return false;
        list->AddRectFilled(box.min, box.max, draw::with_alpha(theme.panel, 0.9f));
        draw::text(list, theme.text, place, colour, words);
        room.take_for_words(box);
        return true;
    }

    void take_mark(const std::string& name, const draw::Box& box)
    {
        mark(frame.marks, name, box);
        room.take_for_mark(box);
    }

    Axis right_axis() const
    {
        double least = 0.25, most = 128;
        const auto include = [&](double value) {
            least = std::min(least, value);
            most = std::max(most, value);
        };
        for (const RooflinePoint& point : points) {
            include(point.intensity.value);
            if (!is_emphasised(point))
                continue;
            most = std::max(most, point.most_intensity);
            for (const std::optional<double>& other : {point.by_formula, point.counted, point.shared_intensity})
                if (other && *other > 0)
                    include(*other);
        }
        for (const Roof& roof : bandwidths)
            most = std::max(most, highest(peaks) / roof.ceiling.value);
        return {least / 2, most * 1.5, true, 2, "FLOP per byte that its requests move"};
    }
    Axis up_axis() const
    {
        double least = 1000, most = std::max(10000.0, highest(peaks));
        for (const RooflinePoint& point : points) {
            least = std::min(least, point.gflops);
            most = std::max(most, point.gflops);
        }
        return {least / 2, most * 1.8, true, 10, "GFLOPS"};
    }

    // Below a bandwidth's slope, in its colour: that level could bring the bytes, down to the slope of the next. The highest
    // peak ends all of them.
    void draw_grounds() const
    {
        std::vector<Roof> sorted = bandwidths;
        std::ranges::sort(sorted, std::ranges::greater{}, ceiling_of);
        constexpr double from = 1e-6;
        const double top = peaks.empty() ? 1e9 : highest(peaks);
        const auto foot = [&](const Roof& roof) { return plot.at(from, from * roof.ceiling.value); };
        const auto ridge = [&](const Roof& roof) { return plot.at(top / roof.ceiling.value, top); };
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const bool lowest = i + 1 == sorted.size();
            const ImVec2 high = ridge(sorted[i]), low = foot(sorted[i]);
            const float right = std::max(plot.area().max.x, high.x);
            const ImVec2 corners[] = {low, high, lowest ? ImVec2{right, high.y} : ridge(sorted[i + 1]),
                                      lowest ? ImVec2{right, std::max(low.y, plot.area().max.y)} : foot(sorted[i + 1])};
            list->AddConvexPolyFilled(corners, 4, draw::with_alpha(sorted[i].colour, 0.24f));
        }
    }

    void draw_slope(const Roof& roof) const
    {
        const double top = peaks.empty() ? 1e9 : highest(peaks);
        const double from = 1e-6, until = top / roof.ceiling.value;
        list->AddLine(plot.at(from, from * roof.ceiling.value), plot.at(until, top), roof.colour, theme.px(2));
        mark(frame.marks, "roof:" + roof.name, plot.at(until, top), plot.at(until, top));
    }
    // Left of the steepest slope nothing can be: there the name stands.
    void draw_peak(const Roof& roof)
    {
        const double widest = highest(bandwidths);
        const float y = plot.up().at(roof.ceiling.value);
        const float from = widest > 0 ? plot.right().at(roof.ceiling.value / widest) : plot.area().min.x;
        list->AddLine({plot.area().min.x, y}, {from, y}, draw::with_alpha(theme.ink_faint, 0.4f), theme.px(1));
        list->AddLine({from, y}, {plot.area().max.x, y}, theme.ink_quiet, theme.px(2));
        room.take_for_line({from, y}, {plot.area().max.x, y});
        mark(frame.marks, "roof:" + roof.name, {from, y - 1}, {plot.area().max.x, y + 1});
    }

    // Left of the steepest slope, where nothing can be, each with a line to its own slope.
    void draw_slope_names()
    {
        const float height = draw::line_height(theme.text) + theme.px(4);
        for (const Roof& roof : bandwidths) {
            const std::string words = fmt::format("{} {:.3g} TB/s{}", roof.name, roof.ceiling.value * 1e-3,
                                                  roof.ceiling.measured ? "" : ", theoretical");
            const float width = draw::measure(theme.text, words).x;
            for (float at = plot.area().max.y - 2 * height; at > plot.area().min.y; at -= height / 2) {
                const float middle = at + height / 2 - theme.px(2);
                const double gflops = plot.up().value_at(middle);
                const float end = plot.right().at(gflops / highest(bandwidths)) - theme.px(14);
                if (!label({end - width, at}, roof.colour, words))
                    continue;
                const ImVec2 on_slope{plot.right().at(gflops / roof.ceiling.value), middle};
                list->AddLine({end + theme.px(3), middle}, on_slope, roof.colour, theme.px(1));
                list->AddCircleFilled(on_slope, theme.px(3), roof.colour);
                mark(frame.marks, "name of " + roof.name, on_slope, on_slope);
                break;
            }
        }
    }

    void draw_names()
    {
        const float height = draw::line_height(theme.text);
        float below = plot.area().min.y;
        for (const Roof& roof : peaks) {
            const std::string words =
                fmt::format("{} TFLOPS{}", roof.values, roof.ceiling.measured ? " measured" : ", theoretical");
            const float y = std::max(below, plot.up().at(roof.ceiling.value) - height - theme.px(2));
            label({plot.area().min.x + theme.px(6), y}, theme.ink_quiet, words);
            below = y + height + theme.px(2);
        }
    }

    // A column up to the point, what it reaches, and from there to the roof that the headline names what it leaves unused.
    // Where that is shared memory's, which the diamond stands below, to the nearest of the others.
    void draw_used(const RooflinePoint& point) const
    {
        const Colour accent = accent_of(point);
        const auto near = near_roof(*point.rung, frame.ceilings, {});
        if (accent == 0 || accent == theme.ink || !near)
            return;
        ImVec2 at = plot.at(point.intensity.value, point.gflops);
        const double roof = point.gflops / near->share;
        const float half = theme.px(9), top = plot.up().at(std::max(roof, point.gflops));
        // Beside each other where stages that are compared move as many bytes.
        const auto& names = frame.emphasis;
        const float stages = names.third.empty() ? names.second.empty() ? 1 : 2 : 3;
        const float place = accent == theme.accent() ? 0 : accent == theme.accent(1) ? 1 : 2;
        at.x += (place - (stages - 1) / 2) * 2 * half;
        list->AddRectFilled({at.x - half, at.y}, {at.x + half, plot.area().max.y}, draw::with_alpha(accent, 0.55f));
        list->AddRectFilled({at.x - half, top}, {at.x + half, at.y}, draw::with_alpha(theme.warning, 0.55f));
        list->AddLine({at.x - half * 1.6f, top}, {at.x + half * 1.6f, top}, theme.warning, theme.px(2));
        mark(frame.marks, "unused:" + point.rung->slug, {at.x - half, top}, {at.x + half, at.y});
    }

    // From the point to where it would stand if every value moved once.
    void draw_potential(const RooflinePoint& point)
    {
        const Colour accent = accent_of(point);
        if (accent == 0 || point.most_intensity <= 0)
            return;
        const ImVec2 from = plot.at(point.intensity.value, point.gflops);
        const ImVec2 until = plot.at(point.most_intensity, point.gflops);
        for (float x = from.x; x < until.x; x += theme.px(7))
            list->AddLine({x, from.y}, {std::min(x + theme.px(3), until.x), from.y}, accent, theme.px(1));
        room.take_for_line(from, until);
        const float size = theme.px(5);
        list->AddTriangleFilled({until.x - size, until.y - size}, {until.x - size, until.y + size}, until, accent);
        mark(frame.marks, "once:" + point.rung->slug, {until.x - size, until.y - size}, {until.x, until.y + size});
        lowest_arrow = std::max(lowest_arrow, until.y);
        const std::string words = "each value once: " + thousands(point.most_intensity);
        label({until.x - draw::measure(theme.text, words).x, until.y + size + theme.px(2)}, accent, words);
    }

    // Recorded: a disc; by formula: a ring. Tensor cores: a square.
    void draw_point(const RooflinePoint& point)
    {
        const Colour accent = accent_of(point);
        const Colour colour = accent != 0 ? accent : theme.ink_quiet;
        const float radius = theme.px(accent != 0 ? 6.5f : 4);
        const ImVec2 at = plot.at(point.intensity.value, point.gflops);
        const bool square = uses_tensor_cores(point.rung->type);
        const auto shape = [&](float size, Colour fill) {
            const draw::Box box = draw::around(at, size);
            square ? list->AddRectFilled(box.min, box.max, fill) : list->AddCircleFilled(at, size, fill);
        };
        shape(radius + theme.px(1.5f), theme.panel);
        shape(radius, colour);
        if (!point.intensity.recorded)
            shape(radius - theme.px(1.5f), theme.panel);
        take_mark("point:" + point.rung->slug, draw::around(at, radius));
    }

    // Where the same speed stands against what shared memory brings: a diamond below its roof.
    void draw_shared(const RooflinePoint& point)
    {
        const Colour accent = accent_of(point);
        if (accent == 0 || !point.shared_intensity || !frame.ceilings.shared)
            return;
        const ImVec2 at = plot.at(*point.shared_intensity, point.gflops);
        const ImVec2 own = plot.at(point.intensity.value, point.gflops);
        const ImVec2 roof = plot.at(*point.shared_intensity, *point.shared_intensity * frame.ceilings.shared->value);
        list->AddLine(at, own, draw::with_alpha(accent, 0.5f), theme.px(1));
        list->AddLine(at, roof, accent, theme.px(1.5f));
        const float size = theme.px(8);
        const auto diamond = [&](float half, Colour colour) {
            list->AddQuadFilled({at.x - half, at.y}, {at.x, at.y - half}, {at.x + half, at.y}, {at.x, at.y + half},
                                colour);
        };
        diamond(size + theme.px(2), theme.panel);
        diamond(size, accent);
        take_mark("shared:" + point.rung->slug, draw::around(at, size));
        const std::string words = "shared memory: " + percent(at_share(point));
        const ImVec2 extent = draw::measure(theme.text, words);
        if (!label({at.x - extent.x / 2, at.y + size + theme.px(3)}, accent, words))
            label({at.x - extent.x - size - theme.px(6), at.y - extent.y / 2}, accent, words);
    }

    // Where it would stand by the formula, and by the GPU's counters: rings at the height of its disc, each with its name.
    void draw_other_intensities(const RooflinePoint& point)
    {
        const Colour accent = accent_of(point);
        if (accent != theme.accent())
            return;
        const ImVec2 own = plot.at(point.intensity.value, point.gflops);
        for (const auto& [name, value] : {std::pair{"formula", point.by_formula}, {"counted", point.counted}}) {
            if (!value || *value <= 0)
                continue;
            const ImVec2 at = plot.at(*value, point.gflops);
            if (std::abs(at.x - own.x) < theme.px(5))
                continue; // under the disc
            const float radius = theme.px(4);
            list->AddLine(own, at, draw::with_alpha(accent, 0.7f), theme.px(1));
            list->AddCircleFilled(at, radius, theme.panel);
            list->AddCircle(at, radius, accent, 0, theme.px(1.5f));
            take_mark(fmt::format("{}:{}", name, point.rung->slug), draw::around(at, radius));
            const std::string words = fmt::format("{} {}", name, thousands(*value));
            const ImVec2 extent = draw::measure(theme.text, words);
            const float below = at.y + radius + theme.px(2), above = at.y - radius - extent.y - theme.px(2);
            const float beside = at.x < own.x ? at.x - radius - theme.px(4) - extent.x : at.x + radius + theme.px(4);
            const ImVec2 places[] = {{beside, at.y - extent.y / 2},
                                     {at.x - extent.x / 2, below},
                                     {at.x - extent.x / 2, above},
                                     {at.x - extent.x, below},
                                     {at.x - extent.x, above}};
            std::ranges::find_if(places, [&](const ImVec2& place) { return label(place, accent, words); });
        }
    }

    double at_share(const RooflinePoint& point) const
    {
        return point.gflops / (*point.shared_intensity * frame.ceilings.shared->value);
    }

    // Below it, right, left or above: where there is room; else further away, with a line to it.
    void name_point(const RooflinePoint& point)
    {
        const Colour accent = accent_of(point);
        const float radius = theme.px(accent != 0 ? 6.5f : 4) + theme.px(3);
        const ImVec2 at = plot.at(point.intensity.value, point.gflops);
        const std::string& words = point.rung->slug;
        const ImVec2 size = draw::measure(theme.text, words);
        const Colour colour = accent != 0 ? accent : theme.ink_faint;
        const ImVec2 places[] = {{at.x - size.x / 2, at.y + radius},
                                 {at.x + radius + theme.px(2), at.y - size.y / 2},
                                 {at.x - size.x - radius - theme.px(2), at.y - size.y / 2},
                                 {at.x - size.x / 2, at.y - radius - size.y},
                                 {at.x + radius, at.y - radius - size.y},
                                 {at.x - size.x - radius, at.y - radius - size.y},
                                 {at.x + radius, at.y + radius},
                                 {at.x - size.x - radius, at.y + radius}};
        for (const ImVec2& place : places)
            if (label(place, colour, words))
                return;
        const ImVec2 directions[] = {{1, 1}, {1, -1}, {1, 0},  {-1, 1},  {-1, -1}, {-1, 0}, {0, 1},  {0, -1},
                                     {2, 1}, {2, -1}, {-2, 1}, {-2, -1}, {1, 2},   {1, -2}, {-1, 2}, {-1, -2}};
        const float farthest = plot.area().height() * 0.4f; // in a small plot some stay without, rather than fill it
        enum class Line { free, over_lines, any };
        // At best its line crosses nothing; else other names' lines, and not their words.
        for (const Line allowed : {Line::free, Line::over_lines, Line::any})
            for (int far = 2; far < 12 && size.y * static_cast<float>(far) < farthest; ++far)
                for (const ImVec2& way : directions) {
                    const float x = at.x + way.x * size.y * 1.4f * static_cast<float>(far);
                    const float y = at.y + way.y * size.y * static_cast<float>(far);
                    const float left = way.x > 0 ? x : way.x < 0 ? x - size.x : x - size.x / 2;
                    const ImVec2 end{way.x == 0 ? x : x - way.x * theme.px(3), way.x == 0 ? y - way.y * size.y / 2 : y};
                    if ((allowed == Line::free && room.crosses_leaders(at, end)) ||
                        (allowed != Line::any && room.crosses_words(at, end)) ||
                        !label({left, y - size.y / 2}, colour, words))
                        continue;
                    list->AddLine(at, end, draw::with_alpha(colour, 0.6f), theme.px(1));
                    room.take_for_leader(at, end);
                    return;
                }
    }

    const ChartFrame& frame;
    const std::vector<RooflinePoint>& points;
    const Theme& theme;
    ImDrawList* list;
    std::vector<Roof> bandwidths, peaks;
    Plot plot;
    LabelRoom room;
    float lowest_arrow = 0; // how low one lies that says how few bytes would do; 0: there is none
};

} // namespace

std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis)
{
    std::vector<RooflinePoint> points;
    for (const RungFigures& rung : board.rungs) {
        const bool emphasised =
            rung.slug == emphasis.first || rung.slug == emphasis.second || rung.slug == emphasis.third;
        if (!rung.speed || (!rung.tile && !emphasised))
            continue;
        const recording::Problem& problem = rung.speed->problem;
        const auto intensity = intensity_of(rung.traffic.value(), rung.tile, problem);
        if (!intensity || intensity->value <= 0)
            continue;
        RooflinePoint point{&rung, *intensity, rung.speed->gflops};
        if (rung.tile && point.intensity.recorded)
            point.by_formula = rung.tile->intensity();
        const HardwareFigures* const launch = figures_at(rung.counted, problem);
        if (emphasised && launch != nullptr && rung.traffic && rung.traffic->flops > 0)
            point.counted = counted_intensity(*launch, flops_of(problem, is_vector(problem))).loads;
        if (rung.tile) {
            const Floor least = floor_of(problem, rung.tile->element_bytes, false, nullptr, nullptr);
            point.most_intensity = least.flops / least.bytes;
        }
        points.push_back(point);
    }
    return points;
}

RooflineDrawn draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points, const draw::Box& box)
{
    Roofline chart(frame, points, box);
    chart.draw();
    return {chart.pointed(), chart.lowest()};
}

} // namespace viz
