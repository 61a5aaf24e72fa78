#include "app/learn/quiz.h"

#include "app/learn/question.h"

#include "error.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <set>

namespace app {

namespace {

constexpr std::size_t most_tries = 40; // tries of one kind until it has something to ask

bool is_about(const QuestionKind& kind, const std::vector<std::string>& concepts)
{
    return concepts.empty() || std::ranges::any_of(kind.concepts, [&](std::string_view one) {
               return std::ranges::find(concepts, one) != concepts.end();
           });
}

// Returns whether the list contains the name. An empty list contains every name.
bool asked_for(const std::string& name, const std::vector<std::string>& list)
{
    return list.empty() || std::ranges::find(list, name) != list.end();
}

// Returns nothing if the data for the question is not shipped.
std::optional<QuizQuestion> made_of(const QuestionKind& kind, QuestionContext& context)
{
    try {
        return kind.make(context);
    } catch (const kernels::Error&) {
        return {};
    }
}

// Draws another view while the question is asked.
void draw_while_asked(QuizQuestion& question, std::string_view view)
{
    question.is_drawn = true;
    if (question.asked.view == view)
        return;
    question.asked.view = view;
    question.asked.arranged.clear(); // the options belong to the other view
}

} // namespace

std::span<const QuestionKind> question_kinds()
{
    static const std::vector<QuestionKind> kinds = [] {
        std::vector<QuestionKind> all;
        for (const auto& part :
             {thread_questions(), memory_questions(), time_questions(), sm_questions(), speed_questions()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kinds;
}

bool is_question_kind(std::string_view name)
{
    return std::ranges::find(question_kinds(), name, &QuestionKind::name) != question_kinds().end();
}

std::vector<QuizQuestion> make_quiz(ExampleRecordings& examples, const QuizRequest& wanted)
{
    const std::size_t count = checked_question_count(wanted.count);
    std::vector<const QuestionKind*> kinds;
    for (const QuestionKind& kind : question_kinds())
        if (is_about(kind, wanted.concepts) && asked_for(std::string(kind.name), wanted.kinds))
            kinds.push_back(&kind);
    QuestionContext context(examples, wanted.seed);
    for (std::size_t i = kinds.size(); i > 1; --i)
        std::swap(kinds[i - 1], kinds[context.below(i)]);
    std::vector<QuizQuestion> quiz;
    std::set<std::string> asked; // texts of the questions, to avoid repetitions
    // Takes one question of each kind per round, so that a quiz has many kinds.
    for (std::size_t round = 0; quiz.size() < count && round < most_tries; ++round)
        for (const QuestionKind* kind : kinds) {
            if (quiz.size() == count)
                break;
            std::optional<QuizQuestion> made = made_of(*kind, context);
            if (!made || made->choices.size() < 2 || !asked_for(made->topic, wanted.concepts) ||
                (!wanted.stage.empty() && made->shown.stage() != wanted.stage) ||
                !asked.insert(viz::plain(made->ask)).second)
                continue;
            made->kind = kind->name;
            made->level = kind->level;
            if (!kind->asked_in.empty())
                draw_while_asked(*made, kind->asked_in);
            quiz.push_back(std::move(*made));
        }
    if (quiz.empty())
        throw kernels::Error("There is no question about that; ask for other concepts, another stage or other kinds.");
    std::ranges::stable_sort(quiz, {}, &QuizQuestion::level);
    return quiz;
}

} // namespace app
