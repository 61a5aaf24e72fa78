#include "viz/views/55_roofline/shapes_chart.h"

#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

std::string name_of(const ShapeSeries& series)
{
    return slices(series) > 1 ? fmt::format("{}, {} slices", series.slug, slices(series)) : series.slug;
}

// Rungs of the chosen one's kind: FP32, or tensor cores.
bool shown(const ChartFrame& frame, const ShapeSeries& series)
{
    return uses_tensor_cores(series.type) == shows_tensor_cores(frame) && !series.speeds.empty();
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
                const ImVec2 at = plot.at(curves[i].points[point]);
                mark(frame.marks, fmt::format("shape:{} {}", name_of(*series[i]), point),
                     draw::around(at, theme.px(curves[i].radius)));
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
        Messages blocks;
        if (speed.blocks > 0)
            blocks.push_back({"roofline.shape_blocks", {{"blocks", speed.blocks}}});
        return PointedShape{one.slug,
                            {"roofline.shape",
                             {{"stage", name_of(one)},
                              {"size", size_words(speed.problem)},
                              {"gflops", number(speed.gflops)},
                              {"blocks", blocks}}}};
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
                least = std::min(least, side_of_result(speed.problem));
                most = std::max(most, side_of_result(speed.problem));
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
            curve.points.push_back({side_of_result(speed.problem), speed.gflops});
        return curve;
    }

    // Left of the first point, as high as it is; moved up where two would overlap.
    void draw_names() const
    {
        std::vector<std::pair<ImVec2, const ShapeSeries*>> names;
        for (const ShapeSeries* one : series)
            if (importance_of(*one) > 0)
                names.emplace_back(plot.at(side_of_result(one->speeds.front().problem), one->speeds.front().gflops),
                                   one);
        std::ranges::sort(names, std::ranges::greater{}, [](const auto& one) { return one.first.y; });
        const float height = draw::line_height(theme.text);
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

Message gain_message(const SplitPair& pair, const SplitAt& gain, uint32_t sms)
{
    Messages of_gpu;
    if (sms > 0)
        of_gpu.push_back({"roofline.sms", {{"sms", sms}}});
    return {"roofline.split_gain",
            {{"size", size_words(gain.whole->problem)},
             {"whole", pair.whole->slug},
             {"blocks", gain.whole->blocks},
             {"sms", of_gpu},
             {"gflops", number(gain.whole->gflops)},
             {"split", pair.split.front()->slug},
             {"slices", gain.slices},
             {"split_blocks", gain.split->blocks},
             {"split_gflops", number(gain.split->gflops)},
             {"gain", with_decimals(gain.gain(), 2)}}};
}

Messages library_messages(const Board& board, const recording::Problem& problem)
{
    const LibraryKernels::Row* row = board.library != nullptr ? board.library->find("fp32", problem) : nullptr;
    if (row == nullptr)
        return {};
    bool splits = false;
    Value::List kernels;
    for (const recording::LaunchedKernel& one : row->at.kernels) {
        splits = splits || reduces(one.name) || one.launch.grid.z > 1;
        kernels.emplace_back(
            Message{"roofline.library_kernel", {{"name", short_name(one.name)}, {"blocks", one.launch.grid.volume()}}});
    }
    return {{"roofline.library", {{"splits", splits}, {"kernels", kernels}}}};
}

uint32_t sms_of(const Board& board)
{
    if (board.library != nullptr && board.library->sm_count > 0)
        return board.library->sm_count;
    return board.gpu.properties ? board.gpu.properties->sm_count : 0;
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

Messages shapes_messages(const Board& board)
{
    if (!has_shapes(board))
        return {{"roofline.shapes_unknown",
                 {{"why", board.shapes != nullptr ? in_sentences(board.shapes->missing) : Messages()}}}};
    const auto pair = split_pair(*board.shapes);
    const std::vector<SplitAt> gains = pair ? split_gains(*pair) : std::vector<SplitAt>();
    if (gains.empty())
        return {{"roofline.no_split"}};
    const recording::Problem& tallest = gains.front().whole->problem;
    Messages messages{{"roofline.shapes", {{"gflop", number(flops_of(tallest, false) * 1e-9)}}},
                      gain_message(*pair, gains.front(), sms_of(board))};
    for (Message& message : library_messages(board, tallest))
        messages.push_back(std::move(message));
    const auto enough = std::ranges::find_if(gains, [](const SplitAt& gain) { return gain.gain() < 1.02; });
    if (enough == gains.end()) {
        messages.push_back({"roofline.split_always_gains"});
    } else {
        if (enough != gains.begin())
            messages.push_back(gain_message(*pair, *enough, 0));
        messages.push_back({"roofline.enough_blocks"});
    }
    messages.push_back({"roofline.shapes_origin", {{"origin", how_had(board.shapes->from)}}});
    return messages;
}

} // namespace viz
