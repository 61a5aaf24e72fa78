#include "viz/views/55_roofline/shapes_chart.h"

#include "viz/text/figures.h"
#include "viz/views/70_faster/library_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

double side_of(const recording::Problem& problem)
{
    return std::sqrt(double{1} * problem.M * problem.N);
}

double work_of(const recording::Problem& problem)
{
    return flops_of(problem, false);
}

std::string name_of(const ShapeSeries& series)
{
    return slices(series) > 1 ? fmt::format("{}, {} slices", series.slug, slices(series)) : series.slug;
}

// Rungs of the chosen one's kind: FP32, or tensor cores.
bool shown(const ChartFrame& frame, const ShapeSeries& series)
{
    return (series.type != "fp32") == shows_tensor_cores(frame) && !series.speeds.empty();
}

class Chart {
public:
    Chart(const ChartFrame& what, const draw::Box& box)
        : frame(what), theme(what.theme), list(ImGui::GetWindowDrawList()), pair(split_pair(*what.board.shapes)),
          plot(right_axis(), up_axis(), box, what.theme)
    {
        for (const int importance : {0, 1, 2})
            for (const ShapeSeries& one : frame.board.shapes->series)
                if (shown(frame, one) && importance_of(one) == importance) {
                    series.push_back(&one);
                    curves.push_back(curve_of(one));
                }
    }

    void draw() const
    {
        plot.draw_axes(list);
        ImGui::PushClipRect(plot.area().min, plot.area().max, true);
        for (std::size_t i = 0; i < series.size(); ++i) {
            plot.draw(list, curves[i]);
            for (std::size_t point = 0; point < curves[i].points.size(); ++point) {
                const ImVec2 at = plot.at(curves[i].points[point].right, curves[i].points[point].up);
                const float radius = theme.px(curves[i].radius);
                mark(frame.marks, fmt::format("shape:{} {}", name_of(*series[i]), point),
                     {at.x - radius, at.y - radius}, {at.x + radius, at.y + radius});
            }
        }
        draw_names();
        ImGui::PopClipRect();
    }

    std::optional<PointedShape> pointed() const
    {
        const auto hit = plot.item("shapes", frame.marks) ? plot.nearest(curves, ImGui::GetMousePos()) : std::nullopt;
        if (!hit)
            return std::nullopt;
        const ShapeSeries& one = *series[hit->curve];
        const ShapeSpeed& speed = one.speeds[hit->point];
        return PointedShape{one.slug, fmt::format("{} at {}: {} GFLOPS{}", name_of(one), size_words(speed.problem),
                                                  thousands(speed.gflops),
                                                  speed.blocks > 0 ? ", " + counted(speed.blocks, "block") : "")};
    }

private:
    bool in_pair(const ShapeSeries& one) const
    {
        return pair && (pair->whole == &one || std::ranges::find(pair->split, &one) != pair->split.end());
    }
    int importance_of(const ShapeSeries& one) const
    {
        return frame.emphasis.colour(theme, one.slug) != 0 ? 2 : one.library || in_pair(one) ? 1 : 0;
    }
    Colour colour_of(const ShapeSeries& one) const
    {
        const Colour accent = frame.emphasis.colour(theme, one.slug);
        return accent != 0 ? accent : one.library ? theme.good : in_pair(one) ? theme.ink_quiet : theme.ink_faint;
    }

    Axis right_axis() const
    {
        double least = 1e9, most = 1;
        for (const ShapeSeries& one : frame.board.shapes->series)
            for (const ShapeSpeed& speed : one.speeds) {
                least = std::min(least, side_of(speed.problem));
                most = std::max(most, side_of(speed.problem));
            }
        // At the left there is room for the names.
        return {std::min(least, most / 2) / 3.6, most * 1.3, true, 2, "M = N; K as long as the same work takes"};
    }
    Axis up_axis() const
    {
        double least = 1e9, most = 1;
        for (const ShapeSeries& one : frame.board.shapes->series)
            for (const ShapeSpeed& speed : shown(frame, one) ? one.speeds : std::vector<ShapeSpeed>()) {
                least = std::min(least, speed.gflops);
                most = std::max(most, speed.gflops);
            }
        return {std::min(least, most / 2) / 1.5, most * 1.6, true, 10, "GFLOPS"};
    }

    Curve curve_of(const ShapeSeries& one) const
    {
        const int importance = importance_of(one);
        Curve curve{.points = {},
                    .colour = colour_of(one),
                    .line = importance == 2   ? 2.5f
                            : importance == 1 ? 1.75f
                                              : 1,
                    .radius = importance == 2   ? 4.5f
                              : importance == 1 ? 3.5f
                                                : 2};
        for (const ShapeSpeed& speed : one.speeds)
            curve.points.push_back({side_of(speed.problem), speed.gflops});
        return curve;
    }

    // Left of the first point, as high as it is; moved up where two would overlap.
    void draw_names() const
    {
        std::vector<std::pair<ImVec2, const ShapeSeries*>> names;
        for (const ShapeSeries* one : series)
            if (importance_of(*one) > 0)
                names.emplace_back(plot.at(side_of(one->speeds.front().problem), one->speeds.front().gflops), one);
        std::ranges::sort(names, std::ranges::greater{}, [](const auto& one) { return one.first.y; });
        const float height = draw::measure(theme.text, "0").y;
        float highest = plot.area().max.y;
        for (const auto& [at, one] : names) {
            const std::string words = name_of(*one);
            const float y = std::min(at.y - height / 2, highest - height);
            const float x =
                std::max(plot.area().min.x + theme.px(4), at.x - theme.px(9) - draw::measure(theme.text, words).x);
            draw::text(list, theme.text, {x, y}, colour_of(*one), words);
            highest = y;
        }
    }

    const ChartFrame& frame;
    const Theme& theme;
    ImDrawList* list;
    std::optional<SplitPair> pair;
    Plot plot;
    std::vector<const ShapeSeries*> series; // in the order of drawing
    std::vector<Curve> curves;
};

void say_gain(Prose& prose, const SplitPair& pair, const SplitAt& gain, uint32_t sms)
{
    prose.say("At " + size_words(gain.whole->problem) + " ").code(pair.whole->slug).say(" has ");
    prose.figure(counted(gain.whole->blocks, "block"));
    if (sms > 0)
        prose.say(fmt::format(" for {} SMs", sms));
    prose.say(" and gives ").figure(thousands(gain.whole->gflops)).say(" GFLOPS; ");
    prose.code(pair.split.front()->slug).say(fmt::format(" with {} slices of K has ", gain.slices));
    prose.figure(counted(gain.split->blocks, "block")).say(" and gives ");
    prose.figure(thousands(gain.split->gflops)).say(", ").figure(fmt::format("{:.2f} times", gain.gain()));
    prose.say(" as much. ");
}

void say_library(Prose& prose, const Board& board, const recording::Problem& problem)
{
    const LibraryKernels::Row* row = board.library != nullptr ? board.library->find("fp32", problem) : nullptr;
    if (row == nullptr)
        return;
    const auto& kernels = row->at.kernels;
    const bool splits =
        std::ranges::any_of(kernels, [](const auto& one) { return reduces(one.name) || one.launch.grid.z > 1; });
    prose.say(splits ? "cuBLAS splits K here, too: it launches " : "cuBLAS launches here ");
    for (std::size_t i = 0; i < kernels.size(); ++i)
        prose.say(i == 0 ? "" : ", then ")
            .code(short_name(kernels[i].name))
            .say(" in ")
            .figure(counted(kernels[i].launch.grid.volume(), "block"));
    prose.say(". ");
}

} // namespace

bool has_shapes(const Board& board)
{
    return board.shapes != nullptr && !board.shapes->series.empty();
}

std::optional<PointedShape> draw_shapes(const ChartFrame& frame, const draw::Box& box)
{
    const Chart chart(frame, box);
    chart.draw();
    return chart.pointed();
}

Prose shapes_words(const Theme& theme, const Board& board)
{
    Prose prose(theme);
    if (!has_shapes(board)) {
        prose.strong("No speeds of other shapes are known. ");
        if (board.shapes != nullptr)
            prose.say(board.shapes->missing + " ");
        return prose.say("On a machine with an NVIDIA GPU, ")
            .code("scripts/make-assets --only shapes")
            .say(" times every rung on one amount of work in shapes from tall to flat.");
    }
    const auto pair = split_pair(*board.shapes);
    const std::vector<SplitAt> gains = pair ? split_gains(*pair) : std::vector<SplitAt>();
    prose.strong("When do more blocks beat less work per block? ");
    if (gains.empty())
        return prose.say("No rung that splits K was timed beside the one that it is made of.");
    const double work = work_of(gains.front().whole->problem) * 1e-9;
    prose.say(fmt::format("Every point is the same {:.2g} GFLOP; to the left C is small and K long. ", work));
    const uint32_t sms = board.library != nullptr && board.library->sm_count > 0 ? board.library->sm_count
                         : board.gpu.properties                                  ? board.gpu.properties->sm_count
                                                                                 : 0;
    say_gain(prose, *pair, gains.front(), sms);
    say_library(prose, board, gains.front().whole->problem);
    const auto enough = std::ranges::find_if(gains, [](const SplitAt& gain) { return gain.gain() < 1.02; });
    if (enough == gains.end())
        prose.say("At none of these shapes splitting is without gain. ");
    else if (enough != gains.begin())
        say_gain(prose, *pair, *enough, 0);
    if (enough != gains.end())
        prose.say("There the blocks fill the GPU by themselves, and slices only add traffic and a second launch. ");
    return prose.faint(board.shapes->origin + ".");
}

} // namespace viz
