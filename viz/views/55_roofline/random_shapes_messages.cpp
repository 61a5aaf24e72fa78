#include "viz/views/55_roofline/random_shapes_messages.h"

#include "viz/analysis/launches.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <algorithm>

namespace viz {

namespace {

constexpr std::size_t listed_shapes = 5;

Value coloured(double share, int decimals)
{
    return Value(with_decimals(share, decimals)).as(share < 1 ? Meaning::conflict : Meaning::good);
}

Message least_message(const RandomSeries& series)
{
    Value::List least;
    for (std::size_t i = 0; i < std::min(listed_shapes, series.shapes.size()); ++i)
        least.emplace_back(Message{
            "roofline.random_least_one",
            {{"share", with_decimals(series.shapes[i].of_cublas, 2)}, {"size", size_words(series.shapes[i].problem)}}});
    const auto behind =
        std::ranges::count_if(series.shapes, [](const RandomShape& one) { return one.of_cublas < far_behind; });
    return {"roofline.random_least", {{"behind", behind}, {"limit", with_decimals(far_behind, 2)}, {"least", least}}};
}

} // namespace

bool has_random_shapes(const Board& board)
{
    return board.random_shapes != nullptr && !board.random_shapes->series.empty();
}

const RandomSeries* random_series_of(const Board& board, const std::string& slug)
{
    const RungFigures* rung = board.find(slug);
    return has_random_shapes(board) ? series_for(*board.random_shapes, slug, rung != nullptr ? rung->type : "fp32")
                                    : nullptr;
}

Message random_headline(const Board& board, const std::string& slug, bool beside)
{
    const RandomSeries* series = random_series_of(board, slug);
    if (series == nullptr)
        return {"roofline.random_none"};
    const MeanShare mean = mean_share(*series);
    if (series->slug != slug)
        return {"roofline.random_of_other", {{"stage", series->slug}, {"mean", coloured(mean.of_cublas, 3)}}};
    const RandomShape& least = series->shapes.front();
    const Value of_all = coloured(mean.of_cublas, 3), of_least = coloured(least.of_cublas, 2);
    if (beside)
        return {"roofline.random_beside", {{"mean", of_all}, {"shapes", mean.shapes}, {"least", of_least}}};
    return {"roofline.random",
            {{"mean", of_all}, {"shapes", mean.shapes}, {"least", of_least}, {"size", size_words(least.problem)}}};
}

Messages random_messages(const Board& board, const RandomSeries& series)
{
    const MeanShare all = mean_share(series), whole = mean_share(series, Rows::whole),
                    others = mean_share(series, Rows::others);
    Messages messages{{"roofline.random_mean",
                       {{"stage", series.slug},
                        {"shapes", all.shapes},
                        {"seed", index(board.random_shapes->seed)},
                        {"mean", with_decimals(all.of_cublas, 3)}}}};
    if (all.of_best > 0)
        messages.push_back({"roofline.random_best", {{"mean", with_decimals(all.of_best, 3)}}});
    if (whole.shapes > 0)
        messages.push_back(
            {"roofline.random_whole", {{"shapes", whole.shapes}, {"mean", with_decimals(whole.of_cublas, 3)}}});
    if (others.shapes > 0)
        messages.push_back(
            {"roofline.random_others", {{"shapes", others.shapes}, {"mean", with_decimals(others.of_cublas, 3)}}});
    messages.push_back(least_message(series));
    messages.push_back({"roofline.random_marks"});
    messages.push_back({"roofline.shapes_origin", {{"origin", how_had(board.random_shapes->from)}}});
    return messages;
}

Messages random_missing(const Board& board)
{
    return {{"roofline.random_unknown",
             {{"why", board.random_shapes != nullptr ? in_sentences(board.random_shapes->missing) : Messages()}}}};
}

Message random_message(const RandomSeries& series, const RandomShape& shape)
{
    Messages best, tile;
    if (shape.of_best)
        best.push_back({"roofline.random_shape_best", {{"share", with_decimals(*shape.of_best, 2)}}});
    if (const auto taken = tile_in(shape.parameters))
        tile.push_back({"roofline.random_shape_tile", {{"rows", taken->rows}, {"cols", taken->cols}}});
    return {"roofline.random_shape",
            {{"stage", series.slug},
             {"size", size_words(shape.problem)},
             {"share", with_decimals(shape.of_cublas, 2)},
             {"best", best},
             {"gflops", number(shape.gflops)},
             {"tile", tile}}};
}

} // namespace viz
