// Questions made of recordings: always new ones, the same for a seed.
#pragma once

#include "app/learn/lots.h"
#include "app/learn/quiz_count.h"

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
    std::vector<std::string_view> concepts;          // slugs of rows of concepts that it asks about
    std::optional<QuizQuestion> (*make)(Lots& lots); // nothing: with these lots there is nothing to ask, draw others
};
std::span<const QuestionKind> question_kinds();
bool is_question_kind(std::string_view name);

struct QuizWanted {
    std::vector<std::string> concepts; // about one of these; empty: about anything
    std::string stage;                 // about this stage; empty: any
    std::vector<std::string> kinds;    // of these kinds; empty: any
    std::size_t count = 10;
    uint32_t seed = 1;
    friend bool operator==(const QuizWanted&, const QuizWanted&) = default;
};
void fields(auto& visit, kernels::Like<QuizWanted> auto& wanted)
{
    visit("concepts", wanted.concepts, kernels::may_be_missing);
    visit("questions", wanted.kinds, kernels::may_be_missing);
    visit("stage", wanted.stage, kernels::unless_empty);
    visit("seed", wanted.seed);
    visit("count", wanted.count, kernels::between(std::size_t{1}, most_questions), kernels::may_be_missing);
}
// Throws kernels::Error where nothing can be asked about these concepts, or this stage.
std::vector<QuizQuestion> make_quiz(Examples& examples, const QuizWanted& wanted);

} // namespace app
