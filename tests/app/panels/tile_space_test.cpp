// The sets of parameters that can run, and the reasons why others cannot.
#include "app/panels/tile_space.h"

#include "tests/ladder.h"
#include "tests/viz/figure/figure_fixture.h"

#include <set>

namespace {

using namespace test_figures;
using kernels::Candidate;

class TileSpaceTest : public FigureTest {
protected:
    static constexpr recording::Problem problem{.M = 4096, .N = 4096, .K = 4096};
    const kernels::Stage& stage = test::stage("autotuned");
    std::vector<Candidate> ranked = candidates();

    std::vector<Candidate> candidates() const
    {
        std::vector<Candidate> all;
        for (const kernels::ParameterValues& set : kernels::candidate_sets(stage, stage.standard_parameters(), {})) {
            Candidate one;
            one.parameters = set;
            one.state = Candidate::State::right;
            one.gflops = 1000 + static_cast<double>(all.size());
            all.push_back(std::move(one));
        }
        return all;
    }
    static std::size_t forbidden(const app::TileSpace& space)
    {
        std::size_t sum = 0;
        for (const app::TileSpace::Reason& reason : space.reasons)
            sum += reason.sets;
        return sum;
    }
};

TEST_F(TileSpaceTest, CountsEachSetOnce)
{
    const auto space = app::tile_space(stage, problem, ranked);
    ASSERT_TRUE(space);
    std::size_t product = 1;
    for (const std::vector<int>& values : stage.candidates)
        product *= std::max<std::size_t>(1, values.size());
    EXPECT_EQ(space->sets, product);
    EXPECT_EQ(space->possible, ranked.size());
    EXPECT_EQ(space->possible + forbidden(*space), space->sets);
    EXPECT_EQ(space->cells.size(), space->rows.places.size() * space->cols.places.size());
    EXPECT_LE(space->rows.places.size(), 12u);
    EXPECT_LE(space->cols.places.size(), 40u);
}

// The reasons are those of the stage, or that the registers do not suffice.
TEST_F(TileSpaceTest, SaysWhatForbids)
{
    const auto space = app::tile_space(stage, problem, ranked);
    ASSERT_TRUE(space);
    std::set<std::string> words;
    for (const app::TileSpace::Reason& reason : space->reasons)
        words.insert(reason.words);
    EXPECT_TRUE(words.contains("Not tried: more than 128 results per thread need too many registers"));
    EXPECT_TRUE(words.contains("Not tried: fewer than 64 results per thread"));
    EXPECT_TRUE(std::ranges::is_sorted(space->reasons, std::ranges::greater{}, &app::TileSpace::Reason::sets));
    for (const app::TileSpace::Cell& cell : space->cells) {
        EXPECT_EQ(cell.possible < cell.sets, cell.reason.has_value());
        EXPECT_EQ(cell.possible > 0, cell.best > 0);
    }
}

TEST_F(TileSpaceTest, ForbidsWhatFailed)
{
    ranked.back().state = Candidate::State::failed;
    const auto space = app::tile_space(stage, problem, ranked);
    ASSERT_TRUE(space);
    EXPECT_EQ(space->possible, ranked.size() - 1);
    const auto failed = std::ranges::find(space->reasons, "It failed when it ran", &app::TileSpace::Reason::words);
    ASSERT_NE(failed, space->reasons.end());
    EXPECT_EQ(failed->sets, 1u);
}

TEST_F(TileSpaceTest, IsDrawnWithItsNamesApart)
{
    const auto space = app::tile_space(stage, problem, ranked);
    ASSERT_TRUE(space);
    for (const float width : {640.0f, 900.0f, 1300.0f}) {
        drawing = {};
        marks = {};
        Figure figure;
        figure.panels.push_back(
            app::space_panel(theme, stage, *space, {{0, 0}, {width, app::space_height(theme, *space)}}));
        Painter painter(drawing, theme, {}, &marks);
        paint(painter, figure);
        for (std::size_t i = 0; i < marks.words.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(
                    Box(marks.words[i].min, marks.words[i].max).overlaps({marks.words[j].min, marks.words[j].max}))
                    << marks.words[i].words << " over " << marks.words[j].words << " at " << width;
        EXPECT_TRUE(drawing.says("BM 64"));
        const app::TileSpace::Cell& first = space->at(0, 0);
        EXPECT_EQ(mark("space(0,0)").value, static_cast<double>(first.possible));
        if (first.possible == 0) {
            EXPECT_EQ(mark("space(0,0)").colour, app::reason_colour(theme, first.reason.value()));
        }
    }
}

TEST_F(TileSpaceTest, IsThereOnlyWhereThereIsAChoice)
{
    EXPECT_FALSE(app::tile_space(stage, problem, {}));
    const kernels::Stage& naive = test::stage("naive");
    Candidate one;
    one.parameters = naive.standard_parameters();
    EXPECT_FALSE(app::tile_space(naive, problem, std::vector{one})) << "one parameter does not make a table";
}

} // namespace
