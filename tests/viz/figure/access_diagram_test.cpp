// The movement of an access's words, and the positions of its lanes and banks.
#include "viz/figure/access_diagram.h"

#include "tests/viz/figure/figure_fixture.h"

namespace {

using namespace viz;

class AccessDiagrams : public test_figures::FigureTest {
protected:
    void SetUp() override
    {
        FigureTest::SetUp();
        theme.mono = theme.text = theme.heading = theme.mono_bold = ImGui::GetFont();
    }

    const Box room{{0, 0}, {800, 400}};
};

TEST_F(AccessDiagrams, ALaneInOrderStandsAboveItsBank)
{
    const AccessGrid grid(theme, 8, 8, 4, room);
    for (int lane = 0; lane < 8; ++lane) {
        EXPECT_NEAR(grid.lane(lane).middle().x, grid.head(lane).middle().x, 1);
        EXPECT_EQ(grid.column_at(grid.cell(0, lane).middle().x), lane);
        EXPECT_EQ(grid.lane_at(grid.lane(lane).middle()), lane);
    }
    EXPECT_EQ(grid.row_at(grid.cell(3, 0).middle().y), 3);
    EXPECT_LT(grid.lane(0).max.y, grid.head(0).min.y);
    EXPECT_LE(grid.cell(grid.rows() - 1, 7).max.y, room.max.y);
}

// In the middle of the animation after a change, a word is between its old and its new bank.
TEST_F(AccessDiagrams, WordsSlideFromTheirOldBankToTheNewOne)
{
    const AccessPattern pattern{.stride = 3};
    const PatternCost cost = cost_of(pattern);
    const AccessGrid grid(theme, 8, 8, 8, room);
    WordSlide slide;
    slide.from[1] = grid.cell(0, 1);
    slide.began = 5;
    const auto word = std::ranges::find(cost.words, 1u << 1, &PatternWord::lanes);
    ASSERT_NE(word, cost.words.end());
    const auto left_at = [&](double seconds) {
        const AccessDiagram shown{
            .theme = theme, .grid = grid, .words = cost.words, .slide = slide, .seconds = seconds};
        return shown.box_of(*word, 1).min.x;
    };
    EXPECT_FLOAT_EQ(left_at(5), grid.cell(0, 1).min.x);
    EXPECT_FLOAT_EQ(left_at(5 + WordSlide::takes / 2), grid.cell(0, 2).min.x);
    EXPECT_FLOAT_EQ(left_at(6), grid.cell(0, 3).min.x);
}

TEST_F(AccessDiagrams, OfOneWavefrontAloneTheOthersWait)
{
    const AccessPattern pattern{.stride = 8};
    const PatternCost cost = cost_of(pattern);
    const AccessGrid grid(theme, 8, 8, 8, room);
    const AccessDiagram shown{.theme = theme, .grid = grid, .words = cost.words, .wavefront = 2};
    for (const PatternWord& word : cost.words) {
        EXPECT_EQ(shown.served(word), word.row < 2 ? 1 : 0);
        EXPECT_EQ(shown.colour_of(word) == theme.warning, word.row > 0)
            << "amber is who waits, of wavefront " << word.row;
    }
    const Motion playing{.since = Motion::travel, .turns = 8};
    const AccessDiagram played{.theme = theme, .grid = grid, .words = cost.words, .motion = playing};
    EXPECT_EQ(played.served(cost.words[0]), 1);
    EXPECT_LT(played.served(cost.words[1]), 1);
    EXPECT_EQ(played.served(cost.words[7]), 0);
}

} // namespace
