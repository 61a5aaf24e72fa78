// Makes questions from recordings. Different seeds give different questions; the same seed gives the same ones.
#pragma once

#include "app/learn/question.h"
#include "app/learn/question_context.h"

#include "base/fields.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct QuestionKind {
    std::string_view name;
    std::vector<std::string_view> concepts; // slugs of the concepts that it asks about
    // Makes a question. Returns nothing if there is nothing to ask with these random numbers.
    std::optional<QuizQuestion> (*make)(QuestionContext& context);
    Level level = Level::beginner;
    // The view that is drawn while the question is asked. It shows the subject of the question without revealing the
    // answer. Empty: there is no such view, so the picture stays covered.
    std::string_view asked_in = {};
};
// Return the kinds by subject. Each function is defined in its own source, questions_*.cpp.
std::vector<QuestionKind> thread_questions();   // which thread computes what
std::vector<QuestionKind> memory_questions();   // banks and sectors: the cost of an access
std::vector<QuestionKind> time_questions();     // order in time: k-tiles, barriers, asynchronous copies
std::vector<QuestionKind> sm_questions();       // what fits on an SM, and how a launch fills the GPU
std::vector<QuestionKind> speed_questions();    // speeds and their reasons
std::span<const QuestionKind> question_kinds(); // all of them
bool is_question_kind(std::string_view name);

struct QuizRequest {
    std::vector<std::string> concepts; // concepts to ask about; empty: any
    std::string stage;                 // stage to ask about; empty: any
    std::vector<std::string> kinds;    // kinds to use; empty: any
    std::size_t count = 10;
    uint32_t seed = 1;
    friend bool operator==(const QuizRequest&, const QuizRequest&) = default;
};
void fields(auto& visit, kernels::Like<QuizRequest> auto& wanted)
{
    visit("concepts", wanted.concepts, kernels::may_be_missing);
    visit("questions", wanted.kinds, kernels::may_be_missing);
    visit("stage", wanted.stage, kernels::unless_empty);
    visit("seed", wanted.seed);
    visit("count", wanted.count, kernels::between(std::size_t{1}, most_questions), kernels::may_be_missing);
}
// Makes the questions, the easy ones first. Throws kernels::Error if nothing can be asked about these concepts or this
// stage.
std::vector<QuizQuestion> make_quiz(ExampleRecordings& examples, const QuizRequest& wanted);

} // namespace app
