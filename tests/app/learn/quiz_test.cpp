// Quizzes: the number of questions, the effect of the seed, and the answers, which are computed here in another way.
#include "app/learn/learning_progress.h"
#include "app/learn/lessons.h"
#include "app/learn/question.h"
#include "app/learn/quiz_file.h"
#include "app/panels/navigation.h"

#include "error.h"
#include "model/access_cost.h"
#include "temporary_folder.h"
#include "tests/app/learn/shipped_examples.h"
#include "tests/says.h"

#include "viz/text/templates.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace {

using app::QuizQuestion;
using app::QuizRequest;
using test::examples;
using test::says;

std::string words(const std::vector<QuizQuestion>& quiz)
{
    std::string all;
    for (const QuizQuestion& question : quiz)
        all += app::to_json(question).dump();
    return all;
}

TEST(Quiz, IsTheSameForASeedAndOtherForAnother)
{
    const auto first = app::make_quiz(examples(), {.count = 12, .seed = 5});
    EXPECT_EQ(first.size(), 12u);
    EXPECT_EQ(words(first), words(app::make_quiz(examples(), {.count = 12, .seed = 5})));
    EXPECT_NE(words(first), words(app::make_quiz(examples(), {.count = 12, .seed = 6})));
}

TEST(Quiz, HasDifferentChoicesWithAReasonEach)
{
    for (uint32_t seed = 1; seed <= 6; ++seed)
        for (const QuizQuestion& question : app::make_quiz(examples(), {.count = 60, .seed = seed})) {
            const std::string asked = viz::plain(question.ask);
            for (const char* misfit : {"[quiz.", "[no template"})
                EXPECT_FALSE(says(app::to_json(question).dump(), misfit));
            ASSERT_LT(question.answer, question.choices.size()) << asked;
            EXPECT_GE(question.choices.size(), 2u) << asked;
            std::set<std::string> labels;
            for (const app::AnswerChoice& choice : question.choices) {
                EXPECT_TRUE(labels.insert(viz::plain(choice.label)).second) << asked << viz::plain(choice.label);
                EXPECT_GT(viz::plain(choice.explains).size(), 10u) << asked;
            }
            EXPECT_NO_THROW(app::job_of(question.shown, examples().ladder())) << asked;
            EXPECT_NO_THROW(app::job_of(question.asked, examples().ladder())) << asked;
            EXPECT_EQ(app::parse_patch(app::text_of(question.shown)), question.shown);
        }
}

TEST(Quiz, BeginsWithTheEasyQuestions)
{
    const auto quiz = app::make_quiz(examples(), {.count = 30, .seed = 3});
    EXPECT_TRUE(std::ranges::is_sorted(quiz, {}, &QuizQuestion::level));
    EXPECT_EQ(quiz.front().level, app::Level::beginner);
    EXPECT_EQ(quiz.back().level, app::Level::advanced);
}

// While a question is open, the picture shows its kernel. A view other than the answer's has none of its options.
TEST(Quiz, DrawsWhatItSpeaksOf)
{
    int drawn = 0, all = 0;
    for (const QuizQuestion& question : app::make_quiz(examples(), {.count = 60, .seed = 2})) {
        ++all;
        drawn += question.covers_picture() ? 0 : 1;
        EXPECT_EQ(question.asked.stage(), question.shown.stage());
        if (question.asked.view != question.shown.view) {
            EXPECT_EQ(question.asked.arranged, "") << question.kind;
        }
        EXPECT_TRUE(question.asked.c != question.shown.c || !question.shown.c)
            << question.kind << ": tells the element";
    }
    EXPECT_GT(drawn, all / 2);
}

TEST(Quiz, IsAnsweredByTheKeysOfItsChoices)
{
    app::SessionOptions options;
    options.backend = "cpu";
    options.shipped = test::shipped();
    options.worker.in_process = true;
    options.measures = false;
    app::Session session(std::move(options));
    app::State state;
    EXPECT_FALSE(app::answer_by_key(session, state, app::typed(U'1'))) << "no quiz is open";
    state.learning.quiz.emplace();
    state.learning.quiz->questions = app::make_quiz(examples(), {.kinds = {"bank"}, .count = 1});
    const QuizQuestion& question = state.learning.quiz->questions.front();
    ASSERT_EQ(question.choices.size(), 4u);
    for (const app::KeyChord& other : {app::typed(U'0'), app::typed(U'5'), app::typed(U'n'), app::control(U'1')})
        EXPECT_FALSE(app::answer_by_key(session, state, other));
    state.at.page = app::Page::keys;
    EXPECT_FALSE(app::answer_by_key(session, state, app::typed(U'1'))) << "another page is open";
    state.at.page = app::Page::none;
    const auto right = static_cast<char32_t>(U'1' + question.answer);
    EXPECT_TRUE(app::answer_by_key(session, state, app::typed(right)));
    EXPECT_EQ(state.learning.quiz->chosen, question.answer);
    EXPECT_EQ(state.learning.quiz->right, 1u);
    EXPECT_FALSE(app::answer_by_key(session, state, app::typed(U'1'))) << "the question was already answered";
}

// The answer agrees with the recording at the place that the question shows.
TEST(Quiz, AnswersWhichBankFromTheRecordedAddress)
{
    for (const QuizQuestion& question : app::make_quiz(examples(), {.kinds = {"bank"}, .count = 20, .seed = 3})) {
        const auto recording = examples().of(question.shown);
        const recording::Access& access =
            recording->blocks[0].warps[question.shown.warp].accesses[*question.shown.step];
        const uint32_t bank = access.offset[question.shown.lane] / 4 % 32;
        EXPECT_EQ(viz::plain(question.choices[question.answer].label), std::to_string(bank));
        EXPECT_EQ(question.asked.view, "tiling") << "this view shows elements and no banks";
        EXPECT_FALSE(question.covers_picture());
    }
}

TEST(Quiz, AnswersAClickedLaneOnlyWhereItMeetsTheSameBank)
{
    for (const QuizQuestion& question : app::make_quiz(examples(), {.kinds = {"partner"}, .count = 10, .seed = 4})) {
        const auto recording = examples().of(question.shown);
        const recording::Access& access =
            recording->blocks[0].warps[question.shown.warp].accesses[*question.shown.step];
        const uint32_t own = access.offset[question.shown.lane];
        ASSERT_NE(question.lanes, 0u);
        EXPECT_EQ(question.lanes >> question.shown.lane & 1u, 0u);
        for (uint32_t lane = 0; lane < 32 && access.width == 4; ++lane)
            EXPECT_EQ((question.lanes >> lane & 1u) != 0,
                      access.offset[lane] != own && access.offset[lane] / 4 % 32 == own / 4 % 32)
                << lane;
        std::set<std::string> bytes; // lanes that want the same byte are one answer
        for (const app::AnswerChoice& choice : question.choices) {
            const std::string label = viz::plain(choice.label);
            EXPECT_TRUE(bytes.insert(label.substr(label.find("byte"))).second) << label;
        }
    }
}

// The text says where the tile's elements are and which lane accesses which, so that it determines the answer.
TEST(Quiz, SaysWhereTheElementsLie)
{
    for (const QuizQuestion& question : app::make_quiz(examples(), {.kinds = {"wavefronts"}, .count = 10, .seed = 7})) {
        const std::string asked = viz::plain(question.ask);
        EXPECT_TRUE(says(asked, " lies by row"));
        const bool all = asked.find("They ") != std::string::npos; // all lanes, in ranges such as lanes 0-15
        EXPECT_TRUE(says(asked, all ? "lane" : "lane 1 "));
        if (all) {
            EXPECT_TRUE(says(asked, "31 "));
        }
        EXPECT_TRUE(says(viz::plain(question.choices[question.answer].explains), ": "));
    }
}

// The question about the library uses the accesses that were traced of its kernel.
TEST(Quiz, AsksAboutTheLibrarysOwnAccesses)
{
    for (const QuizQuestion& question : app::make_quiz(examples(), {.kinds = {"library"}, .count = 5, .seed = 2})) {
        const auto recording = examples().of(question.shown);
        const recording::Access& access =
            recording->blocks[0].warps[question.shown.warp].accesses[*question.shown.step];
        model::Pattern pattern{.width = 16};
        std::ranges::copy(access.offset, pattern.offset.begin());
        EXPECT_EQ(viz::plain(question.choices[question.answer].label),
                  std::to_string(model::shared_access(access.op, pattern).wavefronts));
        EXPECT_NE(recording->stage, "fastest");
    }
}

TEST(Quiz, AsksOnlyAboutWhatWasWanted)
{
    const std::vector<std::string> concepts = app::shipped_lessons().concepts_of("conflicts");
    const auto quiz = app::make_quiz(examples(), {.concepts = concepts, .count = 30, .seed = 2});
    EXPECT_GE(quiz.size(), 10u);
    for (const QuizQuestion& question : quiz)
        EXPECT_NE(std::ranges::find(concepts, question.topic), concepts.end()) << question.topic;
    for (const QuizQuestion& question : app::make_quiz(examples(), {.stage = "vectorized", .count = 10}))
        EXPECT_EQ(question.shown.stage(), "vectorized");
    EXPECT_THROW(app::make_quiz(examples(), {.concepts = {"no such thing"}}), kernels::Error);
}

// Every concept can be asked about, from what is shipped.
TEST(Quiz, KnowsAQuestionAboutEveryConcept)
{
    for (const app::Concept& row : app::all_concepts()) {
        std::vector<QuizQuestion> quiz;
        EXPECT_NO_THROW(quiz = app::make_quiz(examples(), {.concepts = {row.slug}, .count = 1})) << row.slug;
        EXPECT_EQ(quiz.size(), 1u) << row.slug;
    }
}

TEST(Quiz, IsMadeWithoutAnythingShipped)
{
    app::ExampleRecordings alone({});
    EXPECT_EQ(app::make_quiz(alone, {.count = 10}).size(), 10u);
}

TEST(Quiz, HasNoMoreQuestionsThanAnybodyAnswers)
{
    for (const std::size_t count : {std::size_t{0}, app::most_questions + 1, std::size_t{4'000'000'000}})
        EXPECT_THROW(app::make_quiz(examples(), {.count = count}), kernels::Error) << count;
}

TEST(QuizFile, PinsWhatIsAsked)
{
    const kernels::TemporaryFolder folder;
    const QuizRequest wanted{.concepts = {"banks"}, .stage = "vectorized", .kinds = {"bank"}, .count = 4, .seed = 9};
    app::write_quiz_file(wanted, folder / "quiz.json");
    const QuizRequest read = app::read_quiz_file(folder / "quiz.json");
    EXPECT_EQ(words(app::make_quiz(examples(), read)), words(app::make_quiz(examples(), wanted)));
    for (const char* broken :
         {"", "{}", R"({"format": 1})", R"({"format": 2, "seed": 1})",
          R"({"format": 1, "seed": 1, "questions": ["nothing"]})", R"({"format": 1, "seed": -1})",
          R"({"format": 1, "seed": 1, "course": "none"})", R"({"format": 1, "seed": 1, "count": 4000000000})",
          R"({"format": 1, "seed": 1, "count": 0})"}) {
        std::ofstream(folder / "broken.json") << broken;
        EXPECT_THROW(app::read_quiz_file(folder / "broken.json"), kernels::Error) << broken;
    }
}

TEST(QuizAnswers, AreHandedInAndEvaluated)
{
    const kernels::TemporaryFolder folder;
    const auto quiz = app::make_quiz(examples(), {.kinds = {"bank", "sectors"}, .count = 4, .seed = 2});
    std::vector<app::GivenAnswer> all_right, one_wrong;
    for (const QuizQuestion& question : quiz) {
        all_right.push_back(app::given_answer(question, question.answer));
        one_wrong.push_back(all_right.back());
    }
    one_wrong[0].chosen = one_wrong[0].answer == 0 ? 1 : 0;
    app::write_answers(one_wrong, folder / "ada.json");
    const auto read = app::read_answers(folder / "ada.json");
    ASSERT_EQ(read.size(), 4u);
    EXPECT_FALSE(read[0].is_right());
    EXPECT_TRUE(read[1].is_right());
    EXPECT_EQ(read[0].question, viz::plain(quiz[0].ask));
    const auto concepts = app::by_concept({all_right, read});
    ASSERT_FALSE(concepts.empty());
    EXPECT_EQ(concepts.front().topic, quiz[0].topic) << "the concept with the fewest right answers comes first";
    EXPECT_EQ(concepts.front().asked - concepts.front().right, 1u);
    for (const char* broken : {"", "{}", R"({"format": 2, "answers": []})", R"({"format": 1, "answers": [{}]})"}) {
        std::ofstream(folder / "broken.json") << broken;
        EXPECT_THROW(app::read_answers(folder / "broken.json"), kernels::Error) << broken;
    }
}

TEST(LearningProgress, IsKeptByConcept)
{
    const kernels::TemporaryFolder folder;
    app::LearningProgress learned;
    EXPECT_EQ(learned.of("banks"), app::Mastery::untouched);
    learned.add("banks", true);
    EXPECT_EQ(learned.of("banks"), app::Mastery::begun);
    learned.add("banks", true);
    EXPECT_EQ(learned.of("banks"), app::Mastery::known);
    EXPECT_EQ(learned.save(folder / "progress.json"), "");
    EXPECT_EQ(app::LearningProgress::load(folder / "progress.json").all(), learned.all());
    learned.add("banks", false);
    EXPECT_EQ(learned.of("banks"), app::Mastery::begun);
    std::ofstream(folder / "progress.json") << "{";
    EXPECT_TRUE(app::LearningProgress::load(folder / "progress.json").all().empty());
}

} // namespace
