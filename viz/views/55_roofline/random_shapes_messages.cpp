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

Rich least_words(const RandomSeries& series)
{
    std::vector<Rich> least;
    for (std::size_t i = 0; i < std::min(listed_shapes, series.shapes.size()); ++i)
        least.push_back(
            rich("**{}** at {}", with_decimals(series.shapes[i].of_cublas, 2), size_words(series.shapes[i].problem)));
    const auto behind =
        std::ranges::count_if(series.shapes, [](const RandomShape& one) { return one.of_cublas < far_behind; });
    return rich("{} below {}; the least: {}.", counted(static_cast<uint64_t>(behind), "shape is", "shapes are"),
                with_decimals(far_behind, 2), listed(std::move(least)));
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

Rich random_headline(const Board& board, const std::string& slug, bool beside)
{
    const RandomSeries* series = random_series_of(board, slug);
    if (series == nullptr)
        return rich("Share of cuBLAS at shapes drawn at random");
    const MeanShare mean = mean_share(*series);
    const Value of_all = coloured(mean.of_cublas, 3);
    if (series->slug != slug)
        return rich("Not timed at these shapes; `{}` had **{}** × cuBLAS", series->slug, of_all);
    const RandomShape& least = series->shapes.front();
    return rich("**{}** × cuBLAS over {}, least {}{}", of_all, counted(mean.shapes, "shape"),
                coloured(least.of_cublas, 2), beside ? "" : " at " + size_words(least.problem));
}

Rich random_words(const Board& board, const RandomSeries& series)
{
    const MeanShare all = mean_share(series), whole = mean_share(series, Rows::whole),
                    others = mean_share(series, Rows::others);
    std::vector<Rich> said{rich("*`{}` at {} drawn at random (seed {}).* Geometric mean **{}** × cuBLAS.", series.slug,
                                counted(all.shapes, "shape"), index(board.random_shapes->seed),
                                with_decimals(all.of_cublas, 3))};
    if (all.of_best > 0)
        said.push_back(rich("Against the fastest of all of its algorithms **{}**.", with_decimals(all.of_best, 3)));
    if (whole.shapes > 0)
        said.push_back(rich("Where rows of A, B and C are multiples of 16 bytes ({}) **{}**.",
                            counted(whole.shapes, "shape"), with_decimals(whole.of_cublas, 3)));
    if (others.shapes > 0)
        said.push_back(
            rich("At the other {} **{}**.", counted(others.shapes, "shape"), with_decimals(others.of_cublas, 3)));
    said.push_back(least_words(series));
    said.push_back(
        rich("*Marks.* To the right C grows, upwards K. Square: rows of multiples of 16 bytes; diamond: other "
             "rows. Grey is as fast as cuBLAS, amber slower, green faster. Where two stages are compared, "
             "the line below a mark says whose it is."));
    return in_lines({joined(std::move(said)), rich("> {}.", how_had(board.random_shapes->from))});
}

Rich random_missing(const Board& board)
{
    return joined({rich("*No speeds at shapes drawn at random are known.*"),
                   board.random_shapes != nullptr ? rich(in_sentences(board.random_shapes->missing)) : Rich(),
                   rich("On a machine with an NVIDIA GPU, `scripts/make-assets --only random` times the top of the "
                        "ladder beside cuBLAS at 60 of them.")});
}

Rich random_shape_words(const RandomSeries& series, const RandomShape& shape)
{
    Rich best, tile;
    if (shape.of_best)
        best = rich(", {} × its fastest algorithm", with_decimals(*shape.of_best, 2));
    if (const auto taken = tile_in(shape.parameters))
        tile = rich(", tile {} × {}", taken->rows, taken->cols);
    return rich("{} at {}: **{}** × cuBLAS{}, {} GFLOPS{}", series.slug, size_words(shape.problem),
                with_decimals(shape.of_cublas, 2), best, number(shape.gflops), tile);
}

} // namespace viz
