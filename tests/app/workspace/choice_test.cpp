// The user's choice, with undo and redo, and the snapshot, which stays the same object until something changes.
#include "tests/app/session/session_support.h"

namespace {

using app::Choice;
using test::stage_named;

// No stage is shown twice: if the third column's stage is chosen for the second column, the third column is removed.
TEST(ChoiceOfColumns, TheThirdIsNoSecondToo)
{
    Choice choice;
    choice.show(3);
    choice.compare(5);
    choice.toggle_beside(7);
    EXPECT_EQ(choice.shown_columns(), 3u);
    choice.compare(7);
    EXPECT_EQ(choice.columns[1].rung, 7u);
    EXPECT_EQ(choice.shown_columns(), 2u);
}

TEST(BlocksInFull, AreAllOfAFewAndElseTheFirstAndTheChosen)
{
    using Blocks = std::vector<recording::Index3>;
    EXPECT_EQ(app::blocks_in_full({2, 2, 1}, {1, 0, 0}), (Blocks{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
    EXPECT_EQ(app::blocks_in_full({1, 1, 3}, {0, 0, 0}), (Blocks{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}));
    EXPECT_EQ(app::blocks_in_full({8, 8, 1}, {3, 1, 0}), (Blocks{{0, 0, 0}, {3, 1, 0}}));
    EXPECT_EQ(app::blocks_in_full({8, 8, 1}, {0, 0, 0}), (Blocks{{0, 0, 0}}));
}

TEST(ChoiceOfFiles, AFileIsTheSecondAsAStageIs)
{
    Choice choice;
    choice.show(3);
    choice.compare(5);
    choice.compare("own.cu");
    EXPECT_TRUE(choice.comparing());
    EXPECT_FALSE(choice.columns[1].rung);
    EXPECT_EQ(choice.columns[1].file, "own.cu");
    choice.swap(); // no effect: only one of the two shows a file
    EXPECT_EQ(choice.columns[1].file, "own.cu");
    choice.show(std::filesystem::path("other.cu"));
    choice.columns[0].file_parameters = {{"BK", 8}};
    choice.swap();
    EXPECT_EQ(choice.columns[0].file, "own.cu");
    EXPECT_EQ(choice.columns[1].file, "other.cu");
    EXPECT_TRUE(choice.columns[0].file_parameters.empty()) << "the parameters were those of the other file";
    choice.compare(std::nullopt);
    EXPECT_FALSE(choice.comparing());
}

class ChoiceTest : public test::SessionTest {};

TEST_F(ChoiceTest, StageAndParametersComeBack)
{
    test::Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    const auto recording = session.snapshot()->columns.front().recording;
    const std::size_t stage = stage_named(session, "vectorized");
    const kernels::ParameterValues before = session.snapshot()->stage(stage).parameters;
    const kernels::ParameterValues other = session.snapshot()->ladder()[stage].cpu_variants.back();
    ASSERT_NE(before, other);
    session.change_parameters(0, other);
    session.change([&](Choice& choice) { choice.show(stage_named(session, "naive")); });
    EXPECT_EQ(session.snapshot()->columns.front().slug, "naive");
    session.undo();
    EXPECT_EQ(session.snapshot()->columns.front().slug, "vectorized");
    EXPECT_EQ(session.snapshot()->stage(stage).parameters, other);
    session.undo();
    EXPECT_EQ(session.snapshot()->stage(stage).parameters, before);
    EXPECT_EQ(session.snapshot()->columns.front().recording, recording) << "the recording was kept";
    session.redo();
    EXPECT_EQ(session.snapshot()->stage(stage).parameters, other);
    EXPECT_TRUE(session.undo());
    EXPECT_FALSE(session.undo()) << "there is no earlier choice";
}

TEST_F(ChoiceTest, AStageIsShownBesideWhatItWasBeforeItsParametersChanged)
{
    test::Session session(options(false));
    const std::size_t stage = stage_named(session, "vectorized");
    const kernels::ParameterValues before = session.snapshot()->details[0].parameters;
    const std::vector<kernels::ParameterValues> sets = session.snapshot()->ladder()[stage].cpu_variants;
    const auto shown = [&](std::size_t column) { return session.snapshot()->details[column].parameters; };
    session.change_parameters(0, sets[1]);
    EXPECT_EQ(session.snapshot()->choice.columns[1].rung, stage);
    EXPECT_EQ(shown(0), sets[1]);
    EXPECT_EQ(shown(1), before);
    EXPECT_EQ(session.snapshot()->columns.front().variant, "BM 64, BN 64");
    EXPECT_EQ(session.snapshot()->columns[1].variant, "BM 128, BN 128");
    session.change_parameters(0, sets[2]);
    EXPECT_EQ(shown(1), sets[1]) << "the previous parameters";
    session.change([](Choice& choice) { choice.swap(); });
    EXPECT_EQ(shown(0), sets[1]);
    EXPECT_EQ(shown(1), sets[2]);
    session.undo();
    session.undo();
    EXPECT_EQ(shown(0), sets[1]);
    EXPECT_EQ(shown(1), before);
    session.undo();
    EXPECT_EQ(shown(0), before);
    EXPECT_FALSE(session.snapshot()->comparing()) << "one undo reverts both changes";
    session.redo();
    EXPECT_EQ(shown(0), sets[1]);
    EXPECT_EQ(shown(1), before);
    session.change([&](Choice& choice) { choice.show(stage_named(session, "naive")); });
    EXPECT_FALSE(session.snapshot()->comparing()) << "the earlier parameters belong to the other stage";
}

TEST_F(ChoiceTest, AComparisonThatSomebodyChoseStays)
{
    test::Session session(options(false));
    const std::size_t stage = stage_named(session, "vectorized"), other = stage_named(session, "swizzled");
    session.change([&](Choice& choice) { choice.compare(other); });
    session.change_parameters(0, session.snapshot()->ladder()[stage].cpu_variants[1]);
    EXPECT_EQ(session.snapshot()->choice.columns[1].rung, other);
    EXPECT_FALSE(session.snapshot()->choice.columns[1].parameters);
}

TEST_F(ChoiceTest, AThirdStageStandsBesideTwo)
{
    test::Session session(options(false));
    const std::size_t second = stage_named(session, "padded_a"), third = stage_named(session, "swizzled");
    const auto toggle = [&](std::size_t stage) {
        session.change([&](Choice& choice) { choice.toggle_beside(stage); });
    };
    toggle(second);
    EXPECT_EQ(session.snapshot()->columns.size(), 2u);
    toggle(third);
    ASSERT_EQ(session.snapshot()->columns.size(), 3u);
    EXPECT_EQ(session.snapshot()->columns[2].slug, "swizzled");
    EXPECT_EQ(session.snapshot()->columns[2].number, 2u);
    toggle(second);
    EXPECT_EQ(session.snapshot()->choice.columns[1].rung, third) << "the third stage replaces the second";
    EXPECT_EQ(session.snapshot()->columns.size(), 2u);
    session.undo();
    EXPECT_EQ(session.snapshot()->columns.size(), 3u);
    session.change([&](Choice& choice) { choice.compare(std::nullopt); });
    EXPECT_EQ(session.snapshot()->columns.size(), 1u);
}

TEST_F(ChoiceTest, TinyFormsHaveParametersAndSizesOfTheirOwn)
{
    test::Session session(options(false));
    const std::size_t stage = stage_named(session, "shared_tile"), wide = stage_named(session, "swizzled");
    session.change([&](Choice& choice) { choice.show(stage); });
    const kernels::ParameterValues standard = session.snapshot()->details[0].parameters;
    session.change([](Choice& choice) { choice.set_tiny(true); });
    const kernels::TinyForm tiny = *session.snapshot()->ladder()[stage].tiny;
    EXPECT_EQ(session.snapshot()->details[0].parameters, tiny.parameters);
    EXPECT_EQ(session.snapshot()->recorded_problem(stage), tiny.problem);
    EXPECT_EQ(session.snapshot()->choice.filled_with(), recording::Inputs::small);
    EXPECT_EQ(session.snapshot()->stage(stage).parameters, standard) << "the timed parameters stay";
    session.change_parameters(0, {4});
    EXPECT_EQ(session.snapshot()->details[0].parameters, kernels::ParameterValues{4});
    session.change([&](Choice& choice) { choice.compare(wide); });
    EXPECT_EQ(session.snapshot()->recorded_problem(stage), session.snapshot()->recorded_problem(wide))
        << "both stages multiply the same matrices";
    session.change([](Choice& choice) { choice.change_inputs(); });
    EXPECT_EQ(session.snapshot()->choice.filled_with(), recording::Inputs::random);
    session.change([](Choice& choice) { choice.set_tiny(false); });
    EXPECT_EQ(session.snapshot()->details[0].parameters, standard);
    for (int i = 0; i < 4; ++i)
        session.undo();
    EXPECT_EQ(session.snapshot()->details[0].parameters, tiny.parameters);
    EXPECT_TRUE(session.snapshot()->choice.tiny);
}

TEST_F(ChoiceTest, ASnapshotIsTheSameUntilSomethingChanges)
{
    test::Session session(measuring(false));
    ASSERT_TRUE(eventually(session, [&] {
        const app::SnapshotPtr now = session.snapshot();
        return now->ready() && now->loaded && now->measured() &&
               std::ranges::all_of(now->baselines, &app::BaselineMeasurement::known);
    }));
    const app::SnapshotPtr before = session.snapshot();
    EXPECT_FALSE(session.poll());
    EXPECT_EQ(session.snapshot(), before);
    session.change([&](Choice& choice) { choice.show(stage_named(session, "naive")); });
    EXPECT_GT(session.snapshot()->version, before->version);
    EXPECT_EQ(before->columns.front().slug, "vectorized") << "an earlier snapshot does not change";
}

} // namespace
