#include "viz/views/55_roofline/random_shapes_chart.h"

#include "viz/analysis/shapes.h"
#include "viz/text/templates.h"
#include "viz/views/55_roofline/label_room.h"
#include "viz/views/55_roofline/random_shapes_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace viz {

namespace {

constexpr double most_share = 1.5;  // of the scale of colours; 1 / most_share is its other end
constexpr float reach_of_mark = 12; // pixels at scale 1: a mark farther from the mouse is not meant

// One product of one of the series shown.
struct ShapeMark {
    const RandomSeries* series;
    const RandomShape* shape;
    ImVec2 at;
    Colour fill;
    Colour line; // below it: whose it is; 0: there is one series
    bool whole() const { return in_whole_rows(shape->problem, series->type); }
};

class RandomChart {
public:
    RandomChart(const ChartFrame& what, const draw::Box& place)
        : frame(what), theme(what.theme), list(ImGui::GetWindowDrawList()), box(place), series(shown_series()),
          plot(right_axis(), up_axis(), place, what.theme), radius(what.theme.px(series.size() == 1 ? 8.0f : 6.5f))
    {
        for (std::size_t i = 0; i < series.size(); ++i)
            for (const RandomShape& shape : series[i]->shapes)
                marks.push_back(mark_of(i, shape));
        std::ranges::stable_sort(marks, std::ranges::greater{},
                                 [](const ShapeMark& one) { return one.shape->of_cublas; });
    }

    void draw() const
    {
        plot.draw_axes(list);
        ImGui::PushClipRect(plot.area().min, plot.area().max, true);
        for (const ShapeMark& one : marks) { // the least last, over the others
            draw_mark(one.at, one.whole(), one.fill);
            if (one.line != 0)
                list->AddRectFilled({one.at.x - 0.85f * radius, one.at.y + 1.2f * radius},
                                    {one.at.x + 0.85f * radius, one.at.y + foot()}, one.line);
            const recording::Problem& size = one.shape->problem;
            mark(frame.marks, fmt::format("random:{} {}x{}x{}", one.series->slug, size.M, size.N, size.K),
                 draw::around(one.at, radius));
        }
        draw_shares();
        ImGui::PopClipRect();
        draw_legend();
    }

    std::optional<Message> pointed() const
    {
        if (!plot.item("random", frame.marks))
            return std::nullopt;
        const ImVec2 mouse = ImGui::GetMousePos();
        const auto distance = [&](const ShapeMark& one) { return std::hypot(one.at.x - mouse.x, one.at.y - mouse.y); };
        const auto nearest = std::ranges::min_element(marks, {}, distance);
        if (nearest == marks.end() || distance(*nearest) > theme.px(reach_of_mark))
            return std::nullopt;
        return random_message(*nearest->series, *nearest->shape);
    }

private:
    // Each once: two stages may have to show the same one. First those that were timed themselves.
    std::vector<const RandomSeries*> shown_series() const
    {
        std::vector<const RandomSeries*> shown;
        for (const bool own : {true, false})
            for (const std::string& slug : {frame.emphasis.first, frame.emphasis.second, frame.emphasis.third}) {
                const RandomSeries* one = slug.empty() ? nullptr : random_series_of(frame.board, slug);
                if (one != nullptr && (one->slug == slug) == own && std::ranges::find(shown, one) == shown.end())
                    shown.push_back(one);
            }
        return shown;
    }

    Axis axis(const std::function<double(const recording::Problem&)>& value, const Message& title) const
    {
        double least = 1e9, most = 1;
        for (const RandomSeries* one : series)
            for (const RandomShape& shape : one->shapes) {
                least = std::min(least, value(shape.problem));
                most = std::max(most, value(shape.problem));
            }
        return {least / 1.3, most * 1.3, true, 2, plain(title)};
    }
    Axis right_axis() const { return axis(side_of_result, {"roofline.random_side"}); }
    Axis up_axis() const
    {
        return axis([](const recording::Problem& problem) { return double{1} * problem.K; }, {"roofline.random_depth"});
    }

    // Those of one shape stand side by side.
    ShapeMark mark_of(std::size_t index, const RandomShape& shape) const
    {
        const RandomSeries& one = *series[index];
        const Colour accent = frame.emphasis.colour(theme, one.slug);
        const Colour fill = share_colour(theme, shape.of_cublas);
        const float from_middle = static_cast<float>(index) - static_cast<float>(series.size() - 1) / 2;
        ImVec2 at = plot.at(side_of_result(shape.problem), shape.problem.K);
        at.x += from_middle * 2.2f * radius;
        return {&one, &shape, at, accent != 0 ? fill : mix(fill, theme.panel, 0.6f),
                series.size() > 1 ? (accent != 0 ? accent : theme.ink_faint) : 0};
    }

    // How far a mark reaches down, with the line below it.
    float foot() const { return 1.2f * radius + (series.size() > 1 ? theme.px(2.5f) : 0); }

    // A square where rows are whole, else a diamond.
    void draw_mark(ImVec2 at, bool whole, Colour fill) const
    {
        const float line = theme.px(1.5f);
        if (whole) {
            const draw::Box square = draw::around(at, 0.85f * radius);
            list->AddRectFilled(square.min, square.max, fill);
            list->AddRect(square.min, square.max, theme.panel, 0, 0, line);
            return;
        }
        const float far = 1.15f * radius;
        const ImVec2 corners[] = {{at.x, at.y - far}, {at.x + far, at.y}, {at.x, at.y + far}, {at.x - far, at.y}};
        list->AddConvexPolyFilled(corners, 4, fill);
        list->AddPolyline(corners, 4, theme.panel, ImDrawFlags_Closed, line);
    }

    // The number beside the mark where there is room: the least one first.
    void draw_shares() const
    {
        LabelRoom room(plot.area());
        for (const ShapeMark& one : marks)
            room.take_for_mark(
                {{one.at.x - 1.1f * radius, one.at.y - 1.1f * radius}, {one.at.x + 1.1f * radius, one.at.y + foot()}});
        for (auto one = marks.rbegin(); one != marks.rend(); ++one) {
            const double share = one->shape->of_cublas;
            const std::string words = fmt::format("{:.{}f}", share, share < 9.995 ? 2 : 1);
            const ImVec2 size = draw::measure(theme.mono, words);
            const float away = 1.1f * radius + theme.px(2);
            const ImVec2 places[] = {{one->at.x + away, one->at.y - size.y / 2},
                                     {one->at.x - away - size.x, one->at.y - size.y / 2},
                                     {one->at.x - size.x / 2, one->at.y - away - size.y},
                                     {one->at.x - size.x / 2, one->at.y + foot() + theme.px(2)}};
            for (const ImVec2& place : places) {
                const draw::Box words_box{place, {place.x + size.x, place.y + size.y}};
                if (!room.is_free(words_box))
                    continue;
                room.take_for_words(words_box);
                draw::text(list, theme.mono, place, share < far_behind ? theme.warning : theme.ink_quiet, words);
                mark(frame.marks, "share:" + words, words_box);
                break;
            }
        }
    }

    // At the left below the plot, up to the name of its axis: what the colours and the two kinds of marks mean.
    void draw_legend() const
    {
        const float line = draw::line_height(theme.text), y = box.max.y - line;
        const float end = plot.area().max.x - draw::measure(theme.text, right_axis().title).x - theme.px(12);
        const auto width_of = [&](const std::string& words) { return draw::measure(theme.text, words).x; };
        const auto say = [&](float x, const std::string& words) {
            draw::text(list, theme.text, {x, y}, theme.ink_quiet, words);
            return x + width_of(words) + theme.px(4);
        };
        const std::string least = fmt::format("{:.2f}", 1 / most_share), most = fmt::format("{:.2f}", most_share),
                          of_what = plain({"roofline.random_scale"});
        float x = box.min.x;
        if (x + width_of(least) + width_of(most) + width_of(of_what) + theme.px(72 + 12) > end)
            return;
        x = say(x, least);
        constexpr int steps = 24;
        const float width = theme.px(72) / steps;
        const ImVec2 strip{x, y + 0.2f * line};
        for (int i = 0; i < steps; ++i, x += width)
            list->AddRectFilled({x, strip.y}, {x + width, y + 0.8f * line},
                                share_colour(theme, std::pow(most_share, 2 * (i + 0.5) / steps - 1)));
        mark(frame.marks, "scale of shares", strip, {x, y + 0.8f * line});
        x = say(say(x + theme.px(4), most), of_what) + theme.px(10);
        for (const bool whole : {true, false}) {
            const std::string words =
                plain(whole ? Message{"roofline.random_square"} : Message{"roofline.random_diamond"});
            const float right = x + 2 * radius + theme.px(4) + width_of(words);
            if (right > end)
                return;
            draw_mark({x + radius, y + line / 2}, whole, share_colour(theme, 1));
            say(x + 2 * radius + theme.px(4), words);
            mark(frame.marks, whole ? "legend:whole rows" : "legend:other rows", {x, y}, {right, y + line});
            x = right + theme.px(12);
        }
    }

    const ChartFrame& frame;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    std::vector<const RandomSeries*> series;
    Plot plot;
    float radius;
    std::vector<ShapeMark> marks; // in the order of drawing: the least last
};

} // namespace

Colour share_colour(const Theme& theme, double share)
{
    const double far = std::log(share) / std::log(most_share);
    return mix(mix(theme.panel, theme.ink, 0.4f), share < 1 ? theme.warning : theme.good,
               static_cast<float>(std::min(1.0, std::abs(far))));
}

std::optional<Message> draw_random_shapes(const ChartFrame& frame, const draw::Box& box)
{
    const RandomChart chart(frame, box);
    chart.draw();
    return chart.pointed();
}

} // namespace viz
